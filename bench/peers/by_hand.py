"""By hand: sbatch with exactly the server and environment that our portal starts, until it answers."""

from __future__ import annotations

import http.client
import json
import shlex
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bench.testbed.site import Resources, inside, run_inside
from tests.demo_site import DemoSite, free_port

SLURMS_OWN = ("SLURM_", "CUDA_", "GPU_DEVICE_ORDINAL", "TMPDIR")
"""Variables that come with each job anew."""
LOOK_EVERY_S = 0.01
TIMEOUT_S = 60.0

TIMED = 'cd "$1" && shift && date +%s.%N && exec "$@"'
"""Runs sbatch in the home, and says when: the way into the site shall not count."""

FIND = """
import json, pathlib, sys
for process in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        argv = (process / "cmdline").read_bytes().decode().split("\\0")[:-1]
        if "serve-jupyter" not in argv:
            continue
        env = dict(item.partition("=")[::2] for item in (process / "environ").read_bytes().decode().split("\\0")[:-1])
    except OSError:
        continue
    if sys.argv[1] in env.get("JUPYTERHUB_SERVICE_URL", ""):
        print(json.dumps({"argv": argv, "env": env, "cwd": str((process / "cwd").readlink())}))
        break
"""


@dataclass(frozen=True)
class Server:
    """A running server as the kernel sees it."""

    argv: list[str]
    env: dict[str, str]
    cwd: str

    @classmethod
    def of_session(cls, site: DemoSite, base_url: str) -> Server:
        """Find the server that serves `base_url`."""
        return cls(**json.loads(run_inside(site, "python3", "-c", FIND, base_url)))


class ByHand:
    name = "by_hand"
    title = "by hand (sbatch)"

    def __init__(self, site: DemoSite, resources: Resources, user: str, server: Server) -> None:
        self._site = site
        self._user = user
        self._server = server
        self._token = site.token(user)
        self._options = [
            f"--partition={resources.partition}",
            f"--gres=gpu:{resources.gpus}",
            f"--cpus-per-task={resources.cpus}",
            f"--mem={resources.memory_mib}M",
            f"--time={resources.walltime_s // 60}",
            f"--output={Path(server.cwd) / 'by-hand.log'}",
        ]
        self._job = ""

    def start(self) -> float:
        service = urlsplit(self._server.env["JUPYTERHUB_SERVICE_URL"])
        port = free_port()
        script = self._script(service._replace(netloc=f"127.0.0.1:{port}").geturl())
        sbatch = ("sh", "-c", TIMED, "sh", self._server.cwd, "sbatch", "--parsable", *self._options)
        done = subprocess.run(
            inside(self._site, *sbatch, user=self._user), input=script, capture_output=True, text=True, check=True
        )
        began, self._job = done.stdout.split()
        while not _answers(port, f"{service.path}api"):
            if time.time() - float(began) > TIMEOUT_S:
                raise RuntimeError(f"by hand: no answer after {TIMEOUT_S:.0f} s; see by-hand.log in {self._server.cwd}")
            time.sleep(LOOK_EVERY_S)
        return time.time() - float(began)

    def stop(self) -> None:
        run_inside(self._site, "scancel", self._job, user=self._user)

    def _script(self, url: str) -> str:
        env = {name: value for name, value in self._server.env.items() if not name.startswith(SLURMS_OWN)}
        env |= {
            "JUPYTERHUB_SERVICE_URL": url,
            "JUPYTERHUB_API_TOKEN": self._token,
            "JPY_API_TOKEN": self._token,
            "JUPYTER_RUNTIME_DIR": f"{self._server.cwd}/.by-hand-runtime",
        }
        exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in env.items())
        return f"#!/bin/sh\n{exports}exec {shlex.join(self._server.argv)}\n"


def _answers(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
