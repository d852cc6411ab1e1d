"""Batch jobs from a notebook of a session: `import portal_jobs`, or `%load_ext portal_jobs` for its magics.

    job = portal_jobs.submit(script)            a script with #SBATCH lines
    job = portal_jobs.run("train.py", nodes=2)  fields of the portal's form, and a command
    job = portal_jobs.submit_function(train, 20)  a function of the notebook, called with 20
    job = portal_jobs.submit_notebook("a.ipynb", parameters={"epochs": 20}, gpus_per_node=1)
    job.follow(); job.wait(); job.cancel()
    portal_jobs.job(4711).follow()              a job that was submitted earlier

Python's standard library alone, Python 3.8 and newer: it runs in whatever environment the notebook has. It speaks to
the portal with the session's own token. The agent brings this folder to the node.
"""

from __future__ import annotations

from typing import Any

from .client import PortalAway, PortalError
from .code import submit_code, submit_function
from .jobs import Job, check, compose, job, run, submit
from .magic import portal_submit
from .notebook import submit_notebook

__all__ = [
    "Job",
    "PortalAway",
    "PortalError",
    "check",
    "compose",
    "job",
    "run",
    "submit",
    "submit_code",
    "submit_function",
    "submit_notebook",
]


def load_ipython_extension(shell: Any) -> None:
    shell.register_magic_function(portal_submit, "line_cell", "portal_submit")
