"""One call: read the request, become the user, act, answer; with a line in the audit log before and after."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from importlib import import_module

from .account import account, become
from .config import load_config
from .refused import TYPE_CHECKING, Refused
from .request import MAX_REQUEST, checked, loads

if TYPE_CHECKING:
    from .refused import Act, Answer, Check, Fields

VERSION = 3
#: Which module has a verb: only that one is loaded.
MODULES = {
    "submit": "sessions",
    "cancel": "sessions",
    "read_log": "sessions",
    "look": "files",
    "list": "files",
    "read": "files",
    "find": "files",
    "follow": "follow",
    "room": "quota",
    "template_states": "templates",
    "template_place": "templates",
    "job_test": "batch",
    "job_submit": "batch",
    "job_act": "batch",
    "use": "use",
    "node_drain": "operate",
    "node_resume": "operate",
    "reservation_create": "operate",
    "reservation_delete": "operate",
    "job_action": "operate",
}
#: What of a request is told in the audit log, beside the verb.
TOLD = (
    "user",
    "session",
    "job_id",
    "path",
    "token",
    "action",
    "ids",
    "nodes",
    "reason",
    "name",
    "jobs",
    "value",
    "file",
    "how",
)


def parse(raw: bytes) -> tuple[str, Fields, Act | None]:
    """Return verb, fields (each checked) and what to do as the user; `version` acts as nobody."""
    request = loads(raw)
    verb = request.get("verb")
    if verb == "version":
        return verb, checked(request, {}), None
    if not isinstance(verb, str) or verb not in MODULES:
        raise Refused("invalid", "The request names no verb of this door.", "verb")
    checks: dict[str, Check]
    checks, act = import_module(f"{__package__}.{MODULES[verb]}").VERBS[verb]
    return verb, checked(request, checks), act


def audit(fd: int, line: str) -> None:
    by = re.sub(r"\D", "", os.environ.get("SUDO_UID", ""))[:12]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    os.write(fd, f"{stamp} pid={os.getpid()} by_uid={by} {line}\n".encode())


def told(value: object) -> str:
    """A value as the audit log shows it: a plain word, or quoted, on one line, and short."""
    plain = str(value)
    return plain if re.fullmatch(r"[\w.@+-]{1,64}", plain, re.ASCII) else json.dumps(plain)[:200]


def serve(raw: bytes, config_path: str) -> Answer | None:
    """Do what is asked; None for an act that has written its answer itself."""
    if os.geteuid() != 0:
        raise Refused("configuration", "The door must be started as root, by sudo.")
    config = load_config(config_path)
    try:
        trail = os.open(config["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise Refused("configuration", f"{config['log']} cannot be written: {error.strerror}.") from None
    line = "request"
    try:
        verb, fields, act = parse(raw)
        if act is None:
            return {"ok": True, "version": VERSION, "session_dir": config["session_dir"], "agent": config["agent"]}
        line = " ".join([verb, *(f"{name}={told(fields[name])}" for name in TOLD if name in fields)])
        entry = account(fields["user"], config)
        audit(trail, f"{line} uid={entry.pw_uid} begins")
        if MODULES[verb] == "operate":
            from .operate import operator

            entry = operator(entry, config)
        become(entry)
        answer = act(fields, entry, config)
        audit(trail, f"{line} job={(answer or {}).get('job_id', '-')} done")
        return answer
    except Refused as refused:
        audit(trail, f"{line} refused={refused.answer['error']['code']}")
        raise


def main() -> None:
    config = os.path.abspath(sys.argv[0]) + ".json"
    os.closerange(3, 256)
    os.umask(0o077)
    os.chdir("/")
    try:
        answer = serve(sys.stdin.buffer.readline(MAX_REQUEST + 1), config)
    except Refused as refused:
        answer = refused.answer
    except Exception as error:  # whatever breaks, the portal gets an answer it can read
        answer = Refused("internal", f"{type(error).__name__}: {error}"[:500]).answer
    if answer is not None:
        sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
