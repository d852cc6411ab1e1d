"""What each GPU of a job has done in total: the rows, their sums, and who may write them for a batch job."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

import structlog
from sqlalchemy import Table, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db import upsert
from portal.db.engine import UnitOfWork
from portal.errors import Forbidden, Gone, SlurmUnavailable
from portal.gpus import problems
from portal.gpus.schemas import GpuUse
from portal.plurals import plural
from portal.policy.closures import clock
from portal.slurm import hostlist
from portal.slurm.snapshot import Snapshot
from portal.usage.models import UsageGpu
from portal.usage.schemas import Metered

#: A session's row and its job start within this time of each other; Slurm's job ids may start over.
SAME_S = 120
#: Reports of a day are shown to administrators, and of so many GPUs.
TROUBLES_S = 86_400
TROUBLED_AT_MOST = 20
_KEYS = ("job_id", "started_s", "node", "gpu")
_PEAKS = (
    "peak_percent", "memory_peak_mib", "power_peak_w", "energy_j", "sm_peak_percent", "bandwidth_peak_percent",
)  # fmt: skip
_SUMS = ("known_s", "used_s", "counted_s", "sm_s", "bandwidth_s", "slowed_s")

log = structlog.get_logger(__name__)


class Trouble(NamedTuple):
    text: str
    bad: bool
    """Whether the hardware is at fault."""


@dataclass(frozen=True, slots=True)
class Total:
    """All GPUs of one run of one job."""

    job_id: int
    started_s: int
    owner: str
    known_s: float
    used_s: float
    energy_j: int


async def totals(db: AsyncSession, job_ids: Collection[int]) -> list[Total]:
    gpu = UsageGpu
    query = (
        select(
            gpu.job_id, gpu.started_s, gpu.owner, func.sum(gpu.known_s), func.sum(gpu.used_s), func.sum(gpu.energy_j)
        )
        .where(gpu.job_id.in_(job_ids))
        .group_by(gpu.job_id, gpu.started_s, gpu.owner)
    )
    return [
        Total(job_id, started_s, owner, known_s, used_s, int(energy_j or 0))
        for job_id, started_s, owner, known_s, used_s, energy_j in await db.execute(query)
    ]


async def write(db: AsyncSession, rows: Sequence[dict[str, Any]], *, more: bool) -> None:
    """Write the rows of GPUs; with `more`, add to the existing figures."""
    if not rows:
        return
    insert = upsert.insert(db, UsageGpu)
    table = cast(Table, UsageGpu.__table__)
    news: dict[str, Any] = {name: insert.excluded[name] for name in rows[0] if name not in _KEYS}
    for name in _PEAKS:
        old, new = table.c[name], insert.excluded[name]
        news[name] = case((old.is_(None), new), (new.is_(None), old), (old > new, old), else_=new)
    news["slowed_by"] = func.coalesce(insert.excluded.slowed_by, table.c.slowed_by)
    news["xids"] = case((insert.excluded.xids == "", table.c.xids), else_=insert.excluded.xids)
    if more:
        news |= {name: table.c[name] + insert.excluded[name] for name in _SUMS}
    await db.execute(
        insert.on_conflict_do_update(index_elements=list(_KEYS), set_=news),
        sorted(rows, key=lambda row: tuple(row[name] for name in _KEYS)),
    )


class GpuTotals:
    def __init__(
        self,
        work: UnitOfWork,
        snapshot: Callable[[], Snapshot],
        now: Callable[[], datetime],
        key: Callable[[str, str], str],
    ) -> None:
        """`key` makes the key of a submission and its owner."""
        self._work = work
        self._snapshot = snapshot
        self._now = now
        self._key = key
        self.xids: Counter[tuple[str, int]] = Counter()
        """Xid errors that meters have reported, by node and number."""

    def owner(self, who: str, key: str) -> str:
        """Return the owner of the job whose meter this is, `who` being `SUBMISSION.OWNER`. Raises Forbidden."""
        submission, _, owner = who.partition(".")
        if not owner or not hmac.compare_digest(self._key(submission, owner).encode(), key.encode()):
            raise Forbidden("Wrong key for this meter.")
        return owner

    async def meter(self, owner: str, report: Metered) -> None:
        """Keep what the GPUs of a job on one node have done since the job started there.

        Raises SlurmUnavailable while the snapshot does not have the job, Gone if it is not this owner's.
        """
        job = self._snapshot().jobs.get(report.job_id)
        if job is None or job.started_at is None or not job.nodes or not job.is_named:
            raise SlurmUnavailable("The queue was last read before this job started.")
        if job.user != owner or report.node not in hostlist.expand(job.nodes):
            raise Gone("This job is not metered here.")
        at = {
            "job_id": job.id,
            "started_s": int(job.started_at.timestamp()),
            "node": report.node,
            "owner": owner,
            "reported_s": int(self._now().timestamp()),
        }
        rows: list[dict[str, Any]] = [at | _figures(gpu.model_dump()) for gpu in report.gpus if gpu.index < job.gpus]
        async with self._work() as db:
            known = await self._xids_of(db, at) if any(row["xids"] for row in rows) else set()
            await write(db, rows, more=False)
        for gpu, xid in sorted({(row["gpu"], xid) for row in rows for xid in split(row["xids"])} - known):
            self.xids[report.node, xid] += 1
            log.warning("gpu.xid", node=report.node, job=job.id, owner=owner, gpu=gpu, xid=xid)

    @staticmethod
    async def _xids_of(db: AsyncSession, at: dict[str, Any]) -> set[tuple[int, int]]:
        """Return the errors that a job's GPUs on a node have reported before, each with the GPU's number."""
        same = [UsageGpu.__table__.c[name] == at[name] for name in _KEYS if name in at]
        rows = await db.execute(select(UsageGpu.gpu, UsageGpu.xids).where(*same))
        return {(gpu, xid) for gpu, xids in rows for xid in split(xids)}

    async def reported_within(self, seconds: int) -> list[UsageGpu]:
        """Return the GPUs in use that are measured: those reported lately."""
        since_s = int(self._now().timestamp()) - seconds
        async with self._work() as db:
            return list(await db.scalars(select(UsageGpu).where(UsageGpu.reported_s >= since_s)))

    async def troubles_on(self, node: str) -> list[Trouble]:
        """Return what has lately been wrong with a node's GPUs, newest first, for administrators."""
        since_s = int(self._now().timestamp()) - TROUBLES_S
        query = (
            select(UsageGpu)
            .where(UsageGpu.reported_s >= since_s, UsageGpu.node == node)
            .where((UsageGpu.xids != "") | UsageGpu.slowed_by.is_not(None))
            .order_by(UsageGpu.reported_s.desc())
            .limit(TROUBLED_AT_MOST)
        )
        async with self._work() as db:
            found = await db.scalars(query)
        reported: dict[str, list[UsageGpu]] = {}
        for gpu in found:
            for text in problems_of(gpu, admin=True):
                reported.setdefault(text, []).append(gpu)
        return [
            Trouble(
                f"{text} {_reported_by(gpus)}",
                bad=any(not problems.OF_HARDWARE.isdisjoint(split(gpu.xids)) for gpu in gpus),
            )
            for text, gpus in reported.items()
        ]

    async def of_job(self, job_id: int, owner: str, started_at: datetime | None) -> list[UsageGpu]:
        """Return the GPUs of a run, in order; empty until it has started."""
        if started_at is None:
            return []
        started_s = int(started_at.timestamp())
        query = (
            select(UsageGpu)
            .where(UsageGpu.job_id == job_id, UsageGpu.owner == owner)
            .where(UsageGpu.started_s.between(started_s - SAME_S, started_s + SAME_S))
            .order_by(UsageGpu.node, UsageGpu.gpu)
        )
        async with self._work() as db:
            return list(await db.scalars(query))


def _figures(gpu: dict[str, Any]) -> dict[str, Any]:
    return {"gpu": gpu.pop("index"), **gpu, "xids": joined(gpu["xids"])}


def problems_of(gpu: UsageGpu, *, admin: bool = False) -> list[str]:
    """Return what was wrong with a GPU in a job, in words."""
    percent = 100 * min(1.0, gpu.slowed_s / gpu.known_s) if gpu.known_s else None
    slowed = {"slowed_percent": percent, "slowed_by": gpu.slowed_by}
    use = GpuUse.model_validate({"index": gpu.gpu, "uuid": gpu.uuid, "xids": split(gpu.xids), **slowed})
    return problems.in_words([use], admin=admin)


def _reported_by(gpus: Sequence[UsageGpu]) -> str:
    latest, *others = gpus
    at = clock(datetime.fromtimestamp(latest.reported_s, UTC))
    more = f", and {plural(len(others), 'other job')}" if others else ""
    return f"Reported by job {latest.job_id} of {latest.owner}, {at}{more}."


def joined(xids: Collection[int]) -> str:
    return ",".join(map(str, xids))


def split(xids: str) -> list[int]:
    return [int(xid) for xid in xids.split(",") if xid]
