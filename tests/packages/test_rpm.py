"""The .rpm on a head node in the shape of Red Hat Enterprise Linux 9: installed, upgraded, removed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo_site import CLONE
from tests.packages import lifecycle
from tests.packages.packaged import BEFORE, Packaged, head_node, older_rpm

NAME = "data-scientist-portal"


@pytest.fixture(scope="module")
def head() -> Iterator[Packaged]:
    with head_node(el9=True) as head:
        yield head


def test_rpmlint_finds_no_errors(rpm: Path) -> None:
    config = CLONE / "packaging/rpmlint.toml"
    done = subprocess.run(["rpmlint", "--config", config, rpm], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 errors" in done.stdout


def test_requires_what_version_9_has(rpm: Path) -> None:
    asked = subprocess.run(["rpm", "-qp", "--requires", rpm], capture_output=True, text=True, check=True).stdout
    assert {line for line in asked.splitlines() if not line.startswith("rpmlib(")} == {
        "/bin/sh",
        "python3.11",
        "shadow-utils",
        "sudo",
    }


def test_installs(head: Packaged, rpm: Path, tmp_path: Path) -> None:
    lifecycle.installs(head, f"rpm --install --nodeps {head.place(older_rpm(rpm, tmp_path))}")
    assert head.shell(f"rpm -q --queryformat '%{{VERSION}}' {NAME}") == BEFORE


def test_check_passes_after_init(head: Packaged) -> None:
    lifecycle.passes_check(head)


def test_upgrade_keeps_site_and_session(head: Packaged, rpm: Path) -> None:
    lifecycle.upgrades(head, f"rpm --upgrade --nodeps {head.place(rpm)}")


def test_removal_leaves_configuration_and_data(head: Packaged) -> None:
    lifecycle.removes(head, f"rpm --erase {NAME}")


def test_same_site_when_installed_again(head: Packaged, rpm: Path) -> None:
    lifecycle.comes_back(head, f"rpm --install --nodeps {head.place(rpm)}")
