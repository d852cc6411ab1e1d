"""A Python for a site's nodes with GPUs that report what a real H100 once did, instead of a driver.

It takes the place of the door's Python, which starts agents and meters: they find `playing_nvml.py` as `pynvml`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demo.namespace import DOOR
from demo.site import INSIDE
from tests.demo_site import DemoSite

TESTS = Path(__file__).parents[1]
FOLDER = INSIDE / "nvml"
FILES = (
    "unit/agent/job/nvml.py",
    "standins/playing_nvml.py",
    "recorded/nvml/h100-580.json",
    "recorded/nvml/h100-580-counters.json",
)
ERRORS = FOLDER / "errors"
#: As Slurm does with `AutoDetect=nvml`, it names MIG instances to jobs by their UUIDs.
PYTHON = """\
#!/usr/bin/python3 -I
import os, runpy, sys
from pathlib import Path
sys.path[:0] = ["{folder}/unit/agent/job", "{folder}/standins"]
from playing_nvml import Playing

mig = {mig}
sys.modules["pynvml"] = Playing("{load}", mig, Path("{errors}"))
visible = os.environ.get("CUDA_VISIBLE_DEVICES")
if mig and visible:
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(mig[int(index)] for index in visible.split(","))
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@contextmanager
def reporting_gpus(site: DemoSite, load: str, *, mig: tuple[str, ...] = ()) -> Iterator[None]:
    """Let jobs and sessions that start now find GPUs, or these MIG instances, with this load."""
    for name in FILES:
        site.run("mkdir", "-p", str((FOLDER / name).parent))
        site.run("tee", str(FOLDER / name), stdin=(TESTS / name).read_text())
    site.run("tee", str(ERRORS), stdin="")
    python = str(FOLDER / "python")
    site.run("tee", python, stdin=PYTHON.format(folder=FOLDER, load=load, mig=mig, errors=ERRORS))
    site.run("chmod", "-R", "a+rX", str(FOLDER))
    site.run("chmod", "755", python)
    with door_python(site, python):
        yield


def fail(site: DemoSite, xid: int, *, gpu: str = "0", instance: int = 0xFFFFFFFF) -> None:
    """Let a GPU of every running job have this error; the GPU of a MIG instance is "parent"."""
    site.run("tee", "--append", str(ERRORS), stdin=f"{gpu} {xid} {instance}\n")


@contextmanager
def door_python(site: DemoSite, python: str) -> Iterator[None]:
    """Let the door start agents and meters with this Python."""
    config = f"{DOOR}.json"
    before = site.run("cat", config)
    site.run("tee", config, stdin=json.dumps(json.loads(before) | {"python": python}))
    try:
        yield
    finally:
        site.run("tee", config, stdin=before)
