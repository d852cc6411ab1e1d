"""docker-compose.yml: what it says, every day; what it does, where an engine can run (`./dev test compose`)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.compose_site import ComposeSite, compose_site, engine
from tests.demo_site import CLONE
from tests.person import Kernel, Live, Person

FILE = CLONE / "docker-compose.yml"
SITE: dict[str, Any] = yaml.safe_load(FILE.read_text())
SERVICES: dict[str, dict[str, Any]] = SITE["services"]
ONCE = {"init"}
HEAD = ("portal", "hub", "proxy", "head", "postgresql", "slurmctld", "slurmdbd", "mariadb")
"""All but the nodes, and what users' jobs need to know who they are."""
NODES = {"node001", "node002"}
GAINS_PRIVILEGES = {"portal"}
HAS_CAPABILITIES = {"init", "portal"} | NODES

each_service = pytest.mark.parametrize("name", SERVICES)


# --- what it says ---


def test_every_part_of_the_system_is_there() -> None:
    parts = {"proxy", "hub", "portal", "postgresql", "directory", "slurmctld", "slurmdbd", "mariadb"}
    assert parts | {"node001", "node002"} <= SERVICES.keys()


@each_service
def test_service_says_whether_it_is_well(name: str) -> None:
    assert ("healthcheck" in SERVICES[name]) is (name not in ONCE)


@each_service
def test_service_waits_for_others_to_be_well_not_merely_started(name: str) -> None:
    for other, on in SERVICES[name].get("depends_on", {}).items():
        assert on["condition"] == ("service_completed_successfully" if other in ONCE else "service_healthy")


@each_service
def test_service_has_no_rights_but_those_that_are_explained(name: str) -> None:
    service = SERVICES[name]
    assert not service.keys() & {"privileged", "devices", "pid", "ipc", "userns_mode", "cgroup_parent", "secrets"}
    assert service["cap_drop"] == ["ALL"]
    assert bool(service.get("cap_add")) is (name in HAS_CAPABILITIES)
    assert not set(service.get("cap_add", [])) & {"SYS_ADMIN", "SYS_PTRACE", "NET_ADMIN", "SYS_MODULE", "MKNOD"}
    options = service["security_opt"]
    assert ("no-new-privileges:true" not in options) is (name in GAINS_PRIVILEGES)
    own = [option for option in options if option.startswith("seccomp")]
    assert own == (["seccomp:docker/slurm/seccomp.json"] if name in NODES else [])


@each_service
def test_service_is_reached_from_this_machine_alone(name: str) -> None:
    for port in SERVICES[name].get("ports", []):
        assert str(port).startswith("127.0.0.1:")
    assert SERVICES[name].get("network_mode") != "host"


@each_service
def test_service_keeps_what_it_has_in_declared_volumes(name: str) -> None:
    for volume in SERVICES[name].get("volumes", []):
        source = volume["source"] if isinstance(volume, dict) else volume.partition(":")[0]
        assert source in SITE["volumes"], "A volume of compose's own, nothing of the machine's."


@each_service
def test_no_secret_is_a_variable(name: str) -> None:
    variables = SERVICES[name].get("environment") or {}
    assert not [variable for variable in variables if re.search("SECRET|PASSWORD|TOKEN|KEY", variable)]


def test_nodes_may_make_networks_and_nothing_else_of_what_docker_forbids() -> None:
    """Docker's documentation names what its profile blocks ("Seccomp security profiles for Docker")."""
    profile = json.loads((CLONE / "docker/slurm/seccomp.json").read_text())
    blocked = {name for rule in profile["syscalls"] for name in rule["names"]}
    assert {"bpf", "keyctl", "mount", "open_by_handle_at", "perf_event_open", "pivot_root", "setns"} <= blocked
    assert not blocked & {"unshare", "clone", "clone3"}


