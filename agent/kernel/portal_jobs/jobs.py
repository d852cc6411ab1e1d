"""A submitted job: its state, its output as it grows, its end."""

from __future__ import annotations

import os
import sys
import time
import urllib.parse
from typing import Any, Iterator

from .client import OutageTolerance, PortalError, call, events, make

POLL_S = 2.0


class Job:
    """A submitted job. Its attributes are as of the last `refresh`."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts

    @property
    def id(self) -> str:
        return str(self.facts["id"])

    @property
    def state(self) -> str:
        """Slurm's current state of the job."""
        return str(self.refresh().facts["state"])

    def refresh(self) -> Job:
        self.facts = call("GET", f"/jobs/{self.id}")
        return self

    def wait(self) -> Job:
        """Wait until the job has ended; raise PortalError if it failed."""
        patience = OutageTolerance()
        while True:
            with patience:
                if self.refresh().facts["end"] is not None:
                    break
                patience.heard()
            time.sleep(POLL_S)
        end = self.facts["end"]
        if end["code"] != "finished":
            raise PortalError(f"Job {self.id}: {end['text']} {end['advice'] or ''}".strip())
        return self

    def follow(self, file: str = "stdout", task: int | None = None) -> Job:
        """Print its output as it grows, until it has ended."""
        for text in self.output(file, task):
            sys.stdout.write(text)
            sys.stdout.flush()
        return self

    def output(self, file: str = "stdout", task: int | None = None) -> Iterator[str]:
        """Yield the output in pieces as it grows until the job has ended.

        Resumes where it was if the portal was away.
        """
        offset, patience = 0, OutageTolerance()
        while True:
            query = {"file": file, "offset": offset, **({} if task is None else {"task": task})}
            with patience:
                for kind, data in events(f"/jobs/{self.id}/output/follow?{urllib.parse.urlencode(query)}"):
                    patience.heard()
                    if kind == "end":
                        return
                    if kind == "piece":
                        if data["skipped"]:
                            yield f"\n… {data['skipped']} B skipped …\n"
                        yield data["text"]
                        offset = data["next_offset"]
            time.sleep(POLL_S)

    def cancel(self) -> None:
        (result,) = call("POST", "/jobs/actions", {"ids": [self.id], "action": "cancel"})["results"]
        if not result["ok"]:
            raise PortalError(result["message"])

    def again(self) -> Job:
        """Submit it again, with the changes that its end suggests. Raises PortalError if its script is gone."""
        if self.facts["script"] is None:
            raise PortalError(f"The script of job {self.id} is unknown: it was not submitted through the portal.")
        proposal = call("GET", f"/jobs/{self.id}/again")
        return submit(proposal["script"], workdir=proposal["workdir"])

    def __repr__(self) -> str:
        end = self.facts["end"]
        return f"<Job {self.id} {self.facts['name']!r}: {end['text'] if end else self.facts['state'].lower()}>"


def job(job_id: int | str) -> Job:
    """Return an already submitted job by its number.

    For an array use the array's, and `follow(task=7)` for one task.
    """
    return Job(call("GET", f"/jobs/{urllib.parse.quote(str(job_id), safe='')}"))


def submit(script: str, workdir: str | None = None) -> Job:
    """Submit a script and return its Job. Raises PortalError, which names the fields at fault."""
    return Job(make("/jobs", {"script": script, "workdir": workdir or os.getcwd()}))


def check(script: str, workdir: str | None = None) -> dict[str, Any]:
    """Return Slurm's check of the script: `ok`, `problems`, `starts_at`, `nodes`, `text`."""
    answer: dict[str, Any] = call("POST", "/jobs/check", {"script": script, "workdir": workdir or os.getcwd()})
    return answer


def run(command: str, **form: Any) -> Job:
    """Submit a shell command as a job; `form` holds fields of the portal's form, such as nodes or walltime_s."""
    return submit(compose(command, **form))


def compose(command: str, **form: Any) -> str:
    """Return the script for a form."""
    fields = {"memory_mib_per_node": 8192, "walltime_s": 3600, **form, "command": command}
    return str(call("POST", "/jobs/compose", {"form": fields})["script"])
