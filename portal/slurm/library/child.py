"""The program that pyslurm runs in: reads Slurm on request and prints each record as a line of JSON. Needs only Python
and pyslurm.

Input is one object a line: first `{"init": PATH or null}`, then `{"read": "jobs"}` as often as needed. Output starts
with `{"hello": VERSION}`. A reading prints each record as an array, its values in the order of JOB, and ends with
`{"done": COUNT}`, with `{"error": TEXT}` if Slurm does not answer, or with `{"broken": TEXT}` if this program does not
fit the installed pyslurm. The program ends with its input.
"""

from __future__ import annotations

import json
import os
import pwd
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

#: Attributes of pyslurm.Job. They are followed by the user's name, then GPUs, cores and memory: allocated, requested,
#: and requested per node.
JOB = (
    "id",
    "array_id",
    "array_task_id",
    "array_tasks_waiting",
    "array_tasks_parallel",
    "account",
    "partition",
    "qos",
    "state",
    "state_reason",
    "allocated_nodes",
    "num_nodes",
    "cpus",
    "submit_time",
    "eligible_time",
    "start_time",
    "end_time",
    "time_limit",
    "priority",
    "reservation",
    "exit_code",
    "exit_code_signal",
    "name",
    "comment",
)
#: GPUs and parts of them.
GRES = ("gpu", "shard", "mps")
#: The longest time until a renamed user shows.
NAMES_LAST_S = 600.0

Say = Callable[[Any], None]


class Users:
    """User names by uid. pyslurm would ask the system for each job, and some systems ask a directory."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._before: dict[int, str] = {}
        self.until = 0.0

    def name(self, number: int) -> str:
        now = time.monotonic()
        if now > self.until:
            self._before.update(self._names)
            self._names, self.until = {}, now + NAMES_LAST_S
        if number not in self._names:
            try:
                self._names[number] = pwd.getpwuid(number).pw_name
            except KeyError:
                self._names[number] = self._before.get(number, str(number))  # the directory may be down
        return self._names[number]


def value(thing: Any, attribute: str) -> Any:
    """Return an attribute, decoding text that is not UTF-8 as far as possible."""
    try:
        return getattr(thing, attribute)
    except UnicodeDecodeError as error:
        return bytes(error.object).decode(errors="replace")


def resources(held: Any) -> dict[str, int] | None:
    """Return trackable resources as `{"cpu": 4, "mem": 4000, "gpu:v100": 2, "shard": 1}`; None if there are none."""
    if held is None:
        return None
    tres = {name: tres.count for name, tres in (("cpu", held.cpu), ("mem", held.mem)) if tres is not None}
    tres.update((name, gres.count) for name, gres in held.gres.items() if name.partition(":")[0] in GRES)
    return tres


def job(job: Any, users: Users) -> list[Any]:
    """Return a job's values; only its id if pyslurm cannot read the rest, since one job must not hide the others."""
    try:
        row = [value(job, name) for name in JOB]
        held = [resources(job.allocated_tres), resources(job.requested_tres), job.gres_per_node]
        return [*row, users.name(job.user_id), *held]
    except (ValueError, TypeError, IndexError, OverflowError):
        return [job.id]


def answer(pyslurm: Any, request: dict[str, Any], users: Users, say: Say) -> None:
    count = 0
    if "init" in request:
        pyslurm.slurm_init(request["init"])
    else:
        for loaded in pyslurm.Jobs.load().values():
            say(job(loaded, users))
            count += 1
    say({"done": count})


def serve(say: Say, flush: Callable[[], None]) -> None:
    os.environ["PYSLURM_DISABLE_AUTO_INIT"] = "1"  # without slurm.conf, the import alone would end the process
    try:
        import pyslurm
    except Exception as error:  # whatever a library of another series raises
        say({"broken": f"it cannot be imported: {error}"[:500]})
        flush()
        return
    users = Users()
    say({"hello": str(pyslurm.__version__)})
    flush()
    for line in sys.stdin:
        try:
            answer(pyslurm, json.loads(line), users, say)
        except pyslurm.RPCError as error:
            say({"error": str(error)[:500]})
        except Exception as error:  # reported to the portal, which then uses the commands
            say({"broken": f"{type(error).__name__}: {error}"[:500]})
        flush()


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # pyslurm prints now and then. That goes to stderr; this program writes to a descriptor of its own.
    out = os.fdopen(os.dup(1), "w", encoding="ascii", buffering=1 << 16)
    os.dup2(2, 1)
    encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode

    def say(what: Any) -> None:
        out.write(f"{encode(what)}\n")

    serve(say, out.flush)


if __name__ == "__main__":
    main()
