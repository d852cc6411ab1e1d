"""What is written below ~/.ssh: nothing of the user's own is lost, no name reaches a shell, no key but the newest."""

from __future__ import annotations

import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from agent.laptop import device, hosts
from agent.laptop.device import Device
from agent.laptop.errors import Failure

DEVICE = Device("https://portal.example.org", "alice", "secret")
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGcbM2dDnA9hPqmtTZ5qjkxQ8O5Yl9C5u1yHf0d7dQ5T"
SESSIONS: list[Any] = [{"id": "k3f9", "name": "bert"}, {"id": "m2m2", "name": "Große Pläne; rm -rf ~"}]


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(hosts, "program", lambda: Path("/opt/my tools/portal.pyz"))
    return tmp_path / ".ssh"


def test_names_become_hosts(ssh: Path) -> None:
    assert hosts.write(DEVICE, SESSIONS) == ["bert.portal", "gro-e-pl-ne-rm-rf.portal"]
    for file in ("config", "portal/config", "portal/id_ed25519"):
        assert stat.S_IMODE((ssh / file).stat().st_mode) == 0o600
    assert "secret" not in (ssh / "portal" / "config").read_text()


@pytest.mark.parametrize("own", ["", "Host a\n    User me\n", "# no newline at the end"])
def test_the_users_own_configuration_is_kept(ssh: Path, own: str) -> None:
    ssh.mkdir()
    (ssh / "config").write_text(own)
    hosts.write(DEVICE, SESSIONS)
    once = (ssh / "config").read_text()
    assert once.splitlines()[1] == "Include portal/config"
    hosts.write(DEVICE, SESSIONS)
    assert (ssh / "config").read_text() == once
    hosts.remove()
    assert (ssh / "config").read_text() == own
    assert not (ssh / "portal").exists()


def test_a_linked_configuration_stays_a_link(ssh: Path, tmp_path: Path) -> None:
    ssh.mkdir()
    (tmp_path / "dotfiles").write_text("Host a\n")
    (ssh / "config").symlink_to(tmp_path / "dotfiles")
    hosts.write(DEVICE, SESSIONS)
    assert (ssh / "config").is_symlink()
    assert "Include portal/config" in (tmp_path / "dotfiles").read_text()


@pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no ssh here")
@pytest.mark.parametrize(("host", "ours"), [("bert.portal", True), ("new.portal", True), ("it's.portal", False)])
def test_openssh_reads_it_and_no_quote_reaches_the_command(ssh: Path, host: str, ours: bool) -> None:
    hosts.write(DEVICE, SESSIONS)
    command = ["ssh", "-F", str(ssh / "portal" / "config"), "-G", host]
    shown = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    assert ("proxycommand" in shown) == ours
    if ours:
        assert "\"/opt/my tools/portal.pyz\" ssh --stdio '%n'" in shown
        assert "stricthostkeychecking true" in shown
        assert "serveraliveinterval 0" in shown, "Keepalives would count as use of the session."


def test_a_new_key_replaces_the_old_one_of_its_host_alone(ssh: Path) -> None:
    hosts.remember_host_key("bert.portal", KEY)
    hosts.remember_host_key("other.portal", KEY)
    hosts.remember_host_key("bert.portal", KEY.replace("Gcb", "Abc"))
    known = (ssh / "portal" / "known_hosts").read_text().splitlines()
    assert known == [f"other.portal {KEY}", f"bert.portal {KEY.replace('Gcb', 'Abc')}"]


@pytest.mark.parametrize("key", ["", "ssh-rsa AAAA", f"{KEY}\n* {KEY}", f"{KEY} more"])
def test_anything_else_is_no_host_key(ssh: Path, key: str) -> None:
    with pytest.raises(Failure):
        hosts.remember_host_key("bert.portal", key)


def test_a_token_is_kept_for_its_user_alone_and_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    device.keep(DEVICE)
    assert device.load() == DEVICE
    assert stat.S_IMODE((tmp_path / "portal" / "device.json").stat().st_mode) == 0o600
    assert device.forget()
    assert not device.forget()
    with pytest.raises(Failure, match="portal login"):
        device.load()
