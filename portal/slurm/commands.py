"""The client that asks Slurm through its own commands, and acts as users through the door."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncGenerator, Collection, Mapping
from dataclasses import replace
from typing import Any

import structlog

from portal.circuit import Circuit
from portal.errors import FieldProblem, SlurmRefused, SlurmUnavailable
from portal.garbage import many_values
from portal.settings import Slurm
from portal.slurm import (
    error_messages,
    parse,
    parse_jobs,
    parse_nodes,
    parse_places,
    parse_priorities,
    process,
    queries,
)
from portal.slurm.budget import Budget
from portal.slurm.client import job_name
from portal.slurm.door_client import Door, DoorRefused, StartAborted
from portal.slurm.door_slots import DoorBusy
from portal.slurm.jobs import Job, JobEnd, LogPiece, Place, Priority, SessionSpec, Submitted
from portal.slurm.nodes import License, Node, Partition, Reservation
from portal.slurm.snapshot import Association, EnforcedLimit
from portal.slurm.timing import Timings

log = structlog.get_logger(__name__)

#: How long to look for a lost submission. Together with the door's own deadline, this must stay well below a user's
#: patience.
LOOK_S = 2.0
MAX_PIECE = 1 << 20
#: What can be changed of a pending job.
CHANGEABLE = ("partition", "account", "qos", "gpu_type", "gpus", "cpus", "memory_mib", "walltime_s")
#: Commands that ask slurmdbd; the others ask slurmctld.
_OF_ACCOUNTING = ("sacct", "sacctmgr")
#: Values of AccountingStorageType for a cluster without accounting.
_NO_ACCOUNTING = ("", "(null)", "accounting_storage/none")


class SlurmCommands:
    """`SlurmClient` through squeue, scontrol, sacct, sacctmgr and the door. `calls` counts them by name."""

    def __init__(self, settings: Slurm) -> None:
        self._settings = settings
        slow_s = settings.timeout_s / 2
        self._controller = Circuit("Slurm's controller", SlurmUnavailable, slow_s=slow_s)
        self._accounting = Circuit("Slurm's accounting", SlurmUnavailable, slow_s=slow_s)
        self._env = {"PATH": f"{settings.bin_dir}:/usr/bin:/bin", **queries.ENVIRONMENT}
        if settings.conf is not None:
            self._env["SLURM_CONF"] = str(settings.conf)
        self.budget = Budget(settings.readings_per_minute, time.monotonic)
        self.door = Door(settings)
        self._jobs = parse_jobs.JobReader()
        self._nodes = parse_nodes.NodeReader()
        self._config: dict[str, str] | None = None
        self.calls: Counter[str] = Counter()
        self.timings = Timings()

    @property
    def reads_by(self) -> str:
        """How the snapshot is read, in words."""
        return "Slurm's commands"

    async def close(self) -> None:
        """Nothing to end: commands do not outlive a reading."""

    async def jobs(self) -> list[Job]:
        mark = queries.new_mark()
        reading = self._jobs.begin(mark)
        with many_values():
            await self.ask(queries.jobs(mark), take=reading.take)
        return reading.end()

    async def nodes(self) -> list[Node]:
        reading = self._nodes.begin()
        with many_values():
            await self.ask(queries.nodes(), take=reading.take)
        return reading.end()

    async def places(self) -> dict[int, tuple[Place, ...]]:
        reading = parse_places.PlacesReading()
        with many_values():
            await self.ask(queries.places(), take=reading.take)
        return reading.end()

    async def priorities(self) -> dict[int, Priority]:
        if (await self._known_config()).get("PriorityType") != "priority/multifactor":
            return {}
        reading = parse_priorities.PrioritiesReading()
        with many_values():
            await self.ask(queries.priorities(), take=reading.take)
        return reading.end()

    async def partitions(self) -> list[Partition]:
        return parse_nodes.partitions(await self.ask(queries.partitions()))

    async def licenses(self) -> list[License]:
        return parse_nodes.licenses(await self.ask(queries.licenses()))

    async def wckeys(self) -> dict[str, tuple[str, ...]] | None:
        config = await self._known_config()
        if config.get("TrackWCKey", "No").lower() != "yes" or not await self.keeps_accounts():
            return None
        try:
            return parse_nodes.wckeys(await self.ask(queries.wckeys(config.get("ClusterName", ""))))
        except SlurmUnavailable as error:
            if error.message != error_messages.DENIED:
                raise
            return None  # slurmdbd lists WCKeys for operators alone

    async def associations(self) -> list[Association]:
        cluster = (await self._known_config()).get("ClusterName", "")
        try:
            return parse_nodes.associations(await self.ask(queries.associations(cluster)))
        except SlurmUnavailable:
            if await self.keeps_accounts():
                raise
            return []

    async def limits(self) -> tuple[bool, list[EnforcedLimit]]:
        """Return whether Slurm enforces limits, and those of associations and QOS; none without accounting."""
        config = await self._known_config()
        if not await self.keeps_accounts():
            return False, []
        async with self.budget.reading():
            by_association = await self.ask(queries.association_limits(config.get("ClusterName", "")))
            by_qos = await self.ask(queries.qos_limits())
        # `safe` includes limits; `all` is everything but a few flags.
        enforced = {"limits", "safe", "all"} & set(parse.names(config.get("AccountingStorageEnforce", "").lower()))
        return bool(enforced), [*parse_nodes.association_limits(by_association), *parse_nodes.qos_limits(by_qos)]

    async def clusters(self) -> list[str]:
        """Return the clusters that slurmdbd knows."""
        return (await self.ask(queries.clusters())).split()

    async def reservations(self) -> list[Reservation]:
        return parse_nodes.reservations(await self.ask(queries.reservations()))

    async def version(self) -> str:
        return (await self._read_config()).get("SLURM_VERSION", "")

    async def private(self) -> frozenset[str]:
        config = await self._known_config()
        return frozenset(parse.names(config.get("PrivateData", "").lower())) - {"none"}

    async def job_ends(self, job_ids: Collection[int]) -> dict[int, JobEnd]:
        if not job_ids:
            return {}
        try:
            ends = parse_jobs.job_ends(await self.ask(queries.job_ends(job_ids)))
        except SlurmUnavailable:
            if await self.keeps_accounts():
                raise
            ends = {job.id: _end_of(job) for job in await self.jobs() if job.state.is_over}
        return {number: ends[number] for number in job_ids if number in ends}

    async def with_steps(self, job_ids: Collection[int]) -> set[int]:
        return parse_jobs.with_steps(await self.ask(queries.steps(job_ids))) if job_ids else set()

    async def find(self, user: str, session_id: str) -> Submitted | None:
        return await self._find(user, session_id, self._settings.timeout_s)

    async def submit(self, user: str, spec: SessionSpec, env: Mapping[str, str]) -> Submitted:
        spec = replace(spec, immediate=spec.immediate and await self._may_place())
        try:
            answer = await self.act(
                "submit",
                user=user,
                session=spec.session_id,
                title=spec.title,
                partition=spec.partition,
                account=spec.account,
                qos=spec.qos,
                reservation=spec.reservation,
                gpu_type=spec.gpu_type,
                shards=spec.shards,
                mps_percent=spec.mps_percent,
                constraint=spec.constraint,
                licenses=spec.licenses,
                wckey=spec.wckey,
                exclusive=spec.exclusive,
                nodes=spec.nodes,
                gpus=spec.gpus,
                cpus=spec.cpus,
                memory_mib=spec.memory_mib,
                walltime_s=spec.walltime_s,
                immediate=spec.immediate,
                exclude=spec.exclude,
                after=spec.after,
                env=dict(env),
                deadline_s=self._settings.deadline_s,
            )
        except DoorRefused as refused:
            raise _submit_error(refused) from refused
        except (DoorBusy, StartAborted):
            raise
        except SlurmUnavailable:
            submitted = await self._find_quietly(user, spec.session_id)
            if submitted is None or submitted.job_id == spec.after:
                raise
            log.warning("slurm.submit.answer_lost", session=spec.session_id, job=submitted.job_id)
            return submitted
        return Submitted(int(answer["job_id"]), placed=bool(answer["placed"]), node=answer["node"])

    async def change(self, user: str, job_id: int, values: Mapping[str, str | int]) -> None:
        asked: dict[str, object] = {**dict.fromkeys(CHANGEABLE), **values}
        try:
            await self.act("session_change", user=user, job_id=job_id, deadline_s=self._settings.deadline_s, **asked)
        except DoorRefused as refused:
            raise _submit_error(refused) from refused

    async def withdraw(self, user: str, session_id: str, job_id: int, successor: int) -> tuple[bool, bool]:
        asked = {"user": user, "session": session_id, "job_id": job_id, "successor": successor}
        try:
            answer = await self.act("session_withdraw", deadline_s=self._settings.deadline_s, **asked)
        except DoorRefused as refused:
            raise _submit_error(refused) from refused
        return bool(answer["gone"]), bool(answer["there"])

    async def cancel(self, user: str, job_id: int) -> None:
        try:
            await self.act("cancel", user=user, job_id=job_id, deadline_s=self._settings.deadline_s)
        except DoorRefused as refused:
            if refused.kind != "slurm":
                raise
            if not error_messages.is_gone(refused.message):
                raise error_messages.error_for(refused.message) from refused

    async def read_log(self, user: str, session_id: str, offset: int, limit: int) -> LogPiece:
        limit = max(1, min(limit, MAX_PIECE))
        answer = await self._through_the_door("read_log", user=user, session=session_id, offset=offset, limit=limit)
        return LogPiece(
            text=str(answer["text"]),
            offset=int(answer["offset"]),
            next_offset=int(answer["next_offset"]),
            size=int(answer["size"]),
        )

    async def ask(self, argv: list[str], timeout_s: float | None = None, take: process.Take | None = None) -> str:
        """Run a reading command, once the budget allows. Any failure to answer raises SlurmUnavailable.

        With `take`, a large answer is passed on piece by piece, between other work, and not returned.
        """
        program, *arguments = argv
        path = str(self._settings.bin_dir / program)
        timeout_s = timeout_s or self._settings.timeout_s
        circuit = self._accounting if program in _OF_ACCOUNTING else self._controller
        async with self.budget.reading():
            with circuit.attempt(), self.timings.of(program):
                self.calls[program] += 1
                done = await process.run([path, *arguments], env=self._env, timeout_s=timeout_s, take=take)
                if done.code != 0:
                    error = error_messages.error_for(done.err)
                    raise SlurmUnavailable(error.message)
        return done.out

    async def act(self, verb: str, **fields: object) -> dict[str, Any]:
        """Have the door do something that needs Slurm's controller."""
        self._controller.check()  # busy doors or a hanging home are not failures of Slurm
        return await self._through_the_door(verb, **fields)

    async def _through_the_door(self, verb: str, **fields: object) -> dict[str, Any]:
        self.calls[f"door {verb}"] += 1
        with self.timings.of(f"door {verb}"):
            return await self.door.call(verb, **fields)

    async def stream(self, verb: str, **fields: object) -> AsyncGenerator[tuple[dict[str, Any], bytes]]:
        """Wait for a reading, then start a streaming act of the door (`Door.stream`)."""
        await self.budget.take()
        self.calls[f"door {verb}"] += 1
        return self.door.stream(verb, **fields)

    async def _find(self, user: str, session_id: str, timeout_s: float) -> Submitted | None:
        with self.budget.at_once():
            return parse_jobs.found(await self.ask(queries.find(user, job_name(session_id)), timeout_s))

    async def _find_quietly(self, user: str, session_id: str) -> Submitted | None:
        try:
            return await self._find(user, session_id, LOOK_S)
        except SlurmUnavailable:
            return None

    async def _read_config(self) -> dict[str, str]:
        self._config = parse_nodes.config(await self.ask(queries.config()))
        return self._config

    async def _known_config(self) -> dict[str, str]:
        with self.budget.at_once():
            return self._config or await self._read_config()

    async def keeps_accounts(self) -> bool:
        config = await self._known_config()
        return config.get("AccountingStorageType", "") not in _NO_ACCOUNTING

    async def _may_place(self) -> bool:
        """Whether sessions may be placed at once: InactiveLimit would end them, since no srun stays with them."""
        if not self._settings.immediate:
            return False
        config = await self._known_config()
        return config.get("InactiveLimit", "0 sec").split()[0] in ("0", "INFINITE", "UNLIMITED")


def _end_of(job: Job) -> JobEnd:
    return JobEnd(
        job_id=job.id,
        state=job.state,
        exit_code=job.exit_code,
        reason=job.reason,
        started_at=job.started_at,
        ended_at=job.ends_at,
    )


def _submit_error(refused: DoorRefused) -> Exception:
    if refused.kind == "slurm":
        return error_messages.error_for(refused.message)
    if refused.field is None:
        return refused
    fields = [FieldProblem(f"resources.{refused.field}", refused.message)]
    return SlurmRefused(refused.message, hint=refused.hint, fields=fields)
