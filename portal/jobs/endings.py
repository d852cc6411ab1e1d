"""How batch jobs end, in words: what happened, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable

from portal.jobs.models import JobRecord
from portal.jobs.schemas import JobEndOut
from portal.policy import formatting
from portal.slurm.jobs import JobState

SIGNALS = {1: "hung up", 2: "interrupted", 6: "aborted", 9: "killed", 11: "crashed (segmentation fault)", 15: "ended"}
#: Exit codes with a conventional meaning.
EXITS = {
    126: "A program in its script is not executable: check its permissions.",
    127: "A command in its script was not found: check the environment and the modules.",
    137: "One of its processes was killed, often for using too much memory: look at the end of its output.",
    139: "One of its processes crashed (segmentation fault).",
}
CODES = {
    "COMPLETED": "finished",
    "FAILED": "failed",
    "TIMEOUT": "time_limit",
    "DEADLINE": "deadline",
    "OUT_OF_MEMORY": "oom",
    "NODE_FAIL": "node_failed",
    "BOOT_FAIL": "node_failed",
    "LAUNCH_FAILED": "launch_failed",
    "PREEMPTED": "preempted",
    "CANCELLED": "cancelled",
    "REVOKED": "cancelled",
}


def code_of(record: JobRecord) -> str:
    code = CODES.get(record.state, "gone")
    return "gpu_oom" if code == "failed" and record.gpu_memory else code


def ending(record: JobRecord) -> JobEndOut | None:
    """Return how the job ended; None until it has."""
    if record.ended_at is None:
        return None
    code = code_of(record)
    text, advice = _WORDS[code](record)
    return JobEndOut(code=code, text=text, advice=advice)


def _finished(record: JobRecord) -> tuple[str, str | None]:
    return ("All its tasks finished." if record.array_total else "It finished."), None


def _failed(record: JobRecord) -> tuple[str, str | None]:
    if record.array_total:
        return (
            f"{record.array_failed} of its {formatting.plural(record.array_total, 'task')} failed.",
            "Open it to see which, and why.",
        )
    if record.signal:
        return f"It was {SIGNALS.get(record.signal, 'ended')} by signal {record.signal}.", "See its output."
    code = record.exit_code
    known = EXITS.get(code or 0)
    if known:
        return f"It ended with exit code {code}. {known}", "Fix its script and submit it again."
    return (
        f"Its script ended with exit code {code}." if code else "It failed.",
        "Its output says why: look at its last lines.",
    )


def _oom(record: JobRecord) -> tuple[str, str | None]:
    asked = f": it used all of its {formatting.memory(per_node(record))}" if record.memory_mib else ""
    nodes = " on a node" if asked and record.nodes > 1 else ""
    return f"It ran out of memory{asked}{nodes}.", "Submit it again with more memory."


def _time_limit(record: JobRecord) -> tuple[str, str | None]:
    limit = f" of {formatting.duration(record.walltime_s)}" if record.walltime_s else ""
    return (
        f"It reached its time limit{limit}.",
        "Submit it again with more time, or let it save checkpoints to resume from.",
    )


def _cancelled(record: JobRecord) -> tuple[str, str | None]:
    if record.array_total and record.array_done:
        of = f"{record.array_cancelled} of its {formatting.plural(record.array_total, 'task')}"
        return f"{of} {'was' if record.array_cancelled == 1 else 'were'} cancelled.", None
    before = "" if record.started_at else " before it started"
    if record.cancelled_by and record.cancelled_by != record.owner:
        return f"It was cancelled by {record.cancelled_by}{before}.", "Ask them why before you submit it again."
    return f"You cancelled it{before}." if record.cancelled_by else f"It was cancelled{before}.", None


def _node_failed(record: JobRecord) -> tuple[str, str | None]:
    where = f" ({record.node_list})" if record.node_list else ""
    return f"One of its nodes failed{where}.", "Submit it again; Slurm places it on other nodes."


_WORDS: dict[str, Callable[[JobRecord], tuple[str, str | None]]] = {
    "finished": _finished,
    "failed": _failed,
    "oom": _oom,
    "gpu_oom": lambda record: (
        record.gpu_memory or "",
        "Submit it again with a smaller batch or model, or on a GPU with more memory.",
    ),
    "time_limit": _time_limit,
    "cancelled": _cancelled,
    "node_failed": _node_failed,
    "deadline": lambda _: ("It could not end before its deadline.", "Submit it again with a later deadline."),
    "launch_failed": lambda _: (
        "It could not be launched on its nodes.",
        "Submit it again; if it fails again, tell the administrators.",
    ),
    "preempted": lambda _: (
        "It was preempted by a job with higher priority.",
        "Submit it again; it will wait in the queue.",
    ),
    "gone": lambda _: ("Slurm no longer knows how it ended.", "Look at its output."),
}


def per_node(record: JobRecord) -> int:
    return (record.memory_mib or 0) // max(1, record.nodes)


def peak_memory_mib(record: JobRecord) -> int | None:
    """Return what Slurm measured; None if the job ran out of memory, since its last growth came after the last sample
    (sacct(1), MaxRSS).
    """
    return None if record.state == JobState.OUT_OF_MEMORY else record.used_memory_mib
