"""Finds what is wrong with a script before submission, and assigns Slurm's refusals to the fields of the form."""

from __future__ import annotations

import re

from portal.errors import FieldProblem, PortalError
from portal.jobs.script.parse import Script
from portal.jobs.script.walltime import read_time
from portal.policy.closures import runs_into
from portal.policy.limits import limits_for
from portal.policy.resolve import refusal
from portal.policy.view import ClusterView, PartitionView, UserView
from portal.settings import Settings
from portal.slurm.client import session_of

#: Fields of a session request, as Slurm's refusals name them, and their names in the job form.
_FIELDS = {
    "gpus": "gpus_per_node",
    "cpus": "cpus_per_task",
    "memory_mib": "memory_mib_per_node",
}
_HETEROGENEOUS = re.compile(r"\b(hetjob|packjob)\b")


def problems(script: Script, user: UserView, cluster: ClusterView, settings: Settings) -> list[FieldProblem]:
    """Return the problems of a script that Slurm would not report, or would report less plainly."""
    found = []
    if not script.text.startswith("#!"):
        found.append(FieldProblem("script", "The first line must name the interpreter, such as #!/bin/bash."))
    if "\r" in script.text:
        found.append(FieldProblem("script", "The script has Windows line endings; save it with Unix ones."))
    if session_of(script.options.get("job-name", script.form.name)) is not None:
        found.append(FieldProblem("name", "Names like this one are reserved for sessions; choose another one."))
    name = script.form.environment
    if name is not None and name not in settings.environments and not name.startswith("image-"):
        known = ", ".join(settings.environments)
        found.append(FieldProblem("environment", f"There is no environment “{name}”. Choose one of: {known}."))
    return [*found, *_partitions(script, user, cluster, settings)]


def _partitions(script: Script, user: UserView, cluster: ClusterView, settings: Settings) -> list[FieldProblem]:
    limits = limits_for(user, settings.policy)
    found = []
    for name in _named(script, cluster):
        partition = cluster.partitions.get(name)
        if partition is None:
            known = ", ".join(cluster.partitions) or "none"
            found.append(FieldProblem("partition", f"There is no partition “{name}”. Choose one of: {known}."))
        elif (why := refusal(partition, user, limits)) is not None:
            found.append(FieldProblem("partition", why))
        elif "begin" not in script.options and (why := runs_into(partition, _walltime(script, partition))) is not None:
            found.append(FieldProblem("walltime_s", why))
    if limits.partitions is not None and _HETEROGENEOUS.search("\n".join(script.directives)):
        found.append(
            FieldProblem("script", "Your groups may use only some partitions, so heterogeneous jobs cannot be checked.")
        )
    return found


def _walltime(script: Script, partition: PartitionView) -> int | None:
    """Return a job's time limit in seconds; None if nothing ends it."""
    if (asked := script.options.get("time")) is not None:
        return read_time(asked) or None
    return partition.default_walltime_s or partition.max_walltime_s


def pinned(script: Script, user: UserView, cluster: ClusterView, settings: Settings) -> str | None:
    """Return the partitions for argv if policy restricts them, so that no spelling in the script can override it."""
    restricted = limits_for(user, settings.policy).partitions is not None
    return ",".join(_named(script, cluster)) or None if restricted else None


def _named(script: Script, cluster: ClusterView) -> list[str]:
    """Return the partitions that a script names, or Slurm's default."""
    if named := script.options.get("partition"):
        return [name for name in named.split(",") if name]
    return [one.name for one in cluster.partitions.values() if one.default]


def from_slurm(error: PortalError) -> list[FieldProblem]:
    """Return Slurm's refusal as problems of form fields."""
    if not error.fields:
        return [FieldProblem("script", error.message)]
    return [FieldProblem(_field(one.field), one.message) for one in error.fields]


def _field(name: str) -> str:
    name = name.removeprefix("resources.")
    return _FIELDS.get(name, name)
