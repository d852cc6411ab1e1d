"""The demo site is what it says: a real cluster and directory, apart from the machine it runs on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo import control, people
from tests.demo_site import CLONE, DemoSite, demo_site, remove

LDAP = ("ldapwhoami", "-x")
CA = "/run/portal-demo/ldap/tls/ca.pem"


@pytest.fixture(scope="module")
def bare() -> Iterator[DemoSite]:
    """A site of Slurm and directory alone."""
    with demo_site("--without-web") as site:
        yield site


@pytest.fixture(scope="module")
def used_folder() -> Iterator[Path]:
    """The folder of a site that has run and is stopped."""
    folder = Path(tempfile.mkdtemp(prefix="portal-demo-"))
    bring_up(DemoSite(folder))
    run_dev(folder, "stop")
    yield folder
    remove(folder)


@pytest.fixture
def own(used_folder: Path) -> Iterator[DemoSite]:
    """A site that the test may end as it likes."""
    site = DemoSite(used_folder)
    bring_up(site)
    yield site
    run_dev(used_folder, "stop")


def bring_up(site: DemoSite) -> None:
    site.dev("run", "--without-web", "--background", "--port", "0")


def run_dev(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [CLONE / "dev", *arguments],
        env={**os.environ, "DSP_DEMO_DIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("person", people.PEOPLE, ids=lambda person: person.username)
def test_a_job_has_the_numbers_of_the_directory(bare: DemoSite, person: people.Person) -> None:
    bare.run("mkdir", "-p", f"/run/portal-demo/home/{person.username}")
    account = ["--account", person.groups[0]] if person.groups else []
    done = bare.process("srun", *account, "--chdir=/", "--mem=100", "id", user=person.username)
    if not person.groups:
        assert "Invalid account" in done.stderr  # who has no account in Slurm gets nothing
        return
    numbers = people.UNIX_GROUPS | {people.ADMIN_GROUP: people.ADMIN_GID}
    groups = [*person.groups, people.ADMIN_GROUP] if person.admin else person.groups
    names = ",".join(f"{numbers[group]}({group})" for group in groups)
    assert done.stdout.strip() == (
        f"uid={person.uid}({person.username}) gid=52000(scientists) groups=52000(scientists),{names}"
    )


def test_two_jobs_on_a_node_see_different_gpus(bare: DemoSite) -> None:
    # Not CUDA_VISIBLE_DEVICES: where devices are confined, Slurm counts those from 0 in each job.
    step = "echo $SLURM_STEP_GPUS; sleep 0.5"
    submit = ["srun", "--nodes=1", "--nodelist", bare.nodes[0], "--chdir=/", "--mem=100", "--gres=gpu:v100:2"]
    both = f"{' '.join(submit)} sh -c '{step}' & {' '.join(submit)} sh -c '{step}'; wait"
    assert sorted(bare.run("sh", "-c", both, user="alice").split()) == ["0,1", "2,3"]


OPENS_GPUS = """
import errno
for i in range(4):
    try:
        open(f"/run/portal-demo/slurm/dev/nvidia{i}").close()
    except OSError as error:
        print(errno.errorcode[error.errno])
