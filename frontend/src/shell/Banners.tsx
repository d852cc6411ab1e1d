// What concerns everybody, above every page: a lost connection, an unresponsive Slurm, announcements.
import { AlertIcon, BroadcastIcon } from "@primer/octicons-react";

import { useAnnouncements, useMe, useMessages, useSite } from "~/api/queries";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { useLiveStatus } from "~/live/status";
import { strings } from "~/strings/en";
import { AnnouncementBanner } from "~/ui/AnnouncementBanner";
import { Banner } from "~/ui/Banner";
import { EndedJobsBanner } from "./EndedJobsBanner";
import { EndingSoonBanner } from "./EndingSoonBanner";
import { MessageBanner } from "./MessageBanner";

const CALM_MS = 5_000;

export function Banners() {
  const site = useSite().data;
  const slurm = site?.slurm;
  const announcements = useAnnouncements().data?.items ?? [];
  const messages = useMessages().data?.items ?? [];
  const status = useLiveStatus();
  const missingSince = useMe().data?.admin === true ? strings.live.missingSinceAdmin : strings.live.missingSince;
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
      {(site?.missing ?? []).map(({ part, text, since }) => (
        <Banner key={part} icon={<AlertIcon />} text={text} advice={since === null ? "" : missingSince(clock(since, now))} />
      ))}
      {messages.map((message) => (
        <MessageBanner key={message.id} message={message} />
      ))}
      <EndingSoonBanner now={now} />
      <EndedJobsBanner />
      {announcements.map((announcement) => (
        <AnnouncementBanner key={announcement.id} announcement={announcement} now={now} />
      ))}
    </div>
  );
}
