"""The .deb on Debian, by apt: installed, upgraded, removed, installed again, purged."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packages import lifecycle
from tests.packages.packaged import BEFORE, Packaged, head_node, older_deb

APT = "exec 2>&1; DEBIAN_FRONTEND=noninteractive apt-get --yes --quiet"
NAME = "data-scientist-portal"


@pytest.fixture(scope="module")
def head() -> Iterator[Packaged]:
    with head_node(el9=False) as head:
        yield head


def test_lintian_finds_no_errors(deb: Path) -> None:
    done = subprocess.run(["lintian", "--fail-on", "error", deb], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_installs(head: Packaged, deb: Path, tmp_path: Path) -> None:
    lifecycle.installs(head, f"{APT} install {head.place(older_deb(deb, tmp_path))}")
    assert head.shell(f"dpkg-query --show --showformat '${{Version}}' {NAME}") == BEFORE


def test_check_passes_after_init(head: Packaged) -> None:
    lifecycle.passes_check(head)


def test_upgrade_keeps_site_and_session(head: Packaged, deb: Path) -> None:
    lifecycle.upgrades(head, f"{APT} install {head.place(deb)}")


def test_failed_upgrade_says_so_and_starts_the_services_again(head: Packaged) -> None:
    pids = head.main_pids()
    share = "/usr/share/data-scientist-portal"
    said = head.shell(
        f"cd {share}; mv wheels away; {share.replace('share', 'libexec')} install 2>&1 && echo went; mv away wheels"
    )
    assert "went" not in said
    head.answers()
    assert head.main_pids()["portal-proxy"] == pids["portal-proxy"]
    assert head.main_pids()["portal"] != pids["portal"]


def test_removal_leaves_configuration_and_data(head: Packaged) -> None:
    lifecycle.removes(head, f"{APT} remove {NAME}")


def test_same_site_when_installed_again(head: Packaged, deb: Path) -> None:
    lifecycle.comes_back(head, f"{APT} install {head.place(deb)}")


def test_purge_removes_configuration_and_says_what_stays(head: Packaged) -> None:
    said = head.shell(f"{APT} purge {NAME}")
    assert "Removed: /etc/portal with its secrets" in said
    assert "Not removed: /var/lib/portal" in said
    assert head.there(*lifecycle.SOFTWARE, *lifecycle.INIT) == set()
    assert head.there(lifecycle.DATA) == {lifecycle.DATA}
