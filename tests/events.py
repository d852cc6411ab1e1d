"""Real event files, written by TensorBoard's own writer inside a demo site."""

from __future__ import annotations

from tests.demo_site import INSIDE, DemoSite

# As in a training run: one event per step.
WRITE = """
import sys
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

folder, tag = sys.argv[1:]
writer = EventFileWriter(folder)
for step in range(100):
    value = Summary.Value(tag=tag, simple_value=1 / (step + 1))
    writer.add_event(Event(step=step, wall_time=1_700_000_000 + step, summary=Summary(value=[value])))
writer.close()
"""


def write_events(site: DemoSite, user: str, folder: str, tag: str) -> str:
    """Write a scalar of a hundred steps into a folder in the user's home; return the folder."""
    path = f"{INSIDE}/home/{user}/{folder}"
    site.run(f"{INSIDE}/environments/base/bin/python", "-c", WRITE, path, tag, user=user)
    return path
