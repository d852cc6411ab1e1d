"""Finds what is wrong with a script before submission, and assigns Slurm's refusals to the fields of the form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from portal.errors import FieldProblem, PortalError
from portal.jobs.script.demand import ScriptRequest, asked, gpus_on_a_node, parts_of_gpus
from portal.jobs.script.parse import HETEROGENEOUS, Script
from portal.numbers import whole_number
from portal.policy.closures import runs_into
from portal.policy.demand import excess
from portal.policy.gpu_types import gpu_type_refusal
from portal.policy.limits import Limits, limits_for
from portal.policy.parts import ASKED_AS, TWO_KINDS, WHOLE_AND_PARTS, part_refusal
from portal.policy.resolve import refusal
from portal.policy.site_options import (
    constraint_refusal,
    licenses_refusal,
    wckey_refusal,
)
from portal.policy.view import ClusterView, PartitionView, UserView
from portal.settings import Settings
from portal.slurm.client import session_of

#: Fields of a session request, as Slurm's refusals name them, and their names in the job form.
_FIELDS = {
    "gpus": "gpus_per_node",
    "cpus": "cpus_per_task",
    "memory_mib": "memory_mib_per_node",
    "shards": "shards_per_node",
    "mps_percent": "mps_per_node",
}
#: Other schedulers' lines, which sbatch also reads unless it is told not to.
_FOREIGN = re.compile(r"#(PBS|BSUB)\b.*")


def problems(script: Script, user: UserView, cluster: ClusterView, settings: Settings) -> list[FieldProblem]:
    """Return the problems of a script that Slurm would not report, or would report less plainly."""
    problems_found = []
    if not script.text.startswith("#!"):
        problems_found.append(FieldProblem("script", "The first line must name the interpreter, such as #!/bin/bash."))
    if "\r" in script.text:
        problems_found.append(FieldProblem("script", "The script has Windows line endings; save it with Unix ones."))
    if session_of(script.options.get("job-name", script.form.name)) is not None:
        problems_found.append(
            FieldProblem("name", "Names like this one are reserved for sessions; choose another one.")
        )
    name = script.form.environment
    if name is not None and name not in settings.environments and not name.startswith("image-"):
        known = ", ".join(settings.environments)
        problems_found.append(FieldProblem("environment", f"There is no environment “{name}”. Choose one of: {known}."))
    limits = limits_for(user, settings.policy)
    problems_found += _partitions(script, user, cluster, limits)
    problems_found += _site_options(script, user, cluster)
    return [*problems_found, *_unreadable(script), *_beyond(script, user, cluster, limits)]


def _site_options(script: Script, user: UserView, cluster: ClusterView) -> Iterator[FieldProblem]:
    """Yield what the site cannot give beside sizes. Slurm judges expressions that the form does not have."""
    partitions = _open_to(script, cluster)
    if not partitions:
        return
    for options in script.parts:
        parts = parts_of_gpus(options)
        on_a_node = gpus_on_a_node(options)
        for part, kind in parts[:1]:
            why = WHOLE_AND_PARTS if on_a_node else TWO_KINDS if parts[1:] else part_refusal(part, kind, partitions)
            if why:
                yield FieldProblem(_field(ASKED_AS[part.gres]), why)
        nodes = whole_number(options.get("nodes", "1"), digits=6) or 1
        if (text := options.get("constraint")) and (why := constraint_refusal(text, on_a_node, nodes, partitions)):
            yield FieldProblem("constraint", why)
        if (text := options.get("licenses")) and (why := licenses_refusal(text, cluster)):
            yield FieldProblem("licenses", why)
        if (text := options.get("wckey")) and (why := wckey_refusal(text, user)):
            yield FieldProblem("wckey", why)


def wanted_of(script: Script, cluster: ClusterView) -> ScriptRequest:
    """Return what the script asks for, as limits count it."""
    return asked(script, _open_to(script, cluster))


def _open_to(script: Script, cluster: ClusterView) -> list[PartitionView]:
    return [cluster.partitions[name] for name in _named(script, cluster) if name in cluster.partitions]


def _unreadable(script: Script) -> Iterator[FieldProblem]:
    """Yield lines that sbatch may read and the portal cannot: limits would not hold for what they ask."""
    for line in script.unread:
        yield FieldProblem(
            "script", f"The line “{_shown(line)}” cannot be read: write each option as --name=value, in plain words."
        )
    foreign = next(_foreign(script.text), None)
    if foreign is not None and "ignore-pbs" not in script.options:
        yield FieldProblem(
            "script",
            f"Slurm would also follow “{_shown(foreign)}”, which cannot be checked: remove the lines of other"
            " schedulers, or add the line #SBATCH --ignore-pbs.",
        )


def _foreign(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip() and not line.startswith("#"):
            return
        if _FOREIGN.match(line):
            yield line


def _shown(line: str) -> str:
    return line if len(line) <= 60 else f"{line[:60]}…"


def _beyond(script: Script, user: UserView, cluster: ClusterView, limits: Limits) -> Iterator[FieldProblem]:
    """Yield what exceeds the user's limits, in the same words as for a session."""
    partitions = _open_to(script, cluster)
    wanted = asked(script, partitions)
    if wanted.gpus is None:
        yield FieldProblem("gpus_per_node", wanted.note)
    for field, message in excess(wanted.demand, user, limits, limits.max_job_walltime_s):
        note = f" {wanted.note}" if field == "gpus" and wanted.note else ""
        if field != "gpus" or wanted.gpus is not None:
            yield FieldProblem(_field(field), f"{message}{note}")
    if limits.gpu_types is not None and wanted.gpus != 0:
        here = {pool.type for partition in partitions for pool in partition.gpus}
        not_yours = wanted.types - limits.gpu_types
        if wanted.untyped and not here <= limits.gpu_types:
            not_yours |= here - limits.gpu_types
        if not_yours:
            yield FieldProblem("gpu_type", gpu_type_refusal(not_yours, limits))


