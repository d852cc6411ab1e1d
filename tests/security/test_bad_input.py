"""Bad input gets a 4xx with one sentence that says what to do, beside its field; nothing is submitted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from tests.demo_site import API, DemoSite
from tests.person import Person


@pytest.fixture
def alice(kept_site: DemoSite, person: Callable[[str], Person]) -> Iterator[Person]:
    """Yield alice; afterwards check that she has no new session or job."""

    def known() -> set[str]:
        of_slurm = kept_site.run("squeue", "--noheader", "--all", "--states=all", "--user=alice", "--format=%i").split()
        return {*of_slurm, *(session["id"] for session in alice.sessions("all"))}

    alice = person("alice")
    before = known()
    yield alice
    assert known() <= before, "what has ended is forgotten by and by, and nothing is new"


@pytest.mark.parametrize(
    ("resources", "field", "advice"),
    [
        ({"partition": "nosuch"}, "partition", "Choose one of: "),
        ({"gpus": 9}, "gpus", "Ask for 4 or fewer"),
        ({"gpus": 5}, "gpus", "Ask for 4 or fewer"),
        ({"gpus": -1}, "gpus", "0"),
        ({"gpus": 1, "nodes": 2}, "nodes", "at most 1 node"),
        ({"gpu_type": "h100", "gpus": 1}, "gpu_type", "It has: v100"),
        ({"walltime_s": 0}, "walltime_s", "60"),
        ({"walltime_s": -60}, "walltime_s", "60"),
        ({"walltime_s": 3 * 86_400}, "walltime_s", "Ask for less time"),
        ({"partition": "debug", "walltime_s": 3600}, "walltime_s", "Ask for less time or choose another partition"),
        ({"cpus": 41}, "cpus", "Ask for fewer"),
        ({"cpus": 0}, "cpus", "1"),
        ({"memory_mib": 400_000}, "memory_mib", "Ask for less"),
        ({"account": "nosuch"}, "account", "Yours: physics, vision"),
        ({"reservation": "nosuch", "gpus": 0}, "reservation", ""),
        ({"gpus": "2"}, "gpus", "integer"),
        ({"gpus": 1.5}, "gpus", "integer"),
        ({"tpus": 1}, "tpus", "leave it out"),
    ],
    ids=str,
)
def test_resources_that_cannot_be_had_are_refused_beside_their_field(
    resources: dict[str, Any], field: str, advice: str, alice: Person
) -> None:
    answer = alice.ask(**resources)
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    (problem,) = error["fields"]
    assert problem["field"] == f"resources.{field}"
    assert advice in problem["message"]
    assert problem["message"] in error["message"] or error["message"].endswith(problem["message"])
    assert problem["message"].endswith(".")
    check = alice.api("POST", "/sessions/check", json={"app": "jupyterlab", "resources": resources})
    if check.status_code == 200 and advice:  # the form says the same before submitting
        assert problem["message"] in [problem["message"] for problem in check.json()["problems"]]


@pytest.mark.parametrize("name", ["two\nlines", "bell\a", "null\0", "\u202eback", "esc\x1b[31m", "a" * 61])
def test_name_with_control_characters_or_too_long_is_refused(name: str, alice: Person) -> None:
    answer = alice.ask(name, gpus=0)
    assert answer.status_code == 422
    (problem,) = answer.json()["error"]["fields"]
    assert problem["field"] == "name"
    assert "control characters" in problem["message"] or "60" in problem["message"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("app", "mathematica"), ("app", "no such app"), ("environment", "nosuch"), ("environment", "../base")],
)
def test_unknown_app_or_environment_is_refused(field: str, value: str, alice: Person) -> None:
    answer = alice.api("POST", "/sessions", json={"app": "jupyterlab", field: value})
    assert answer.status_code == 422
    assert [field["field"] for field in answer.json()["error"]["fields"]] == [field]


def test_environment_that_is_not_installed_is_refused_with_who_can_install_it(alice: Person) -> None:
    environments = alice.api("GET", "/environments").json()["items"]
    absent = next((environment["name"] for environment in environments if not environment["installed"]), None)
    if absent is None:
        pytest.skip("All environments are installed here.")
    answer = alice.api("POST", "/sessions", json={"app": "jupyterlab", "environment": absent})
    assert answer.status_code == 422
    (problem,) = answer.json()["error"]["fields"]
    assert problem["field"] == "environment"
    assert "install" in problem["message"]


def test_every_problem_is_told_at_once(alice: Person) -> None:
    error = alice.ask(gpus=5, walltime_s=3 * 86_400, cpus=41).json()["error"]
    assert {field["field"] for field in error["fields"]} == {"resources.gpus", "resources.walltime_s", "resources.cpus"}


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "in chunks"])
def test_body_of_ten_megabytes_is_refused(announced: bool, alice: Person) -> None:
    body = json.dumps({"app": "jupyterlab", "name": "x" * 10_000_000}).encode()
    chunks = (body[start : start + 65_536] for start in range(0, len(body), 65_536))
    # On its own connection: the server closes it in the middle of the body.
    answer = httpx2.post(
        f"{alice.site.url}{API}/sessions",
        content=body if announced else chunks,
        headers={"Authorization": f"token {alice.token}"},
    )
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"
    assert answer.json()["error"]["hint"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b'"jupyterlab"', b"{}", b'{"app": null}', b'{"app": "jupyterlab", "resources": []}',
     b"\xff\xfe", b'{"app": "jupyterlab", "app": 1}', b"[" * 50_000],
    ids=lambda body: repr(body[:30]),
)  # fmt: skip
def test_body_that_is_no_request_is_refused(body: bytes, alice: Person) -> None:
    answer = alice.api("POST", "/sessions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize("path", ["/sessions/nosuch", "/sessions/..%2f..%2fetc", "/sessions/%00", "/sessions/'--"])
def test_session_that_cannot_be_is_not_found(path: str, alice: Person) -> None:
    assert alice.api("GET", path).status_code == 404
    assert alice.api("DELETE", path).status_code in (404, 405)


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "0"}, {"limit": "100000"}, {"limit": "x"}, {"state": "x"}, {"before": "yesterday"}, {"before": "0.5"},
        {"before": "0001-01-01T00:00:00+14:00"}, {"before": "9999-12-31T23:59:59-14:00"},
    ],
    ids=str,
)  # fmt: skip
def test_list_with_a_wrong_query_is_refused(query: dict[str, str], alice: Person) -> None:
    answer = alice.api("GET", "/sessions", params=query)
    assert answer.status_code == 422, answer.text
    assert [field["field"] for field in answer.json()["error"]["fields"]] == list(query)


def test_list_before_a_time_without_a_zone_takes_it_as_utc(alice: Person) -> None:
    assert alice.api("GET", "/sessions", params={"before": "2026-01-01T00:00:00"}).json()["items"] == []


def test_limit_of_gpus_at_once_counts_all_of_ones_sessions(site: DemoSite, person: Callable[[str], Person]) -> None:
    bob = person("bob")
    for _ in range(2):
        bob.start(gpus=4)
    error = bob.ask(gpus=1).json()["error"]
    assert error["fields"] == [
        {
            "field": "resources.gpus",
            "message": "You may use 8 GPUs at once; 8 are in use or queued, and this asks for 1. End a session or job.",
        }
    ]
    assert len(site.jobs("--user=bob")) == 2
