"""`portal init` on a real terminal: what it asks, and what becomes of answers that cannot be."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from portal import settings
from tests.unit.deploy.conftest import ACCOUNT, Init

WAIT_S = 60


class Terminal:
    """`portal init` at the other end of a pseudo-terminal, as a person sits before it."""

    def __init__(self, root: Path, *more: str) -> None:
        ours, theirs = pty.openpty()
        self._fd = ours
        self.said = ""
        code = "import sys; from portal.__main__ import main; sys.argv[0] = 'portal'; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code, "init", "--root", str(root), "--account", ACCOUNT, *more],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "dumb", "COLUMNS": "500"},
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(theirs)

    def answer(self, question: str, text: str) -> None:
        """Wait for a question and type an answer to it; an empty one is Enter alone."""
        self._wait_for_question(question)
        os.write(self._fd, f"{text}\n".encode())

    def interrupt(self, question: str) -> None:
        """Press Ctrl-C, again where that is needed: readline misses one that comes just before it listens.

        Not too soon: the second would meet a program that already ends.
        """
        self._wait_for_question(question)
        for _ in range(WAIT_S):
            os.write(self._fd, b"\x03")
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=5)
                return

    def _wait_for_question(self, question: str) -> None:
        """Wait until it listens: the blank after the colon comes last, when the terminal is set for the answer."""
        self.wait_for(question)
        while not self.said.endswith(": "):
            assert self._read(), f"It does not wait for an answer: {self.said}"
        self._heard = len(self.said)

    def wait_for(self, text: str) -> None:
        """Wait until it says something that it has not said before."""
        deadline = time.monotonic() + WAIT_S
        while text not in self.said[self._heard :]:
            assert time.monotonic() < deadline, f"{text!r} was not said: {self.said}"
            assert self._read(), f"{text!r} was not said before the end: {self.said}"
        self._heard += self.said[self._heard :].index(text) + len(text)

    def end(self) -> int:
        """Read what is left and return the exit status."""
        while self._read():
            pass
        return self._process.wait(timeout=WAIT_S)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._fd)

    _heard = 0

    def _read(self) -> bool:
        if not select.select([self._fd], [], [], WAIT_S)[0]:
            return False
        try:
            text = os.read(self._fd, 65536).decode(errors="replace")
        except OSError:  # the other end has closed the terminal
            return False
        self.said += text.replace("\r\n", "\n")
        return bool(text)


def _take_terminal() -> None:
    """Make the terminal that is this new session's standard input its controlling one, so that Ctrl-C is a signal; and
    one that is heard, also where these tests run in the background of a shell, which ignores it."""
    os.close(os.open(os.ttyname(0), os.O_RDWR))
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def sit(root: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def down(*more: str) -> Terminal:
        opened.append(Terminal(root, *more))
        return opened[-1]

    yield down
    for terminal in opened:
        terminal.close()


def loaded(root: Path) -> settings.Settings:
    return settings.load(root / "etc/portal/portal.toml", {})


def test_questions_offer_defaults_and_ask_again_for_what_cannot_be(sit: Callable[..., Terminal], root: Path) -> None:
    person = sit()
    person.answer("URL that users will open [https://portal.example.org]", "portal.example.org")
    person.wait_for("--url must be a URL such as https://portal.example.org")
    person.answer("URL that users will open", "https://gpu.example.org")
    person.answer("URL of sessions, on another host name", "https://gpu.example.org:8443")
    person.wait_for("--sessions-url must be a different host name than that of --url")
    person.answer("URL of sessions, on another host name", "")
    person.answer("Name or address of this machine for the compute nodes", "10.1.0.1; rm -rf /")
    person.wait_for("--head must be")
    person.answer("Name or address of this machine for the compute nodes", "10.1.0.1")
    person.answer("Folder shared by this machine and the nodes [/shared/portal]", "")
    person.answer("Directory servers, separated by spaces", "ldaps://one.example.org two.example.org")
    person.wait_for("--ldap must be")
    person.answer("Directory servers, separated by spaces", "ldaps://one.example.org ldaps://two.example.org")
    person.answer("Suffix of the directory", "example.org")
    person.wait_for("--ldap-base must be")
    person.answer("Suffix of the directory", "dc=gpu,dc=org")
    person.answer("Account for searches in the directory", "cn=portal,dc=gpu,dc=org")
    person.answer("Groups that may log in", "gpu-users, vision")
    person.answer("Groups of administrators", "")
    person.answer("Password of that account", "of the directory")
    assert person.end() == 0, person.said
    assert "of the directory\n" not in person.said, "A password is not shown."
    assert (root / "etc/portal/secrets/ldap_password").read_text() == "of the directory\n"
    now = loaded(root)
    assert (now.server.public_url, now.hub.public_url) == ("https://gpu.example.org", "")
    assert now.ldap.servers == ["ldaps://one.example.org", "ldaps://two.example.org"]
    assert (now.ldap.user_base, now.ldap.group_base) == ("ou=people,dc=gpu,dc=org", "ou=groups,dc=gpu,dc=org")
    assert (now.ldap.user_groups, now.ldap.admin_groups) == (["gpu-users", "vision"], [])


def test_wildcard_is_offered_to_a_new_site_with_what_it_gives_up_without(
    sit: Callable[..., Terminal], root: Path, tmp_path: Path
) -> None:
    ldap = ("--ldap", "ldaps://ldap.example.org", "--ldap-base", "dc=example,dc=org", "--ldap-bind-dn", "")
    rest = ("--head", "10.1.0.1", "--shared", "/shared/portal", *ldap, "--user-group", "gpu", "--admin-group", "hpc")
    for more, answer, subdomains in (((), "", True), (("--force",), "-", False), (("--force",), "", False)):
        person = sit(*rest, *more)
        person.answer("URL that users will open", "")
        person.answer("URL of sessions, on another host name", "https://jupyter.example.org")
        person.wait_for("Without a wildcard name the sessions of all users share one host")
        if not answer:
            person.answer("Wildcard name, with DNS", "*.example.org" if subdomains else "*.org")
            person.wait_for("--wildcard must be *.jupyter.example.org")
        person.answer("Wildcard name, with DNS", answer)
        assert person.end() == 0, person.said
        assert loaded(root).hub.subdomains is subdomains


def test_interrupted_questions_leave_nothing_behind(sit: Callable[..., Terminal], root: Path) -> None:
    person = sit()
    person.answer("URL that users will open", "")
    person.interrupt("URL of sessions")
    assert person.end() == 1
    assert "Aborted" in person.said
    assert "Traceback" not in person.said
    assert not root.exists()


def test_site_that_is_there_is_offered_its_own_answers_and_asked_before_it_is_changed(
    init: Init, sit: Callable[..., Terminal], root: Path
) -> None:
    init()
    toml = root / "etc/portal/portal.toml"
    first = toml.read_text()

    def again(replace: str) -> Terminal:
        person = sit()
        person.answer("URL that users will open [https://portal.example.org]", "https://new.example.org")
        person.answer("URL of sessions, on another host name, - for none [https://jupyter.example.org]", "-")
        for offered in (
            "Name or address of this machine for the compute nodes [10.1.0.1]",
            "Folder shared by this machine and the nodes [/shared/portal]",
            "Directory servers, separated by spaces [ldaps://ldap.example.org]",
            "Base DN of users in the directory [ou=people,dc=example,dc=org]",
            "Base DN of groups in the directory [ou=groups,dc=example,dc=org]",
            'Account for searches in the directory, - for none [cn=portal "the portal",dc=example,dc=org]',
            "Groups that may log in, separated by commas, - for everybody [gpu-users]",
            "Groups of administrators, separated by commas, - for none [hpc-admins]",
        ):
            person.answer(offered, "")
        person.wait_for(f"  {toml}\n")
        person.answer("Replace them? The old versions are kept beside them [y/N]", replace)
        assert person.end() == 0, person.said
        return person

    assert re.search(rf"kept +{toml}\n", again("").said)
    assert toml.read_text() == first
    assert re.search(rf"replaced +{toml} \(before: portal.toml.before\)", again("y").said)
    assert toml.with_name("portal.toml.before").read_text() == first
    now = loaded(root)
    assert (now.server.public_url, now.hub.public_url) == ("https://new.example.org", "")
    assert (now.ldap.user_groups, now.ldap.admin_groups) == (["gpu-users"], ["hpc-admins"])


def test_second_replacement_keeps_the_first_ones_copy(init: Init, root: Path) -> None:
    init()
    toml = root / "etc/portal/portal.toml"
    texts = [toml.read_text()]
    for head in ("10.1.0.2", "10.1.0.3"):
        init("--force", "--head", head)
        texts.append(toml.read_text())
    assert len(set(texts)) == 3
    kept = [toml.with_name("portal.toml.before"), toml.with_name("portal.toml.before-2")]
    assert [path.read_text() for path in kept] == texts[:2]
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o640}


def test_settings_that_cannot_be_read_are_named_before_anything_is_asked(
    sit: Callable[..., Terminal], root: Path
) -> None:
    toml = root / "etc/portal/portal.toml"
    toml.parent.mkdir(parents=True)
    toml.write_text("[server\n")
    person = sit()
    assert person.end() == 1
    assert f"{toml} cannot be read" in person.said
    assert "Address that" not in person.said
