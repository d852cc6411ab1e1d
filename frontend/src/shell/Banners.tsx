// What everybody must know above every page: Slurm does not answer, or this page is not live.
import { AlertIcon, BroadcastIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";

import { useSite } from "~/api/queries";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { useLiveStatus } from "~/live/status";
import { strings } from "~/strings/en";
import classes from "./Banners.module.css";

const CALM_MS = 5_000;

export function Banners() {
  const slurm = useSite().data?.slurm;
  const status = useLiveStatus();
  const now = useNow(1);
  const lost = status.since !== null && now - status.since > CALM_MS ? new Date(status.since).toISOString() : null;
  return (
    <div role="status">
      {lost !== null && (
        <Banner icon={<BroadcastIcon />} text={strings.live.lost(clock(lost, now))} advice={strings.live.lostAdvice} />
      )}
      {slurm?.state === "down" && (
        <Banner
          icon={<AlertIcon />}
          text={strings.live.slurmDown(slurm.since === null ? null : clock(slurm.since, now))}
          advice={strings.live.slurmDownAdvice}
          title={slurm.message ?? ""}
        />
      )}
    </div>
  );
}

function Banner({ icon, text, advice, title }: { icon: ReactNode; text: string; advice: string; title?: string }) {
  return (
    <p className={classes["banner"]}>
      <span className={classes["icon"]}>{icon}</span>
      <span title={title}>
        <strong>{text}</strong> {advice}
      </span>
    </p>
  );
}
