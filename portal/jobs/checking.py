"""Finds what is wrong with a script before submission, and assigns Slurm's refusals to the fields of the form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from portal.errors import FieldProblem, PortalError
from portal.jobs.parse import Parsed, directives, options
from portal.jobs.walltime import read_time
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
#: The options that matter here, and how many letters identify each.
_CUT = {"partition": 2, "comment": 3, "job-name": 2, "output": 2, "error": 2, "chdir": 2}
_HETEROGENEOUS = re.compile(r"\b(hetjob|packjob)\b")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a script's directives, the last of each kind; `odd` lists unreadable lines."""

    values: dict[str, str]
    odd: tuple[str, ...]


def options_of(script: str) -> Options:
    values: dict[str, str] = {}
    odd = []
    for line in directives(script):
        found = options(line)
        if found is None:
            odd.append(line)
            continue
        for name, value in found:
            values[_long(name)] = value or ""
    return Options(values, tuple(odd))


def _long(name: str) -> str:
    """Slurm accepts `--part` for `--partition`: a name may be cut as long as it stays unambiguous."""
    return next((whole for whole, least in _CUT.items() if len(name) >= least and whole.startswith(name)), name)


def problems(
    script: str, parsed: Parsed, user: UserView, cluster: ClusterView, settings: Settings
) -> list[FieldProblem]:
    """Return the problems of a script that Slurm would not report, or would report less plainly."""
    found = []
    if not script.startswith("#!"):
        found.append(FieldProblem("script", "The first line must name the interpreter, such as #!/bin/bash."))
    if "\r" in script:
        found.append(FieldProblem("script", "The script has Windows line endings; save it with Unix ones."))
    said = options_of(script)
    if session_of(said.values.get("job-name", parsed.form.name)) is not None:
        found.append(FieldProblem("name", "Names like this one are reserved for sessions; choose another one."))
    name = parsed.form.environment
    if name is not None and name not in settings.environments and not name.startswith("image-"):
        known = ", ".join(settings.environments)
        found.append(FieldProblem("environment", f"There is no environment “{name}”. Choose one of: {known}."))
    return [*found, *_partitions(script, said, user, cluster, settings)]


def _partitions(
    script: str, said: Options, user: UserView, cluster: ClusterView, settings: Settings
) -> list[FieldProblem]:
    limits = limits_for(user, settings.policy)
    found = []
    for name in partitions(said, cluster):
        partition = cluster.partitions.get(name)
        if partition is None:
            known = ", ".join(cluster.partitions) or "none"
            found.append(FieldProblem("partition", f"There is no partition “{name}”. Choose one of: {known}."))
        elif (why := refusal(partition, user, limits)) is not None:
            found.append(FieldProblem("partition", why))
        elif "begin" not in said.values and (why := runs_into(partition, walltime(said, partition))) is not None:
            found.append(FieldProblem("walltime_s", why))
    if limits.partitions is not None and _HETEROGENEOUS.search("\n".join(directives(script))):
        found.append(
            FieldProblem("script", "Your groups may use only some partitions, so heterogeneous jobs cannot be checked.")
        )
    return found


def walltime(said: Options, partition: PartitionView) -> int | None:
    """Return a job's time limit in seconds; None if nothing ends it."""
    if (asked := said.values.get("time")) is not None:
        return read_time(asked) or None
    return partition.default_walltime_s or partition.max_walltime_s


def narrowed(user: UserView, settings: Settings) -> bool:
    """Whether policy restricts this user to some partitions."""
    return limits_for(user, settings.policy).partitions is not None


def partitions(said: Options, cluster: ClusterView) -> list[str]:
    """Return the partitions that a script names, or Slurm's default."""
    if named := said.values.get("partition"):
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
