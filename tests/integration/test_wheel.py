"""A site from nothing but the wheel: empty virtual environment, `portal init`, units, `portal check`, the main job."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx2
import pytest

from demo import people
from demo.directory import CA_FILE, SERVICE_DN, SERVICE_PASSWORD_FILE
from portal.settings import SECRET_NAMES
from tests.demo_site import CLONE, INSIDE, demo_site
from tests.deployed import OPT, UNITS, UP_S, Deployed
from tests.person import Live, Person

pytestmark = pytest.mark.slow
MANY = 20


@pytest.fixture(scope="module")
def wheel() -> Path:
    subprocess.run([CLONE / "dev", "wheel"], check=True, capture_output=True, timeout=600)
    (made,) = (CLONE / "dist").glob("*.whl")
    return made


@pytest.fixture(scope="module")
def deployed(wheel: Path) -> Iterator[Deployed]:
    """The demo's Slurm and directory, and on them a site of the wheel's, checked and running."""
    with demo_site("--without-web") as site:
        one = Deployed(site)
        site.run("rm", "-rf", str(OPT / "etc"), str(OPT / "data"))
        site.run("mkdir", "-p", str(OPT))
        one.install(INSIDE / "src" / wheel.relative_to(CLONE))
        init(one)
        site.run("sh", "-c", "grep -q includedir /etc/sudoers || echo '@includedir /etc/sudoers.d' >>/etc/sudoers")
        one.install_base()
        for name in ("alice", "bob"):
            home = str(INSIDE / "home" / name)
            site.run("install", "-d", "-m", "700", "-o", name, "-g", people.MAIN_GROUP[0], home)
        # What `npm ci` would bring from afar is in the checkout already.
        site.run("ln", "-sfn", str(INSIDE / "src/demo/proxy/node_modules"), str(OPT / "proxy/node_modules"))
        with one.running():
            site.wait_for(partial(answers, f"{site.url}/services/portal/healthz"), "the portal to answer", UP_S)
            site.wait_for(partial(answers, f"{site.url}/hub/api/"), "the Hub to answer", UP_S)
            yield one


def init(deployed: Deployed) -> None:
    ports, ldaps = deployed.ports, deployed.site.ports["ldaps"]
    deployed.portal(
        "init",
        *("--url", deployed.site.url, "--sessions-url", "", "--head", "127.0.0.1", "--shared", str(OPT / "shared")),
        *("--ldap", f"ldaps://localhost:{ldaps}", "--ldap-base", people.SUFFIX, "--ldap-ca", str(CA_FILE)),
        *("--ldap-bind-dn", SERVICE_DN, "--ldap-password-file", str(SERVICE_PASSWORD_FILE)),
        *("--user-group", people.LOGIN_GROUP, "--admin-group", people.ADMIN_GROUP),
        *("--unix-group", people.MAIN_GROUP[0], "--slurm-conf", str(INSIDE / "slurm/etc/slurm.conf")),
        *("--etc", str(OPT / "etc"), "--data-dir", str(OPT / "data"), "--proxy", str(OPT / "proxy")),
        *("--door", str(OPT / "libexec/portal-door"), "--door-log", str(OPT / "door.log")),
        *("--proxy-port", deployed.site.url.rpartition(":")[2], "--proxy-api-port", str(ports["proxy_api"])),
        *("--portal-port", str(ports["portal"]), "--hub-port", str(ports["hub"])),
        user="root",
    )


def answers(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=5).status_code == 200
    except httpx2.TransportError:
        return False


@pytest.fixture(scope="module")
def users(deployed: Deployed) -> Iterator[list[Person]]:
    both = [Person.of(deployed.site, name) for name in ("alice", "bob")]
    yield both
    for one in both:
        one.close()


def test_wheel_is_the_same_bytes_when_it_is_built_again(wheel: Path) -> None:
    before = hashlib.sha256(wheel.read_bytes()).hexdigest()
    subprocess.run([CLONE / "dev", "wheel"], check=True, capture_output=True, timeout=600)
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == before


def test_check_finds_nothing_to_mend(deployed: Deployed) -> None:
    said = deployed.portal("check", "--user", "alice", check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    assert "Everything is in place." in said.stdout


def test_init_again_changes_nothing(deployed: Deployed) -> None:
    before = deployed.site.run("sh", "-c", f"cat {OPT}/etc/portal.toml {OPT}/etc/secrets/* | sha256sum")
    init(deployed)
    assert deployed.site.run("sh", "-c", f"cat {OPT}/etc/portal.toml {OPT}/etc/secrets/* | sha256sum") == before


def test_main_job_works_on_a_site_made_of_the_wheel(users: list[Person]) -> None:
    alice = users[0]
    page = alice.web.get("/services/portal/")
    assert '<div id="root">' in page.text, "The web app is in the wheel."
    live = alice.ready("From the wheel", gpus=2)
    kernel = live.kernel()
    assert kernel.value("__import__('os').environ['USER']") == "alice"
    assert len(kernel.value("__import__('os').environ['SLURM_JOB_GPUS']").split(",")) == 2
    assert kernel.value("__import__('glob').glob('templates/**/*.ipynb', recursive=True)")
    live.stop()
    assert live.ended()["end"]["code"] == "stopped"


def test_every_secret_may_be_changed_while_a_session_runs(deployed: Deployed, users: list[Person]) -> None:
    """As docs/how-to/administer.md, "Change secrets", says: all at once, with all three services started again."""
    site, bob = deployed.site, users[1]
    live = bob.ready("Before", gpus=0)
    kernel = live.kernel()
    kernel.run("kept = 42")
    before = {name: site.run("cat", str(OPT / "etc/secrets" / name)) for name in SECRET_NAMES}
    site.run("rm", *(str(OPT / "etc/secrets" / name) for name in SECRET_NAMES))
    deployed.portal("init-secrets")
    assert all(site.run("cat", str(OPT / "etc/secrets" / name)) != old for name, old in before.items())
    for unit in UNITS:
        deployed.stop(unit)
        deployed.start(unit)
    site.wait_for(partial(answers, f"{site.url}/services/portal/healthz"), "the portal to answer", UP_S)
    site.wait_for(partial(all_open, [live]), "the session to open", UP_S)
    assert kernel.value("kept") == 42
    later = bob.ready("After", gpus=0)
    assert later.kernel().value("1 + 1") == 2
    for one in (live, later):
        one.stop()
        assert one.ended()["end"]["code"] == "stopped"


def test_each_unit_alone_may_be_killed_restarted_and_renewed_under_many_sessions(
    deployed: Deployed, users: list[Person], wheel: Path
) -> None:
    """None of twenty sessions is lost, whatever is done to one unit."""
    small = {"gpus": 0, "cpus": 1, "memory_mib": 500}
    sessions = [user.open("terminal", resources=small) for _ in range(MANY // 2) for user in users]
    for live in sessions:
        live.until("ready", timeout_s=300)
    jobs = {live.id: live.now()["job_id"] for live in sessions}
    for unit in UNITS:
        for signal in ("TERM", "KILL"):
            deployed.stop(unit, signal)
            if signal == "KILL":
                deployed.install(INSIDE / "src" / wheel.relative_to(CLONE))
                deployed.portal("programs", user="root")
            deployed.start(unit)
            what = f"after {unit} had been ended by {signal}"
            deployed.site.wait_for(partial(all_are_there, users, jobs), f"all sessions to be listed {what}", UP_S)
            deployed.site.wait_for(partial(all_open, sessions), f"all sessions to open {what}", UP_S)
    for live in sessions:
        live.stop()


def all_are_there(users: list[Person], jobs: dict[str, int]) -> bool:
    found: dict[str, int] = {}
    for user in users:
        try:
            answer = user.api("GET", "/sessions", params={"state": "active", "limit": 100})
        except httpx2.TransportError:
            return False
        if answer.status_code != 200:
            return False
        found |= {one["id"]: one["job_id"] for one in answer.json()["items"] if one["state"] == "ready"}
    return found == jobs


def all_open(sessions: list[Live]) -> bool:
    try:
        return all(live.owner.web.get(str(live.now()["url"])).status_code == 200 for live in sessions)
    except httpx2.HTTPError:
        return False
