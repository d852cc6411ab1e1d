"""Describes what is wrong with GPUs: Xid errors and slowed clocks, from the reports of sessions and jobs.

The Xids are those in NVIDIA's catalogue (docs.nvidia.com/deploy/xid-errors).
"""

from __future__ import annotations

from collections.abc import Sequence

from portal.gpus.schemas import GpuUse

PROGRAM = "Usually a bug in the program: look for illegal memory accesses (compute-sanitizer)."
HARDWARE = "The hardware is at fault: save your work, start again on another node, and tell the administrators."
XIDS = {
    13: f"a program used the GPU wrongly. {PROGRAM}",
    31: f"a program accessed memory that is not its own. {PROGRAM}",
    43: f"a program's work on the GPU was stopped. {PROGRAM}",
    45: "work was cleaned up after a program ended; the error before it says why.",
    48: f"memory had an error that could not be corrected. {HARDWARE}",
    63: "a faulty row of memory is being replaced; it takes effect at the GPU's next reset.",
    64: f"a faulty row of memory could not be replaced. {HARDWARE}",
    74: f"NVLink had an error. {HARDWARE}",
    79: f"the GPU has fallen off the bus. {HARDWARE}",
    92: f"memory has had many corrected errors. {HARDWARE}",
    94: "memory had an error that ended the program that used it. Start the program again.",
    95: f"memory had an error that may affect all programs. {HARDWARE}",
    119: f"the GPU's own processor does not answer. {HARDWARE}",
    120: f"the GPU's own processor had an error. {HARDWARE}",
}
UNKNOWN = "an error that the portal does not know. Ask the administrators; NVIDIA's list of Xid errors names it."
SLOWED = {
    "heat": "slowed down by heat {percent} of the time. The administrators should look at the node's cooling.",
    "power_brake": "slowed down by the node's power supply {percent} of the time. Tell the administrators.",
    "hardware": "slowed down by a hardware limit (heat or power) {percent} of the time. Tell the administrators.",
}
#: A smaller share of an interval is not reported.
SLOWED_PERCENT = 5.0


def in_words(gpus: Sequence[GpuUse]) -> list[str]:
    """Return a sentence for each problem of the GPUs, errors first."""
    errors = [
        f"GPU {gpu.index}: Xid {xid}, {XIDS.get(xid, UNKNOWN)}" for gpu in gpus for xid in dict.fromkeys(gpu.xids)
    ]
    slowed = [
        f"GPU {gpu.index}: {SLOWED[gpu.slowed_by].format(percent=f'{gpu.slowed_percent:.0f} %')}"
        for gpu in gpus
        if gpu.slowed_by is not None and gpu.slowed_percent is not None and gpu.slowed_percent >= SLOWED_PERCENT
    ]
    return errors + slowed


def news(before: Sequence[GpuUse], after: Sequence[GpuUse]) -> list[tuple[int, int]]:
    """Return the Xids that are new since the previous report, each with its GPU's index."""
    known = {(gpu.index, xid) for gpu in before for xid in gpu.xids}
    return [(gpu.index, xid) for gpu in after for xid in dict.fromkeys(gpu.xids) if (gpu.index, xid) not in known]