def test_secrets_are_seen_by_those_they_are_for() -> None:
    seen: dict[str, set[str]] = {}
    for name, service in SERVICES.items():
        for volume in service.get("volumes", []):
            source = volume["source"] if isinstance(volume, dict) else volume.partition(":")[0]
            seen.setdefault(source, set()).add(name)
            if isinstance(volume, str) and source.endswith(("-secrets", "-settings")) and name not in ONCE:
                assert volume.endswith(":ro")
    assert seen["munge-secrets"] == {"init", "munge"}
    assert seen["directory-secrets"] == {"init", "directory"}
    assert seen["names-secrets"] == {"init", "names"}
    assert seen["portal-settings"] == {"init", "proxy", "hub", "portal"}


@each_service
def test_image_is_made_once_by_a_dockerfile_of_this_repository(name: str) -> None:
    builds = [
        service["build"]
        for service in SERVICES.values()
        if service["image"] == SERVICES[name]["image"] and "build" in service
    ]
    assert len(builds) == 1, "Compose would make it again for each service that says how."
    [build] = builds
    dockerfile = (CLONE / build["context"] / build["dockerfile"]).read_text()
    made_from = {stage: base for base, stage in re.findall(r"^FROM (\S+) AS (\S+)$", dockerfile, re.M)}
    stage = build["target"]
    while stage in made_from:
        stage = made_from[stage]
    assert stage == "debian:bookworm"
    assert SERVICES[name]["image"] == f"data-scientist-portal/{build['target']}"


def test_dockerfile_copies_what_the_checkout_has() -> None:
    text = (CLONE / "docker/Dockerfile").read_text()
    for options, words in re.findall(r"^COPY ((?:--\S+ )*)(.+)$", text, re.M):
        if "--from=" not in options:
            missing = [part for part in words.split()[:-1] if not (CLONE / part).exists()]
            assert missing == []


def test_accounts_have_the_same_number_everywhere_they_are_named() -> None:
    numbers = dict(line.split()[:2] for line in (CLONE / "docker/base/accounts").read_text().splitlines())
    named = re.findall(r"(\S+):uid=(\d+)", FILE.read_text())
    owners = {"/run/slapd": "openldap", "/run/slurm": "slurm"}
    assert named
    for path, uid in named:
        assert numbers[owners[path.strip('"')]] == uid


