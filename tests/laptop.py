"""A user's own machine for tests: a home and a network of its own, from which only the site's address is reachable.

Two Linux namespaces: programs on the laptop see its home as /root, and nothing of this machine's network. Only the
site's port leads out.
"""

from __future__ import annotations

import array
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.demo_site import DemoSite

PREFIX = "/services/portal"
PROGRAM = "/root/portal.pyz"
PYTHON = "/usr/bin/python3"
PIECE = 1 << 18
FIRST = """
import array, fcntl, socket, struct, subprocess, sys
folder, port, channel = sys.argv[1], int(sys.argv[2]), socket.socket(fileno=int(sys.argv[3]))
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))
subprocess.run(["mount", "--bind", folder, "/root"], check=True)
listener = socket.create_server(("127.0.0.1", port), backlog=64)
channel.sendmsg([b"+"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listener.fileno()]))])
listener.close()
sys.stdin.read()
"""
#: Follows the browser's redirect to the laptop's own port.
VISIT = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=20).status)"


class Running:
    """A program that runs on the laptop."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def line(self) -> str:
        """Return the next line of its output; fail at the end."""
        assert self._process.stdout is not None
        if not (line := self._process.stdout.readline()):
            raise AssertionError(self._process.communicate()[1])
        return line

    def type(self, line: str) -> None:
        """Send a line to its input."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def ended(self, within_s: float = 30) -> tuple[int, str, str]:
        """Wait for its end; return status, output and errors."""
        out, errors = self._process.communicate(timeout=within_s)
        return self._process.returncode, out, errors


class Laptop:
    def __init__(self, site: DemoSite, first: subprocess.Popen[bytes], home: Path) -> None:
        self.site = site
        self.home = home
        self.first = first
        """The process that holds its namespaces."""

    def argv(self, *command: str) -> list[str]:
        """Return the argv that runs a command on the laptop."""
        spaces = ("--user", "--net", "--mount", "--preserve-credentials")
        return ["nsenter", f"--target={self.first.pid}", *spaces, "--wd=/root", *command]

    @property
    def environment(self) -> dict[str, str]:
        return {"HOME": "/root", "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}

    @contextmanager
    def running(self, *arguments: str) -> Iterator[Running]:
        """Run the portal's program until the block ends."""
        command = self.argv(PYTHON, PROGRAM, *arguments)
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, env=self.environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True
        ) as process:
            try:
                yield Running(process)
            finally:
                process.kill()

    def run(
        self, *command: str, stdin: str = "", check: bool = True, timeout_s: float = 120
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self.argv(*command),
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done

    def portal(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run the portal's program."""
        return self.run(PYTHON, PROGRAM, *arguments, **options)

    def download(self) -> None:
        """Fetch the program as a user does."""
        get = "import sys, urllib.request; urllib.request.urlretrieve(sys.argv[1], sys.argv[2])"
        self.run(PYTHON, "-c", get, f"{self.portal_url}{PREFIX}/laptop/portal.pyz", PROGRAM)

    @property
    def portal_url(self) -> str:
        return self.site.url

    @property
    def name(self) -> str:
        """Its name in the list of tokens."""
        return self.home.name

    def log_in(self, username: str) -> None:
        """Run `portal login`, and do in a browser what it asks for."""
        with self.logging_in(username) as allow:
            allow()

    @contextmanager
    def logging_in(self, username: str) -> Iterator[Callable[[], None]]:
        """Run `portal login`, and yield what does in a browser what it asks for."""
        with self.running("login", "--no-browser", "--device", self.name) as program:
            while not (found := re.match(r"\s+(http\S+/hub/device\?\S+)", program.line())):
                pass

            def allow() -> None:
                back = self._allow(username, found[1])
                assert self.run(PYTHON, "-c", VISIT, back).stdout.strip() == "200"
                status, out, errors = program.ended()
                assert status == 0, errors
                assert f"as {username}" in out

            yield allow

    def _allow(self, username: str, page: str) -> str:
        """Allow the login in a browser; return where that sends the browser."""
        where = urlsplit(page)
        with self.site.browser(username) as browser:
            shown = browser.get(f"{where.path}?{where.query}")
            assert self.name in shown.text
            fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown.text))
            answer = browser.post("/hub/device", data=fields, follow_redirects=False)
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"])


@contextmanager
def laptop(site: DemoSite, kind: type[Laptop] = Laptop) -> Iterator[Laptop]:
    """Yield a new machine with the portal's program."""
    folder = Path(tempfile.mkdtemp(prefix="laptop-"))
    port = urlsplit(site.url).port or 80
    ours, theirs = socket.socketpair()
    spaces = ("--user", "--map-root-user", "--net", "--mount")
    first = subprocess.Popen(
        ["unshare", *spaces, sys.executable, "-c", FIRST, str(folder), str(port), str(theirs.fileno())],
        stdin=subprocess.PIPE,
        pass_fds=(theirs.fileno(),),
    )
    theirs.close()
    try:
        with ours:
            ours.settimeout(20)
            rights = array.array("i")
            _, ancillary, _, _ = ours.recvmsg(1, socket.CMSG_SPACE(rights.itemsize))
            rights.frombytes(ancillary[0][2])
        with socket.socket(fileno=rights[0]) as listener:
            threading.Thread(target=_lead_out, args=(listener, port), daemon=True).start()
            machine = kind(site, first, folder)
            machine.download()
            yield machine
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
    finally:
        assert first.stdin is not None
        first.stdin.close()
        first.wait(10)
        shutil.rmtree(folder)


def _lead_out(listener: socket.socket, port: int) -> None:
    """Forward connections to the site's address on the laptop to the site."""
    while True:
        try:
            inner, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_connect, args=(inner, port), daemon=True).start()


def _connect(inner: socket.socket, port: int) -> None:
    with inner, suppress(OSError), socket.create_connection(("127.0.0.1", port)) as outer:
        back = threading.Thread(target=_copy, args=(outer, inner), daemon=True)
        back.start()
        _copy(inner, outer)
        back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Copy until the source ends, then end the target as well."""
    buffer = memoryview(bytearray(PIECE))
    with suppress(OSError):
        while count := source.recv_into(buffer):
            target.sendall(buffer[:count])
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
