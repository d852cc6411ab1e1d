// Which actions apply to a job, and when.
import { isHeld, isOver, isPending, isRunning } from "~/api/jobStates";
import type { JobAction, JobRow } from "~/api/jobTypes";

/** What is known of a job to act on; for a task that is not listed, only its id. */
export type Target = Pick<JobRow, "id" | "name" | "state" | "ended_at" | "reason_code" | "array">;

export const ACTIONS: readonly JobAction[] = ["cancel", "hold", "release", "requeue", "time_limit"];

/** Whether an action makes sense now; the portal and Slurm have the last word. */
export function applies(action: JobAction, target: Target): boolean {
  const { array } = target;
  const pending = array === null ? isPending(target) : array.pending > 0;
  const running = array === null ? isRunning(target) : array.running > 0;
  if (action === "hold") return pending && !isHeld(target);
  if (action === "release") return isHeld(target);
  if (action === "requeue") return running;
  return !isOver(target) && (pending || running);
}
