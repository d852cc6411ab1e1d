"""Finds in a program's last output that the memory of a GPU ran out, as CUDA's libraries report it.

Only the last error counts: a program may catch this one, try a smaller batch, and fail for another reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from portal.policy import formatting
from portal.slurm.snapshot import Snapshot

#: The end of an output that is searched: a traceback of JAX with its list of buffers takes this much.
TAIL_BYTES = 16_384
#: Of output without a Python traceback.
LAST_LINES = 20

_ERROR = re.compile(r"^(?:\[[\w:. -]+\]:? *)?((?:\w+\.)*\w*(?:Error|Exception|Interrupt|Exit|Failure))(?::|$)", re.M)
#: Errors of those that started the program: torchrun, subprocess, multiprocessing.
_OF_STARTERS = ("ChildFailedError", "CalledProcessError", "ProcessRaisedException", "ProcessExitedException")
_FULL = re.compile(
    r"(?:CUDA|HIP) out of memory"
    r"|CUDA error: (?:out of memory|cudaErrorMemoryAllocation)"
    r"|CUDA_ERROR_OUT_OF_MEMORY|cudaErrorMemoryAllocation"
    r"|cupy\.cuda\.memory\.OutOfMemoryError"
    r"|RESOURCE_EXHAUSTED: Out of memory while trying to allocate"
    r"|OOM when allocating tensor[^\n]*device:GPU:"
)
_GPU = re.compile(
    r"\bGPU (\d{1,3}) has a total capacity|\(GPU (\d{1,3});|\bon device (\d{1,3})\b|device:GPU:(\d{1,3})\b"
)
_CAPACITY = re.compile(r"total capacity of (\d{1,4}(?:\.\d{1,2})?) GiB|(\d{1,4}(?:\.\d{1,2})?) GiB total capacity")

#: The least memory in GB with which a GPU is sold under a name.
_SOLD_WITH = {
    "t4": 16, "p100": 12, "v100": 16, "a10": 24, "a30": 24, "a40": 48, "a100": 40, "a5000": 24, "a6000": 48,
    "l4": 24, "l40": 48, "l40s": 48, "h100": 80, "h200": 141, "gh200": 96, "b200": 180, "b300": 270,
    "mi210": 64, "mi300x": 192, "mi325x": 256,
}  # fmt: skip
_MIG = re.compile(r"(?<![0-9])[1-7]g\.(\d{1,3})gb(?![a-z0-9])")
_STATED = re.compile(r"(\d{2,3})gb?\b")


def ran_out(output: str, snapshot: Snapshot) -> str | None:
    """Return in a sentence or two that the memory of a GPU ran out; None unless the last error of `output` says so.

    Names types of the cluster's GPUs that have more memory, where theirs and the full one's are known.
    """
    end = _last_error(output[-TAIL_BYTES:])
    if _FULL.search(end) is None:
        return None
    gpu, capacity = _GPU.search(end), _CAPACITY.search(end)
    which = f"GPU {next(number for number in gpu.groups() if number)}" if gpu else "A GPU"
    if capacity is None:
        return f"{which} ran out of memory."
    gib = float(next(number for number in capacity.groups() if number))
    types = {count.type for node in snapshot.nodes for count in node.gpus}
    larger = sorted(name.upper() for name in types if (memory_gb(name) or 0) > gib * 1.2)
    more = f" {_listed(larger)} GPUs of this cluster have more." if larger else ""
    return f"{which} ran out of memory: it has {formatting.memory(gib * 1024)}.{more}"


def memory_gb(gpu_type: str) -> int | None:
    """Return the least memory that a GPU of this type (Slurm's name, such as `a100_80gb`) can have; None: unknown.

    For a MIG instance (`a100_1g.10gb`) it is the instance's.
    """
    if instance := _MIG.search(gpu_type.lower()):
        return int(instance[1])
    parts = re.split(r"[^a-z0-9]+", gpu_type.lower())
    if "mig" in parts:
        return None
    if stated := next((match for match in map(_STATED.fullmatch, parts) if match), None):
        return int(stated[1])
    return next((_SOLD_WITH[part] for part in parts if part in _SOLD_WITH), None)


def _last_error(output: str) -> str:
    """Return the last Python error's message, or else the last lines."""
    errors = list(_ERROR.finditer(output))
    for at in reversed(range(len(errors))):
        if not errors[at][1].endswith(_OF_STARTERS):
            end = errors[at + 1].start() if at + 1 < len(errors) else len(output)
            return output[errors[at].start() : end]
    return "\n".join(output.splitlines()[-LAST_LINES:])


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
