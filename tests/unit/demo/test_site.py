"""Sites can run side by side; a port that is in use is reported before anything starts."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from demo import cgroups, slurm
from demo.claims import Claims, require_free
from demo.commands import preflight
from demo.site import CLONE, FIRST_PORTS, PORTS_PER_SLOT, Site, SiteError, chosen


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.fixture
def claims(tmp_path: Path) -> Iterator[Callable[[], Claims]]:
    made: list[Claims] = []

    def make() -> Claims:
        made.append(Claims(tmp_path))
        return made[-1]

    yield make
    for claims in made:
        claims.close()


def make_site(slot: int) -> Site:
    return Site(folder=Path("/nowhere"), port=8000, slot=slot, ports=dict(FIRST_PORTS))


def test_a_taken_port_is_refused_with_advice(taken: int) -> None:
    with pytest.raises(SiteError) as caught:
        require_free(taken)
    assert str(taken) in caught.value.what
    assert "--port" in caught.value.advice


@pytest.mark.parametrize(
    ("part", "usual", "other"),
    [("database", "sqlite", "postgresql"), ("client", "auto", "pyslurm"), ("hosts", "each", "one")],
)
def test_a_part_that_there_is_not_is_refused_before_anything_starts(
    part: str, usual: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = f"DSP_DEMO_{part.upper()}"
    monkeypatch.delenv(variable, raising=False)
    assert chosen()[part] == usual
    monkeypatch.setenv(variable, other)
    assert chosen()[part] == other
    monkeypatch.setenv(variable, "oracle")
    with pytest.raises(SiteError, match=f"{variable}=oracle"):
        preflight(Path("/nowhere"), 18_999)


def test_inner_services_never_share_a_port_nor_take_the_front_one(
    claims: Callable[[], Claims], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demo.claims.is_free", lambda port: True)  # whatever else runs on this machine
    result = claims()
    front = result.front_port(FIRST_PORTS["portal"] + 3 * PORTS_PER_SLOT)
    ports = result.inner_ports(3)
    assert len(set(ports.values())) == len(FIRST_PORTS)
    assert front not in ports.values()


def test_a_port_that_another_site_has_claimed_is_taken_before_it_listens(claims: Callable[[], Claims]) -> None:
    first, second = claims(), claims()
    port = first.front_port(0)
    with pytest.raises(SiteError, match=f"Port {port} is taken"):
        second.front_port(port)
    assert not set(first.inner_ports(3).values()) & set(second.inner_ports(3).values())


def test_two_sites_get_two_slots_and_a_left_slot_is_taken_again(claims: Callable[[], Claims]) -> None:
    first, second, third = claims(), claims(), claims()
    assert (first.slot(), second.slot()) == (0, 1)
    first.close()
    assert third.slot() == 0


CLAIMING = """
import json, os, subprocess, sys
from pathlib import Path
from demo.claims import Claims
claims = Claims(Path(sys.argv[1]))
slot = claims.slot()
ports = [claims.front_port(0), *claims.inner_ports(slot % 2).values()]
heir = subprocess.Popen(["cat"], pass_fds=claims.files)
claims.close()
print(json.dumps([slot, ports]), flush=True)
heir.wait()
"""
"""Claims as a start does: the process that goes on is another. Two sites each look for the same inner ports."""


def test_sites_started_at_once_share_neither_slot_nor_port(tmp_path: Path) -> None:
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", CLAIMING, tmp_path],
            cwd=CLONE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    claimed = [json.loads(start.stdout.readline()) for start in starts if start.stdout]
    for start in starts:
        start.communicate(timeout=30)
    ports = [port for _, of_one in claimed for port in of_one]
    assert sorted(slot for slot, _ in claimed) == list(range(8))
    assert len(set(ports)) == len(ports) == 8 * (len(FIRST_PORTS) + 1)


def test_sites_side_by_side_name_their_nodes_differently() -> None:
    assert make_site(0).nodes == ["node001", "node002", "node003", "node004"]
    assert not set(make_site(0).nodes) & set(make_site(1).nodes)


def test_slurm_conf_has_every_node_with_its_port_and_gpus() -> None:
    text = slurm.slurm_conf(make_site(0), confined=False)
    for number, node in enumerate(make_site(0).nodes, 1):
        line = next(line for line in text.splitlines() if line.startswith(f"NodeName={node} "))
        assert f"Port={FIRST_PORTS[f'node{number}']} " in line
        shared = {3: ",mps:400", 4: ",shard:8"}.get(number, "")
        assert f"Gres=gpu:v100:4{shared} " in line
    assert "ProctrackType=proctrack/linuxproc" in text
    assert "ProctrackType=proctrack/cgroup" in slurm.slurm_conf(make_site(0), confined=True)


def test_cgroups_are_usable_only_with_every_hierarchy(tmp_path: Path) -> None:
    for name in cgroups.CONTROLLERS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "release_agent").touch()
    assert cgroups.usable(tmp_path) is cgroups.Plugin.V1
    (tmp_path / "memory" / "release_agent").unlink()
    assert cgroups.usable(tmp_path) is None


def test_empty_groups_of_our_nodes_are_removed_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "memory" / "slurm_node001" / "uid_1" / "job_1").mkdir(parents=True)
    (tmp_path / "memory" / "slurm_node005").mkdir()
    jobs = tmp_path / cgroups.SLICE / cgroups.SLICE
    (jobs / "node001_slurmstepd.scope" / "system").mkdir(parents=True)
    (jobs / "node005_slurmstepd.scope").mkdir()
    cgroups.remove_left(["node001"], tmp_path)
    assert [path.name for path in (tmp_path / "memory").iterdir()] == ["slurm_node005"]
    assert [path.name for path in jobs.iterdir()] == ["node005_slurmstepd.scope"]


def test_the_unified_hierarchy_is_usable_where_a_new_group_has_the_memory_controller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu memory\n")
    assert cgroups.usable(tmp_path) is None  # nobody has made the slice
    (tmp_path / cgroups.SLICE).mkdir()
    assert cgroups.usable(tmp_path) is None  # a plain folder: new groups have no controllers
    monkeypatch.setattr(cgroups, "_controllers_of_new_group", lambda folder: ["memory", "pids"])
    assert cgroups.usable(tmp_path) is cgroups.Plugin.V2


def test_a_slurmd_gets_a_group_of_its_own_in_the_unified_hierarchy_alone(tmp_path: Path) -> None:
    (tmp_path / cgroups.SLICE).mkdir()
    plain = ["slurmd", "-D", "-N", "node001"]
    assert cgroups.slurmd_argv("node001", cgroups.Plugin.V1, tmp_path) == plain
    *shell, group = cgroups.slurmd_argv("node001", cgroups.Plugin.V2, tmp_path)[:4]
    shown = subprocess.run([*shell, group, "sh", "-c", "echo $$"], capture_output=True, text=True, check=True).stdout
    assert (Path(group) / "cgroup.procs").read_text() == shown
    (Path(group) / "cgroup.procs").unlink()  # in a real hierarchy no file keeps a folder
    cgroups.remove_left(["node001"], tmp_path)
    assert not Path(group).exists()


def test_newer_slurm_gets_no_option_it_refuses() -> None:
    assert "CgroupAutomount" in cgroups.cgroup_conf(cgroups.Plugin.V1, (22, 5))
    assert "CgroupAutomount" not in cgroups.cgroup_conf(cgroups.Plugin.V1, (24, 11))


def test_without_usable_cgroups_newer_slurmds_are_told_not_to_look_for_any() -> None:
    assert cgroups.cgroup_conf(None, (24, 11)) == "CgroupPlugin=disabled\n"
    assert cgroups.cgroup_conf(None, (22, 5)) == ""  # it does not know the word
