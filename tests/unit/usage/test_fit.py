"""The memory that fits what the last sessions of an app used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, cast

import pytest

from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.sessions.models import SessionRecord
from portal.usage.fit import By, Fit, Fits
from portal.usage.models import UsageHour, UsageSample

from .conftest import START

GIB = 1024


@pytest.fixture
async def work(database: str) -> Any:
    engine = make_engine(database)
    yield unit_of_work(engine)
    await engine.dispose()


async def ran(
    work: UnitOfWork, name: str, *memory_mib: int, seconds: int = 600, hours: bool = False, **changes: Any
) -> None:
    """Keep a session with these samples."""
    asked = {
        "name": name, "server_name": name, "owner": "alice", "app": "jupyterlab", "environment": "pytorch",
        "origin": "web", "state": "ended", "partition": "sxm2", "nodes": 1, "gpus": 1, "cpus": 8,
        "memory_mib": 96 * GIB, "walltime_s": 3600, "secret_hash": "", "end_code": "stopped",
        "created_at": START - timedelta(days=1), "ready_at": START - timedelta(days=1),
    } | changes  # fmt: skip
    async with work() as db:
        db.add(SessionRecord(id=name.ljust(12, "0"), **asked))
        for at, mib in enumerate(memory_mib):
            if hours:
                db.add(
                    UsageHour(
                        session_id=name.ljust(12, "0"),
                        at_s=at * 3600,
                        seconds=seconds,
                        memory_max_mib=mib,
                        gpu_seconds=0,
                    )
                )
            else:
                db.add(
                    UsageSample(session_id=name.ljust(12, "0"), at_s=at * 60, seconds=seconds, memory_mib=mib, gpus=0)
                )


async def fit(work: UnitOfWork) -> Fit | None:
    return await by(work, environment="pytorch")


async def by(work: UnitOfWork, **by: str | None) -> Fit | None:
    return await Fits(work, lambda: START).of("alice", "jupyterlab", cast(Mapping[By, str | None], by))


async def test_the_peak_of_all_samples_with_room_to_spare_is_offered(work: UnitOfWork) -> None:
    await ran(work, "one", 100, 512)
    await ran(work, "two", 6 * GIB, hours=True)
    assert await fit(work) == Fit("environment", 2, 6 * GIB, 12 * GIB)


@pytest.mark.parametrize(
    "changes",
    [
        {"owner": "bob"},
        {"environment": "base"},
        {"app": "terminal"},
        {"end_code": "oom"},
        {"seconds": 60},
        {"created_at": START - timedelta(days=90)},
        {"ready_at": None},
    ],
)
async def test_nothing_is_offered_from_what_says_too_little(work: UnitOfWork, changes: dict[str, Any]) -> None:
    await ran(work, "one", 512, **changes)
    assert await fit(work) is None


async def test_one_that_ran_out_of_memory_ends_the_offer(work: UnitOfWork) -> None:
    await ran(work, "one", 512)
    await ran(work, "two", 512, end_code="oom")
    assert await fit(work) is None


async def test_sessions_of_the_template_or_preset_count_before_those_of_the_environment(work: UnitOfWork) -> None:
    await ran(work, "big", 40 * GIB)
    await ran(work, "digits", 512, template="digits", environment="base")
    await ran(work, "pair", 5 * GIB, preset="Pair")
    assert await by(work, template="digits", preset=None, environment="pytorch") == Fit("template", 1, 512, 4 * GIB)
    assert await by(work, template=None, preset="Pair", environment="pytorch") == Fit("preset", 1, 5 * GIB, 8 * GIB)
    both = await by(work, template="never-run", preset="Never used", environment="pytorch")
    assert both == Fit("environment", 2, 40 * GIB, 60 * GIB)


async def test_a_template_that_ran_out_of_memory_ends_the_offer_whatever_the_environment_used(work: UnitOfWork) -> None:
    await ran(work, "one", 512)
    await ran(work, "two", 512, template="digits", end_code="oom")
    assert await by(work, template="digits", environment="base") is None
