"""Slurm's side of batch jobs: actions as their user through the door, history from accounting."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from portal.errors import PortalError, SlurmUnavailable
from portal.slurm import error_messages, parse, queries
from portal.slurm.budget import Budget
from portal.slurm.commands import SlurmCommands
from portal.slurm.door_client import DoorRefused
from portal.slurm.door_slots import DoorBusy
from portal.slurm.jobs import JobState
from portal.slurm.parse_jobs import job_state

#: Acting on hundreds of jobs is one call that runs a command for each.
ACT_DEADLINE_S = 60
_ID = re.compile(r"(\d+)(?:_(\d+|\[[^\]]+\]))?")
_TEST = re.compile(
    r"Job \d+ to start at (\S+)(?: a?)? using \d+ processors on (?:nodes? )?(\S+)(?: in partition (\S+))?"
)


@dataclass(frozen=True, slots=True)
class AccountingRecord:
    """What accounting knows of one job or of array tasks, with steps folded in."""

    job_id: int
    """For an array, the array's job id."""
    tasks: str
    """For an array, the task number, or the tasks that never started, such as `33-499%20`; otherwise empty."""
    raw_id: int
    state: JobState
    exit_code: int | None
    signal: int | None
    cancelled_by_uid: int | None
    nodes: str
    started_at: datetime | None
    ended_at: datetime | None
    held_cpu_s: float
    used_cpu_s: float | None
    max_memory_mib: int | None
    gpu_percent: float | None


@dataclass(frozen=True, slots=True)
class DryRun:
    """Slurm would take the job; when and where it would start, if Slurm says so."""

    starts_at: datetime | None
    nodes: str | None
    partition: str | None
    text: str


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """The result for one job; `gone`: it had ended before."""

    id: str
    problem: PortalError | None
    gone: bool = False


