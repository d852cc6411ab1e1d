"""Builds the script from a form: `#SBATCH` lines, the environment, and the command as typed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from portal.jobs.script.form import JobForm
from portal.jobs.script.walltime import write_memory, write_time

SHEBANG = "#!/bin/bash"
#: Lines that only the portal reads; for sbatch they are comments.
OWN = "#PORTAL "


def compose(form: JobForm, entry: Sequence[str] = (), kept: Sequence[str] = ()) -> str:
    """Return the script. `entry`: lines that enter the environment. `kept`: original lines that no field shows, namely
    an interpreter other than bash, and `#SBATCH` lines.
    """
    shebang = next((line for line in kept if line.startswith("#!")), SHEBANG)
    others = [line for line in kept if not line.startswith("#!")]
    parts = [[shebang, *_directives(form), *others, *_own(form)], list(_prologue(form, entry))]
    head = "\n\n".join("\n".join(part) for part in parts if part)
    body = form.command.strip("\n")
    return f"{head}\n\n{body}\n" if body.strip() else f"{head}\n"


def _directives(form: JobForm) -> Iterator[str]:
    for name, value in _options(form):
        yield f"#SBATCH --{name}={value}" if value else f"#SBATCH --{name}"


def _options(form: JobForm) -> Iterator[tuple[str, str]]:
    yield "job-name", _word(form.name)
    for name in ("partition", "account", "qos", "reservation", "constraint", "licenses", "wckey"):
        if value := getattr(form, name):
            yield name, value
    yield "nodes", str(form.nodes)
    if form.tasks_per_node is not None:
        yield "ntasks-per-node", str(form.tasks_per_node)
    if form.cpus_per_task is not None:
        yield "cpus-per-task", str(form.cpus_per_task)
    if form.exclusive:
        yield "exclusive", ""
    kind = f"{form.gpu_type}:" if form.gpu_type else ""
    parts = (("gpu", form.gpus_per_node), ("shard", form.shards_per_node), ("mps", form.mps_per_node))
    if gres := ",".join(f"{name}:{kind}{count}" for name, count in parts if count):
        yield "gres", gres
    if form.memory_mib_per_node is not None:
        yield "mem", write_memory(form.memory_mib_per_node)
    if form.walltime_s is not None:
        yield "time", write_time(form.walltime_s)
    if form.array:
        yield "array", form.array.range + (f"%{form.array.at_once}" if form.array.at_once else "")
    if form.dependencies:
        yield "dependency", ",".join(f"{dependency.kind}:{dependency.job}" for dependency in form.dependencies)
    for name, path in (("chdir", form.workdir), ("output", form.output), ("error", form.error)):
        if path:
            yield name, _word(path)


def _word(value: str) -> str:
    """Quote a value for a directive. The value contains no quote and no backslash (`form`)."""
    return f'"{value}"' if any(part.isspace() for part in value) else value


def _own(form: JobForm) -> Iterator[str]:
    if form.notify:
        yield f"{OWN}notify"


def _prologue(form: JobForm, entry: Sequence[str]) -> Iterator[str]:
    if form.modules:
        yield f"module load {' '.join(form.modules)}"
    if form.environment:
        yield f"{OWN}environment {form.environment}"
        yield from entry
    for variable in form.env:
        yield f"export {variable.name}={shlex.quote(variable.value)}"
