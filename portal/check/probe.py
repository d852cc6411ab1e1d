"""Runs on a compute node as a user, in a job of `portal check`: tests the node, reports, and accepts a connection.

Python 3.8 and the standard library alone: it is sent as the job script, with `ASKED` set above it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import Any

WAIT_S = 60


def reach(url: str) -> str:
    """Return what is wrong with the connection to an address; empty if something answers there."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        opener.open(url, timeout=5).close()
    except urllib.error.HTTPError as error:
        error.close()  # it answered
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", error))
    return ""


def listen(first: int, last: int, ip: str) -> socket.socket | None:
    """Return a listener on the first free port."""
    for port in range(first, last + 1):
        listener = socket.socket()
        try:
            listener.bind((ip, port))
            listener.listen(1)
        except OSError:
            listener.close()
            continue
        return listener
    return None


def own_address(host: str, port: int) -> str:
    """Find this node's address on the way to the portal, as the agent does."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((host, port))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def mount_options(path: str, mounts: str = "/proc/self/mounts") -> str:
    """Return the mount options of the file system that a path is on (proc(5)); empty if they cannot be read."""
    path, longest, options = os.path.realpath(path), "", ""
    try:
        with open(mounts, encoding="utf-8", errors="replace") as table:
            lines = [line.split(" ") for line in table]
    except OSError:
        return ""
    for _, point, _, these, *_ in lines:
        if len(point) >= len(longest) and (path + "/").startswith(point.rstrip("/") + "/"):
            longest, options = point, these
    return options


def why_not(asked: dict[str, Any], agent: str) -> str:
    """Run a command as a session would; return its last output if it fails, empty if it succeeds."""
    filled = {"{python}": sys.executable, "{agent}": agent}
    argv = [filled.get(word, word) for word in asked["argv"]]
    try:
        done = subprocess.run(
            argv,
            env={**os.environ, **asked["env"]},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=asked["timeout"],
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {asked['timeout']} s"
    except OSError as error:
        return str(error)
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else f"it ended with status {done.returncode}"


def main(asked: dict[str, Any], **more: Any) -> None:
    """Print the findings as one line of JSON, accept one connection, send the time, and remove the output."""
    address = asked["bind"] or own_address(*asked["portal"])
    listener = listen(asked["ports"][0], asked["ports"][1], address)
    seen = {
        "node": socket.gethostname(),
        "python": list(sys.version_info[:3]),
        "unseen": [path for path in asked["paths"] if not os.access(path, os.R_OK)],
        "home": os.access(os.path.expanduser("~"), os.W_OK),
        "home_options": mount_options(os.path.expanduser("~")),
        "reach": {url: reach(url) for url in asked["urls"]},
        "serving": {name: why_not(value, asked["agent"]) for name, value in asked["serving"].items()},
        "address": address,
        "port": listener.getsockname()[1] if listener else None,
        **more,
    }
    print(json.dumps(seen), flush=True)
    caller = None
    if listener:
        listener.settimeout(WAIT_S)
        with contextlib.suppress(OSError):
            caller, _ = listener.accept()
            caller.sendall(b"%r\n" % time.time())
    if asked["output"]:
        os.unlink(asked["output"])
    if caller:
        caller.close()  # signals that all is done: the job may be ended now
