"""The agent's side of SSH: creates the host key at the first connection, and starts a relay for each connection.

Jupyter, which may run inside an image, passes connections over a Unix socket in the session's folder (mode 0700); the
app proxy, which is in this process, calls `serve`.
"""

from __future__ import annotations

import array
import json
import os
import pwd
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Callable, Mapping, Protocol

from .clock import duration
from .launch import agent_path, home
from .placeholders import fill
from .ssh.relay import USED

if TYPE_CHECKING:
    from agent import wire

SOCKET = "ssh.sock"
SSHD = "/usr/sbin/sshd"
MOST_CONNECTIONS = 40
MOST_REQUEST = 16_384
REQUEST_S = 5.0
KEY = re.compile(r"(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)|ssh-rsa) [A-Za-z0-9+/]{20,2000}={0,2}")
NO_SSHD = "This node has no OpenSSH server (sshd), so nothing can serve SSH here. Ask the administrators to install it."
SWITCHED_OFF = "SSH into sessions is switched off on this site, or for your groups."


class Place(Protocol):
    """Where the app was started, and with what: `places.Place`, as much of it as SSH needs."""

    folder: str
    values: Mapping[str, str]
    environment: dict[str, str]


class NoSsh(Exception):
    """This request gets no SSH; the message is a sentence for the user."""


