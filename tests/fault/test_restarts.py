"""Portal and Hub ended with SIGKILL at the worst moments: sessions go on, none is lost, none is there twice."""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from agent.lab.logins import FRESH_S
from tests.demo_site import API, DemoSite
from tests.fillers import fill
from tests.person import Kernel, Live, Person

BACK_S = 60  # within this everything is listed again and works
ROUTES_BACK_S = 20  # the portal looks every second; by itself the Hub would take minutes


@dataclass
class Before:
    """What there was before the fault: a session with a variable in its kernel, and one that waits for room."""

    running: Live
    kernel: Kernel
    queued: Live
    fillers: list[str]


@pytest.fixture(scope="module")
def before(kept_site: DemoSite, person: Callable[[str], Person]) -> Before:
    running = person("alice").ready("Running", gpus=4)
    kernel = running.kernel()
    kernel.run("kept = 41 + 1")
    fillers = fill(kept_site, nodes=3)
    queued = person("bob").start("Queued", gpus=1)
    queued.until("queued")
    return Before(running, kernel, queued, fillers)


def one_job_for_each_session(site: DemoSite, *people: Person) -> bool:
    """Whether these people's jobs in Slurm and their sessions in the portal are the same."""
    users = f"--user={','.join(person.name for person in people)}"
    jobs = Counter(job["name"] for job in site.jobs(users) if job["name"].startswith("dsp-"))
    sessions = Counter(f"dsp-{session['id']}" for person in people for session in person.sessions())
    return jobs == sessions and set(jobs.values()) <= {1}


@pytest.mark.parametrize("killed", [["portal"], ["hub"], ["portal", "hub"]], ids=" and ".join)
def test_sessions_outlive_a_kill_of(
    killed: list[str], kept_site: DemoSite, before: Before, person: Callable[[str], Person]
) -> None:
    job = before.running.now()["job_id"]
    for service in killed:
        kept_site.kill(service)
    # Its way leads through the proxy alone, and Jupyter remembers for some minutes whom the Hub knows.
    time.sleep(FRESH_S + 1)  # until its cache has expired, so that it must ask
    assert before.kernel.value("kept") == 42
    for service in killed:
        kept_site.start(service)

    def all_is_back() -> bool:
        alice, bob = person("alice"), person("bob")
        listed = alice.api("GET", "/sessions", params={"state": "active"})
        if listed.status_code != 200:
            return False
        states = [value["state"] for value in [*listed.json()["items"], *bob.sessions()]]
        return states == ["ready", "queued"]

    kept_site.wait_for(all_is_back, "both sessions to be listed as they were", BACK_S)
    assert before.kernel.value("kept") == 42
    assert before.running.now()["job_id"] == job
    assert one_job_for_each_session(kept_site, person("alice"), person("bob"))
    servers = person("alice").hub("GET", "").json()["servers"]
    assert [server["ready"] for server in servers.values()] == [True]


def test_queued_session_starts_after_the_restarts_when_room_comes(
    kept_site: DemoSite, before: Before, person: Callable[[str], Person]
) -> None:
    """After the kills above: the Hub has forgotten this start, and gets it back."""
    kept_site.run("scancel", before.fillers[0])
    before.queued.until("ready", timeout_s=BACK_S)
    assert before.queued.kernel().value("1 + 1") == 2
    assert one_job_for_each_session(kept_site, person("alice"), person("bob"))


