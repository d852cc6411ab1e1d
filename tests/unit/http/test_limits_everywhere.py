"""The same limits, in the same words, at every way to ask for GPUs: a table of rules and ways in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from portal.cli import app as commands
from portal.client.http import ApiError
from portal.jobs.models import JobRecord
from portal.slurm.jobs import SessionSpec, Submitted
from portal.slurm.nodes import GpuParts, License
from portal.wiring import Portal
from spawner.form import SessionForm
from tests.unit.http.conftest import ADMIN, token
from tests.unit.http.limit_rules import (
    GPUS,
    HOUR,
    HOURS,
    MISSING,
    PARTITION,
    RULES,
    SCRIPTS,
    TYPE,
    WAYS_OF_JOBS,
    WAYS_OF_SESSIONS,
)
from tests.unit.sessions.conftest import START, Clock, FakeSlurm, FakeWatcher

API = "/services/portal/api"
ALICE = token("alices-token")


@dataclass(frozen=True)
class Asked:
    """The same request in a session's words, in those of the form of jobs, and as a script's directives."""

    resources: dict[str, Any]
    form: dict[str, Any]
    directives: list[str]


RESOURCES = {"partition": PARTITION, "gpus": GPUS, "gpu_type": TYPE, "walltime_s": HOURS * HOUR}
FORM = {"gpus_per_node": GPUS, "gpu_type": TYPE, "partition": PARTITION, "walltime_s": HOURS * HOUR}
BIG = Asked(RESOURCES, FORM, SCRIPTS["gres"])


def script(directives: list[str]) -> str:
    return "\n".join(["#!/bin/bash", *(f"#SBATCH {directive}" for directive in directives), "true", ""])


@pytest.fixture
async def known(portal: Portal, http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> Portal:
    """A portal that knows a cluster, with the commands `portal …` led to it."""
    clock = Clock()
    monkeypatch.setattr(portal.watcher, "_snapshot", FakeWatcher(FakeSlurm(clock), clock).snapshot)
    monkeypatch.setattr(portal.limits, "_now", lambda: START)

    async def nothing_missing(username: str, name: str, environment: object) -> None:
        return None

    monkeypatch.setattr(portal.images.environment_list, "missing", nothing_missing)
    loop = asyncio.get_running_loop()

    def carried(client: httpx2.Client, method: str, path: str, **options: Any) -> httpx2.Response:
        headers = ALICE | options.pop("headers", {})
        request = http.request(method, f"{API}{path}", headers=headers, **options)
        return asyncio.run_coroutine_threadsafe(request, loop).result(timeout=30)

    monkeypatch.setenv("PORTAL_TOKEN", "alices-token")
    monkeypatch.setattr("httpx2.Client.request", carried)
    return portal


Way = Callable[[httpx2.AsyncClient, Portal, Asked], Awaitable[list[str]]]


def said(answer: httpx2.Response) -> list[str]:
    body = answer.json()
    if "error" in body:
        assert (answer.status_code, body["error"]["code"]) == (422, "policy_refused"), body
        return [field["message"] for field in body["error"]["fields"]]
    assert body["ok"] is False, body
    return [problem["message"] for problem in body["problems"]]


def session_at(route: str) -> Way:
    async def way(http: httpx2.AsyncClient, portal: Portal, asked: Asked) -> list[str]:
        return await in_a_session(http, route, asked.resources)

    return way


async def in_a_session(http: httpx2.AsyncClient, route: str, resources: dict[str, Any]) -> list[str]:
    return said(await http.post(f"{API}{route}", json={"app": "jupyterlab", "resources": resources}, headers=ALICE))


async def at_the_hub(http: httpx2.AsyncClient, portal: Portal, user_options: dict[str, Any]) -> list[str]:
    body = {
        "username": "alice",
        "server_name": "",
        "user_options": user_options,
        "env": {},
        "api_token": "",
        "base_url": "/user/alice/",
    }
    secret = {"Authorization": f"Bearer {portal.settings.secrets.hub_key}"}
    return said(await http.post("/services/portal/internal/start", json=body, headers=secret))


async def hubs_api(http: httpx2.AsyncClient, portal: Portal, asked: Asked) -> list[str]:
    return await at_the_hub(http, portal, {"app": "jupyterlab", "resources": asked.resources})


async def hubs_form(http: httpx2.AsyncClient, portal: Portal, asked: Asked) -> list[str]:
    fields = {"app": ["jupyterlab"], **{name: [str(value)] for name, value in asked.resources.items()}}
    return await at_the_hub(http, portal, SessionForm(portal.settings).parse(fields))


def of_script(route: str) -> Way:
    async def way(http: httpx2.AsyncClient, portal: Portal, asked: Asked) -> list[str]:
        return said(await http.post(f"{API}{route}", json={"script": script(asked.directives)}, headers=ALICE))

    return way


async def job_form(http: httpx2.AsyncClient, portal: Portal, asked: Asked) -> list[str]:
    composed = await http.post(f"{API}/jobs/compose", json={"form": asked.form}, headers=ALICE)
    return said(await http.post(f"{API}/jobs", json={"script": composed.json()["script"]}, headers=ALICE))


def job_row(number: int, *, owner: str, state: str, gpus: int, walltime_s: int, **values: Any) -> JobRecord:
    return JobRecord(
        job_id=number, owner=owner, name="train", partition=PARTITION, account="", qos="", state=state,
        nodes=1, node_list="", gpus=gpus, cpus=1, walltime_s=walltime_s, submitted_at=START, accounted=False,
        array_pending=0, array_running=0, array_done=0, array_failed=0, array_cancelled=0,
        from_portal=True, notify=False, **values,
    )  # fmt: skip


async def again(http: httpx2.AsyncClient, portal: Portal, asked: Asked = BIG) -> list[str]:
    """A job of before the limit, submitted again."""
    async with portal.work() as db:
        row = job_row(7, owner="alice", state="COMPLETED", gpus=GPUS, walltime_s=HOURS * HOUR, ended_at=START)
        row.accounted, row.script = True, script(asked.directives)
        db.add(row)
    body = (await http.get(f"{API}/jobs/7/again", headers=ALICE)).json()
    return said(await http.post(f"{API}/jobs", json={"script": body["script"]}, headers=ALICE))


async def by_command(words: list[str], text: str = "") -> list[str]:
    """Run `portal …` in a thread of its own, as it waits for the routes of this one."""
    result = await asyncio.to_thread(CliRunner().invoke, commands, words, text)
    if isinstance(result.exception, ApiError):
        assert result.exception.code == "policy_refused"
        return [field.message for field in result.exception.fields]
    answer = json.loads(result.stdout)
    assert answer["ok"] is False
    return [problem["message"] for problem in answer["problems"]]


async def start_command(http: httpx2.AsyncClient, portal: Portal, asked: Asked) -> list[str]:
    values = dict(asked.resources)
    if "walltime_s" in values:
        values["hours"] = values.pop("walltime_s") / HOUR
    options = [word for name, value in values.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    return await by_command(["sessions", "start", "--no-wait", *options])


def jobs_command(*words: str) -> Way:
    async def way(http: httpx2.AsyncClient, portal: Portal, asked: Asked) -> list[str]:
        return await by_command(["jobs", *words, "-"], script(asked.directives))

    return way


SESSIONS: dict[str, Way] = {
    "form": session_at("/sessions/check"),
    "API": session_at("/sessions"),
    "portal sessions start": start_command,
    "the Hub's form": hubs_form,
    "the Hub's REST API": hubs_api,
}
JOBS: dict[str, Way] = {
    "form": job_form,
    "again": again,
    "API check": of_script("/jobs/check"),
    "API submit": of_script("/jobs"),
    "portal jobs check": jobs_command("check", "--json"),
    "portal jobs submit": jobs_command("submit"),
}


async def answers(http: httpx2.AsyncClient, portal: Portal, asked: Asked) -> dict[str, list[str]]:
    """Return what is said at every way in."""
    ways = {f"session, {name}": way for name, way in SESSIONS.items()}
    ways |= {f"job, {name}": way for name, way in JOBS.items()}
    return {name: await way(http, portal, asked) for name, way in ways.items()}


def test_page_has_a_column_for_each_way_in() -> None:
    assert (tuple(SESSIONS), tuple(JOBS)) == (WAYS_OF_SESSIONS, WAYS_OF_JOBS)


@pytest.mark.parametrize("rule", RULES)
async def test_limit_holds_and_says_the_same_at_every_way_in(
    known: Portal, http: httpx2.AsyncClient, rule: str
) -> None:
    values, sentence = RULES[rule]
    limit = await http.put(f"{API}/admin/limits/group/portal-users", json=values, headers=ADMIN)
    assert limit.status_code == 200, limit.text
    async with known.work() as db:  # another member's queued job: 3 GPUs for 8 hours
        db.add(job_row(8, owner="bob", state="PENDING", gpus=3, walltime_s=8 * HOUR))
    said_there = await answers(http, known, BIG)
    for name, directives in SCRIPTS.items():
        asked = replace(BIG, directives=directives)
        said_there |= {f"{way}: {name}": await JOBS[way](http, known, asked) for way in ("API check", "API submit")}
    assert {
        name: value for name, value in said_there.items() if not any(part.startswith(sentence) for part in value)
    } == {}


async def test_two_members_at_once_do_not_both_slip_under_what_the_group_may_hold(
    known: Portal, http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def submit(user: str, spec: SessionSpec, env: object) -> Submitted:
        return Submitted(41, placed=False, node="")

    monkeypatch.setattr(known.slurm, "submit", submit)
    await http.put(f"{API}/admin/limits/group/portal-users", json={"group_max_gpus": 4}, headers=ADMIN)
    body = {"app": "jupyterlab", "resources": RESOURCES}
    both = [http.post(f"{API}/sessions", json=body, headers=token(name)) for name in ("alices-token", "bobs-token")]
    answers = await asyncio.gather(*both)
    assert sorted(answer.status_code for answer in answers) == [202, 422], [answer.text for answer in answers]


async def test_limit_of_a_group_is_its_own_and_shown_with_what_its_members_hold(
    known: Portal, http: httpx2.AsyncClient
) -> None:
    values = {"max_gpus": 8, "group_max_gpus": 6}
    await http.put(f"{API}/admin/limits/group/portal-users", json=values, headers=ADMIN)
    refused = await http.put(f"{API}/admin/limits/user/alice", json={"group_max_gpus": 6}, headers=ADMIN)
    assert [field["field"] for field in refused.json()["error"]["fields"]] == ["group_max_gpus"]
    async with known.work() as db:
        db.add(job_row(8, owner="bob", state="PENDING", gpus=3, walltime_s=8 * HOUR))
    (pool,) = (await http.get(f"{API}/admin/people/alice", headers=ADMIN)).json()["pools"]
    assert pool == {
        "group": "portal-users",
        "max_gpus": 6,
        "max_gpu_hours": None,
        "gpus": 3,
        "gpu_hours_used": 0.0,
        "gpu_hours_promised": 24.0,
    }


async def test_ended_job_is_not_requeued_past_the_check(known: Portal, http: httpx2.AsyncClient) -> None:
    await http.put(f"{API}/admin/limits/group/portal-users", json={"max_gpus": 1}, headers=ADMIN)
    await again(http, known)
    answer = await http.post(f"{API}/jobs/actions", json={"ids": ["7"], "action": "requeue"}, headers=ALICE)
    assert [result["message"] for result in answer.json()["results"]] == ["It has ended: submit it again."]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("#SBATCH --gres=gpu:v100:lots", "Its GPUs cannot be counted"),
        ("#SBATCH -F nodes.txt --gres=gpu:1", "Its GPUs cannot be counted"),
        ("#SBATCH gpus --gres=gpu:1", "cannot be read"),
        ('#SBATCH --gres="gpu:1', "cannot be read"),
        ("#PBS -l naccelerators=8", "lines of other schedulers"),
    ],
)
async def test_what_cannot_be_checked_is_refused_and_said(
    known: Portal, http: httpx2.AsyncClient, line: str, part: str
) -> None:
    text = f"#!/bin/bash\n{line}\ntrue\n"
    (message,) = said(await http.post(f"{API}/jobs/check", json={"script": text}, headers=ALICE))
    assert part in message


@pytest.fixture
def equipped(known: Portal, monkeypatch: pytest.MonkeyPatch) -> Portal:
    """A site with features, licences, WCKeys and, on its first node, GPUs that jobs share."""
    snapshot = known.watcher.snapshot
    nodes = [replace(node, features=("sxm2",)) for node in snapshot.nodes]
    parts = (GpuParts("shard", 2), GpuParts("mps", 50))
    shared = tuple(replace(gpu, parts=parts) for gpu in nodes[0].gpus)
    nodes[0] = replace(nodes[0], features=("sxm2", "nvme"), gpus=shared)
    news = {
        "nodes": tuple(nodes),
        "licenses": (License("matlab", 2, 1),),
        "wckeys": {"alice": ("thesis",), "bob": ("course",)},
        "version": "22.05.8",
        "associations_as_of": START,
    }
    monkeypatch.setattr(known.watcher, "_snapshot", replace(snapshot, **news))
    return known


@pytest.mark.parametrize("what", MISSING)
async def test_what_the_site_does_not_have_is_refused_in_the_same_words_everywhere(
    equipped: Portal, http: httpx2.AsyncClient, what: str
) -> None:
    resources, form, directive, sentence = MISSING[what]
    asked = Asked(resources, {"partition": PARTITION, **form}, [directive])
    assert {
        name: found for name, found in (await answers(http, equipped, asked)).items() if sentence not in found
    } == {}


async def test_memory_of_a_gpu_finds_its_type_in_the_script_of_a_job(known: Portal, http: httpx2.AsyncClient) -> None:
    async def composed(memory_gb: int) -> httpx2.Response:
        body = {"form": {"partition": PARTITION, "gpus_per_node": 2}, "gpu_memory_gb": memory_gb}
        return await http.post(f"{API}/jobs/compose", json=body, headers=ALICE)

    assert "#SBATCH --gres=gpu:v100:2\n" in (await composed(10)).json()["script"]
    assert said(await composed(80)) == [
        f"No node of “{PARTITION}” has 2 GPUs with 80 GB or more. Yours here: v100 (16 GB)."
    ]


async def test_form_is_told_what_the_site_has(equipped: Portal, http: httpx2.AsyncClient) -> None:
    options = (await http.get(f"{API}/options", headers=ALICE)).json()
    assert options["licenses"] == [{"name": "matlab", "total": 2, "free": 1}]
    assert options["wckeys"] == ["thesis"]
    partition = next(each for each in options["partitions"] if each["name"] == PARTITION)
    assert partition["features"] == [{"name": "nvme", "nodes": 1}]
    assert [(pool["shards_per_gpu"], pool["mps_per_gpu"]) for pool in partition["gpus"]] == [(2, 50)]


async def test_percent_of_a_gpu_is_asked_for_only_where_slurm_counts_in_percent(
    equipped: Portal, http: httpx2.AsyncClient
) -> None:
    (found,) = await in_a_session(http, "/sessions/check", {"mps_percent": 50})
    assert found.startswith("Slurm counts a GPU of “sxm2” as mps:50, so a session cannot ask for percent of one")
    answer = await http.post(f"{API}/jobs/check", json={"script": script(["--gres=mps:50"])}, headers=ALICE)
    assert answer.json()["error"]["code"] == "slurm_unavailable", "policy left it to Slurm, which is not here"


@pytest.mark.parametrize(
    "constraint", ["a|b", "a&", "[a&b]", "a*2", "a b", "a;b", "a\n", "-a", "a&&b", "a" * 65, "&".join("abcdefghi")]
)
async def test_constraint_is_a_list_of_features_and_nothing_else(
    equipped: Portal, http: httpx2.AsyncClient, constraint: str
) -> None:
    body = {"app": "jupyterlab", "resources": {"constraint": constraint}}
    answer = await http.post(f"{API}/sessions", json=body, headers=ALICE)
    assert answer.status_code == 422
    assert answer.json()["error"]["fields"][0]["field"] == "resources.constraint"
