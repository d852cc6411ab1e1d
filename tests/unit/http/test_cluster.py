"""The Cluster page's routes: one snapshot for all, the caller's own jobs, and nothing of others' that is hidden."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from dataclasses import replace
from datetime import UTC, datetime

import httpx2
import pytest

from portal.cluster.board import Change
from portal.slices import at_once
from portal.slurm.jobs import Job, JobState
from portal.slurm.nodes import GpuCount, Node, NodeState, Reservation
from portal.slurm.snapshot import Reach, Snapshot
from portal.wiring import Portal

API = "/services/portal/api/cluster"
ALICE, BOB = ({"Authorization": f"token {name}s-token"} for name in ("alice", "bob"))
AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOSTILE = "</script><img src=x onerror=alert(1)>\n\u202e"


def job(number: int, user: str, state: JobState = JobState.RUNNING, *, gpus: int = 1) -> Job:
    nodes = "node001" if state is JobState.RUNNING else ""
    return Job(number, HOSTILE, user, "acc", "sxm2", "", state, reason="Priority", nodes=nodes, gpus=gpus)


def snapshot() -> Snapshot:
    jobs = [job(1, "alice"), job(2, "bob", gpus=2), job(3, "bob", JobState.PENDING)]
    nodes = (
        Node("node001", NodeState.MIXED, partitions=("sxm2",), gpus=(GpuCount("v100", 4, 3, (0, 1, 2)),), cpus=40),
        Node("node002", NodeState.IDLE, flags=frozenset({"DRAIN"}), reason=HOSTILE * 9, partitions=("sxm2",)),
    )
    return Snapshot(
        jobs={job.id: job for job in jobs},
        nodes=nodes,
        state=Reach.UP,
        version="22.05.8",
        jobs_as_of=AT,
        nodes_as_of=AT,
    )


@pytest.fixture
async def shown(portal: Portal) -> Portal:
    await portal.cluster.stream.show(snapshot())
    return portal


async def get(http: httpx2.AsyncClient, path: str = "", who: dict[str, str] = ALICE, **params: object) -> dict:  # type: ignore[type-arg]
    answer = await http.get(API + path, headers=who, params=params)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_snapshot_is_the_same_for_everybody_and_unchanged_is_304(shown: Portal, http: httpx2.AsyncClient) -> None:
    first = await http.get(API, headers=ALICE)
    assert first.headers["content-encoding"] == "gzip"
    whole = first.json()
    assert [row["name"] for row in whole["nodes"]] == ["node001", "node002"]
    assert whole["nodes"][1]["state"] == "drained"
    assert whole["queue"] == {"version": 1, "running": 2, "waiting": 1}
    assert "alice" not in first.text
    again = await http.get(API, headers={**BOB, "If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = await http.get(API, headers={**BOB, "Accept-Encoding": "identity"})
    assert plain.json() == whole
    await shown.cluster.stream.show(replace(snapshot(), nodes=()))
    assert (await http.get(API, headers={**BOB, "If-None-Match": first.headers["etag"]})).status_code == 200


async def test_queue_shows_mine_first_and_others_as_the_site_lets(shown: Portal, http: httpx2.AsyncClient) -> None:
    page = await get(http, "/jobs")
    assert [(item["id"], item["mine"], item["user"]) for item in page["items"]] == [
        (1, True, "alice"),
        (2, False, "bob"),
        (3, False, "bob"),
    ]
    assert page["items"][2]["reason"].startswith("Jobs with a higher priority")
    assert (page["total"], page["mine"]) == (3, 1)
    await shown.cluster.stream.show(replace(snapshot(), private=frozenset({"jobs"})))
    hidden = await get(http, "/jobs")
    assert [(item["user"], item["name"], item["account"]) for item in hidden["items"][1:]] == [(None, None, None)] * 2
    assert hidden["items"][0]["name"] == HOSTILE
    assert (await get(http, "/jobs", of="bob"))["total"] == 0
    detail = await get(http, "/nodes/node001")
    assert {job["job"]["user"] for job in detail["jobs"]} == {"alice", None}
    assert (await get(http, "/jobs/2"))["name"] is None
    assert (await get(http, "/jobs/2", BOB))["name"] == HOSTILE


async def test_node_tells_its_jobs_and_which_gpus_they_hold(shown: Portal, http: httpx2.AsyncClient) -> None:
    detail = await get(http, "/nodes/node001")
    assert sorted(len(job["gpus"]) for job in detail["jobs"]) == [1, 2]
    assert detail["gpus"].count(".") == 1
    for job in detail["jobs"]:
        assert {detail["gpus"][index] for index in job["gpus"]} == {job["letter"]}
    assert (await get(http, "/nodes/node002"))["reason"] == HOSTILE * 9
    held = await get(http, "/jobs/2")
    assert [(place["node"], len(place["gpus"])) for place in held["places"]] == [("node001", 2)]


async def test_a_reservations_name_is_told_to_who_may_see_reservations(shown: Portal, http: httpx2.AsyncClient) -> None:
    plain = snapshot().nodes[0]
    reserved = replace(plain, flags=frozenset({"RESERVED"}))
    named = replace(snapshot(), nodes=(reserved,), reservations=(Reservation("school", "ACTIVE", nodes="node001"),))
    await shown.cluster.stream.show(named)
    detail = await get(http, "/nodes/node001")
    assert (detail["state"], detail["reservation"]) == ("reserved", "school")
    assert [(pool["free"], pool["reserved"], pool["down"]) for pool in detail["pools"]] == [(0, 1, 0)]
    assert "school" not in (await http.get(API, headers=ALICE)).text, "what goes to everybody has no names"
    await shown.cluster.stream.show(replace(named, private=frozenset({"reservations"})))
    assert (await get(http, "/nodes/node001"))["reservation"] == ""
    await shown.cluster.stream.show(replace(named, version=None))
    assert (await get(http, "/nodes/node001"))["reservation"] == "", "what is private is not known yet"


async def test_what_is_not_there_is_said(shown: Portal, http: httpx2.AsyncClient) -> None:
    for path in ("/jobs/99", "/nodes/nowhere"):
        answer = await http.get(API + path, headers=ALICE)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    assert (await http.get(f"{API}/jobs", params={"limit": 201}, headers=ALICE)).status_code == 422


async def test_a_first_reading_is_answered_when_all_of_it_is_taken_in(
    portal: Portal, http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    half, rest = asyncio.Event(), asyncio.Event()

    async def with_a_pause(work: Generator[None, None, Change]) -> Change:
        for _ in range(5):
            next(work)
        half.set()
        await rest.wait()
        return at_once(work)

    monkeypatch.setattr("portal.cluster.stream.in_slices", with_a_pause)
    nodes = tuple(replace(snapshot().nodes[0], name=f"node{number:03}") for number in range(1, 51))
    taking = asyncio.create_task(portal.cluster.stream.show(replace(snapshot(), nodes=nodes)))
    await half.wait()
    assert 0 < len(portal.cluster.stream.board.rows) < 50
    early = await get(http)
    assert (early["as_of"], early["nodes"]) == (None, []), "not known yet, rather than some of them"
    for name in ("node001", "node050"):
        assert (await http.get(f"{API}/nodes/{name}", headers=ALICE)).status_code == 503
    rest.set()
    await taking
    assert len((await get(http))["nodes"]) == 50
    assert (await get(http, "/nodes/node050"))["name"] == "node050"


async def test_nothing_is_said_to_be_missing_before_the_first_reading(portal: Portal, http: httpx2.AsyncClient) -> None:
    for path in ("/nodes/node001", "/jobs/2"):
        answer = await http.get(API + path, headers=ALICE)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "slurm_unavailable")
    assert ((await get(http))["as_of"], (await get(http))["nodes"]) == (None, [])
    await portal.cluster.stream.show(replace(snapshot(), nodes=(), jobs={}))
    assert (await get(http))["as_of"] is not None, "a cluster without nodes is known, too"


async def test_totals_over_time(shown: Portal, http: httpx2.AsyncClient) -> None:
    for span in ("hour", "day", "week", "month"):
        [point] = (await get(http, "/history", span=span))["items"]
        assert (point["gpus"], point["gpus_used"], point["jobs_waiting"]) == (4, 3, 1), span


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
async def test_stream_brings_the_snapshot_what_is_mine_and_then_differences(
    shown: Portal, http: httpx2.AsyncClient, encoding: str
) -> None:
    """The client of these tests gives a stream when it has ended: so it is ended, after a change."""
    await shown.cluster.stream.show(replace(snapshot(), jobs={1: job(1, "alice")}))
    await shown.cluster.stream.close()
    shown.cluster.stream.closed = False

    async def end_soon(version: str, timeout_s: float) -> None:
        shown.cluster.stream.closed = True

    shown.cluster.stream.newer = end_soon  # type: ignore[method-assign]
    answer = await http.get(f"{API}/events", headers={**ALICE, "Accept-Encoding": encoding})
    frames = [frame.splitlines() for frame in answer.text.strip().split("\n\n")[1:]]
    results = {frame[0].removeprefix("event: "): json.loads(frame[1].removeprefix("data: ")) for frame in frames}
    assert list(results) == ["picture", "mine"]
    assert len(results["mine"]["nodes"]["node001"]) == 1
    assert results["picture"]["version"] == shown.cluster.stream.version
