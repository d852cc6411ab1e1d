// One announcement of the list: its text, where and until when it applies, and its actions.
import { Button } from "@mantine/core";
import { useState } from "react";

import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { until } from "~/ui/AnnouncementBanner";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./AnnouncementsPage.module.css";
import { useEndAnnouncement, type AnnouncementRow } from "./queries";

const words = strings.admin.announcements;

export function AnnouncementCard({ row, onChange }: { row: AnnouncementRow; onChange: () => void }) {
  const now = useNow(30);
  const [asking, setAsking] = useState(false);
  return (
    <article className={`card ${classes["card"]}`} aria-label={row.text}>
      <div>
        <p className={classes["text"]}>{row.text}</p>
        <p className={classes["facts"]}>{factsOf(row, now).join(" · ")}</p>
      </div>
      {row.state !== "over" && (
        <div className={classes["actions"]}>
          <Button size="xs" variant="default" aria-label={words.changeOf(row.text)} onClick={onChange}>
            {words.change}
          </Button>
          <Button size="xs" variant="default" aria-label={words.endOf(row.text)} onClick={() => setAsking(true)}>
            {words.end}
          </Button>
        </div>
      )}
      <EndDialog row={row} opened={asking} onClose={() => setAsking(false)} />
    </article>
  );
}

function EndDialog({ row, opened, onClose }: { row: AnnouncementRow; opened: boolean; onClose: () => void }) {
  const end = useEndAnnouncement();
  return (
    <Dialog opened={opened} onClose={onClose} title={words.endTitle} closeLabel={strings.dialog.close}>
      <p style={{ marginTop: 0 }}>“{row.text}”</p>
      <p className="quiet">{words.endText}</p>
      {end.error !== null && <ProblemNote error={end.error} title={words.endFailed} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.keep}
        </Button>
        <Button color="bad" loading={end.isPending} onClick={() => end.mutate(row.id, { onSuccess: onClose })}>
          {words.endConfirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function factsOf(row: AnnouncementRow, now: number): string[] {
  return [
    words.states[row.state],
    ...(row.kind === "maintenance" ? [words.maintenance] : []),
    timeOf(row, now),
    row.partitions.length === 0 ? words.all : row.partitions.join(", "),
    ...(row.on_login ? [words.login] : []),
    words.by(row.created_by),
  ];
}

function timeOf({ state, starts_at, ends_at, shown_from, withdrawn_at }: AnnouncementRow, now: number): string {
  if (withdrawn_at !== null) return words.until(clock(withdrawn_at, now));
  if (starts_at !== null && ends_at !== null) return words.window(clock(starts_at, now), until(starts_at, ends_at, now));
  if (state === "planned") return words.from(clock(shown_from, now));
  return ends_at === null ? words.untilEnded : words.until(clock(ends_at, now));
}
