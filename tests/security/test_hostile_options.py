"""Nothing a user types changes another field, a directive or a command, whichever entrance it uses.

The cluster is full, so that accepted requests wait in the queue. There Slurm itself shows what it understood, which
must match a plain request field for field. Refused requests must leave Slurm's queue as it was.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.demo_site import DemoSite
from tests.fillers import fill
from tests.person import Live, Person, show_job

MARK = f"portal-pwned-{secrets.token_hex(6)}"

#: Input that has broken other programs: shells, Slurm's own options and lists, separators, paths, Unicode tricks.
NASTY = (
    f"; touch /tmp/{MARK}",
    f"$(touch /tmp/{MARK})",
    f"`touch /tmp/{MARK}`",
    f"' ; touch /tmp/{MARK} ; '",
    f'" && touch /tmp/{MARK} #',
    f"\n#SBATCH --gres=gpu:4\ntouch /tmp/{MARK}\n",
    f"--wrap=touch /tmp/{MARK}",
    "--uid=0",
    "--gres=gpu:v100:4",
    "-p debug",
    "--comment=x --qos=high",
    "sxm2,debug",
    "sxm2 --time=0",
    "sxm2\x00debug",
    "v100:4,license:x",
    "v100:4",
    "physics|root",
    "%j-%u-%A",
    "{ip} {port} {agent}",
    "${DSP_SECRET}",
    "dsp-abcdefghijkm",
    "../../../etc/passwd",
    "/dev/null",
    "\x1f\x1e|",
    "\u202egnp.exe",
    "ｓｘｍ２",
    "a" * 61,
    "<script>alert(1)</script>",
    "{{7*7}}",
    "NaN",
    "-1",
    "@1000",
    "user=root",
)
SLURM_FIELDS = ("partition", "account", "qos", "reservation", "gpu_type")
NUMBERS = ("nodes", "gpus", "cpus", "memory_mib", "walltime_s")
OTHER_FIELDS = (
    "comment", "constraint", "dependency", "nodelist", "uid", "user", "script", "wrap", "job_name", "command", "cmd",
    "env", "environ", "port", "session_id", "exclusive", "licenses", "begin", "chdir", "output", "export", "gres",
)  # fmt: skip

nasty_text = (
    st.sampled_from(NASTY) | st.text(max_size=80) | st.builds(str.__add__, st.text(max_size=20), st.sampled_from(NASTY))
)
nasty_value = nasty_text | st.booleans() | st.none() | st.floats() | st.integers() | st.lists(st.integers(), max_size=2)
odd_number = (
    st.integers(max_value=-1) | st.integers(min_value=10**9) | nasty_text | st.floats(allow_nan=False) | st.booleans()
)

#: Names are free text, so most of these are accepted.
names = nasty_text.filter(lambda name: name.isprintable() and len(name) <= 60)
#: Each has a field that no request may have, or a value that is invalid for its field.
refused_resources = st.one_of(
    st.tuples(st.sampled_from(SLURM_FIELDS), nasty_text),
    st.tuples(st.sampled_from(NUMBERS), odd_number),
    st.tuples(st.sampled_from(OTHER_FIELDS), nasty_value),
).map(lambda value: {"resources": {value[0]: value[1]}})
refused_options = st.one_of(
    refused_resources,
    st.tuples(st.sampled_from(("app", "environment")), nasty_text).map(lambda value: {value[0]: value[1]}),
    st.tuples(st.sampled_from(OTHER_FIELDS), nasty_value).map(lambda value: {value[0]: value[1]}),
    nasty_value.filter(lambda value: not isinstance(value, dict) and value is not None).map(lambda v: {"resources": v}),
)

#: Fields of `scontrol show job` that differ between two jobs from identical requests. Slurm 25.11 also shows the submit
#: line, with name and output in it.
OF_EACH_JOB = {
    "Comment", "JobId", "JobName", "AllocNode:Sid", "Priority", "SubmitTime", "EligibleTime", "AccrueTime", "StartTime",
    "EndTime", "Deadline", "LastSchedEval", "StdOut", "StdErr", "Reason", "SchedNodeList", "Scheduler",
    "NtasksPerTRES:0", "SLUID", "--job-name", "--output",
}  # fmt: skip

#: Sessions a user starts before all are ended; ten are allowed.
MOST_EACH = 8

real = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@dataclass(repr=False)
class FullCluster:
    """A full site, Slurm's reading of a plain request there, and the users to take turns: limits are per user."""

    site: DemoSite
    people: list[Person]
    plain: dict[str, dict[str, str]] = field(default_factory=dict)
    sums: set[str] = field(default_factory=set)
    taken: list[Live] = field(default_factory=list)

    def next_person(self) -> Person:
        """Return the user with the fewest sessions; nobody may have more than ten."""
        counts = Counter(live.owner.name for live in self.taken)
        if min(counts[person.name] for person in self.people) >= MOST_EACH:
            self.end_taken()
            counts.clear()
        return min(self.people, key=lambda person: counts[person.name])

    def end_taken(self) -> None:
        for live in self.taken:
            live.stop()
        for live in self.taken:
            live.ended()
        self.taken.clear()

    def learn(self) -> None:
        """Record what Slurm understands from plain requests."""
        for person in self.people:
            live = person.start("Plain", gpus=1)
            self.taken.append(live)
            self.plain[person.name] = fields_of(show_job(self.site, live.until("queued")["job_id"]))
        assert self.same_script()
        self.end_taken()

    def assert_plain(self, live: Live) -> None:
        """Check that Slurm read this session's request as it reads a plain one."""
        self.taken.append(live)
        session = live.until("queued")
        job, owner = show_job(self.site, session["job_id"]), live.owner.name
        # The name is the job's comment: a "=" in it looks like one more field here.
        assert {key: job.get(key) for key in self.plain[owner]} == self.plain[owner]
        assert job["JobName"] == f"dsp-{live.id}"
        assert job["StdOut"] == f"/run/portal-demo/home/{owner}/.portal/sessions/{live.id}.log"

    def same_script(self) -> bool:
        """Return whether all pending jobs have the same script, byte for byte."""
        jobs = [str(live.now()["job_id"]) for live in self.taken]
        each = 'for job in "$@"; do scontrol write batch_script "$job" - | sha256sum; done'
        sums = set(self.site.run("bash", "-c", each, "sums", *jobs).split("\n")) - {""}
        self.sums |= sums
        return len(self.sums) == 1

    def queue(self) -> set[str]:
        """Return all recent jobs in Slurm by name; an attempt to be placed at once is its own job."""
        return {job["name"] for job in self.site.jobs("--states=all")}


