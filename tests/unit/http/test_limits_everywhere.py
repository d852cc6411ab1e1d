"""The same limits, in the same words, at every way to ask for GPUs: a table of rules and ways in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from portal.jobs.models import JobRecord
from portal.slurm.jobs import SessionSpec, Submitted
from portal.slurm.nodes import GpuParts, License
from portal.wiring import Portal
from spawner.form import SessionForm
from tests.unit.http.conftest import ADMIN, token
from tests.unit.sessions.conftest import START, Clock, FakeSlurm, FakeWatcher

API = "/services/portal/api"
ALICE = token("alices-token")
HOUR = 3600
#: What is asked for at every way in.
GPUS, HOURS, TYPE, PARTITION = 4, 20, "v100", "sxm2"

#: Each rule, and what it says to somebody who asks for 4 V100s for 20 hours on sxm2.
RULES: dict[str, tuple[dict[str, Any], str]] = {
    "max_gpus": (
        {"max_gpus": 1},
        "You may use 1 GPU at once; 0 are in use or queued, and this asks for 4. Ask for 1 or fewer.",
    ),
    "max_gpu_hours": (
        {"max_gpu_hours": 1},
        "You may use 1 GPU-hour per month; 0.0 are used, 0.0 promised to what runs or is queued, and this could use"
        " 80.0. Ask for less time or fewer GPUs, or end a session or job.",
    ),
    "max_walltime_s": ({"max_walltime_s": HOUR}, "Your time limit may be 1 h at most. Ask for less time."),
    "partitions": ({"partitions": ["debug"]}, f"You and your groups may not use the partition “{PARTITION}”; choose"),
    "gpu_types": ({"gpu_types": ["a100"]}, "You may not use v100 GPUs. Yours: a100."),
    "group_max_gpus": (
        {"group_max_gpus": 6},
        "All members of the group “portal-users” together may use 6 GPUs at once; 3 are in use or queued, and this asks"
        " for 4. Ask for 3 or fewer, or wait until other members' sessions or jobs end.",
    ),
    "group_max_gpu_hours": (
        {"group_max_gpu_hours": 100},
        "All members of the group “portal-users” together may use 100 GPU-hours per month; 0.0 are used, 24.0 promised"
        " to what runs or is queued, and this could use 80.0. Ask for less time or fewer GPUs.",
    ),
}
#: Scripts that ask for the same, each in its own way.
SCRIPTS = {
    "gres": ["--gres=gpu:v100:4", "--time=20:00:00"],
    "gpus": ["--gpus=v100:4", "--time=0-20"],
    "short options behind flags": ["-H -Gv100:4 -t1200"],
    "flag glued to an option": ["-HGv100:4", "-t 20:00:00"],
    "gpus per task": ["-n 4 --gpus-per-task=v100:1 -t 20:00:00"],
    "cut option names": ["--gpus-per-n=v100:4", "--time=20:00:00"],
    "tasks by GPU": ["-n 8 --ntasks-per-gpu=2 --time=20:00:00"],
    "tres per task": ["--tres-per-task=gres/gpu:v100:4 --time=20:00:00"],
    "several nodes": ["--nodes=2", "--gres=gpu:v100:2", "--time=20:00:00"],
    "a range of nodes": ["--nodes=1-4", "--gres=gpu:v100:1", "--time=20:00:00"],
    "named nodes": ["-w node[001-002]", "--gres=gpu:v100:2", "--time=20:00:00"],
    "whole nodes": ["--exclusive --constraint=v100", "--time=20:00:00"],
    "an array": ["--array=0-3", "--gres=gpu:v100:1", "--time=20:00:00"],
    "two parts": ["--gres=gpu:v100:2 --time=20:00:00", "hetjob", "--gres=gpu:v100:2 --time=10:00:00"],
    "a dependency": ["--dependency=afterok:7", "--gres=gpu:v100:4", "--time=20:00:00"],
    "a begin": ["--begin=now+10days", "--gres=gpu:v100:4", "--time=20:00:00"],
    "the last of two": ["--gres=gpu:v100:1", "--gres=gpu:v100:4", "--time=1", "--time=20:00:00"],
}


def script(directives: list[str]) -> str:
    return "\n".join(["#!/bin/bash", *(f"#SBATCH {directive}" for directive in directives), "true", ""])


@pytest.fixture
def known(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> Portal:
    clock = Clock()
    monkeypatch.setattr(portal.watcher, "_snapshot", FakeWatcher(FakeSlurm(clock), clock).snapshot)
    monkeypatch.setattr(portal.limits, "_now", lambda: START)

    async def nothing_missing(username: str, name: str, environment: object) -> None:
        return None

    monkeypatch.setattr(portal.images.environment_list, "missing", nothing_missing)
    return portal


Way = Callable[[httpx2.AsyncClient, Portal], Awaitable[list[str]]]


def of_script(directives: list[str], route: str) -> Way:
    async def way(http: httpx2.AsyncClient, portal: Portal) -> list[str]:
        answer = await http.post(f"{API}{route}", json={"script": script(directives)}, headers=ALICE)
        return said(answer)

    return way


def said(answer: httpx2.Response) -> list[str]:
    body = answer.json()
    if "error" in body:
        assert (answer.status_code, body["error"]["code"]) == (422, "policy_refused"), body
        return [field["message"] for field in body["error"]["fields"]]
    assert body["ok"] is False, body
    return [problem["message"] for problem in body["problems"]]


RESOURCES = {"partition": PARTITION, "gpus": GPUS, "gpu_type": TYPE, "walltime_s": HOURS * HOUR}


async def session(http: httpx2.AsyncClient, portal: Portal) -> list[str]:
    body = {"app": "jupyterlab", "resources": RESOURCES}
    return said(await http.post(f"{API}/sessions", json=body, headers=ALICE))


async def session_form(http: httpx2.AsyncClient, portal: Portal) -> list[str]:
    body = {"app": "jupyterlab", "resources": RESOURCES}
    answer = await http.post(f"{API}/sessions/check", json=body, headers=ALICE)
    return [problem["message"] for problem in answer.json()["problems"]]


async def hub(http: httpx2.AsyncClient, portal: Portal) -> list[str]:
    body = {
        "username": "alice",
        "server_name": "",
        "user_options": {"app": "jupyterlab", "resources": RESOURCES},
        "env": {},
        "api_token": "",
        "base_url": "/user/alice/",
    }
    secret = {"Authorization": f"Bearer {portal.settings.secrets.hub_key}"}
    return said(await http.post("/services/portal/internal/start", json=body, headers=secret))


async def job_form(http: httpx2.AsyncClient, portal: Portal) -> list[str]:
    form = {"gpus_per_node": GPUS, "gpu_type": TYPE, "partition": PARTITION, "walltime_s": HOURS * HOUR}
    composed = await http.post(f"{API}/jobs/compose", json={"form": form}, headers=ALICE)
    return said(await http.post(f"{API}/jobs", json={"script": composed.json()["script"]}, headers=ALICE))


def job_row(number: int, *, owner: str, state: str, gpus: int, walltime_s: int, **values: Any) -> JobRecord:
    return JobRecord(
        job_id=number, owner=owner, name="train", partition=PARTITION, account="", qos="", state=state,
        nodes=1, node_list="", gpus=gpus, cpus=1, walltime_s=walltime_s, submitted_at=START, accounted=False,
        array_pending=0, array_running=0, array_done=0, array_failed=0, array_cancelled=0,
        from_portal=True, notify=False, **values,
    )  # fmt: skip


async def again(http: httpx2.AsyncClient, portal: Portal) -> list[str]:
    """A job of before the limit, submitted again."""
    async with portal.work() as db:
        row = job_row(7, owner="alice", state="COMPLETED", gpus=GPUS, walltime_s=HOURS * HOUR, ended_at=START)
        row.accounted, row.script = True, script(SCRIPTS["gres"])
        db.add(row)
    body = (await http.get(f"{API}/jobs/7/again", headers=ALICE)).json()
    return said(await http.post(f"{API}/jobs", json={"script": body["script"]}, headers=ALICE))


WAYS: dict[str, Way] = {
    "session by API": session,
    "session by form": session_form,
    "session at the Hub": hub,
    "job by form": job_form,
    "job again": again,
    **{f"check: {name}": of_script(script, "/jobs/check") for name, script in SCRIPTS.items()},
    **{f"submit: {name}": of_script(script, "/jobs") for name, script in SCRIPTS.items()},
}


@pytest.mark.parametrize("rule", RULES)
async def test_limit_holds_and_says_the_same_at_every_way_in(
    known: Portal, http: httpx2.AsyncClient, rule: str
) -> None:
    values, sentence = RULES[rule]
    limit = await http.put(f"{API}/admin/limits/group/portal-users", json=values, headers=ADMIN)
    assert limit.status_code == 200, limit.text
    async with known.work() as db:  # another member's queued job: 3 GPUs for 8 hours
        db.add(job_row(8, owner="bob", state="PENDING", gpus=3, walltime_s=8 * HOUR))
    said_there = {name: await way(http, known) for name, way in WAYS.items()}
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


#: What a site does not have, and the sentence of it: asked in a session's words, a job form's, and a script's.
MISSING: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "a feature of no node": (
        {"constraint": "sxm2&a100"},
        {"constraint": "sxm2&a100"},
        "-C sxm2&a100",
        "No node of “sxm2” has the feature “a100”. There are: nvme, sxm2.",
    ),
    "features of no node together": (
        {"constraint": "sxm2&nvme", "nodes": 2},
        {"constraint": "sxm2&nvme", "nodes": 2},
        "--constraint=sxm2&nvme -N 2",
        "Only 1 node of “sxm2” has “nvme” and “sxm2”. Ask for fewer nodes.",
    ),
    "an unknown licence": (
        {"licenses": "ansys"},
        {"licenses": "ansys"},
        "--licenses=ansys",
        "Slurm has no licence “ansys” here. There are: matlab.",
    ),
    "more licences than there are": (
        {"licenses": "matlab:3"},
        {"licenses": "matlab:3"},
        "-L matlab:3",
        "Slurm has 2 of the licence “matlab”, and this asks for 3. Ask for 2 or fewer.",
    ),
    "somebody else's WCKey": (
        {"wckey": "course"},
        {"wckey": "course"},
        "--wckey=course",
        "“course” is not one of your WCKeys. Yours: thesis.",
    ),
    "more shards than a GPU has": (
        {"shards": 3},
        {"shards_per_node": 3},
        "--gres=shard:3",
        "A GPU of “sxm2” has 2 shards, and this asks for 3. Ask for 2 or fewer.",
    ),
    "shards and whole GPUs": (
        {"shards": 1, "gpus": 1},
        {"shards_per_node": 1, "gpus_per_node": 1},
        "--gres=gpu:1,shard:1",
        "This asks for whole GPUs and for a part of one: leave one of them out.",
    ),
    "more of a GPU by MPS than Slurm counts": (
        {"mps_percent": 60},
        {"mps_per_node": 60},
        "--gres=mps:60",
        "Slurm counts a GPU of “sxm2” as mps:50, and this asks for 60. Ask for 50 or less.",
    ),
    "MPS and whole GPUs": (
        {"mps_percent": 10, "gpus": 1},
        {"mps_per_node": 10, "gpus_per_node": 1},
        "--gres=gpu:1,mps:10",
        "This asks for whole GPUs and for a part of one: leave one of them out.",
    ),
    "MPS and shards": (
        {"mps_percent": 10, "shards": 1},
        {"mps_per_node": 10, "shards_per_node": 1},
        "--gres=shard:1,mps:10",
        "This asks for shards and for a share by MPS: leave one of them out.",
    ),
}


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


async def in_a_session(http: httpx2.AsyncClient, route: str, resources: dict[str, Any]) -> list[str]:
    return said(await http.post(f"{API}{route}", json={"app": "jupyterlab", "resources": resources}, headers=ALICE))


@pytest.mark.parametrize("what", MISSING)
async def test_what_the_site_does_not_have_is_refused_in_the_same_words_everywhere(
    equipped: Portal, http: httpx2.AsyncClient, what: str
) -> None:
    resources, form, directive, sentence = MISSING[what]
    composed = await http.post(f"{API}/jobs/compose", json={"form": {"partition": PARTITION, **form}}, headers=ALICE)
    of_form = {"script": composed.json()["script"]}
    by_hub = {
        "username": "alice",
        "server_name": "",
        "user_options": SessionForm(equipped.settings).parse(
            {"app": ["jupyterlab"], **{name: [str(value)] for name, value in resources.items()}}
        ),
        "env": {},
        "api_token": "",
        "base_url": "/user/alice/",
    }
    secret = {"Authorization": f"Bearer {equipped.settings.secrets.hub_key}"}
    answers = {
        "session by API": await in_a_session(http, "/sessions", resources),
        "session by form": await in_a_session(http, "/sessions/check", resources),
        "session at the Hub": said(await http.post("/services/portal/internal/start", json=by_hub, headers=secret)),
        "job by form": said(await http.post(f"{API}/jobs", json=of_form, headers=ALICE)),
        "script": said(await http.post(f"{API}/jobs", json={"script": script([directive])}, headers=ALICE)),
        "script's check": said(
            await http.post(f"{API}/jobs/check", json={"script": script([directive])}, headers=ALICE)
        ),
    }
    assert {name: found for name, found in answers.items() if sentence not in found} == {}


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
