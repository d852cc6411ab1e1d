"""A site from nothing but the wheel: empty virtual environment, `portal init`, systemd, `portal check`, main job."""

from __future__ import annotations

import hashlib
import re
import subprocess
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx2
import pytest

from portal.settings import SECRET_NAMES
from tests.demo_site import CLONE, INSIDE
from tests.deployment.deployed import OPT, Deployed
from tests.deployment.machine import UNITS, UP_S
from tests.person import Live, Person

pytestmark = pytest.mark.slow
MANY = 20


@pytest.fixture(scope="module")
def users(deployed: Deployed) -> Iterator[list[Person]]:
    both = [Person.of(deployed.site, name) for name in ("alice", "bob")]
    yield both
    for person in both:
        person.close()


def test_wheel_is_the_same_bytes_when_it_is_built_again(wheel: Path) -> None:
    before = hashlib.sha256(wheel.read_bytes()).hexdigest()
    subprocess.run([CLONE / "dev", "wheel"], check=True, capture_output=True, timeout=600)
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == before


def test_wheel_puts_only_our_own_names_into_site_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        tops = {name.partition("/")[0].partition("-")[0] for name in packed.namelist()}
    assert tops == {"portal", "spawner", "data_scientist_portal"}


def test_check_finds_nothing_to_mend(deployed: Deployed) -> None:
    result = deployed.portal("check", "--user", "alice", check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Everything is in place." in result.stdout


def test_init_again_changes_nothing(deployed: Deployed) -> None:
    before = deployed.site.run("sh", "-c", f"cat {OPT}/etc/portal.toml {OPT}/etc/secrets/* | sha256sum")
    deployed.init()
    assert deployed.site.run("sh", "-c", f"cat {OPT}/etc/portal.toml {OPT}/etc/secrets/* | sha256sum") == before


def test_systemd_runs_each_unit_as_shut_in_as_it_says(deployed: Deployed) -> None:
    """What `systemd-analyze security` counts stands in docs/explanation/security.md, "The services"."""
    most = {"portal-proxy": 1.5, "portal-hub": 1.5, "portal": 6.8}
    for unit, exposure in most.items():
        now = deployed.show(unit, "ActiveState", "User", "NRestarts", "NoNewPrivileges", "ProtectSystem", "MainPID")
        assert (now["ActiveState"], now["User"], now["NRestarts"]) == ("active", "portal", "0")
        text = deployed.beside_systemd("systemd-analyze", "security", "--no-pager", unit)
        assert float(re.findall(r"exposure level for \S+: ([\d.]+)", text)[0]) <= exposure
        status = deployed.beside_systemd("cat", f"/proc/{now['MainPID']}/status")
        shut = unit != "portal"
        assert re.findall(r"^NoNewPrivs:\s+(\d)", status, re.M) == [str(int(shut))]
        assert re.findall(r"^CapEff:\s+(\w+)", status, re.M) == ["0" * 16]
        assert (re.findall(r"^CapBnd:\s+(\w+)", status, re.M) == ["0" * 16]) == shut
        write = f"nsenter --target {now['MainPID']} --mount sh -c 'touch /usr/portal-was-here'"
        assert deployed.beside_systemd("sh", "-c", f"{write} 2>&1 || true").endswith("Read-only file system\n")


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
    """As docs/how-to/administer.md, "Change secrets", says: all at once, with all three services started again.

    By root, who leaves them to the account: the services read them.
    """
    site, bob = deployed.site, users[1]
    live = bob.ready("Before", gpus=0)
    kernel = live.kernel()
    kernel.run("kept = 42")
    before = {name: site.run("cat", str(OPT / "etc/secrets" / name)) for name in SECRET_NAMES}
    site.run("rm", *(str(OPT / "etc/secrets" / name) for name in SECRET_NAMES))
    deployed.portal("init-secrets", user="root")
    assert all(site.run("cat", str(OPT / "etc/secrets" / name)) != old for name, old in before.items())
    deployed.systemctl("restart", *UNITS)
    deployed.answers()
    site.wait_for(partial(all_open, [live]), "the session to open", UP_S)
    assert kernel.value("kept") == 42
    later = bob.ready("After", gpus=0)
    assert later.kernel().value("1 + 1") == 2
    for value in (live, later):
        value.stop()
        assert value.ended()["end"]["code"] == "stopped"


def test_each_unit_alone_may_be_killed_restarted_and_renewed_under_many_sessions(
    deployed: Deployed, users: list[Person], wheel: Path
) -> None:
    """None of twenty sessions is lost when one unit is killed, restarted or renewed."""
    small = {"gpus": 0, "cpus": 1, "memory_mib": 500}
    sessions = [user.open("terminal", resources=small) for _ in range(MANY // 2) for user in users]
    for live in sessions:
        live.until("ready", timeout_s=300)
    jobs = {live.id: live.now()["job_id"] for live in sessions}
    for unit in UNITS:
        for what in (kill, restart, renew):
            what(deployed, unit, wheel)
            after = f"after {what.__name__} of {unit}"
            deployed.site.wait_for(partial(all_are_there, users, jobs), f"all sessions to be listed {after}", UP_S)
            deployed.site.wait_for(partial(all_open, sessions), f"all sessions to open {after}", UP_S)
    for live in sessions:
        live.stop()


def kill(deployed: Deployed, unit: str, wheel: Path) -> None:
    deployed.kill(unit)


def restart(deployed: Deployed, unit: str, wheel: Path) -> None:
    deployed.systemctl("restart", unit)


def renew(deployed: Deployed, unit: str, wheel: Path) -> None:
    """As docs/how-to/administer.md, "Upgrade", has it."""
    deployed.install(INSIDE / "src" / wheel.relative_to(CLONE))
    deployed.portal("programs", user="root")
    deployed.systemctl("restart", unit)


def all_are_there(users: list[Person], jobs: dict[str, int]) -> bool:
    results: dict[str, int] = {}
    for user in users:
        try:
            answer = user.api("GET", "/sessions", params={"state": "active", "limit": 100})
        except httpx2.TransportError:
            return False
        if answer.status_code != 200:
            return False
        results |= {item["id"]: item["job_id"] for item in answer.json()["items"] if item["state"] == "ready"}
    return results == jobs


def all_open(sessions: list[Live]) -> bool:
    try:
        return all(live.owner.web.get(str(live.now()["url"])).status_code == 200 for live in sessions)
    except httpx2.HTTPError:
        return False
