"""When Slurm, the directory, a node or a home fails, nothing alive is declared dead, and users see the reason."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx2
import pytest

from demo import people
from tests.demo_site import DemoSite, Front, log_in
from tests.person import Kernel, Live, Person

#: The full five minutes take DSP_SLURM_OUTAGE_S=300; what breaks does so in the first one.
SLURM_OUTAGE_S = float(os.environ.get("DSP_SLURM_OUTAGE_S", "60"))
REFUSED_WITHIN_S = 15
NORMAL_WITHIN_S = 30


# --- Slurm's controller ---


def test_sessions_outlive_an_outage_of_slurmctld_and_new_ones_are_refused_with_a_reason(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    alice, bob = person("alice"), person("bob")
    live, doomed = alice.ready(gpus=1), bob.ready(gpus=1)
    kernel = live.kernel()
    kernel.run("counter = 0")
    live.saved()
    doomed.saved()
    site.kill("slurmctld")
    down_at = time.monotonic()
    try:
        began = time.monotonic()
        refused = bob.ask(gpus=1)
        took = time.monotonic() - began
        print(f"slurmctld ended: refused after {took:.1f} s")
        assert took < REFUSED_WITHIN_S
        assert refused.status_code == 503
        assert refused.json()["error"]["code"] == "slurm_unavailable"
        assert "Slurm does not answer" in refused.json()["error"]["message"]
        assert "continue" in refused.json()["error"]["hint"]

        doomed.stop()
        kept_working(site, live, kernel, until=down_at + SLURM_OUTAGE_S)
        assert doomed.now()["state"] == "stopping", "Whether its job is gone cannot be known now."
        state = alice.api("GET", "/site").json()["slurm"]
        assert (state["state"], bool(state["message"])) == ("down", True)
        servers = alice.hub("GET", "").json()["servers"]
        assert [server["ready"] for server in servers.values()] == [True]
    finally:
        site.start("slurmctld")
    back_at = time.monotonic()
    site.wait_for(lambda: bob.ask(gpus=0).status_code == 202, "a new session to be taken", NORMAL_WITHIN_S)
    print(f"slurmctld back: a session taken after {time.monotonic() - back_at:.1f} s")
    doomed.ended(timeout_s=90)  # a node tells slurmctld again, in its own time, what it could not tell it before
    site.wait_for(
        lambda: alice.api("GET", "/site").json()["slurm"]["state"] == "up",
        "the portal to say that Slurm is back",
        NORMAL_WITHIN_S - (time.monotonic() - back_at),
    )
    for session in bob.sessions():
        Live(bob, session["id"]).until("ready")
    assert live.now()["state"] == "ready"
    assert kernel.value("counter") > 0


def kept_working(site: DemoSite, live: Live, kernel: Kernel, *, until: float) -> None:
    """Use the notebook and look at the session until then."""

    def over() -> bool:
        kernel.run("counter += 1")
        session = live.now()
        assert session["state"] == "ready", session
        return time.monotonic() > until

    site.wait_for(over, "the outage to be over", until - time.monotonic() + 30, every_s=2)


def test_start_is_refused_in_time_when_slurmctld_hangs(site: DemoSite, person: Callable[[str], Person]) -> None:
    """Frozen, it takes connections and never answers; and the portal has not noticed yet."""
    carol = person("carol")
    carol.sessions()
    site.pause("slurmctld")
    began = time.monotonic()
    refused = carol.ask(gpus=1)
    took = time.monotonic() - began
    print(f"slurmctld frozen: refused after {took:.1f} s")
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "slurm_unavailable"), refused.text
    assert took < REFUSED_WITHIN_S
    assert carol.sessions() == []
    site.start("slurmctld")
    site.wait_for(
        lambda: site.jobs("--user=carol") == [], "a job that nobody waits for to be ended", NORMAL_WITHIN_S + 30
    )


# --- names of accounts ---


def test_sessions_and_jobs_go_on_while_the_system_cannot_name_their_user(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    """As when a directory does not answer nslcd or sssd: squeue says `nobody`, newer ones the account's number."""
    alice = person("alice")
    live = alice.ready(gpus=0)
    job = live.now()["job_id"]
    number = site.run("id", "-u", "alice").strip()
    accounts = site.run("cat", "/etc/passwd")
    site.run("sed", "-i", "/^alice:/d", "/etc/passwd")
    try:
        assert [job["user"] for job in site.jobs()] in (["nobody"], [number])
        before = readings(site)
        site.wait_for(lambda: readings(site) > before + 2, "the portal to have read the queue", 60)
    finally:
        site.run("tee", "/etc/passwd", stdin=accounts)
    now = live.now()
    assert (now["state"], now["job_id"]) == ("ready", job)
    assert [job["user"] for job in site.jobs()] == ["alice"]


