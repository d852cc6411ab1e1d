"""The portal on a site set up like Red Hat Enterprise Linux 9, from the page's commands to a stopped session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pytest

from tests.deployment.machine import UP_S
from tests.el9.head import SHARED, Head
from tests.person import Person

PORTAL = "sudo -u portal /opt/portal/bin/portal"


@pytest.fixture(scope="module")
def alice(head: Head) -> Iterator[Person]:
    person = Person.of(head.site, "alice")
    yield person
    person.close()


def test_machine_has_the_shape(head: Head) -> None:
    assert head.shell("/usr/bin/python3 -V") == "Python 3.9.2\n"
    assert head.site.run("/usr/bin/python3", "-V") == "Python 3.9.2\n", "the compute nodes"
    assert head.shell("stat -c %a /etc/shadow") == "0\n"
    assert "authorized" not in head.shell("sudo -n -u portal sudo -n -l")
    assert head.shell("sudo -u portal sh -c 'command -v portal || echo none'") == "none\n", "secure_path"


def test_check_finds_nothing_to_mend_from_inside_the_unit(head: Head) -> None:
    text = head.shell(f"{PORTAL} check --user alice || true")
    assert text.endswith("Everything is in place.\n"), text
    assert "✓ Checks: run inside the running portal, under the restrictions of its unit" in text
    assert "✓ Node: Python 3.11" in text


def test_main_job_works(head: Head, alice: Person) -> None:
    live = alice.ready("On EL9", gpus=2)
    kernel = live.kernel()
    assert kernel.value("__import__('os').environ['USER']") == "alice"
    assert kernel.value("__import__('sys').version_info[:2]") == [3, 11]
    assert alice.web.get(str(live.now()["url"])).status_code == 200
    agents = head.site.run("pgrep", "--uid", "alice", "--full", "--list-full", str(SHARED / "agent.pyz"))
    assert "/usr/bin/python3 " in agents, "the agent runs on the nodes' own Python"
    live.stop()
    assert live.ended()["end"]["code"] == "stopped"


@pytest.fixture
def without_read_search(head: Head) -> Iterator[None]:
    """The unit as it was before sudo's PAM stack could read /etc/shadow."""
    kept = head.show("portal", "CapabilityBoundingSet")["CapabilityBoundingSet"].split()
    less = " ".join(name.upper() for name in kept if name != "cap_dac_read_search")
    folder = "/run/systemd/system/portal.service.d"
    text = f"[Service]\\nCapabilityBoundingSet=\\nCapabilityBoundingSet={less}\\n"
    restart = "systemctl daemon-reload; systemctl restart portal"
    head.shell(f"mkdir -p {folder}; printf '{text}' >{folder}/less.conf; {restart}")
    head.answers()
    yield
    head.shell(f"rm -r {folder}; {restart}")
    head.answers()


@pytest.mark.usefixtures("without_read_search")
def test_check_sees_what_the_unit_lacks_though_the_shell_has_it(head: Head) -> None:
    assert "✓ Door:" in head.shell(f"systemctl stop portal; {PORTAL} check || true; systemctl start portal")
    head.answers()
    text = head.shell(f"{PORTAL} check || true")
    assert re.search(r"^✗ Door: The portal's door could not be used: .*PAM account management error", text, re.M), text


def test_unit_of_the_hub_cannot_write_what_is_the_portal_s(head: Head) -> None:
    pid = head.show("portal-hub", "MainPID")["MainPID"]
    inside = f"nsenter --target {pid} --mount setpriv --reuid portal --regid portal --clear-groups"
    for name in ("portal.sqlite", "audit-would-be-here"):
        said = head.shell(f"{inside} sh -c 'echo >>/var/lib/portal/{name}' 2>&1 || true")
        assert "Read-only file system" in said
    assert head.shell(f"{inside} sh -c 'echo >>/var/lib/portal/hub/probe && echo can'") == "can\n"


def test_portal_listens_for_the_web_server_and_the_nodes_alone(head: Head) -> None:
    port = re.findall(r"^port = (\d+)", head.shell("sed -n '/^.server./,/^$/p' /etc/portal/portal.toml"), re.M)[0]
    listening = head.shell(f"ss --no-header --listening --tcp --numeric 'sport = :{port}'")
    assert sorted(line.split()[3] for line in listening.splitlines()) == [f"127.0.0.1:{port}", f"127.0.0.2:{port}"]


def test_locks_are_found_whatever_python_the_portal_has(head: Head) -> None:
    text = head.shell("cat /etc/portal/portal.toml")
    assert "python3.11" not in text.replace('environments_python = "/usr/bin/python3.11"', "")
    assert "base" in head.shell(f"{PORTAL} environments list")


def test_portal_that_does_not_run_is_told(head: Head) -> None:
    head.shell("systemctl stop portal")
    text = head.shell(f"{PORTAL} check || true")
    head.shell("systemctl start portal")
    head.site.wait_for(partial(_up, head), "the portal to be up again", UP_S)
    assert "! Checks: run from this shell, which has more rights than the portal: the portal does not run" in text


def _up(head: Head) -> bool:
    return head.systemctl("is-active", "portal", check=False).strip() == "active"
