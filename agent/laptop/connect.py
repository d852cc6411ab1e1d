"""`portal ssh NAME [COMMAND …]`: OpenSSH's client, with the options that reach the session."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from . import hosts, sessions
from .device import Device
from .errors import Failure


def run(device: Device, name: str, arguments: list[str]) -> int:
    """Connect; return ssh's status, or do not return at all. `arguments` are ssh's own, then the command."""
    ssh = shutil.which("ssh")
    if ssh is None:
        raise Failure("There is no `ssh` on this machine. Install the OpenSSH client.")
    session = sessions.find(device, name)
    hosts.public_key()
    host = sessions.alias(session) + sessions.DOMAIN
    if not arguments and sys.stdin.isatty():
        left = sessions.time_left(session)
        print(f"{session['name']} on {session['node']}" + (f", {left} left" if left else ""), file=sys.stderr)
    chosen = [word for line in hosts.options(device, str(session["id"])) for word in ("-o", line.replace(" ", "=", 1))]
    before, command = _split(arguments)
    argv = [ssh, *chosen, "-o", f"HostKeyAlias={host}", *before, host, *command]
    if os.name == "nt":
        return subprocess.call(argv)
    os.execv(ssh, argv)  # noqa: S606 - an argv list
    return 255


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Split ssh's own options from the command; everything after `--` is the command."""
    takes_value = set("BbcDEeFIiJLlmOoPpQRSWw")
    at = 0
    while at < len(arguments) and arguments[at].startswith("-") and arguments[at] != "-":
        word = arguments[at]
        if word == "--":
            return arguments[:at], arguments[at + 1 :]
        at += 2 if len(word) == 2 and word[1] in takes_value else 1
    return arguments[:at], arguments[at:]
