import { Skeleton } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";

import { jobReads } from "~/api/jobs";
import type { JobPreset } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import { Dialog } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./ComposeForm.module.css";

const words = strings.compose;

export function PresetDialog({ onChoose, onClose }: { onChoose: (preset: JobPreset) => void; onClose: () => void }) {
  const { data, error, refetch } = useQuery(jobReads.presets);
  return (
    <Dialog opened onClose={onClose} title={words.presets} closeLabel={strings.dialog.close}>
      {error !== null && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={200} />}
      {data?.length === 0 && <p className="quiet">{words.presetsNone}</p>}
      <ul className={classes["presets"]}>
        {data?.map((preset) => (
          <li key={preset.name}>
            <button type="button" className={classes["preset"]} onClick={() => onChoose(preset)}>
              <strong>{preset.title}</strong>
              <span className="quiet">{preset.description}</span>
              {preset.caution !== null && (
                <span className={classes["caution"]}>
                  <AlertIcon size={12} /> {preset.caution}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
