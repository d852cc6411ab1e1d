"""Follows a job from the command line: its output as it grows, its end. Waits for a portal that restarts."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import typer

from portal.client.http import PortalClient, PortalUnavailable
from portal.client.terminal import Terminal, output

POLL_S = 2.0
PATIENCE_S = 600
"""How long the portal may be away; the job goes on without it."""
END_OF_FILE = -65_536
INTERRUPTED = 130


class OutageTolerance:
    """Tolerates a portal that is away, until it has been away for too long."""

    def __init__(self) -> None:
        self.heard()

    def heard(self) -> None:
        self._last = time.monotonic()

    @contextmanager
    def forgives(self) -> Iterator[None]:
        try:
            yield
        except PortalUnavailable:
            if time.monotonic() - self._last > PATIENCE_S:
                raise


def follow(client: PortalClient, number: str, task: str | None, file: str, offset: int = END_OF_FILE) -> None:
    """Print a job's output from `offset` as it grows, until it ends; resume there after the portal was away."""
    for text in _pieces(client, number, task, file, offset):
        sys.stdout.write(text)
        sys.stdout.flush()


def _pieces(client: PortalClient, number: str, task: str | None, file: str, offset: int) -> Iterator[str]:
    patience = OutageTolerance()
    while True:
        query = {"file": file, "offset": offset} | ({"task": task} if task else {})
        with patience.forgives():
            for kind, data in client.events(f"/jobs/{number}/output/follow?{urlencode(query)}"):
                patience.heard()
                if kind == "end":
                    return
                if data["skipped"]:
                    yield f"\n… {data['skipped']} B skipped …\n"
                yield output(data["text"])
                offset = data["next_offset"]
        time.sleep(POLL_S)


def finish(client: PortalClient, job_id: str) -> None:
    """Print how the job ended; the exit status says whether it ended well."""
    patience = OutageTolerance()
    end = None
    while end is None:
        with patience.forgives():
            end = client.call("GET", f"/jobs/{job_id}")["end"]
            patience.heard()
        if end is None:
            time.sleep(POLL_S)
    say(f"{end['text']} {end['advice'] or ''}".strip())
    if end["code"] != "finished":
        raise typer.Exit(1)


@contextmanager
def interruptible(job_id: str) -> Iterator[None]:
    """Say, when the user interrupts, that the job keeps running."""
    try:
        yield
    except KeyboardInterrupt:
        say(f"\nJob {job_id} continues. Follow it with: portal jobs tail {job_id} --follow")
        raise typer.Exit(INTERRUPTED) from None


def say(text: str) -> None:
    Terminal(stderr=True).print(text, markup=False, highlight=False)


def whole_output(job: dict[str, Any]) -> bool:
    """Return whether the whole job writes one file that can be followed."""
    return job["array"] is None and not (job["stdout"] or "").endswith("_%a.out")