def fields_of(job: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in job.items() if key not in OF_EACH_JOB}


@pytest.fixture(scope="module")
def full(kept_site: DemoSite, person: Callable[[str], Person]) -> FullCluster:
    fill(kept_site)
    full = FullCluster(kept_site, [person(name) for name in ("alice", "bob", "carol", "admin")])
    full.learn()
    return full


@pytest.fixture
def unchanged(full: FullCluster) -> Iterator[None]:
    """Check that refused input submitted nothing and executed nothing."""
    before = full.queue()
    yield
    assert full.queue() <= before
    assert_nothing_executed(full.site)


def assert_nothing_executed(site: DemoSite) -> None:
    assert site.run("find", "/tmp", "/run/portal-demo/home", "-maxdepth", "2", "-name", f"*{MARK}*", check=False) == ""


def assert_refused(response: httpx2.Response) -> None:
    assert 400 <= response.status_code < 500, response.text
    error = response.json()["error"]
    assert error["message"]
    assert "Traceback" not in error["message"]


# --- the API ---


def test_hostile_name_by_the_api_changes_nothing_but_the_name(full: FullCluster) -> None:
    before = full.queue()
    accepted = 0

    @given(name=names)
    @settings(real, max_examples=30)
    def ask(name: str) -> None:
        nonlocal accepted
        person = full.next_person()
        response = person.ask(name, gpus=1)
        if response.status_code != 202:
            assert_refused(response)
            return
        accepted += 1
        assert response.json()["name"] == (name.strip() or response.json()["name"])
        full.assert_plain(Live(person, response.json()["id"]))

    ask()
    assert full.same_script()
    assert len(full.queue() - before) == accepted > 0
    assert_nothing_executed(full.site)


