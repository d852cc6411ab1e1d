"""An answer claims no more than is known; a request that is sent again is the same request."""

from __future__ import annotations

import sqlite3
import time
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError

from portal import effects
from portal.audit.service import AuditFilter
from portal.errors import FieldProblem, SlurmUnavailable
from portal.jobs.script.parse import Script, parse
from portal.slurm.door_client import Door
from portal.wiring import Portal
from tests.unit.http.conftest import ADMIN, token

API = "/services/portal/api"
ALICE = token("alices-token")
JOB = {"script": "#!/bin/bash\n#SBATCH --job-name=train\nhostname\n"}
#: SQLite waits 3 s for its lock.
ANSWERED_WITHIN_S = 8
KEY = {"Idempotency-Key": "a-form-sent-once"}


class FakeSlurm:
    def __init__(self) -> None:
        self.scripts: list[str] = []
        self.answer: Exception | None = None

    async def submit(self, _user: str, script: str, *_: object) -> int:
        self.scripts.append(script)
        if self.answer is not None:
            raise self.answer
        return 6 + len(self.scripts)


@pytest.fixture
def slurm(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> FakeSlurm:
    async def nothing(*_: object) -> Any:
        return []

    async def view(_user: str) -> SimpleNamespace:
        return SimpleNamespace(pools=())

    async def checked(_view: object, text: str) -> tuple[Script, list[FieldProblem], str | None]:
        return parse(text), [], None

    by_hand = FakeSlurm()
    service = portal.jobs.service
    monkeypatch.setattr(service, "_views", SimpleNamespace(user=view))
    monkeypatch.setattr(service, "_checked", checked)
    monkeypatch.setattr(portal.jobs.outputs, "where", nothing)
    monkeypatch.setattr(service.submissions, "_slurm", by_hand)
    return by_hand


def error_of(answer: httpx2.Response) -> dict[str, Any]:
    error: dict[str, Any] = answer.json()["error"]
    return error


async def test_the_same_request_with_the_same_key_is_the_same_job(http: httpx2.AsyncClient, slurm: FakeSlurm) -> None:
    first = await http.post(f"{API}/jobs", json=JOB, headers={**ALICE, **KEY})
    again = await http.post(f"{API}/jobs", json=JOB, headers={**ALICE, **KEY})
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json()["id"] == again.json()["id"] == "7"
    assert len(slurm.scripts) == 1
    others = await http.post(f"{API}/jobs", json=JOB, headers={**token("bobs-token"), **KEY})
    assert others.json()["id"] == "8", "A key is its owner's."


async def test_the_same_key_with_another_request_is_refused(http: httpx2.AsyncClient, slurm: FakeSlurm) -> None:
    await http.post(f"{API}/jobs", json=JOB, headers={**ALICE, **KEY})
    other = await http.post(f"{API}/jobs", json={"script": "#!/bin/bash\n"}, headers={**ALICE, **KEY})
    assert (other.status_code, error_of(other)["code"]) == (422, "key_reused")
    assert len(slurm.scripts) == 1


@pytest.mark.parametrize("key", ["short", "x" * 256, "with a blank", "é" * 12])
async def test_a_key_is_bounded(http: httpx2.AsyncClient, slurm: FakeSlurm, key: str) -> None:
    answer = await http.post(f"{API}/jobs", json=JOB, headers={**ALICE, "Idempotency-Key": key.encode()})
    assert answer.status_code == 422
    assert slurm.scripts == []


async def test_a_lost_answer_is_told_as_unknown_and_not_repeated(http: httpx2.AsyncClient, slurm: FakeSlurm) -> None:
    slurm.answer = SlurmUnavailable("The portal's door did not answer in time.")
    for _ in range(2):
        answer = await http.post(f"{API}/jobs", json=JOB, headers={**ALICE, **KEY})
        assert (answer.status_code, error_of(answer)["code"]) == (503, "outcome_unknown")
        assert "may have been submitted" in error_of(answer)["message"]
        assert int(answer.headers["retry-after"]) > 0
    assert len(slurm.scripts) == 1
    (items,) = (await http.get(f"{API}/jobs/submissions", headers=ALICE)).json()["items"]
    assert (items["state"], items["script"]) == ("open", JOB["script"])
    assert items["id"] in error_of(answer)["message"]
    assert (await http.get(f"{API}/jobs/submissions/{items['id']}", headers=token("bobs-token"))).status_code == 404


async def test_an_act_is_in_the_audit_before_it_is_done_and_once_when_it_is(
    http: httpx2.AsyncClient, portal: Portal, slurm: FakeSlurm, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    async def submit(*_: object) -> int:
        seen.extend([(record.action, record.result) for record in await portal.audit.page(AuditFilter(), limit=9)])
        return 7

    monkeypatch.setattr(slurm, "submit", submit)
    await http.post(f"{API}/jobs", json=JOB, headers=ALICE)
    assert seen == [("job.submit", "unknown")]
    assert [(record.target, record.result) for record in await portal.audit.page(AuditFilter(), limit=9)] == [
        ("7", "ok")
    ]


async def test_an_outcome_that_cannot_be_written_is_unknown_until_it_can(
    http: httpx2.AsyncClient, portal: Portal, slurm: FakeSlurm, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = portal.audit.write

    async def full(made: dict[str, Any]) -> int:
        if "intent_id" in made:
            raise OperationalError("INSERT", {}, OSError("database or disk is full"))
        return await write(made)

    monkeypatch.setattr(portal.audit, "write", full)
    assert (await http.post(f"{API}/jobs", json=JOB, headers=ALICE)).status_code == 202, "It was done."
    assert [record.result for record in await portal.audit.page(AuditFilter(), limit=9)] == ["unknown"]
    monkeypatch.undo()
    async with portal.audit.noted(USER, "test", "x"):
        pass
    assert {record.result for record in await portal.audit.page(AuditFilter(), limit=9)} == {"ok"}


class _User:
    username, address = "alice", ""


USER = _User()


@pytest.mark.parametrize("begun", [False, True])
async def test_a_database_that_fails_claims_nothing_about_an_act_that_had_begun(
    http: httpx2.AsyncClient, portal: Portal, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    async def call(_door: Door, _verb: str, **_: object) -> dict[str, Any]:
        return {"ok": True}

    async def fails(*_: object) -> Any:
        if begun:
            effects.begun()
        raise OperationalError("SELECT", {}, OSError("connection refused by 10.0.0.1"))

    monkeypatch.setattr(Door, "call", call)
    monkeypatch.setattr(portal.announcements, "make", fails)
    answer = await http.post(f"{API}/admin/announcements", json={"text": "Hello."}, headers=ADMIN)
    message = error_of(answer)["message"]
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert ("unknown" in message, "Nothing was done" in message) == (begun, not begun)


async def test_an_outside_thing_that_fails_under_way_leaves_it_open(
    http: httpx2.AsyncClient, portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hangs(*_: object, **__: object) -> Any:
        raise SlurmUnavailable("The door did not answer within 10 seconds.")

    monkeypatch.setattr("portal.slurm.door_client.process.run", hangs)
    body = {"ids": ["7"], "action": "hold"}
    answer = await http.post(f"{API}/jobs/actions", json=body, headers=ALICE)
    assert answer.status_code == 503
    assert "unknown whether this was done" in error_of(answer)["message"]
    (record,) = await portal.audit.page(AuditFilter(action="job.hold"), limit=9)
    assert record.result == "slurm_unavailable"


class TestLocked:
    @pytest.fixture
    def database(self, request: pytest.FixtureRequest) -> str:
        file = request.getfixturevalue("tmp_path") / "portal.sqlite"
        file.write_bytes(request.getfixturevalue("migrated_sqlite").read_bytes())
        return f"sqlite+aiosqlite:///{file}"

    async def test_a_locked_database_submits_nothing_and_says_so(
        self, http: httpx2.AsyncClient, portal: Portal, slurm: FakeSlurm
    ) -> None:
        other = sqlite3.connect(make_url(str(portal.engine.url)).database or "", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        try:
            answer = await http.post(f"{API}/jobs", json=JOB, headers=ALICE, timeout=60)
        finally:
            other.close()
        assert time.monotonic() - began < ANSWERED_WITHIN_S
        assert answer.status_code == 503
        assert "locked" in error_of(answer)["message"]
        assert error_of(answer)["message"].endswith("Nothing was done.")
        assert slurm.scripts == []
