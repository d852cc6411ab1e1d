"""Runs on a GPU node as a user, after `probe.py` in the same job script: tests the job's GPUs and its access to others.

Needs only Python 3.8, the standard library and the agent's pynvml.
"""

from __future__ import annotations

import errno
import glob
import importlib
import os
import shutil
import subprocess
import sys
from typing import Any

STEP_TIMEOUT_S = 30
TRY = """
import errno, glob, os, sys
for path in glob.glob(sys.argv[1]):
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        if error.errno not in (errno.ENXIO, errno.ENODEV):
            continue
    print(path)
"""


def why_closed(path: str) -> str:
    """Try to open a device as CUDA does; return why that fails, empty if it succeeds."""
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        # The device has no driver. To get this far, the open must have passed confinement.
        return "" if error.errno in (errno.ENXIO, errno.ENODEV) else error.strerror or str(error)
    return ""


def run(*argv: str) -> str | None:
    """Return a program's output; None if it fails."""
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=STEP_TIMEOUT_S, check=False, text=True
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def nvml(agent: str, names: list[str]) -> dict[str, Any]:
    """Return what NVML reports about the job's GPUs."""
    sys.path.append(agent)
    try:
        lib = importlib.import_module("pynvml")
    except ImportError:
        return {"error": "the agent was built without pynvml"}
    try:
        lib.nvmlInit()
        driver = lib.nvmlSystemGetDriverVersion()
        return {"driver": text(driver), "gpus": [one_gpu(lib, name) for name in names]}
    except lib.NVMLError as error:
        return {"error": str(error)}


def one_gpu(lib: Any, name: str) -> dict[str, Any]:
    def ask(function: str, *arguments: Any) -> Any:
        """Return the answer; None if the GPU or the driver has none."""
        try:
            return getattr(lib, function)(handle, *arguments)
        except (lib.NVMLError, AttributeError):
            return None

    by = lib.nvmlDeviceGetHandleByIndex if name.isdigit() else lib.nvmlDeviceGetHandleByUUID
    handle = by(int(name) if name.isdigit() else name)
    mig = ask("nvmlDeviceGetMigMode")
    return {
        "name": text(lib.nvmlDeviceGetName(handle)),
        "persistence": ask("nvmlDeviceGetPersistenceMode"),
        "mig": name.startswith("MIG") or bool(mig and mig[0]),
        "samples": ask("nvmlDeviceGetSamples", getattr(lib, "NVML_GPU_UTILIZATION_SAMPLES", 1), 0) is not None,
        "energy": ask("nvmlDeviceGetTotalEnergyConsumption") is not None,
    }


def text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def without_gpus(pattern: str) -> list[str] | None:
    """Return the devices that a step of this job without GPUs can open; None if the step did not run."""
    output = run("srun", "--overlap", "--gres=none", "--ntasks=1", "--nodes=1", sys.executable, "-c", TRY, pattern)
    return None if output is None else output.split()


def autodetect() -> dict[str, Any]:
    """Return AutoDetect's value in gres.conf, and whether slurmd has the plugin for NVML; None: not known."""
    config = run("scontrol", "show", "config") or ""
    fields = dict(line.split("=", 1) for line in config.splitlines() if "=" in line)
    found = {name.strip(): value.strip() for name, value in fields.items()}
    folder = os.path.dirname(found.get("SLURM_CONF", ""))
    try:
        with open(os.path.join(folder, "gres.conf")) as file:
            words = file.read().split()
    except OSError:
        return {"value": None, "plugin": None, "files": []}
    values = [word.split("=", 1)[1].lower() for word in words if word.lower().startswith("autodetect=")]
    plugins = found.get("PluginDir", "").split(":")
    has = any(os.path.exists(os.path.join(path, "gpu_nvml.so")) for path in plugins if path)
    files = [word.split("=", 1)[1] for word in words if word.lower().startswith("file=")]
    return {"value": values[0] if values else "", "plugin": has if any(plugins) else None, "files": files}


def container(image: str) -> dict[str, Any]:
    """Return whether a container with --nv sees the driver's libraries; empty without an image to try."""
    program = shutil.which("apptainer") or shutil.which("singularity")
    if not image or program is None:
        return {}
    output = run(program, "exec", "--nv", image, "/bin/sh", "-c", "ls /.singularity.d/libs")
    return {"image": image, "sees": None if output is None else "libcuda" in output}


def gpus(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what a job with one GPU sees of the node's GPUs."""
    names = [name.strip() for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name.strip()]
    detected = autodetect()
    patterns = [asked["devices"], *detected.pop("files")]  # the files in gres.conf, if it names others
    pattern = next((pattern for pattern in patterns if glob.glob(pattern)), asked["devices"])
    return {
        "node": os.environ.get("SLURMD_NODENAME", ""),
        "visible": names,
        "devices": {path: why_closed(path) for path in sorted(glob.glob(pattern))},
        "without": without_gpus(pattern),
        "nvml": nvml(asked["agent"], names),
        "autodetect": detected,
        "container": container(asked["image"]),
    }