class BatchSlurm:
    """Every method raises SlurmUnavailable if Slurm does not answer; those that act raise SlurmRefused for a
    refusal.
    """

    def __init__(self, commands: SlurmCommands, *, deadline_s: int) -> None:
        self._commands = commands
        self._deadline_s = deadline_s

    @property
    def budget(self) -> Budget:
        return self._commands.budget

    async def test(self, user: str, script: str, workdir: str | None, partition: str | None) -> DryRun:
        """Ask Slurm what it would do with the script, without submitting it."""
        answer = await self._act("job_test", user, script=script, workdir=workdir, partition=partition)
        return _dry_run(str(answer["said"]))

    async def submit(
        self,
        user: str,
        script: str,
        workdir: str | None,
        partition: str | None,
        token: str | None,
        meter: str | None = None,
    ) -> int:
        """Submit the script as `user` and return the job id.

        If the answer is lost, the job is looked for by the token, which is its comment; without a token it cannot be
        found. With `meter` (see `door/meter.py`) the job meters its GPUs.
        """
        try:
            answer = await self._act(
                "job_submit", user, script=script, workdir=workdir, partition=partition, token=token, meter=meter
            )
        except DoorBusy:
            raise
        except SlurmUnavailable:
            job_id = await self._find(user, token) if token else None
            if job_id is None:
                raise
            return job_id
        return int(answer["job_id"])

    async def submitted(self, user: str, token: str, since: datetime) -> int | None:
        """Return the job submitted with this token since then, as accounting knows it.

        Accounting keeps each submission's command line, which contains the token.
        """
        if not await self.keeps_accounts():
            return None
        begin = (since - timedelta(minutes=1)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        for line in (await self._commands.ask(queries.submitted(user, begin))).splitlines():
            job, _, message = line.partition(queries.SEPARATOR)
            if f"--comment=portal:{token}" in message and (named := _ID.fullmatch(job)) is not None:
                return int(named[1])
        return None

    async def keeps_accounts(self) -> bool:
        return await self._commands.keeps_accounts()

    async def act(self, user: str, action: str, ids: Sequence[str], walltime_s: int | None) -> list[ActionOutcome]:
        """Apply one action to many jobs of `user`, each with its own result."""
        try:
            answer = await self._commands.act(
                "job_act", user=user, action=action, ids=list(ids), walltime_s=walltime_s, deadline_s=ACT_DEADLINE_S
            )
        except DoorRefused as refused:
            raise error_messages.error_for(refused.message) if refused.kind == "slurm" else refused from refused
        return [
            _acted(action, result["id"], ok=bool(result["ok"]), message=str(result["said"]))
            for result in answer["results"]
        ]

    async def accounts(self, job_ids: Collection[int]) -> dict[int, list[AccountingRecord]]:
        """Return what accounting knows of these jobs; empty if the cluster has no accounting."""
        if not job_ids:
            return {}
        try:
            return _accounts(await self._commands.ask(queries.accounts(sorted(job_ids))))
        except SlurmUnavailable:
            if await self._commands.keeps_accounts():
                raise
            return {}

    async def outputs(self, job_id: int) -> tuple[str, str, str, str] | None:
        """Return stdout, stderr, working folder and dependencies of a job that Slurm still knows."""
        mark = queries.new_mark()
        try:
            parts = (await self._commands.ask(queries.outputs(job_id, mark))).split(mark)
        except SlurmUnavailable as error:
            if error_messages.is_unknown(error.message):
                return None
            raise
        if len(parts) <= 4:
            return None
        # Newer versions print them as requested, and print no stderr if it goes to stdout.
        first, second, folder, dependency = parts[0].lstrip("\n"), *parts[1:4]
        stdout, stderr = (os.path.join(folder, name) if (name := parse.text(part)) else "" for part in (first, second))
        return stdout, stderr or stdout, folder, parse.text(dependency)

    async def use(self, user: str, job_id: int, nodes: int, life_s: int) -> AsyncGenerator[str]:
        """Return what a running job of `user` uses, once the budget allows: every few seconds a line of JSON from each
        of its nodes.

        The stream raises SlurmRefused if no step can be started in the job, and when the job ends.
        """
        stream = await self._commands.stream("use", user=user, job_id=job_id, nodes=nodes, life_s=life_s)

        async def lines() -> AsyncGenerator[str]:
            try:
                async with aclosing(stream) as frames:
                    async for _, piece in frames:
                        for line in piece.decode(errors="replace").splitlines():
                            yield line
            except DoorRefused as refused:
                raise error_messages.error_for(refused.message) if refused.kind == "slurm" else refused from refused

        return lines()

    async def _act(self, verb: str, user: str, **fields: object) -> dict[str, Any]:
        try:
            return await self._commands.act(verb, user=user, deadline_s=self._deadline_s, **fields)
        except DoorRefused as refused:
            if refused.kind == "slurm":
                raise error_messages.error_for(refused.message) from refused
            raise

    async def _find(self, user: str, token: str) -> int | None:
        try:
            with self.budget.at_once():
                jobs = await self._commands.jobs()
        except SlurmUnavailable:
            return None
        return next((job.id for job in jobs if job.user == user and job.comment == f"portal:{token}"), None)


def _acted(action: str, job: str, *, ok: bool, message: str) -> ActionOutcome:
    if ok or message.endswith(": No error"):  # some tasks of an array had ended already, the rest succeeded
        return ActionOutcome(job, None)
    if action == "cancel" and error_messages.is_gone(message):
        return ActionOutcome(job, None, gone=True)
    return ActionOutcome(job, error_messages.error_for(message))


def _dry_run(message: str) -> DryRun:
    lines = [re.sub(r"^sbatch: ", "", line) for line in message.splitlines()]
    for line in lines:
        if match := _TEST.search(line):
            return DryRun(parse.when(match[1]), match[2], match[3], line)
    return DryRun(None, None, None, lines[-1] if lines else "")


def _accounts(output: str) -> dict[int, list[AccountingRecord]]:
    """Fold the lines of sacct, each job's followed by its steps', into one value for each job or task."""
    jobs: dict[str, list[dict[str, str]]] = {}
    for line in output.splitlines():
        values = line.split(queries.SEPARATOR)
        if len(values) != len(queries.ACCOUNT_FIELDS):
            continue
        row = dict(zip(queries.ACCOUNT_FIELDS, values, strict=True))
        jobs.setdefault(row["JobID"].partition(".")[0], []).append(row)
    accounts: dict[int, list[AccountingRecord]] = {}
    for rows in jobs.values():
        account = _account(rows)
        if account is not None:
            accounts.setdefault(account.job_id, []).append(account)
    return accounts


def _account(rows: list[dict[str, str]]) -> AccountingRecord | None:
    job, steps = rows[0], rows[1:]
    named = _ID.fullmatch(job["JobID"])
    state = job_state(job["State"])
    if named is None:
        return None
    if any(job_state(step["State"]) is JobState.OUT_OF_MEMORY for step in steps):
        state = JobState.OUT_OF_MEMORY
    code, _, signal = job["ExitCode"].partition(":")
    by = re.fullmatch(r"CANCELLED by (\d+)", job["State"])
    used = [size for step in steps if (size := parse.memory_mib(step["MaxRSS"])) is not None]
    return AccountingRecord(
        job_id=int(named[1]),
        tasks=(named[2] or "").strip("[]"),
        raw_id=int(job["JobIDRaw"]),
        state=state,
        exit_code=parse.number(code),
        signal=parse.number(signal) or None,
        cancelled_by_uid=int(by[1]) if by else None,
        nodes=parse.text(job["NodeList"].replace("None assigned", "")),
        started_at=parse.when(job["Start"]),
        ended_at=parse.when(job["End"]),
        held_cpu_s=float(parse.number(job["CPUTimeRAW"]) or 0),
        used_cpu_s=parse.cpu_s(job["TotalCPU"]),
        max_memory_mib=max(used, default=None),
        gpu_percent=max(
            (float(value) for step in steps if (value := parse.tres(step["TRESUsageInAve"]).get("gres/gpuutil"))),
            default=None,
        ),
    )
