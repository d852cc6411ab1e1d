// More time for a running session, as far as policy allows it now, or less, which is always allowed. The
// choices appear together once they are known, so no button moves under the pointer.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import type { Session } from "~/api/types";
import { useSetTime } from "~/api/writes";
import { span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { Time } from "~/ui/Time";
import classes from "./TimeDialog.module.css";

const words = strings.sessionTime;
const LEFT_S = [900, 3600, 4 * 3600];

export default function TimeDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const set = useSetTime();
  const more = useQuery({
    queryKey: ["time-limit", session.id, session.resources.walltime_s],
    queryFn: () => answer(() => client.GET("/sessions/{session_id}/time-limit", { params: { path: { session_id: session.id } } })),
    staleTime: 0,
  });
  const to = (walltime_s: number) => set.mutate({ id: session.id, walltime_s }, { onSuccess: onClose });
  const reasons = [...new Set(more.data?.choices.flatMap(({ why_not }) => why_not ?? []))];
  const less = useLess(session);
  return (
    <Dialog opened onClose={onClose} title={words.title(session.name)} closeLabel={strings.dialog.close}>
      <p className={classes["now"]}>
        {words.now} {session.ends_at !== null && <Time at={session.ends_at} as="left" />}
      </p>
      <h3 className={classes["head"]}>{words.more}</h3>
      {more.error !== null && <ProblemNote error={more.error} />}
      <div className={classes["choices"]} aria-busy={more.isPending}>
        {more.data?.choices.map(({ seconds, why_not }) => (
          <Button
            key={seconds}
            variant="default"
            disabled={why_not !== null || set.isPending}
            onClick={() => to(session.resources.walltime_s + seconds)}
          >
            {words.add(span(seconds))}
          </Button>
        ))}
      </div>
      {reasons.map((reason) => (
        <p key={reason} className="quiet small">
          {reason}
        </p>
      ))}
      {!more.isPending && less.length > 0 && (
        <>
          <h3 className={classes["head"]}>{words.less}</h3>
          <div className={classes["choices"]}>
            {less.map(({ left, walltime }) => (
              <Button key={left} variant="default" disabled={set.isPending} onClick={() => to(walltime)}>
                {words.endIn(span(left))}
              </Button>
            ))}
          </div>
        </>
      )}
      {set.error !== null && <ProblemNote error={set.error} title={words.failed} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {strings.dialog.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The time limits, in whole minutes from the start, that leave less time than there is. */
function useLess({ started_at, ends_at }: Session): { left: number; walltime: number }[] {
  const now = useNow(60);
  if (started_at === null || ends_at === null) return [];
  const elapsed = (now - Date.parse(started_at)) / 1000;
  return LEFT_S.filter((left) => now + (left + 60) * 1000 < Date.parse(ends_at)).map((left) => ({
    left,
    walltime: Math.ceil((elapsed + left) / 60) * 60,
  }));
}
