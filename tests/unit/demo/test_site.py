"""Sites side by side do not get in each other's way; a taken port is told before anything starts."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo import cgroups, slurm
from demo.commands import preflight
from demo.site import FIRST_PORTS, Site, SiteError, chosen, free_ports, require_free, take_slot


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def make_site(slot: int) -> Site:
    return Site(folder=Path("/nowhere"), port=8000, slot=slot, ports=dict(FIRST_PORTS))


def test_a_taken_port_is_refused_with_advice(taken: int) -> None:
    with pytest.raises(SiteError) as caught:
        require_free(taken)
    assert str(taken) in caught.value.what
    assert "--port" in caught.value.advice


@pytest.mark.parametrize(
    ("part", "usual", "other"), [("database", "sqlite", "postgresql"), ("client", "auto", "pyslurm")]
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


def test_inner_services_never_share_a_port_nor_take_the_front_one() -> None:
    ports = free_ports(3, {8301})
    assert len(set(ports.values())) == len(FIRST_PORTS)
    assert 8301 not in ports.values()


def test_two_sites_get_two_slots_and_a_left_slot_is_taken_again(tmp_path: Path) -> None:
    first, lock = take_slot(tmp_path)
    second, other = take_slot(tmp_path)
    os.close(lock)
    third, again = take_slot(tmp_path)
    os.close(other)
    os.close(again)
    assert (first, second, third) == (0, 1, 0)


def test_sites_side_by_side_name_their_nodes_differently() -> None:
    assert make_site(0).nodes == ["node001", "node002", "node003", "node004"]
    assert not set(make_site(0).nodes) & set(make_site(1).nodes)


def test_slurm_conf_has_every_node_with_its_port_and_gpus() -> None:
    text = slurm.slurm_conf(make_site(0), confined=False)
    for number, node in enumerate(make_site(0).nodes, 1):
        line = next(line for line in text.splitlines() if line.startswith(f"NodeName={node} "))
        assert f"Port={FIRST_PORTS[f'node{number}']} " in line
        assert "Gres=gpu:v100:4 " in line
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
    cgroups.remove_left(["node001"], tmp_path)
    assert [path.name for path in (tmp_path / "memory").iterdir()] == ["slurm_node005"]


def test_the_unified_hierarchy_is_usable_where_a_new_group_has_the_memory_controller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu memory\n")
    assert cgroups.usable(tmp_path) is None  # nobody has made the slice
    (tmp_path / cgroups.SLICE).mkdir()
    assert cgroups.usable(tmp_path) is None  # a plain folder: new groups have no controllers
    monkeypatch.setattr(cgroups, "_controllers_of_new_group", lambda folder: ["memory", "pids"])
    assert cgroups.usable(tmp_path) is cgroups.Plugin.V2


def test_newer_slurm_gets_no_option_it_refuses() -> None:
    assert "CgroupAutomount" in cgroups.cgroup_conf(cgroups.Plugin.V1, (22, 5))
    assert "CgroupAutomount" not in cgroups.cgroup_conf(cgroups.Plugin.V1, (24, 11))