class Hosting(threading.Thread):
    def __init__(self, orders: wire.Ssh | None, place: Place, log: Callable[[str], None]) -> None:
        """`place` has the app's environment once it has started."""
        super().__init__(name="ssh", daemon=True)
        self._orders = orders
        self._folder = os.path.join(place.folder, "ssh")
        self._place = place
        self._log = log
        self._lock = threading.Lock()
        self._relays: list[subprocess.Popen[bytes]] = []
        self._host_key = ""
        self._closed = False
        self._idle_end: float | None = None
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._path = os.path.join(place.folder, SOCKET)

    def run(self) -> None:
        """Take connections from Jupyter."""
        try:
            self._listener.bind(self._path)
            os.chmod(self._path, 0o600)
            self._listener.listen(16)
        except OSError as error:
            self._log(f"ssh: {error!r}")
            return
        while not self._closed:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._come, args=(connection,), daemon=True).start()

    def _come(self, connection: socket.socket) -> None:
        """Serve one request from Jupyter, which sends the client's connection and holds its end of ours."""
        descriptors = array.array("i")
        with connection:
            try:
                connection.settimeout(REQUEST_S)
                if _user_of(connection) != os.getuid():
                    return
                raw, ancillary, _, _ = connection.recvmsg(MOST_REQUEST, socket.CMSG_SPACE(descriptors.itemsize))
                for level, kind, data in ancillary:
                    if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                        descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
                asked = json.loads(raw)
                client = socket.socket(fileno=descriptors[0])
            except (OSError, ValueError, IndexError) as error:
                self._log(f"ssh: {error!r}")
                return
            with client:
                self.serve(client, connection, key=str(asked.get("key")), accept=str(asked.get("accept")))

    def serve(self, client: socket.socket, holder: socket.socket, *, key: str, accept: str) -> None:
        """Serve the client's connection, or answer with the reason. The caller closes its own copies of both."""
        try:
            self._start(client, holder, key, accept)
        except (NoSsh, OSError, subprocess.SubprocessError) as error:
            text = str(error) if isinstance(error, NoSsh) else f"SSH does not work on this node: {error}."
            self._log(f"ssh: {text}")
            with suppress(OSError):
                client.setblocking(True)
                client.settimeout(REQUEST_S)
                client.sendall(refusal(text))

    def _start(self, client: socket.socket, holder: socket.socket, key: str, accept: str) -> None:
        orders = self._orders
        if orders is None:
            raise NoSsh(SWITCHED_OFF)
        sshd = SSHD if os.path.exists(SSHD) else shutil.which("sshd")
        if sshd is None:
            raise NoSsh(NO_SSHD)
        if not KEY.fullmatch(key):
            raise NoSsh("The request has no SSH key of an accepted type. Update the program: `portal self-update`.")
        with self._lock:
            self._relays = [relay for relay in self._relays if _runs(relay)]
            if len(self._relays) >= MOST_CONNECTIONS:
                raise NoSsh(f"This session has {MOST_CONNECTIONS} SSH connections already. Close some of them.")
            if self._closed:
                raise NoSsh("The session has ended.")
            self._make_host_key()
            relay = self._relay(orders, client, holder)
            self._relays.append(relay)
        image = [self._fill(word) for word in orders["words"]] if orders["image"] else []
        _tell(
            relay,
            {
                "key": key,
                "accept": accept,
                "host_key": self._host_key,
                "folder": self._folder,
                "image": image,
                "sshd": sshd,
                "user": pwd.getpwuid(os.getuid()).pw_name,
            },
        )

    def _relay(self, orders: wire.Ssh, client: socket.socket, holder: socket.socket) -> subprocess.Popen[bytes]:
        """Start the relay where the session's modules are loaded; images are entered later, by each command."""
        before = [] if orders["image"] else [self._fill(word) for word in orders["words"]]
        kept = (client.fileno(), holder.fileno())
        argv = [*before, sys.executable, "-I", agent_path(), "serve-ssh", *(str(number) for number in kept)]
        environment = {**self._place.environment, **{name: self._fill(value) for name, value in orders["env"].items()}}
        return subprocess.Popen(
            argv, env=environment, cwd=home(), stdin=subprocess.PIPE, pass_fds=kept, start_new_session=True
        )

    def _fill(self, word: str) -> str:
        return fill(word, self._place.values)

    @property
    def owner(self) -> str | None:
        """The only user who may connect; None where SSH is switched off, so that nobody may."""
        return self._orders["owner"] if self._orders else None

    def _make_host_key(self) -> None:
        """Make the session's host key. Raises NoSsh, OSError."""
        if self._host_key:
            return
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        path = os.path.join(self._folder, "host_key")
        argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path]
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False)
        if not os.path.exists(f"{path}.pub"):
            raise NoSsh(f"ssh-keygen made no host key: {done.stderr.decode(errors='replace').strip()[:200]}")
        with open(f"{path}.pub") as file:
            self._host_key = " ".join(file.read().split()[:2])

    def last_used(self) -> float | None:
        """Return when somebody last used SSH, in seconds since 1970 and half a minute late at most; None: never."""
        try:
            return os.stat(os.path.join(self._folder, USED)).st_mtime
        except OSError:
            return None

    def say(self, sentence: str) -> None:
        """Send a message to everybody who is connected."""
        for relay in list(self._relays):
            _tell(relay, {"say": sentence})

    def ends_if_idle(self, at: float | None) -> None:
        """Warn everybody who is connected, once of each such end; None: there is none."""
        if at is not None and at != self._idle_end:
            self._idle_end = at
            self.say(f"Nobody uses this session, so it ends in {duration(at - time.time())}. Run something to keep it.")

    def close(self, sentence: str) -> None:
        """End all connections with a sentence."""
        with self._lock:
            self._closed = True
            self._listener.close()
            for relay in self._relays:
                _tell(relay, {"end": sentence})
                if relay.stdin is not None:
                    with suppress(OSError):
                        relay.stdin.close()

    def wait(self, timeout_s: float) -> None:
        """Wait for the connections to end. Raises TimeoutExpired."""
        for relay in self._relays:
            relay.wait(timeout_s)


def refusal(sentence: str) -> bytes:
    """Return the HTTP answer to a request that gets no SSH."""
    body = json.dumps({"error": {"code": "no_ssh", "message": sentence}}).encode()
    return (
        b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
        b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    )


def _user_of(connection: socket.socket) -> int:
    """Return the user at the other end (unix(7), SO_PEERCRED)."""
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", raw)[1])


def _runs(relay: subprocess.Popen[bytes]) -> bool:
    """Return whether it still runs; the agent, which reaps every child, may have reaped it."""
    return relay.poll() is None


def _tell(relay: subprocess.Popen[bytes], told: dict[str, Any]) -> None:
    with suppress(OSError, ValueError):
        if relay.stdin is not None:
            relay.stdin.write(json.dumps(told).encode() + b"\n")
            relay.stdin.flush()
