"""Which of the job's processes hold a GPU's memory, by NVML and /proc. Other users' processes are not looked at."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Container

MIB = 1024 * 1024
MOST = 16
NAME_LENGTH = 60
LISTS = ("nvmlDeviceGetComputeRunningProcesses", "nvmlDeviceGetGraphicsRunningProcesses")


def of_gpu(nvml: Any, handle: Any, own: Container[int], proc: Path = Path("/proc")) -> list[dict[str, Any]]:
    """Return the job's processes on a GPU, those with most memory first. Memory is None if NVML does not report it."""
    found: dict[int, int | None] = {}
    for name in LISTS:
        with suppress(nvml.NVMLError, AttributeError):
            for process in getattr(nvml, name)(handle):
                if process.pid in own:
                    found[process.pid] = process.usedGpuMemory
    most = sorted(found.items(), key=lambda item: -(item[1] or 0))[:MOST]
    return [
        {"pid": pid, "name": name_of(pid, proc), "memory_mib": None if used is None else used // MIB}
        for pid, used in most
    ]


def name_of(pid: int, proc: Path = Path("/proc")) -> str:
    """Return a name for the process that its owner recognizes: a kernel, a script, or a program."""
    try:
        words = (proc / str(pid) / "cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
    except OSError:
        return ""
    if any("ipykernel" in word for word in words) or any(word.endswith("IRkernel::main()") for word in words):
        return "Jupyter kernel"
    words = [Path(words[0]).name, *(word for word in words[1:] if not word.startswith("-"))][:2] if words else []
    text = " ".join(word.rpartition("/")[2] for word in words)
    return "".join(letter for letter in text if letter.isprintable())[:NAME_LENGTH]
