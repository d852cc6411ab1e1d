"""Describes what is wrong with GPUs: Xid errors and slowed clocks, from the reports of sessions and jobs.

The Xids are those in NVIDIA's catalogue (docs.nvidia.com/deploy/xid-errors).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from portal.gpus.schemas import GpuUse


class Fault(StrEnum):
    PROGRAM = " Usually a bug in the program: look for illegal memory accesses (compute-sanitizer)."
    HARDWARE = " The hardware is at fault: "
    NONE = ""


XIDS = {
    13: ("a program used the GPU wrongly.", Fault.PROGRAM),
    31: ("a program accessed memory that is not its own.", Fault.PROGRAM),
    43: ("a program's work on the GPU was stopped.", Fault.PROGRAM),
    45: ("work was cleaned up after a program ended; the error before it says why.", Fault.NONE),
    48: ("memory had an error that could not be corrected.", Fault.HARDWARE),
    63: ("a faulty row of memory is being replaced; it takes effect at the GPU's next reset.", Fault.NONE),
    64: ("a faulty row of memory could not be replaced.", Fault.HARDWARE),
    74: ("NVLink had an error.", Fault.HARDWARE),
    79: ("the GPU has fallen off the bus.", Fault.HARDWARE),
    92: ("memory has had many corrected errors.", Fault.HARDWARE),
    94: ("memory had an error that ended the program that used it. Start the program again.", Fault.NONE),
    95: ("memory had an error that may affect all programs.", Fault.HARDWARE),
    119: ("the GPU's own processor does not answer.", Fault.HARDWARE),
    120: ("the GPU's own processor had an error.", Fault.HARDWARE),
}
OF_HARDWARE = frozenset(xid for xid, (_, fault) in XIDS.items() if fault is Fault.HARDWARE)
TO_OWNER = "save your work, start again on another node, and tell the administrators."
TO_ADMIN = "drain the node, and test the GPU before anybody uses it again."
UNKNOWN = "an error that the portal does not know. NVIDIA's list of Xid errors names it."
SLOWED = {
    "heat": ("heat", "look at the node's cooling."),
    "power_brake": ("the node's power supply", "look at it."),
    "hardware": ("a hardware limit (heat or power)", "look at the node's cooling and power supply."),
}
#: A smaller share of an interval is not reported.
SLOWED_PERCENT = 5.0


def in_words(gpus: Sequence[GpuUse], *, admin: bool = False) -> list[str]:
    """Return a sentence for each problem of the GPUs, errors first: to their owner, or to an administrator.

    The owner's job knows a GPU by its index, the administrator by its UUID.
    """
    named = [((admin and gpu.uuid) or f"GPU {gpu.index}", gpu) for gpu in gpus]
    errors = [
        f"{name}: Xid {xid}, {_error(xid, admin=admin)}" for name, gpu in named for xid in dict.fromkeys(gpu.xids)
    ]
    slowed = [
        f"{name}: slowed down by {by} {gpu.slowed_percent:.0f} % of the time."
        f" {todo.capitalize() if admin else f'The administrators should {todo}'}"
        for name, gpu in named
        if gpu.slowed_by is not None and gpu.slowed_percent is not None and gpu.slowed_percent >= SLOWED_PERCENT
        for by, todo in [SLOWED[gpu.slowed_by]]
    ]
    return errors + slowed


def _error(xid: int, *, admin: bool) -> str:
    what, fault = XIDS.get(xid, (UNKNOWN, Fault.NONE))
    advice = (TO_ADMIN if admin else TO_OWNER) if fault is Fault.HARDWARE else ""
    return f"{what}{fault}{advice}"


def news(before: Sequence[GpuUse], after: Sequence[GpuUse]) -> list[tuple[int, int]]:
    """Return the Xids that are new since the previous report, each with its GPU's index."""
    known = {(gpu.index, xid) for gpu in before for xid in gpu.xids}
    return [(gpu.index, xid) for gpu in after for xid in dict.fromkeys(gpu.xids) if (gpu.index, xid) not in known]
