"""A Python for a site's nodes with GPUs that report what a real H100 once did, instead of a driver.

It takes the place of the door's Python, which starts agents and meters: they find the stand-in of
`tests/unit/agent/job/nvml.py` as `pynvml`, with the recorded readings played from their own start on.
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
PYTHON = """\
#!/usr/bin/python3 -I
import runpy, sys, time
sys.path.insert(0, "{folder}/unit/agent/job")
import nvml

class Playing(nvml.Nvml):
    began = time.monotonic()
    now = property(lambda self: time.monotonic() - self.began, lambda self, value: None)

sys.modules["pynvml"] = Playing("{load}")
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@contextmanager
def reporting_gpus(site: DemoSite, load: str) -> Iterator[None]:
    """Let jobs and sessions that start now find GPUs with this load."""
    for name in ("unit/agent/job/nvml.py", "recorded/nvml/h100-580.json", "recorded/nvml/h100-580-counters.json"):
        site.run("mkdir", "-p", str((FOLDER / name).parent))
        site.run("tee", str(FOLDER / name), stdin=(TESTS / name).read_text())
    python = str(FOLDER / "python")
    site.run("tee", python, stdin=PYTHON.format(folder=FOLDER, load=load))
    site.run("chmod", "-R", "a+rX", str(FOLDER))
    site.run("chmod", "755", python)
    with door_python(site, python):
        yield


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
