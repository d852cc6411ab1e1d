"""batchspawner 1.3.0 with its own JupyterHub and proxy, beside ours and on the same Slurm."""

from __future__ import annotations

import hashlib
import json
import secrets
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from bench.testbed.site import FOLDER, Resources, inside, registry_variables, run_inside
from demo.site import CLONE, INSIDE
from tests.demo_site import DemoSite, free_port

SOURCE = INSIDE / "src"
UV = SOURCE / ".cache" / "boot" / "bin" / "uv"
LOCK = CLONE / "requirements" / "bench.txt"
EXCLUDED = CLONE / "requirements" / "excluded.txt"
PYTHON = Path("/usr/bin/python3")

SUDOERS = """\
Defaults env_reset, !use_pty, secure_path="/usr/sbin:/usr/bin:/sbin:/bin"
root ALL=(ALL:ALL) ALL
"""
"""What Debian's sudoers says of root, on which batchspawner's `sudo -E -u {username}` rests."""

IN_ITS_HOME = 'mount --bind sudoers /etc/sudoers && exec "$@" >hub.log 2>&1'


class Batchspawner:
    name = "batchspawner"

    def __init__(self, *, title: str, url: str, token: str, user: str) -> None:
        self.title = title
        self.url = url
        self._user = user
        self._http = httpx2.Client(
            base_url=url, headers={"Authorization": f"token {token}"}, timeout=120, trust_env=False
        )
        self._http.post(f"/hub/api/users/{user}").raise_for_status()

    def start(self) -> float:
        began = time.monotonic()
        # The Hub answers 201 as soon as the server is ready, or 202 after ten seconds.
        response = self._http.post(self._server)
        response.raise_for_status()
        if response.status_code == 202:
            self._await_ready()
        took = time.monotonic() - began
        self._http.get(f"/user/{self._user}/api/status").raise_for_status()
        return took

    def _await_ready(self) -> None:
        with self._http.stream("GET", f"{self._server}/progress") as stream:
            for line in stream.iter_lines():
                if line.startswith("data:"):
                    step = json.loads(line.removeprefix("data:"))
                    if step.get("failed"):
                        raise RuntimeError(f"batchspawner: {step}")
                    if step.get("ready"):
                        return
        raise RuntimeError("batchspawner: the progress ended before the server was ready")

    def stop(self) -> None:
        self._http.delete(self._server).raise_for_status()

    @property
    def _server(self) -> str:
        return f"/hub/api/users/{self._user}/server"


@contextmanager
def batchspawner(site: DemoSite, resources: Resources, user: str, *, trimmed: bool) -> Iterator[Batchspawner]:
    """Install the peer if needed, start its Hub as root (as its documentation says), end it afterwards."""
    programs = _environment(site, trimmed=trimmed) / "bin"
    home = FOLDER / "batchspawner"
    run_inside(site, "rm", "-rf", home)
    run_inside(site, "mkdir", "-p", home)
    run_inside(site, "install", "-m", "440", "/dev/stdin", home / "sudoers", stdin=SUDOERS)
    token = secrets.token_hex(32)
    port = free_port()
    peer = {
        "port": port,
        "hub_port": free_port(),
        "proxy_api_port": free_port(),
        "proxy": [
            str(SOURCE / ".cache/node/node"),
            str(SOURCE / "demo/proxy/node_modules/configurable-http-proxy/bin/configurable-http-proxy"),
        ],
        "pid_file": str(home / "hub.pid"),
        "token": token,
        "nodes": site.nodes,
        "programs": str(programs),
        "partition": resources.partition,
        "gpus": resources.gpus,
        "cpus": resources.cpus,
        "memory_mib": resources.memory_mib,
        "runtime": f"0-{resources.walltime_s // 3600:02}:{resources.walltime_s // 60 % 60:02}:00",
    }
    command = inside(
        site,
        *("env", "-C", home, f"BENCH_PEER={json.dumps(peer)}", f"PATH={programs}:/usr/bin:/bin"),
        *("unshare", "--mount", "--propagation", "private", "sh", "-c", IN_ITS_HOME, "sh"),
        *("jupyterhub", "--config", SOURCE / "bench/peers/batchspawner_config.py"),
    )
    hub = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        site.wait_for(lambda: hub.poll() is not None or _answers(url), "the peer's Hub to answer", timeout_s=60)
        title = "batchspawner 1.3.0" + (" in our trimmed environment" if trimmed else "")
        yield Batchspawner(title=title, url=url, token=token, user=user)
    finally:
        run_inside(site, "sh", "-c", f"kill $(cat {home}/hub.pid) || true")
        hub.wait(timeout=30)


def _answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/hub/api/", timeout=5, trust_env=False).is_success
    except httpx2.HTTPError:
        return False


def _environment(site: DemoSite, *, trimmed: bool) -> Path:
    """Build the peer's environment, once per clone, beside those of sessions; return its path on the nodes.

    It is what pip installs for our sessions' packages and batchspawner. `trimmed` leaves out what ours leaves out
    (requirements/excluded.txt says why), although nobody following the documentation would.
    """
    name = "bench-batchspawner-trimmed" if trimmed else "bench-batchspawner"
    path = INSIDE / "environments" / name
    stamp = CLONE / ".cache" / "environments" / name / "made-of"
    made_of = hashlib.sha256(LOCK.read_bytes() + EXCLUDED.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == made_of:
        return path
    print(f"Installing {name} …", flush=True)
    uv: tuple[str | Path, ...] = ("env", *registry_variables(), UV)
    run_inside(site, *uv, "venv", "--quiet", "--clear", "--python", PYTHON, path)
    to_it: tuple[str | Path, ...] = ("--quiet", "--python", path / "bin" / "python")
    lock = SOURCE / LOCK.relative_to(CLONE)
    run_inside(site, *uv, "pip", "sync", *to_it, "--require-hashes", "--compile-bytecode", lock)
    if trimmed:
        names = [line for line in EXCLUDED.read_text().splitlines() if line and not line.startswith("#")]
        run_inside(site, *uv, "pip", "uninstall", *to_it, *names)
    run_inside(site, "tee", path / "made-of", stdin=made_of)
    return path
