"""Cancels, holds, releases, requeues and shortens batch jobs, as their user. Each job has its own result."""

from __future__ import annotations

from collections.abc import Sequence

from portal.errors import FieldProblem, InvalidRequest, SlurmUnavailable
from portal.jobs import limits
from portal.jobs.models import JobRecord
from portal.jobs.reconciler import JobReconciler
from portal.jobs.schemas import Action, ActionResult
from portal.jobs.store import JobStore
from portal.slurm.batch import ActionOutcome, BatchSlurm
from portal.slurm.snapshot import Reach
from portal.slurm.watcher import Watcher

DONE = {
    Action.CANCEL: "Cancelled.",
    Action.HOLD: "Held: it does not start until it is released.",
    Action.RELEASE: "Released.",
    Action.REQUEUE: "Put back in the queue.",
    Action.TIME_LIMIT: "Its time limit was changed.",
}


class JobActions:
    def __init__(self, *, slurm: BatchSlurm, watcher: Watcher, store: JobStore, reconciler: JobReconciler) -> None:
        self._slurm = slurm
        self._watcher = watcher
        self._store = store
        self._reconciler = reconciler

    async def act(self, user: str, action: Action, ids: Sequence[str], walltime_s: int | None) -> list[ActionResult]:
        """Apply one action to many jobs as `user`. Slurm refuses other users' jobs; the portal refuses longer time
        limits.

        Raises SlurmUnavailable if Slurm does not answer; nothing was done then.
        """
        if (action is Action.TIME_LIMIT) != (walltime_s is not None):
            raise InvalidRequest(
                "The action time_limit needs a new time limit, and no other action takes one.",
                fields=[FieldProblem("walltime_s", "Set this for the action time_limit only.")],
            )
        slurm_answers(self._watcher, "changed", "Nothing was done; try again in a minute.")
        results = {} if walltime_s is None else await self._longer(user, ids, walltime_s)
        if action is Action.REQUEUE:
            results = await self._ended(user, ids)
        left = [job_id for job_id in ids if job_id not in results]
        done = await self._slurm.act(user, action.value, left, walltime_s) if left else []
        self._watcher.kick()
        results |= {outcome.id: await self._result(user, action, outcome) for outcome in done}
        return [results[job_id] for job_id in ids]

    async def _longer(self, user: str, ids: Sequence[str], walltime_s: int) -> dict[str, ActionResult]:
        """Return the refusals of jobs that would become longer, or that are not batch jobs of this user."""
        results = {}
        for job in ids:
            number, task = _parts(job)
            record = await self._store.find(number, user)
            if record is None:
                results[job] = _refused(job, _unknown(number))
            elif (why := limits.refusal(record, self._reconciler.live(number), task, walltime_s)) is not None:
                results[job] = _refused(job, why)
        return results

    async def _ended(self, user: str, ids: Sequence[str]) -> dict[str, ActionResult]:
        """Return the refusals of jobs that have ended: to run again they must be submitted, and checked, again."""
        results = {}
        for job in ids:
            record = await self._store.find(_parts(job)[0], user)
            if record is not None and record.ended_at is not None:
                results[job] = _refused(job, "It has ended: submit it again.")
        return results

    async def _result(self, user: str, action: Action, done: ActionOutcome) -> ActionResult:
        """Return the result for one job.

        Slurm reports another user's job, one that never existed and one it has forgotten in the same way; scancel says
        nothing about jobs that it does not know.
        """
        number, _ = _parts(done.id)
        over = done.gone or (action is Action.CANCEL and done.problem is None and self._over(number))
        if (over or done.problem is not None) and await self._store.find(number, user) is None:
            return _refused(done.id, _unknown(number))
        if over:
            return ActionResult(id=done.id, ok=True, changed=False, message="It had already ended.")
        if done.problem is not None:
            return _refused(done.id, done.problem.message)
        return ActionResult(id=done.id, ok=True, changed=True, message=DONE[action])

    def _over(self, job_id: int) -> bool:
        return self._reconciler.ended_at(job_id, None) is not None


def slurm_answers(watcher: Watcher, done: str, hint: str) -> None:
    """Raise SlurmUnavailable if Slurm is known not to answer; `done` names what cannot be done."""
    snapshot = watcher.snapshot
    if snapshot.state is Reach.DOWN:
        why = f"Slurm does not answer, so nothing can be {done} now. {snapshot.message or ''}"
        raise SlurmUnavailable(why.strip(), hint=hint)


def actions(record: JobRecord) -> list[Action]:
    """Return the actions that a job allows now."""
    if record.ended_at is not None:
        return []
    if record.state == "PENDING" or record.array_pending:
        held = (record.reason_code or "").startswith("JobHeld")
        more = [Action.RELEASE if held else Action.HOLD]
    else:
        more = [Action.REQUEUE]
    return [Action.CANCEL, *more, Action.TIME_LIMIT]


def _parts(job: str) -> tuple[int, str]:
    """`123_7` → 123 and `7`."""
    number, _, task = job.partition("_")
    return int(number), task


def _unknown(job_id: int) -> str:
    return f"You have no job {job_id}; your list of jobs includes ended ones."


def _refused(job: str, why: str) -> ActionResult:
    return ActionResult(id=job, ok=False, changed=False, message=why)