def test_ignored_files_reach_no_image() -> None:
    """Only what the Dockerfile names is sent to the engine: no environment, no demo site with its passwords."""
    lines = (CLONE / ".dockerignore").read_text().splitlines()
    allowed = {line[1:].partition("/")[0] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert not allowed & {".demo", ".cache", ".venv", ".git", "dist", "test-results"}
    assert all(list(Path(CLONE).glob(line[1:])) for line in lines if line.startswith("!"))


@pytest.mark.skipif(not shutil.which("docker"), reason="no docker here to ask; the tests above read the file as it is")
def test_compose_takes_the_file() -> None:
    if subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("this docker has no compose")
    done = subprocess.run(
        ["docker", "compose", "config", "--quiet"], cwd=CLONE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


# --- what it does ---


@pytest.fixture(scope="module")
def composed() -> Iterator[ComposeSite]:
    if not engine():
        pytest.skip("there is no Docker engine with compose to bring it up in")
    with compose_site() as site:
        yield site


@pytest.fixture(scope="module")
def alice(composed: ComposeSite) -> Iterator[Person]:
    person = Person.of(composed, "alice")
    yield person
    person.close()


@pytest.fixture(scope="module")
def session(alice: Person) -> Live:
    live = alice.start("Training", gpus=2)
    live.until("ready", timeout_s=180)
    return live


@pytest.fixture(scope="module")
def kernel(session: Live) -> Kernel:
    return session.kernel()


@pytest.mark.slow
def test_main_job_works_in_containers(session: Live, kernel: Kernel, alice: Person) -> None:
    assert '<div id="root">' in alice.web.get("/services/portal/").text
    assert kernel.value("__import__('os').environ['USER']") == "alice"
    assert kernel.value("__import__('socket').gethostname()") in ("node001", "node002")
    assert len(kernel.value("__import__('os').environ['SLURM_JOB_GPUS']").split(",")) == 2
    assert kernel.value("__import__('pathlib').Path('result').write_text('42')") == 2
    assert session.job()["UserId"].startswith("alice(")


@pytest.mark.slow
def test_app_without_a_login_has_a_network_of_its_own(alice: Person) -> None:
    board = alice.open("tensorboard", {"folder": "~"})
    now = board.until("ready", timeout_s=180)
    assert alice.web.get(f"{now['url']}data/environment").json()["data_location"] == "/home/alice"
    board.stop()
    assert board.ended(timeout_s=120)["end"]["code"] == "stopped"


@pytest.mark.slow
def test_check_finds_nothing_to_mend(composed: ComposeSite) -> None:
    result = composed.process("portal", "check", "--user", "alice", timeout_s=300)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Everything is in place." in result.stdout


@pytest.mark.slow
def test_containers_run_as_the_file_says(composed: ComposeSite) -> None:
    containers = composed.containers()
    assert containers.keys() == SERVICES.keys()
    for name, container in containers.items():
        assert container["HostConfig"]["Privileged"] is False
        if name not in HAS_CAPABILITIES - {"portal"}:
            assert container["Config"]["User"] not in ("", "root", "0"), f"{name} is root"
        for bindings in (container["NetworkSettings"]["Ports"] or {}).values():
            assert {binding["HostIp"] for binding in bindings or []} <= {"127.0.0.1"}


@pytest.mark.slow
def test_sessions_are_adopted_when_all_but_the_nodes_goes_down(
    composed: ComposeSite, session: Live, kernel: Kernel
) -> None:
    kernel.run("kept = 42")
    before, address = session.now(), composed.address("head")
    composed.down(*HEAD)
    assert {"node001", "node002"} <= composed.containers().keys()
    with composed.taken(address):
        composed.up()
    assert composed.address("head") != address, "As it may be without anybody's doing: what starts first gets it."
    after = session.until("ready", timeout_s=120)
    assert (after["job_id"], after["url"]) == (before["job_id"], before["url"])
    opened(session)
    assert kernel.value("kept") == 42


@pytest.mark.slow
def test_sessions_are_adopted_when_containers_of_the_head_node_are_made_anew(
    composed: ComposeSite, session: Live, kernel: Kernel
) -> None:
    kernel.run("kept = 43")
    job, before = session.now()["job_id"], composed.containers()
    composed.renew("portal", "hub", "proxy")
    anew = {name for name, container in composed.containers().items() if container["Id"] != before[name]["Id"]}
    assert anew - ONCE == {"portal", "hub", "proxy"}
    assert session.until("ready", timeout_s=120)["job_id"] == job
    opened(session)
    assert kernel.value("kept") == 43


@pytest.mark.slow
def test_session_whose_node_went_ends_in_words_and_history_homes_and_accounting_stay(
    composed: ComposeSite, session: Live, alice: Person
) -> None:
    job = session.now()["job_id"]
    composed.down()
    composed.up()
    ended = session.ended(timeout_s=120)
    assert (ended["name"], ended["end"]["code"]) == ("Training", "node_failed")
    assert session.id in [session["id"] for session in alice.sessions("ended")]
    look = ("sacct", "--allusers", "--allocations", "--noheader", "--parsable2", "--format", "user,state")
    assert composed.run(*look, "--jobs", str(job)).strip() == "alice|NODE_FAIL"
    states = composed.run("sinfo", "--noheader", "--format", "%T").split()
    assert set(states) == {"idle"}, "The nodes are back, none is left down."
    again = alice.start("Again", gpus=1)
    again.until("ready", timeout_s=180)
    assert again.kernel().value("__import__('pathlib').Path('result').read_text()") == "42"
    again.stop()
    assert again.ended(timeout_s=120)["end"]["code"] == "stopped"


def opened(session: Live) -> None:
    """Wait until the session's page opens; a failure says what it answered, or how the session ended."""
    answers = ["nothing"]

    def opens() -> bool:
        now = session.until("ready", timeout_s=0)
        answer = session.owner.web.get(str(now["url"]))
        answers.append(f"{answer.status_code} {answer.headers.get('location', '')}{answer.text[:200]}")
        return answer.status_code == 200

    try:
        session.site.wait_for(opens, "the session to open", timeout_s=120)
    except AssertionError as error:
        raise AssertionError(f"{error} Its page answered: {answers[-1]}") from error