@given(options=refused_options)
@settings(real, max_examples=150)
def test_hostile_options_by_the_api_are_refused(options: dict[str, Any], full: FullCluster, unchanged: None) -> None:
    assert_refused(full.people[0].api("POST", "/sessions", content=as_json({"app": "jupyterlab"} | options)))


def as_json(body: dict[str, Any]) -> bytes:
    """Encode JSON as a hostile client would, with NaN, infinities and unpaired surrogates."""
    return json.dumps(body).encode()


# --- the Hub's REST API ---


def by_server(person: Person) -> dict[str, Any]:
    """Return the user's sessions by the name of their server at the Hub."""
    return {session["server_name"]: session for session in person.sessions()}


def test_hostile_name_by_the_hubs_rest_changes_nothing_but_the_name(full: FullCluster) -> None:
    before = full.queue()
    accepted = 0

    @given(name=names)
    @settings(real, max_examples=10)
    def ask(name: str) -> None:
        nonlocal accepted
        person = full.next_person()
        server = f"h-{secrets.token_hex(4)}"
        body = {"user_options": {"resources": {"gpus": 1}}, "display_name": name}
        response = person.hub("POST", f"/servers/{server}", json=body)
        if response.status_code not in (201, 202):
            assert 400 <= response.status_code < 500, response.text
            return
        # After a second the Hub answers 202, perhaps before the portal has the session.
        full.site.wait_for(
            lambda: server in [session["server_name"] for session in person.sessions()],
            "the portal to have the session",
        )
        (session,) = [session for session in person.sessions() if session["server_name"] == server]
        accepted += 1
        full.assert_plain(Live(person, session["id"]))

    ask()
    assert full.same_script()
    assert len(full.queue() - before) == accepted > 0
    assert_nothing_executed(full.site)


@pytest.mark.parametrize("form", ["new", "old"])
@given(options=refused_options)
@settings(real, max_examples=40)
def test_hostile_options_by_the_hubs_rest_are_refused(
    form: str, options: dict[str, Any], full: FullCluster, unchanged: None
) -> None:
    person = full.people[0]
    body = {"user_options": options} if form == "new" else options
    server = f"h-{secrets.token_hex(4)}"
    response = person.hub("POST", f"/servers/{server}", content=as_json(body))
    if response.status_code == 202:  # undecided within a second: Slurm itself is asked about names that could be real
        full.site.wait_for(
            lambda: not person.hub("GET", "").json()["servers"].get(server, {}).get("pending"), "the Hub to decide"
        )
    else:
        assert 400 <= response.status_code < 500, response.text
    assert server not in [session["server_name"] for session in person.sessions()]


# --- the Hub's form ---


@given(options=refused_resources)
@settings(real, max_examples=40)
def test_hostile_options_by_the_hubs_form_are_refused(
    options: dict[str, Any], full: FullCluster, unchanged: None, form: Callable[[dict[str, str]], httpx2.Response]
) -> None:
    fields = {key: str(value) for key, value in options["resources"].items()}
    if all(value.strip() == "" for value in fields.values()):
        fields["comment"] = "an empty field is one that was left out"
    response = form(fields)
    assert 400 <= response.status_code < 500
    assert f"/tmp/{MARK}`</" not in response.text, "What was typed is shown escaped."


@pytest.fixture
def form(full: FullCluster) -> Iterator[Callable[[dict[str, str]], httpx2.Response]]:
    with full.site.browser("carol") as browser:

        def send(fields: dict[str, str]) -> httpx2.Response:
            token = browser.cookies.get("_xsrf", path="/hub/")
            return browser.post(f"/hub/spawn/carol/f-{secrets.token_hex(4)}", params={"_xsrf": token}, data=fields)

        browser.get("/hub/home")
        yield send
