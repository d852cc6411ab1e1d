"""The agent's first request: it identifies itself and gets what to start."""

from __future__ import annotations

import os
import time
from typing import Any, Callable, Mapping, NamedTuple

from .launch import Launch
from .portal import Portal, Unreachable

PATIENCE_S = 900.0
TIMEOUT_S = 40.0
FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 5.0


class Job(NamedTuple):
    """Where this agent runs and which portal it reports to."""

    portal_url: str
    session: str
    secret: str
    job_id: str
    node: str
    gpus: str

    @classmethod
    def here(cls, environ: Mapping[str, str]) -> Job:
        """Read the job from the environment. Raises KeyError naming what is missing."""
        return cls(
            environ["DSP_PORTAL"],
            environ["DSP_SESSION"],
            environ["DSP_SECRET"],
            environ.get("SLURM_JOB_ID", ""),
            environ.get("SLURMD_NODENAME", os.uname().nodename),
            environ.get("CUDA_VISIBLE_DEVICES", ""),
        )


def introduction(job: Job, key: str, address: str) -> dict[str, Any]:
    """Return the agent's identity: its job's one-time secret, and its own key for all later requests."""
    return {
        "session": job.session,
        "secret": job.secret,
        "key": key,
        "job_id": job.job_id,
        "node": job.node,
        "host": address,
        "pid": os.getpid(),
        "gpus": job.gpus,
        "onlookers": True,  # what only looks does nothing here
    }


def hello(portal: Portal, job: Job, *, key: str, address: str, log: Callable[[str], None]) -> Launch:
    """Ask until there is something to start; the portal may hold the request for a while and answer "not yet" (202).

    Raises Unreachable after a quarter of an hour without an answer, Gone, Refused, or KeyError, TypeError, ValueError
    if the answer is not a launch.
    """
    body = introduction(job, key, address)
    deadline = time.monotonic() + PATIENCE_S
    wait = FIRST_WAIT_S
    while True:
        asked = time.monotonic()
        try:
            status, answer = portal.call("hello", body, timeout_s=TIMEOUT_S)
        except Unreachable as error:
            if asked > deadline:
                raise
            if wait == FIRST_WAIT_S:
                log(f"{error}; trying again")
            time.sleep(wait)
            wait = min(LONGEST_WAIT_S, wait * 2)
            continue
        if status == 200:
            return Launch.parse(answer["launch"])
        if asked > deadline:
            raise Unreachable("the portal has nothing to start for this session")
        if time.monotonic() - asked < FIRST_WAIT_S:
            time.sleep(FIRST_WAIT_S)  # do not ask a portal that does not hold the request in a tight loop
