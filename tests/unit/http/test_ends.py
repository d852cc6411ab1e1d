"""How a page whose server is gone learns how its session ended: with the session's key, from any origin."""

from __future__ import annotations

import asyncio

import httpx2
import pytest

from portal.sessions import end_endpoints
from portal.sessions.schemas import EndOut
from portal.wiring import Portal, utcnow
from tests.unit.http.conftest import token
from tests.unit.http.rows import session_row

ENDED, RUNNING = "aaaabbbbcccc", "ddddeeeeffff"
URL = "/services/portal/ends"
API = "/services/portal/api"


async def rows(portal: Portal) -> None:
    async with portal.work() as db:
        for row in (
            session_row(ENDED, owner="alice", at=utcnow(), state="ended", end_code="time_limit"),
            session_row(RUNNING, owner="alice", at=utcnow(), state="ready"),
        ):
            db.add(row)


async def test_sessions_that_ended_badly_are_listed_until_their_owner_has_seen_how(
    portal: Portal, http: httpx2.AsyncClient
) -> None:
    badly = {"eeeeeeeeeeee": "oom", "ffffffffffff": "slurm_cancelled"}
    others = {"gggggggggggg": "stopped", "hhhhhhhhhhhh": "time_limit"}
    async with portal.work() as db:
        for name, code in (badly | others).items():
            db.add(session_row(name, owner="alice", at=utcnow(), state="ended", end_code=code))
        db.add(session_row("iiiiiiiiiiii", owner="bob", at=utcnow(), state="ended", end_code="oom"))
        db.add(session_row(RUNNING, owner="alice", at=utcnow(), state="ready"))

    async def unseen() -> set[str]:
        answer = await http.get(f"{API}/sessions", params={"state": "unseen"}, headers=token("alices-token"))
        return {item["id"] for item in answer.json()["items"]}

    assert await unseen() == set(badly)
    answer = await http.put(f"{API}/sessions/eeeeeeeeeeee/end-seen", json={"seen": True}, headers=token("alices-token"))
    assert (answer.status_code, answer.json()["revision"]) == (200, 1)
    assert await unseen() == {"ffffffffffff"}


async def test_the_key_of_a_session_reads_how_it_ended_and_nothing_else(
    portal: Portal, http: httpx2.AsyncClient
) -> None:
    await rows(portal)
    answer = await http.get(f"{URL}/{ENDED}", params={"key": portal.sessions.seals.end_key_of(ENDED)})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cache-control"] == "no-store"
    body = answer.json()
    assert set(body) == {"state", "end"}
    assert body["state"] == "ended"
    assert EndOut.model_validate(body["end"]).text == "It reached its time limit."


async def test_a_wrong_key_reads_nothing_and_says_nothing_of_the_session(
    portal: Portal, http: httpx2.AsyncClient
) -> None:
    await rows(portal)
    for key in ("", "x", "é", portal.sessions.seals.end_key_of(RUNNING), portal.sessions.seals.secret_of(ENDED)):
        known = await http.get(f"{URL}/{ENDED}", params={"key": key})
        missing = await http.get(f"{URL}/zzzzzzzzzzzz", params={"key": key})
        assert known.status_code == missing.status_code == 404
        assert known.json()["error"]["message"] == missing.json()["error"]["message"]
        assert "access-control-allow-origin" not in known.headers
    assert (await http.get(f"{URL}/{ENDED}")).status_code == 422


async def test_the_answer_waits_for_the_end_but_not_for_ever(
    portal: Portal, http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await rows(portal)
    ask = http.get(f"{URL}/{RUNNING}", params={"key": portal.sessions.seals.end_key_of(RUNNING)})
    waiting = asyncio.ensure_future(ask)
    async with asyncio.timeout(10):
        while portal.bus.readers == 0:
            await asyncio.sleep(0.01)
    async with portal.sessions.store.change(RUNNING) as draft:
        draft.end("stopped")
    body = (await waiting).json()
    assert (body["state"], body["end"]["code"]) == ("ended", "stopped")

    monkeypatch.setattr(end_endpoints, "WAIT_S", 0.01)
    other = "gggghhhhiiii"
    async with portal.work() as db:
        db.add(session_row(other, owner="alice", at=utcnow(), state="ready"))
    answer = await http.get(f"{URL}/{other}", params={"key": portal.sessions.seals.end_key_of(other)})
    assert answer.json() == {"state": "ready", "end": None}
