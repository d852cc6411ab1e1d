"""What the program keeps below ~/.ssh: its own folder `portal`, and one line of the user's configuration.

~/.ssh/config              begins with `Include portal/config`, as long as `portal ssh-config` wants it
~/.ssh/portal/config       the sessions as hosts: `bert.portal`
~/.ssh/portal/known_hosts  their host keys, rewritten for each connection: a new session has a new key
~/.ssh/portal/id_ed25519   this device's key, which a session accepts only over its authenticated address
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .device import Device, program, write_private
from .errors import Failure
from .sessions import DOMAIN, alias

INCLUDE = "Include portal/config"
NOTE = "# The next line was added by `portal ssh-config`; `portal ssh-config --remove` takes it out."
#: On CPUs with AES instructions, AES-GCM is faster than ChaCha20, which is ssh's own first choice.
CIPHERS = "aes128-gcm@openssh.com,aes256-gcm@openssh.com,aes128-ctr,aes256-ctr"
HOST_KEY = re.compile(r"ssh-ed25519 [A-Za-z0-9+/]{20,200}={0,2}")
LOCKED_S = 10.0


def ssh_folder() -> Path:
    return Path.home() / ".ssh"


def folder() -> Path:
    return ssh_folder() / "portal"


def _make_folder() -> None:
    for path in (ssh_folder(), folder()):
        path.mkdir(mode=0o700, exist_ok=True)


def public_key() -> str:
    """Return this device's public key; make the pair if there is none. Raises Failure."""
    private = folder() / "id_ed25519"
    if not private.exists():
        _make_folder()
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "portal", "-f", str(private)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        except OSError as error:
            raise Failure("ssh-keygen is missing. Install the OpenSSH client.") from error
        if done.returncode and not private.exists():
            raise Failure(f"ssh-keygen failed: {done.stderr.strip()}")
    try:
        return " ".join((folder() / "id_ed25519.pub").read_text().split()[:2])
    except OSError as error:
        raise Failure(f"{private}.pub cannot be read: {error.strerror}. Delete {private} and try again.") from error


def remember_host_key(host: str, key: str) -> None:
    """Make `key` the only one of this host. Raises Failure, OSError."""
    if not HOST_KEY.fullmatch(key):
        raise Failure("The session's answer has no host key.")
    _make_folder()
    file = folder() / "known_hosts"
    with _locked(folder() / ".lock"):
        known = file.read_text().splitlines() if file.exists() else []
        kept = [line for line in known if line.split(" ")[0] != host]
        write_private(file, "\n".join([*kept, f"{host} {key}"]) + "\n")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock file; a process that was killed may have left one behind."""
    until = time.monotonic() + LOCKED_S
    while True:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
            break
        except FileExistsError:
            if time.monotonic() > until:
                break
            time.sleep(0.02)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()


def options(device: Device, host: str) -> list[str]:
    """Return ssh's options for a session, as lines of its configuration; `host` is quoted for the command's shell."""
    here = folder().as_posix()
    return [
        f"User {device.username}",
        f'ProxyCommand "{Path(sys.executable).as_posix()}" "{program().as_posix()}" ssh --stdio {host}',
        f'IdentityFile "{here}/id_ed25519"',
        "IdentitiesOnly yes",
        f'UserKnownHostsFile "{here}/known_hosts"',
        "StrictHostKeyChecking yes",
        "CheckHostIP no",
        "UpdateHostKeys no",
        "HostKeyAlgorithms ssh-ed25519",
        f"Ciphers {CIPHERS}",
        "PreferredAuthentications publickey",
        # The websocket has its own; these would look like use of a session that nobody uses.
        "ServerAliveInterval 0",
    ]


def write(device: Device, sessions: list[Any]) -> list[str]:
    """Write the sessions as hosts, included in ssh's configuration; return their names. Raises Failure, OSError."""
    public_key()
    hosts = sorted({alias(one) + DOMAIN for one in sessions})
    lines = ["# Written by `portal ssh-config`, which overwrites it."]
    if os.name == "nt":
        for host in hosts:
            lines += [f"Host {host}", *(f"    {line}" for line in options(device, host))]
    else:
        lines += [line for host in hosts for line in (f"Host {host}", f"    HostName {host}")]
        # Any later session, too. The name is quoted, and none with a quote in it matches.
        lines += [f'Host *{DOMAIN} "!*\'*"', *(f"    {line}" for line in options(device, "'%n'"))]
    write_private(folder() / "config", "\n".join(lines) + "\n")
    config = ssh_folder() / "config"
    text = config.read_text() if config.exists() else ""
    if INCLUDE not in text.splitlines():
        write_private(_real(config), f"{NOTE}\n{INCLUDE}\n\n{text}")
    return hosts


def remove() -> None:
    """Remove everything that `write` has written; the user's own lines stay as they are. Raises OSError."""
    config = ssh_folder() / "config"
    if config.exists():
        text = config.read_text()
        ours = f"{NOTE}\n{INCLUDE}\n"
        cut = text.replace(f"{ours}\n", "", 1) if f"{ours}\n" in text else text.replace(ours, "", 1)
        if cut != text:
            write_private(_real(config), cut)
    for name in ("config", "known_hosts", "id_ed25519", "id_ed25519.pub", ".lock"):
        with contextlib.suppress(FileNotFoundError):
            (folder() / name).unlink()
    with contextlib.suppress(OSError):
        folder().rmdir()


def _real(config: Path) -> Path:
    """Return the file to write: the target if the configuration is a symbolic link, which stays."""
    return config.resolve()
