"""What sshd starts for each shell, command or SFTP: `agent.pyz ssh-command FOLDER`, as its ForceCommand.

sshd creates an environment of its own for what it starts; this program replaces it with the session's. If the session
has an image, shells and commands enter it, as in the terminal app. SFTP stays outside, where the same folders are.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Mapping

ENVIRONMENT = "environment.json"
SFTP = "portal-sftp"
SFTP_SERVERS = (
    "/usr/lib/openssh/sftp-server",
    "/usr/libexec/openssh/sftp-server",
    "/usr/lib/ssh/sftp-server",
    "/usr/libexec/sftp-server",
)
#: What sshd knows of the connection, beside the session's environment.
OF_THE_CONNECTION = ("SSH_", "TERM", "LANG", "LC_")
NOT_FOUND = 127
IN_IMAGE = "command -v bash >/dev/null && exec bash; exec sh"


def run(arguments: list[str]) -> int:
    """Exec the command; return only if that fails."""
    with open(os.path.join(arguments[0], ENVIRONMENT)) as file:
        kept = json.load(file)
    asked = os.environ.get("SSH_ORIGINAL_COMMAND")
    environment = environment_of(kept["environment"], os.environ)
    argv = argv_of(asked, kept["image"], environment)
    try:
        os.chdir(kept["folder"])
    except OSError as error:
        print(f"{kept['folder']}: {error.strerror}", file=sys.stderr)
    try:
        os.execvpe(argv[0], argv, environment)  # noqa: S606 - an argv list
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
    return NOT_FOUND


def environment_of(session: Mapping[str, str], connection: Mapping[str, str]) -> dict[str, str]:
    """Return the session's environment, with what belongs to this connection."""
    ours = {name: value for name, value in connection.items() if name.startswith(OF_THE_CONNECTION)}
    ours.pop("SSH_ORIGINAL_COMMAND", None)
    return {**session, **ours}


def argv_of(asked: str | None, image: list[str], environment: Mapping[str, str]) -> list[str]:
    """Return what to run: `asked` is the client's command, None for a shell; `image` enters the session's image."""
    if asked == SFTP:
        return [next((path for path in SFTP_SERVERS if os.path.exists(path)), "sftp-server")]
    if image:
        return [*image, "/bin/sh", "-c", IN_IMAGE if asked is None else asked]
    shell = environment.get("SHELL") or "/bin/sh"
    return [shell] if asked is None else [shell, "-c", asked]