def readings(site: DemoSite) -> float:
    """How often the portal has asked for the queue."""
    return float(re.findall(r'^portal_slurm_calls_total\{part="jobs"\} (\S+)', site.metrics(), re.M)[0])


# --- the directory ---


def test_open_sessions_go_on_without_the_directory_and_a_login_says_why_it_fails(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    live = person("alice").ready(gpus=1)
    kernel = live.kernel()
    site.kill("slapd")
    assert kernel.value("1 + 1") == 2
    assert live.now()["state"] == "ready"
    page = login(site, "bob")
    assert page.status_code == 503
    assert "directory of accounts does not answer" in page.text
    assert "Wrong user name" not in page.text
    site.start("slapd")
    assert login(site, "bob").status_code == 200


def login(site: DemoSite, name: str) -> httpx2.Response:
    with Front(site, follow_redirects=True, timeout=60) as browser:
        return log_in(browser, name, site.accounts[name].password)


# --- a node ---


def test_session_is_told_that_its_node_failed_and_leaves_nothing_running(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    live = person("dave").ready(gpus=1)
    live.kernel()
    node = live.now()["node"]
    site.kill(node)
    session = live.ended(timeout_s=120)
    assert session["end"]["code"] == "node_failed"
    assert session["end"]["advice"]
    # Slurm does not end a job's processes there until slurmd is back; the agent learns it from the portal.
    site.wait_for(
        lambda: site.run("pgrep", "-u", "dave", check=False) == "", "the processes on the node to end", timeout_s=60
    )


def test_first_button_after_a_node_failure_starts_on_another_node(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    """The node is soon back and free: without the exclusion Slurm would choose it again."""
    dave = person("dave")
    live = dave.ready(gpus=1)
    node = live.now()["node"]
    site.kill(node)
    offered = live.ended(timeout_s=120)["end"]["next"]
    assert (offered["kind"], offered["avoid"]) == ("other_node", node)
    site.start(node)
    answer = dave.api("POST", "/sessions", json={"app": "jupyterlab", "resources": {"gpus": 1}, "avoid": node})
    again = Live(dave, answer.json()["id"])
    assert again.until("ready")["node"] != node
    assert again.job()["ExcNodeList"] == node
    again.stop()
    again.ended()


# --- homes ---


@contextmanager
def home(site: DemoSite, *options: str, fill: bool = False) -> Iterator[None]:
    """Mount something else over dave's home."""
    (dave,) = [person for person in people.PEOPLE if person.username == "dave"]
    path = f"/run/portal-demo/home/{dave.username}"
    site.run(
        "mount", "-t", "tmpfs", "-o", ",".join(("size=64k", f"uid={dave.uid}", "mode=700", *options)), "home", path
    )
    try:
        if fill:
            site.run("bash", "-c", "head -c 1M /dev/zero > ~/big", user="dave", check=False)
        yield
    finally:
        site.run("umount", path)


@pytest.mark.parametrize(
    ("options", "fill", "words"),
    [((), True, "space"), (("ro",), False, "[Rr]ead-only"), (("mode=500", "uid=0"), False, "[Pp]ermission")],
    ids=["full", "read-only", "not one's own"],
)
def test_start_is_refused_before_the_submission_when_the_home_is(
    options: tuple[str, ...], fill: bool, words: str, site: DemoSite, person: Callable[[str], Person]
) -> None:
    dave = person("dave")
    before = site.run("squeue", "--noheader", "--states=all", "--user=dave")
    with home(site, *options, fill=fill):
        refused = dave.ask(gpus=1)
    assert 400 <= refused.status_code < 500, refused.text
    error = refused.json()["error"]
    assert "Your home" in error["message"]
    assert re.search(words, error["message"])
    assert dave.sessions() == []
    assert site.run("squeue", "--noheader", "--states=all", "--user=dave") == before


def test_session_goes_on_when_its_home_fills_up(site: DemoSite, person: Callable[[str], Person]) -> None:
    """What cannot be written is said by Jupyter; the session, its log and its end are not hurt."""
    with home(site, "size=2M"):
        live = person("dave").ready(gpus=0)
        kernel = live.kernel()
        kernel.run("try: open('big', 'wb').write(bytes(8 * 2**20))\nexcept OSError as error: print(error)")
        assert kernel.value("1 + 1") == 2
        live.stop()
        assert live.ended()["end"]["code"] == "stopped"
    assert json.dumps(live.log())