def _partitions(script: Script, user: UserView, cluster: ClusterView, limits: Limits) -> list[FieldProblem]:
    problems = []
    for name in _named(script, cluster):
        partition = cluster.partitions.get(name)
        if partition is None:
            known = ", ".join(cluster.partitions) or "none"
            problems.append(FieldProblem("partition", f"There is no partition “{name}”. Choose one of: {known}."))
        elif (why := refusal(partition, user, limits)) is not None:
            problems.append(FieldProblem("partition", why))
        elif (
            "begin" not in script.options
            and (why := runs_into(partition, asked(script, [partition]).walltime_s)) is not None
        ):
            problems.append(FieldProblem("walltime_s", why))
    if limits.partitions is not None and HETEROGENEOUS.search("\n".join(script.directives)):
        problems.append(
            FieldProblem("script", "Your groups may use only some partitions, so heterogeneous jobs cannot be checked.")
        )
    return problems


def pinned(script: Script, user: UserView, cluster: ClusterView, settings: Settings) -> str | None:
    """Return the partitions for argv if policy restricts them, so that no spelling in the script can override it."""
    restricted = limits_for(user, settings.policy).partitions is not None
    return ",".join(_named(script, cluster)) or None if restricted else None


def _named(script: Script, cluster: ClusterView) -> list[str]:
    """Return the partitions that a script names, or Slurm's default."""
    if named := script.options.get("partition"):
        return [name for name in named.split(",") if name]
    return [partition.name for partition in cluster.partitions.values() if partition.default]


def from_slurm(error: PortalError) -> list[FieldProblem]:
    """Return Slurm's refusal as problems of form fields."""
    if not error.fields:
        return [FieldProblem("script", error.message)]
    return [FieldProblem(_field(field.field), field.message) for field in error.fields]


def _field(name: str) -> str:
    name = name.removeprefix("resources.")
    return _FIELDS.get(name, name)
