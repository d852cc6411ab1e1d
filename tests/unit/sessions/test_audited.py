"""A start is audited before Slurm is asked, without an extra sync while the user waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from portal.audit.service import Audit, AuditFilter
from portal.errors import PolicyRefused, SlurmRefused
from portal.policy.request import ResourceRequest, SessionRequest
from portal.slurm.jobs import SessionSpec, Submitted
from tests.unit.sessions.conftest import Harness


class Alice:
    username, address = "alice", "10.1.2.3"


@pytest.fixture
def audit(harness: Harness) -> Audit:
    return Audit(harness.work, harness.clock)


async def start(harness: Harness, audit: Audit, **resources: object) -> str:
    ask = SessionRequest(app="jupyterlab", resources=ResourceRequest.model_validate(resources))
    async with audit.noted_with(Alice(), "session.start", ask.app) as note:
        return (await harness.service.start("alice", ask, origin="api", note=note, at_hub=False)).id


async def told(audit: Audit) -> list[tuple[str, str]]:
    return [(record.target, record.result) for record in await audit.page(AuditFilter(), limit=9)]


@contextmanager
def transactions_that_write() -> Iterator[list[object]]:
    results: list[object] = []

    def flushed(session: Session, _: object) -> None:
        if session.get_transaction() not in results:
            results.append(session.get_transaction())

    event.listen(Session, "after_flush", flushed)
    try:
        yield results
    finally:
        event.remove(Session, "after_flush", flushed)


async def test_a_start_is_told_before_slurm_is_asked_and_costs_two_transactions(
    harness: Harness, audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    submit = harness.slurm.submit

    async def looked(user: str, spec: SessionSpec, env: dict[str, str]) -> Submitted:
        seen.extend(await told(audit))
        return await submit(user, spec, env)

    monkeypatch.setattr(harness.slurm, "submit", looked)
    with transactions_that_write() as written:
        session = await start(harness, audit)
    assert seen == [("jupyterlab", "unknown")]
    assert await told(audit) == [(session, "ok")]
    assert len(written) == 2


async def test_a_start_that_is_refused_before_anything_is_written_is_one_record(harness: Harness, audit: Audit) -> None:
    with pytest.raises(PolicyRefused):
        await start(harness, audit, gpus=9)
    (record,) = await audit.page(AuditFilter(), limit=9)
    assert (record.result, record.intent_id) == (PolicyRefused.code, None)


async def test_a_start_that_slurm_refuses_settles_its_intent(harness: Harness, audit: Audit) -> None:
    harness.slurm.error = SlurmRefused("Invalid account.")
    with pytest.raises(SlurmRefused):
        await start(harness, audit)
    (record,) = await audit.page(AuditFilter(), limit=9)
    assert (record.result, record.intent_id is None) == (SlurmRefused.code, False)


async def test_a_row_that_cannot_be_written_leaves_no_intent_and_is_told_later(
    harness: Harness, audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(session: Session, *_: object) -> None:
        raise OperationalError("COMMIT", {}, OSError("database or disk is full"))

    async def begin() -> None:
        async with audit.noted_with(Alice(), "session.start", "jupyterlab") as note, harness.work() as db:
            db.add(note.intent)
            await db.flush()

    event.listen(Session, "before_commit", full)
    try:
        with pytest.raises(OperationalError):
            await begin()
    finally:
        event.remove(Session, "before_commit", full)
    assert await told(audit) == []
    async with audit.noted(Alice(), "test", "next"):
        pass
    assert await told(audit) == [("next", "ok"), ("jupyterlab", "unknown")]
