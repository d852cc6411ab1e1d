"""What both packages do, step by step, on a head node: each step finds what the one before has left."""

from __future__ import annotations

from tests.packages.packaged import Packaged
from tests.person import Person

SOFTWARE = {"/opt/portal", "/usr/bin/portal", "/usr/libexec/portal-door", "/usr/share/data-scientist-portal"}
INIT = {
    "/etc/portal",
    "/etc/systemd/system/portal.service",
    "/etc/systemd/system/portal-hub.service",
    "/etc/systemd/system/portal-proxy.service",
    "/etc/sudoers.d/portal",
    "/etc/logrotate.d/portal",
    "/usr/libexec/portal-door.json",
}
DATA = "/var/lib/portal/portal.sqlite"


def installs(head: Packaged, command: str) -> None:
    """The software runs, and nothing is configured or started."""
    said = head.shell(command)
    assert "Configure the site next, as root: portal init" in said
    assert head.shell("portal version") == "0.1.0\n"
    assert head.shell("/opt/portal/bin/pip check") == "No broken requirements found.\n"
    assert head.shell("getent passwd portal | cut -d: -f6-") == "/var/lib/portal:/usr/sbin/nologin\n"
    assert head.there(*INIT) == set()


def passes_check(head: Packaged) -> None:
    text = head.configure()
    assert text.endswith("Everything is in place.\n"), text
    assert "✓ Checks: run inside the running portal, under the restrictions of its unit" in text


def upgrades(head: Packaged, command: str) -> None:
    """Configuration, rows and a running session with its kernel stay; Hub and portal are new, the proxy is not."""
    alice = Person.of(head.site, "alice")
    try:
        live = alice.ready("Before the upgrade", gpus=1)
        kernel = live.kernel()
        assert kernel.value("globals().setdefault('kept', 42)") == 42
        kept, pids, rows = head.kept(), head.main_pids(), [session["id"] for session in alice.sessions()]
        head.shell("rm /usr/libexec/portal-door")
        head.shell(command)
        head.answers()
        assert head.kept() == kept
        assert [session["id"] for session in alice.sessions()] == rows == [live.id]
        assert live.now()["state"] == "ready"
        assert kernel.value("kept") == 42
        now = head.main_pids()
        assert {unit for unit in now if now[unit] != pids[unit]} == {"portal", "portal-hub"}
        assert "Everything is in place." in head.shell("sudo -u portal portal check || true")
    finally:
        alice.close()


def removes(head: Packaged, command: str) -> None:
    """Software and services go; configuration, data and the session's job stay."""
    jobs = head.site.run("squeue", "--noheader", "--format=%j")
    assert "dsp-" in jobs
    said = head.shell(command)
    assert "Configuration (/etc/portal), units, data (/var/lib/portal)" in said
    assert head.there(*SOFTWARE) == set()
    assert head.there(*INIT, DATA) == {*INIT, DATA}
    assert all(pid == "0" for pid in head.main_pids().values())
    assert head.site.run("squeue", "--noheader", "--format=%j") == jobs


def comes_back(head: Packaged, command: str) -> None:
    """Installed once more, it is the same site."""
    head.shell(command)
    head.shell("systemctl enable --now portal-proxy portal-hub portal")
    head.answers()
    alice = Person.of(head.site, "alice")
    try:
        assert [session["name"] for session in alice.sessions()] == ["Before the upgrade"]
    finally:
        alice.close()
