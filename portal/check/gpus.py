"""Checks a GPU node: a user's small job with one GPU runs there and reports what it can and cannot access."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from portal.check import node
from portal.check.findings import Finding, bad, good, warning
from portal.errors import PortalError
from portal.files.service import FileService
from portal.plurals import plural
from portal.settings import Settings
from portal.slurm.batch import BatchSlurm
from portal.slurm.commands import SlurmCommands
from portal.slurm.nodes import Node

DEVICES = "/dev/nvidia[0-9]*"


async def gpus(settings: Settings, user: str | None) -> list[Finding]:
    """Submit the job to a partition with GPUs and read its report. No job without GPUs or without a user."""
    commands = SlurmCommands(settings.slurm)
    with_gpus = [one for one in await commands.nodes() if one.gpus]
    if not with_gpus:
        return []
    if user is None:
        return [warning("not checked", "portal check --user NAME submits a small job with one GPU as that user.")]
    door = commands.door
    asked = questions(settings, (await door.call("version"))["agent"])
    batch = BatchSlurm(commands, deadline_s=settings.slurm.deadline_s)
    partition = partition_of(with_gpus, settings.policy.default_partition)
    job_id = await batch.submit(user, node.script(settings, asked), "~", partition, None)
    try:
        report = await node.report_of(FileService(door), commands, user, job_id, patience_s=node.PATIENCE_S)
        if isinstance(report, list):
            return report
        await node.reached(report)  # which ends the job
        name = report["gpus"]["node"] or report["node"]
        count = next((sum(gpu.total for gpu in one.gpus) for one in with_gpus if one.name == name), None)
        return read(name, report["gpus"], count)
    finally:
        with suppress(PortalError):
            await batch.act(user, "cancel", [str(job_id)], None)


def questions(settings: Settings, agent: str) -> dict[str, Any]:
    """Return the tests for the job: only those of the GPUs."""
    images = (environment.path for environment in settings.environments.values() if environment.kind == "image")
    image = next((str(path) for path in images if path is not None and path.exists()), "")
    nothing: dict[str, Any] = {"paths": [], "urls": [], "serving": {}}
    return node.questions(settings, agent) | nothing | {"gpus": {"devices": DEVICES, "agent": agent, "image": image}}


def partition_of(nodes: Sequence[Node], preferred: str) -> str | None:
    """Return a partition with GPUs: the preferred partition if it has some."""
    names = [name for one in nodes for name in one.partitions]
    return preferred if preferred in names else next(iter(names), None)


def read(where: str, seen: dict[str, Any], count: int | None) -> list[Finding]:
    """Turn the job's report into findings. `count`: the node's GPUs as Slurm has them."""
    return [
        *_allocated(where, seen),
        *_nvml(where, seen["nvml"]),
        *_confined(where, seen),
        *_detected(where, seen, count),
        *_container(where, seen["container"]),
    ]


def _allocated(where: str, seen: dict[str, Any]) -> list[Finding]:
    if len(seen["visible"]) == 1:
        return []
    return [
        bad(
            f"a job with one GPU on {where} has CUDA_VISIBLE_DEVICES={','.join(seen['visible'])}",
            "Slurm sets it for GRES `gpu` with File= or AutoDetect in gres.conf; look for a prolog that changes it.",
        )
    ]


def _nvml(where: str, nvml: dict[str, Any]) -> list[Finding]:
    if "error" in nvml:
        do = "Install the driver with libnvidia-ml.so.1. Until then, GPU use is unknown and no session is idle."
        return [warning(f"NVML does not answer on {where}: {nvml['error']}", do)]
    found = [good(f"driver {nvml['driver']} on {where}")]
    for gpu in nvml["gpus"]:
        parts = " with MIG" if gpu["mig"] else ""
        if gpu["samples"]:
            found.append(good(f"NVML measures the use of {gpu['name']}{parts}"))
        else:
            found.append(
                warning(
                    f"NVML does not report the use of {gpu['name']}{parts}",
                    "MIG instances are measured on Hopper and newer; elsewhere their use stays unknown.",
                )
            )
        if gpu["persistence"] == 0:
            found.append(
                warning(
                    f"persistence mode is off on {where}",
                    "Enable nvidia-persistenced: without it, each job's first CUDA call waits for the driver to load.",
                )
            )
    return found


def _confined(where: str, seen: dict[str, Any]) -> list[Finding]:
    devices, granted = seen["devices"], max(1, len(seen["visible"]))
    if not devices:
        return [warning(f"there is no {DEVICES} on {where}: confinement was not tested", "Load the driver there.")]
    opened = [path for path, why in devices.items() if not why]
    do = (
        "Set ConstrainDevices=yes in cgroup.conf, TaskPlugin=task/cgroup in slurm.conf and File= (or AutoDetect) in "
        "gres.conf, then restart slurmd."
    )
    if not seen["nvml"].get("gpus") or not any(gpu["mig"] for gpu in seen["nvml"]["gpus"]):
        if len(opened) > granted:
            return [bad(f"a job with {granted} GPU on {where} can open {len(opened)}: {', '.join(opened)}", do)]
        if not opened:
            why = next(iter(devices.values()))
            return [
                bad(f"a job with a GPU on {where} cannot open it: {why}", "See the devices' modes and slurmd's log.")
            ]
    if seen["without"] is None:
        if len(devices) > granted:
            return [good(f"a job on {where} cannot open {plural(len(devices) - granted, 'other GPU')}")]
        return [warning(f"a step without GPUs did not run on {where}", "Try: srun --gres=none true, within a job.")]
    if seen["without"]:
        return [bad(f"a step without GPUs on {where} can open {', '.join(seen['without'])}", do)]
    others = f", and a job with one cannot open the other {len(devices) - granted}" if len(devices) > granted else ""
    return [good(f"a step without GPUs on {where} cannot open any{others}")]


def _detected(where: str, seen: dict[str, Any], count: int | None) -> list[Finding]:
    value, plugin = seen["autodetect"]["value"], seen["autodetect"]["plugin"]
    found = []
    if value == "nvml" and plugin is False:
        found.append(
            bad(
                f"gres.conf on {where} has AutoDetect=nvml, but slurmd has no gpu_nvml",
                "Use AutoDetect=nvidia (24.05 and newer), list the GPUs with File=, or build Slurm with NVML.",
            )
        )
    elif value is not None:
        found.append(good(f"AutoDetect is {value or 'not set'} in gres.conf on {where}"))
    if plugin is False:
        found.append(good("Slurm's accounting does not record GPU use (no gpu_nvml); the portal's own meter does"))
    files = len(seen["devices"])
    if count is not None and files and files < count and not any(one["mig"] for one in seen["nvml"].get("gpus", ())):
        do = "Compare `nvidia-smi -L` with the node's Gres=; a GPU that fell off the bus needs a reboot."
        found.append(bad(f"{where} has {files} of the {plural(count, 'GPU')} that Slurm has for it", do))
    return found


def _container(where: str, container: dict[str, Any]) -> list[Finding]:
    if not container:
        return []
    if container["sees"]:
        return [good(f"a container with --nv sees the driver on {where}")]
    what = "does not start" if container["sees"] is None else "does not see the driver's libraries"
    do = "See `apptainer exec --nv` there: nvliblist.conf and ldconfig must find libcuda.so.1."
    return [bad(f"a container with --nv ({container['image']}) {what} on {where}", do)]
