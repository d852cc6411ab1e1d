"""The main job on real parts: ask for GPUs, work in Jupyter on a compute node as oneself, and stop."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import partial

import pytest

from demo import directory, people
from tests.demo_site import DemoSite
from tests.person import Kernel, Live, Person

EVERYBODY = [person.username for person in people.PEOPLE if person.portal]
HOME = "/run/portal-demo/home"


@pytest.fixture(scope="module")
def sessions(kept_site: DemoSite, person: Callable[[str], Person]) -> dict[str, Live]:
    """A session with two GPUs for every account that may have one: five on four nodes, so that two share a node."""
    started = {name: person(name).start(f"Main job of {name}", gpus=2) for name in EVERYBODY}
    for live in started.values():
        live.until("ready")
    return started


@pytest.fixture(scope="module")
def kernels(sessions: dict[str, Live]) -> dict[str, Kernel]:
    return {name: live.kernel() for name, live in sessions.items()}


@pytest.fixture(scope="module")
def jobs(sessions: dict[str, Live]) -> dict[str, dict[str, str]]:
    return {name: live.job() for name, live in sessions.items()}


def ldap(site: DemoSite, query: str, attribute: str) -> list[str]:
    """Values of an attribute in the directory, read past the portal."""
    search = ("ldapsearch", "-Q", "-LLL", "-Y", "EXTERNAL", "-H", directory.LDAPI, "-b", people.SUFFIX)
    result = site.run(*search, query, attribute)
    return re.findall(rf"^{attribute}: (.*)$", result, re.MULTILINE)


@pytest.mark.parametrize("name", EVERYBODY)
def test_session_runs_as_the_directorys_account(
    name: str, kept_site: DemoSite, kernels: dict[str, Kernel], jobs: dict[str, dict[str, str]]
) -> None:
    (uid,) = map(int, ldap(kept_site, f"(&(objectClass=posixAccount)(uid={name}))", "uidNumber"))
    (gid,) = map(int, ldap(kept_site, f"(&(objectClass=posixAccount)(uid={name}))", "gidNumber"))
    others = map(int, ldap(kept_site, f"(&(objectClass=posixGroup)(memberUid={name}))", "gidNumber"))
    inside = kernels[name].value("(lambda os: [*os.getresuid(), *os.getresgid(), os.getgroups()])(__import__('os'))")
    assert inside == [uid, uid, uid, gid, gid, gid, inside[-1]]
    admins = {people.ADMIN_GID} if kept_site.accounts[name].admin else set()  # no posixGroup of the directory
    assert set(inside[-1]) == {gid, *others} | admins
    assert jobs[name]["UserId"] == f"{name}({uid})"
    assert jobs[name]["GroupId"] == f"scientists({gid})"


@pytest.mark.parametrize("name", EVERYBODY)
def test_session_sees_exactly_the_gpus_that_slurm_gave_it(
    name: str, kernels: dict[str, Kernel], jobs: dict[str, dict[str, str]]
) -> None:
    given = indices(jobs[name])
    assert len(given) == 2
    environ = kernels[name].value("dict(__import__('os').environ)")
    assert [int(index) for index in environ["SLURM_JOB_GPUS"].split(",")] == given
    seen = [int(index) for index in environ["CUDA_VISIBLE_DEVICES"].split(",")]
    # Where devices are confined, those of the job are counted from 0.
    assert seen in (given, [0, 1])


def test_sessions_on_one_node_share_no_gpu(jobs: dict[str, dict[str, str]]) -> None:
    on_node = defaultdict(list)
    for job in jobs.values():
        on_node[job["NodeList"]].append(indices(job))
    assert max(map(len, on_node.values())) > 1, "Five sessions on four nodes: two share one."
    for given in on_node.values():
        together = [index for value in given for index in value]
        assert len(together) == len(set(together)), on_node


def test_session_cannot_open_the_gpu_of_another_where_devices_are_confined(
    kept_site: DemoSite, kernels: dict[str, Kernel], jobs: dict[str, dict[str, str]]
) -> None:
    if "proctrack/cgroup" not in kept_site.run("scontrol", "show", "config"):
        pytest.skip("This machine's cgroups cannot confine devices.")
    answers = {
        index: kernels["alice"].run(
            f"try: open('/run/portal-demo/slurm/dev/nvidia{index}')\nexcept OSError as error: print(error.errno)"
        )
        for index in range(4)
    }
    denied, no_driver = "1\n", "6\n"
    assert answers == {index: no_driver if index in indices(jobs["alice"]) else denied for index in range(4)}


@pytest.mark.parametrize("name", EVERYBODY)
def test_session_opens_in_the_home_with_templates_and_shared_storage(name: str, kernels: dict[str, Kernel]) -> None:
    kernel = kernels[name]
    assert kernel.value("__import__('os').getcwd()") == f"{HOME}/{name}"
    assert kernel.value("__import__('os').path.expanduser('~')") == f"{HOME}/{name}"
    assert kernel.value("__import__('os').readlink('shared')") == "/run/portal-demo/shared"
    assert kernel.value("__import__('os').path.isdir('templates')")
    assert kernel.value("__import__('glob').glob('templates/**/*.ipynb', recursive=True)")


def test_shared_storage_is_shared(kernels: dict[str, Kernel]) -> None:
    kernels["alice"].run("open('shared/for-bob.txt', 'w').write('data')")
    assert kernels["bob"].value("open('shared/for-bob.txt').read()") == "data"


def test_job_has_what_was_asked_for_by_the_ratio(sessions: dict[str, Live], jobs: dict[str, dict[str, str]]) -> None:
    job, session = jobs["alice"], sessions["alice"].now()
    assert (job["CPUs/Task"], job["MinMemoryNode"], job["TimeLimit"]) == ("16", "96G", "08:00:00")
    assert (job["Partition"], job["Account"]) == ("sxm2", "physics")
    assert "0" in (job["Requeue"], job["BatchFlag"]), "Slurm requeues batch jobs that do not forbid it."
    assert job["JobName"] == f"dsp-{session['id']}"
    assert session["resources"] == {
        "partition": "sxm2",
        "account": "physics",
        "qos": None,
        "reservation": None,
        "nodes": 1,
        "gpus": 2,
        "gpu_type": "v100",
        "constraint": None,
        "licenses": None,
        "wckey": None,
        "shards": 0,
        "mps_percent": 0,
        "exclusive": False,
        "cpus": 16,
        "memory_mib": 98304,
        "walltime_s": 28800,
    }
    assert session["node"] == job["NodeList"]


def test_jupyterlab_is_served_to_its_owner(sessions: dict[str, Live]) -> None:
    live = sessions["carol"]
    page = live.owner.web.get(live.now()["url"])
    assert page.status_code == 200
    assert "JupyterLab" in page.text


def test_a_terminal_finds_the_programs_that_a_kernel_finds(
    sessions: dict[str, Live], kernels: dict[str, Kernel]
) -> None:
    found = sessions["carol"].typed("command -v python; command -v jupyter").split()
    assert found == kernels["carol"].value("list(map(__import__('shutil').which, ['python', 'jupyter']))")
    assert found[0].endswith("/bin/python")


def test_session_passes_on_nothing_of_the_heads_environment(kernels: dict[str, Kernel]) -> None:
    environ = kernels["dave"].value("dict(__import__('os').environ)")
    ours = [name for name in environ if name.startswith(("DSP_", "SUDO_", "PORTAL_", "CONFIGPROXY"))]
    for_jupyterlab = {"LAB_FILES", "SESSION", "API", "PAGES", "END_KEY", "KERNEL_AHEAD_S"}
    assert set(ours) == {f"PORTAL_{name}" for name in ("URL", *for_jupyterlab)}


def test_several_named_sessions_of_one_person_live_side_by_side(
    sessions: dict[str, Live], kernels: dict[str, Kernel], person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    second = alice.ready("2. Sitzung – ζ", gpus=0)
    try:
        assert second.address != sessions["alice"].address
        assert {session["name"] for session in alice.sessions()} == {"Main job of alice", "2. Sitzung – ζ"}
        kernels["alice"].run("kept = 'first'")
        assert second.kernel().value("'kept' in globals()") is False
        assert "CUDA_VISIBLE_DEVICES" not in second.kernel().value("dict(__import__('os').environ)")
    finally:
        second.stop()
        second.ended()
    assert kernels["alice"].value("kept") == "first"


def test_session_keeps_a_log_that_its_owner_reads_in_pieces(sessions: dict[str, Live]) -> None:
    live = sessions["bob"]
    whole = live.log()
    assert "Jupyter Server" in whole["text"]
    first = live.log(offset=0, limit=100)
    rest = live.log(offset=first["next_offset"])
    assert (first["text"] + rest["text"]).startswith(whole["text"])
    last = live.log(offset=-50)
    assert last["next_offset"] == last["size"]
    assert last["size"] - last["offset"] == 50


def test_stopped_sessions_free_their_jobs_and_stay_in_the_history(
    kept_site: DemoSite, sessions: dict[str, Live], jobs: dict[str, dict[str, str]]
) -> None:
    """Last of this module: it ends everybody's session."""
    for live in sessions.values():
        live.stop()
    for name, live in sessions.items():
        session = live.ended()
        assert session["end"]["code"] == "stopped", name
        assert session["end"]["text"]
        assert session["url"] is None
        assert session["ended_at"]
        assert live.owner.sessions("active") == []
        assert live.id in [session["id"] for session in live.owner.sessions("ended")]
        kept_site.wait_for(partial(has_no_server, live.owner), "the Hub to drop the server")
    assert not [job for job in kept_site.jobs() if job["id"] in [job["JobId"] for job in jobs.values()]]
    assert kept_site.run("squeue", "--noheader") == ""


def has_no_server(owner: Person) -> bool:
    return bool(owner.hub("GET", "").json()["servers"] == {})


def indices(job: dict[str, str]) -> list[int]:
    """The GPUs of a job, from `GRES=gpu:v100:2(IDX:0,2-3)`."""
    match = re.search(r"\(IDX:([\d,-]+)\)", job["GRES"])
    assert match, job
    given: list[int] = []
    for part in match[1].split(","):
        first, _, last = part.partition("-")
        given += range(int(first), int(last or first) + 1)
    return given
