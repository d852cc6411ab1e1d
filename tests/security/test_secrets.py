"""Where secrets must not appear: in files that others can read, in any process's arguments, in Slurm's records, in
logs.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from demo.web import SECRET_NAMES
from tests.demo_site import DemoSite
from tests.fillers import fill
from tests.person import Person

SITE = "/run/portal-demo"
WATCHING = f"{SITE}/run/watching"

#: Records the arguments of every process that lives longer than some milliseconds, while the file exists.
WATCH = f"""
import os
seen = set()
while os.path.exists("{WATCHING}"):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            seen.add(open(f"/proc/{{pid}}/cmdline", "rb").read())
        except OSError:
            pass
print(b"\\n".join(seen).replace(b"\\0", b" ").decode(errors="replace"))
"""


@dataclass(repr=False)
class Seen:
    """The secrets that existed while a session was started by password and stopped, and what was seen meanwhile."""

    secrets: dict[str, str]
    arguments: str
    slurm: str

    def in_(self, text: str) -> list[str]:
        """Return the names of the secrets found in a text; their values must not appear in reports."""
        return [name for name, value in self.secrets.items() if value in text]


@pytest.fixture(scope="module")
def seen(kept_site: DemoSite, person: Callable[[str], Person]) -> Seen:
    site, carol = kept_site, person("carol")
    site.run("touch", WATCHING)
    results: list[str] = []
    watcher = threading.Thread(target=lambda: results.append(site.run("python3", "-c", WATCH, timeout_s=300)))
    watcher.start()
    try:
        token = site.token("carol")
        live = carol.ready(gpus=1)
        secrets = {name: site.secret(name) for name in (*SECRET_NAMES, "ldap_password")}
        secrets |= {f"password of {account.username}": account.password for account in site.accounts.values()}
        secrets |= {"a token of carol": token, "another": carol.token}
        agent = site.run("pgrep", "--oldest", "-u", "carol", "-f", "agent.pyz").strip()
        match = re.search(r"DSP_SECRET=([0-9a-f]+)", site.run("cat", f"/proc/{agent}/environ"))
        assert match
        secrets["secret of the session"] = match[1]
        kernel = live.kernel()
        secrets["token of the server"] = kernel.value("__import__('os').environ['JUPYTERHUB_API_TOKEN']")
        live.log()
        fill(site, nodes=3)
        queued = carol.start(gpus=4)
        queued.until("queued")
        slurm = site.run("bash", "-c", slurm_records(queued.now()["job_id"]))
        live.stop()
        live.ended()
    finally:
        site.run("rm", "-f", WATCHING)
        watcher.join(timeout=60)
    return Seen(secrets, results[0], slurm)


def slurm_records(job_id: int) -> str:
    """Return all that Slurm shows of jobs to anybody."""
    return (
        "scontrol -dd show job; squeue --all --states=all -O name:200,comment:200,command:500,stdout:500,reason:200;"
        f"scontrol write batch_script {job_id} -; sacct --allusers --format=JobName%100,Comment%500,SubmitLine%2000;"
        "scontrol show step"
    )


def test_watching_saw_the_whole_way(seen: Seen) -> None:
    """Otherwise the other tests here could not fail."""
    for program in ("portal-door", "srun", "sbatch", "slurmstepd", "agent.pyz", "serve-jupyter", "ipykernel"):
        assert program in seen.arguments, program
    assert seen.slurm.count("dsp-") > 1
    assert all(len(value) > 8 for value in seen.secrets.values())


def test_no_secret_is_in_the_arguments_of_a_process(seen: Seen) -> None:
    assert seen.in_(seen.arguments) == []


def test_no_secret_is_in_what_slurm_shows_of_jobs(seen: Seen) -> None:
    assert seen.in_(seen.slurm) == []


def test_no_secret_is_in_a_log(seen: Seen, kept_site: DemoSite) -> None:
    logs = kept_site.run(
        "bash", "-c", f"cd {SITE}; cat log/*.log munge/*.log slurm/log/* home/*/.portal/sessions/* 2>/dev/null; true"
    )
    assert "session.start" in logs
    assert seen.in_(logs) == []


def test_files_with_secrets_are_their_owners_alone(kept_site: DemoSite) -> None:
    files = [f"{SITE}/portal/secrets/{name}" for name in (*SECRET_NAMES, "ldap_password")]
    files += [f"{SITE}/accounts.json", f"{SITE}/outsiders.json", f"{SITE}/libexec/portal-door.json"]
    modes = kept_site.run("stat", "--format=%a %n", *files).splitlines()
    assert [line for line in modes if not line.startswith("600 ")] == []
    folders = kept_site.run("stat", "--format=%a", f"{SITE}/portal/secrets", f"{SITE}/portal/data").split()
    assert folders == ["700", "700"]


def test_no_user_can_read_anything_of_the_portals(kept_site: DemoSite) -> None:
    result = kept_site.run(
        "find", f"{SITE}/portal", f"{SITE}/munge", f"{SITE}/ldap", f"{SITE}/mysql", "-type", "f", "-readable",
        user="bob", check=False,
    )  # fmt: skip
    public = ("ca.pem", "munged.pid", "slapd.pid", "server.ext", "init.sql", "seeded")
    assert [line for line in result.splitlines() if not line.endswith(public)] == []


def test_no_user_may_ask_the_door_themselves(kept_site: DemoSite) -> None:
    door = f"{SITE}/libexec/portal-door"
    for argv in (["sudo", "-n", door], [door]):
        done = kept_site.process(*argv, user="bob", stdin='{"verb": "version"}')
        assert '"ok": true' not in done.stdout
    by_portal = kept_site.process("sudo", "-n", door, "--extra", user="portal", stdin='{"verb": "version"}')
    assert by_portal.returncode != 0, "sudo lets the portal start the door without arguments only."