"""


def test_a_job_cannot_open_the_gpus_of_others(bare: DemoSite) -> None:
    if "proctrack/cgroup" not in (bare.folder / "slurm" / "etc" / "slurm.conf").read_text():
        pytest.skip("the cgroups of this machine do not confine devices")
    done = bare.run("srun", "--chdir=/", "--mem=100", "--gres=gpu:1", "python3", "-c", OPENS_GPUS, user="alice")
    # One's own is open, with no driver behind it.
    assert sorted(done.split()) == ["ENXIO", "EPERM", "EPERM", "EPERM"]


def test_an_account_of_another_group_is_refused(bare: DemoSite) -> None:
    done = bare.process("srun", "--chdir=/", "--account=vision", "true", user="bob")
    assert done.returncode != 0
    assert "Invalid account" in done.stderr


def test_more_gpus_than_a_node_has_are_refused_at_once(bare: DemoSite) -> None:
    done = bare.process("sbatch", "--gres=gpu:5", "--wrap=true", user="alice")
    assert "Requested node configuration is not available" in done.stderr


def test_the_directory_takes_passwords_only_under_verified_tls(bare: DemoSite) -> None:
    alice = bare.accounts["alice"]
    login = ("-D", f"uid=alice,ou=people,{people.SUFFIX}", "-w", alice.password)
    url = f"ldaps://localhost:{bare.ports['ldaps']}"
    assert "uid=alice" in bare.run("env", f"LDAPTLS_CACERT={CA}", *LDAP, "-H", url, *login)
    assert bare.process(*LDAP, "-H", url, *login).returncode != 0
    wrong = bare.process("env", f"LDAPTLS_CACERT={CA}", *LDAP, "-H", url, *login[:-1], "wrong")
    assert "Invalid credentials" in wrong.stderr


def test_the_machine_knows_nothing_of_the_site(bare: DemoSite) -> None:
    assert "alice" in bare.run("getent", "passwd", "alice")
    assert not any(line.startswith(("alice:", "portal:")) for line in Path("/etc/passwd").read_text().splitlines())
    assert "portal-demo" not in Path("/proc/self/mountinfo").read_text()
    assert bare.run("hostname").strip() != os.uname().nodename


def test_everything_listens_on_loopback_only(bare: DemoSite) -> None:
    """Ports in use, as the kernel lists them: hexadecimal address and port, state 0A is listening."""
    ours = {f"{port:04X}" for port in bare.ports.values()}
    for table in Path("/proc/net").glob("tcp*"):  # tcp, and tcp6 where the kernel has IPv6
        for line in table.read_text().splitlines()[1:]:
            address, port = line.split()[1].split(":")
            if line.split()[3] == "0A" and port in ours:
                assert address == "0100007F"


def test_a_taken_port_is_told_before_anything_starts(bare: DemoSite, tmp_path: Path) -> None:
    taken = str(bare.ports["slurmctld"])
    done = run_dev(tmp_path / "other", "run", "--background", "--port", taken)
    assert done.returncode == 1
    assert f"Port {taken} is taken" in done.stderr
    assert "--port" in done.stderr
    assert not (tmp_path / "other").exists()


def test_a_site_is_not_started_twice(bare: DemoSite) -> None:
    done = run_dev(bare.folder, "run", "--background", "--port", "0")
    assert done.returncode == 1
    assert f"already running at {bare.url}" in done.stderr


def test_an_unknown_service_is_told_with_those_there_are(bare: DemoSite) -> None:
    done = run_dev(bare.folder, "restart", "nothing")
    assert done.returncode == 1
    assert "slurmctld" in done.stderr


def test_a_killed_service_stays_down_until_it_is_started(bare: DemoSite) -> None:
    node = bare.nodes[3]
    assert run_dev(bare.folder, "kill", node).returncode == 0
    assert bare.service(node)["state"] == "stopped"
    assert run_dev(bare.folder, "start", node).returncode == 0
    services = json.loads(run_dev(bare.folder, "status", "--json").stdout)["services"]
    assert [service["state"] for service in services if service["name"] == node] == ["ready"]


def test_a_paused_controller_answers_nobody_until_it_is_started(bare: DemoSite) -> None:
    assert run_dev(bare.folder, "pause", "slurmctld").returncode == 0
    silent = run_dev(bare.folder, "exec", "timeout", "2", "squeue")
    assert run_dev(bare.folder, "start", "slurmctld").returncode == 0
    assert silent.returncode == 124
    assert run_dev(bare.folder, "exec", "--user", "alice", "squeue").returncode == 0


def test_stop_ends_jobs_and_leaves_no_process_and_no_mount(own: DemoSite) -> None:
    own.run("sbatch", "--chdir=/", "--output=/dev/null", "--wrap=sleep 600", user="alice")
    own.wait_for(lambda: [job for job in own.jobs() if job["state"] == "RUNNING"], "the job to run")
    namespace = namespace_of(own)
    own.dev("stop")
    assert namespace not in namespaces()
    assert run_dev(own.folder, "status").returncode == 1
    # The next start finds what was there.
    bring_up(own)
    accounting = ("sacct", "--allusers", "--noheader", "--format=state")
    own.wait_for(lambda: "CANCELLED" in own.run(*accounting), "the job's end in Slurm's accounting")


def test_a_killed_supervisor_takes_everything_along_and_the_next_start_works(own: DemoSite) -> None:
    namespace = namespace_of(own)
    os.kill(control.first_process(own.folder), signal.SIGKILL)
    own.wait_for(lambda: namespace not in namespaces(), "its processes to end")
    assert "No demo site runs" in run_dev(own.folder, "stop").stdout
    bring_up(own)
    assert own.run("sinfo", "--noheader", "--format=%D %t").split("\n")[0] == "4 idle"


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "lost terminal"])
def test_a_site_in_the_foreground_ends_with_its_terminal(used_folder: Path, ending: signal.Signals) -> None:
    with subprocess.Popen(
        ["/usr/bin/python3", "-m", "demo", "run", "--without-web", "--port", "0"],
        cwd=CLONE,
        env={**os.environ, "DSP_DEMO_DIR": str(used_folder)},
        stdout=subprocess.PIPE,
        text=True,
    ) as foreground:
        assert foreground.stdout is not None
        site = DemoSite(used_folder)
        for line in foreground.stdout:
            if "Ctrl-C" in line:
                break
        namespace = namespace_of(site)
        assert site.status()["up"]
        foreground.send_signal(ending)
        rest = foreground.stdout.read()
        assert foreground.wait(timeout=60) == (0 if ending is signal.SIGINT else -ending)
    site.wait_for(lambda: namespace not in namespaces(), "its processes to end")
    assert ("Everything is stopped." in rest) == (ending is signal.SIGINT)


def namespace_of(site: DemoSite) -> str:
    return os.readlink(f"/proc/{control.first_process(site.folder)}/ns/mnt")


def namespaces() -> set[str]:
    """Return the mount namespaces that processes live in."""
    results = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            results.add(os.readlink(process / "ns" / "mnt"))
        except OSError:
            continue  # it has just ended
    return results