def test_session_submitted_while_the_hub_is_dead_is_ready_once_it_is_back(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    carol = person("carol")
    assert carol.sessions() == []  # the portal knows carol, whom it cannot ask the Hub about now
    site.kill("hub")
    live = carol.start(gpus=1)
    site.start("hub")
    live.until("ready", timeout_s=BACK_S)
    assert live.kernel().value("1 + 1") == 2
    assert one_job_for_each_session(site, carol)


@pytest.mark.parametrize("first_back", ["slurmctld", "portal"])
def test_portal_killed_between_submit_and_commit_finds_the_job_again(
    first_back: str, site: DemoSite, person: Callable[[str], Person]
) -> None:
    """slurmctld is frozen while the door submits: the portal dies with a row that has no job, then the job comes."""
    carol = person("carol")
    carol.sessions()
    site.pause("slurmctld")
    asked = threading.Thread(target=lambda: carol.ask(gpus=1))
    asked.start()
    site.wait_for(lambda: pids(site, "^[^ ]*s(run|batch) "), "the door to submit")
    site.kill("portal")
    asked.join(timeout=20)
    if first_back == "portal":
        site.start("portal")
    site.start("slurmctld")
    site.wait_for(lambda: not pids(site, "portal-door$"), "the door to be done")
    site.start("portal")
    site.wait_for(lambda: settled(carol), "the session to be ready, or closed for want of a job", BACK_S)
    assert one_job_for_each_session(site, carol)
    (session,) = carol.sessions("all")[:1]
    if session["state"] == "ready":
        assert Live(carol, session["id"]).kernel().value("1 + 1") == 2
    else:
        assert session["end"]["code"] in {"submit_lost", "slurm_failed"}, "the door gave up before slurmctld was back"
        assert session["end"]["advice"]


def test_start_at_the_hub_goes_on_when_the_portal_dies_in_the_middle_of_it(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    """The Hub asks the portal again, which must not submit a second job for the server."""
    carol = person("carol")
    site.pause("slurmctld")
    name = f"interrupted-{secrets.token_hex(4)}"  # the history of a site that is used again has older ones
    asked = carol.hub("POST", f"/servers/{name}", json={"user_options": {"resources": {"gpus": 1}}})
    assert asked.status_code == 202
    site.wait_for(lambda: pids(site, "^[^ ]*s(run|batch) "), "the door to submit")
    site.kill("portal")
    site.start("slurmctld")
    site.start("portal")
    site.wait_for(lambda: not pids(site, "portal-door$"), "the door to be done")

    def decided() -> bool:
        server = carol.hub("GET", "").json()["servers"].get(name)
        return settled(carol) and (server is None or server["ready"])

    site.wait_for(decided, "the server to be ready, or given up for want of a job", BACK_S)
    assert one_job_for_each_session(site, carol)
    assert len([session for session in carol.sessions("all") if session["server_name"] == name]) == 1


def test_portal_and_hub_killed_while_a_session_starts_bring_it_up_once(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    carol = person("carol")
    live = carol.start(gpus=1)
    live.until("allocated", "starting", "ready")
    site.kill("portal")
    site.kill("hub")
    site.start("portal")
    site.start("hub")
    live.until("ready", timeout_s=BACK_S)
    assert live.kernel().value("1 + 1") == 2
    assert one_job_for_each_session(site, carol)


def test_session_stopped_just_before_the_portal_dies_ends_once(site: DemoSite, person: Callable[[str], Person]) -> None:
    carol = person("carol")
    live = carol.ready(gpus=1)
    live.stop()
    site.kill("portal")
    site.start("portal")
    assert live.ended(timeout_s=BACK_S)["end"]["code"] == "stopped"
    assert one_job_for_each_session(site, carol)


def test_proxy_that_was_killed_leads_to_the_sessions_again(site: DemoSite, person: Callable[[str], Person]) -> None:
    live = person("alice").ready(gpus=1)
    kernel = live.kernel()
    kernel.run("kept = 42")
    address = live.address
    site.kill("proxy")
    site.start("proxy")
    began = time.monotonic()
    site.wait_for(
        lambda: live.owner.web.get(f"{address}api/status").status_code == 200, "the routes to come back", ROUTES_BACK_S
    )
    print(f"proxy back: its routes after {time.monotonic() - began:.1f} s")
    assert kernel.value("kept") == 42


def test_restart_of_the_portal_does_not_wait_for_open_pages(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    alice.sessions()
    with alice.web.stream("GET", f"{API}/events", timeout=60) as page:
        lines = page.iter_lines()
        next(lines)
        before = len(site.log("portal"))
        site.restart("portal")
        assert "timeout graceful shutdown exceeded" not in site.log("portal")[before:], "uvicorn waited for the page."
        for _ in lines:
            continue  # the stream ends
    assert alice.api("GET", "/sessions").status_code == 200


def settled(person: Person) -> bool:
    return all(session["state"] == "ready" for session in person.sessions())


def pids(site: DemoSite, pattern: str) -> list[str]:
    return site.run("pgrep", "-f", pattern, check=False).split()
