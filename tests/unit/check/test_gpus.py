"""What a job with one GPU sees on a node, and the findings about it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from portal.check import gpus, node
from portal.check.findings import Mark
from portal.settings import Settings
from portal.slurm.nodes import GpuCount, Node, NodeState

H100 = {"name": "NVIDIA H100", "persistence": 1, "mig": False, "samples": True, "energy": True}
SEEN: dict[str, Any] = {
    "visible": ["0"],
    "devices": {"/dev/nvidia0": "", "/dev/nvidia1": "Operation not permitted"},
    "without": [],
    "nvml": {"driver": "580.159", "gpus": [H100]},
    "autodetect": {"value": "off", "plugin": None},
    "container": {},
}
#: A fake NVML that replays a recorded H100, with a driver's version and persistence mode.
PYNVML = """
import sys
sys.path.insert(0, {folder!r})
from nvml import Nvml
nvml = Nvml("full"{more})
nvml.nvmlSystemGetDriverVersion = lambda: b"580.159.04"
nvml.nvmlDeviceGetPersistenceMode = lambda handle: 0
sys.modules[__name__] = nvml
"""


def seen_by_probe(tmp_path: Path, *, visible: str = "0", more: str = "", devices: str = "") -> dict[str, Any]:
    """Run the job's script as Slurm would, and return its report."""
    settings = Settings.model_validate({"environments_python": "/usr/bin/python3", "agent": {"bind": "127.0.0.1"}})
    agent = tmp_path / "agent"
    agent.mkdir()
    folder = str(Path(__file__).parents[1] / "agent" / "job")
    (agent / "pynvml.py").write_text(PYNVML.format(folder=folder, more=more))
    asked = gpus.questions(settings, str(agent))
    asked["gpus"]["devices"] = devices or str(tmp_path / "nvidia*")
    script = tmp_path / "script"
    script.write_text(node.script(settings, asked))
    script.chmod(0o755)
    (tmp_path / "portal-check-7.json").touch()
    environ = {
        "PATH": str(tmp_path), "SLURM_JOB_ID": "7", "HOME": str(tmp_path), "CUDA_VISIBLE_DEVICES": visible,
    }  # fmt: skip
    with subprocess.Popen([script], stdout=subprocess.PIPE, env=environ, cwd=tmp_path, text=True) as job:
        assert job.stdout is not None
        seen = json.loads(job.stdout.readline())
        with socket.create_connection((seen["address"], seen["port"]), timeout=5) as caller:
            caller.makefile().readline()
        assert job.wait(timeout=20) == 0
    return dict(seen["gpus"])


def test_probe_asks_nvml_and_tries_the_devices(tmp_path: Path) -> None:
    (tmp_path / "nvidia0").touch()
    (tmp_path / "nvidia1").symlink_to("/nowhere")
    seen = seen_by_probe(tmp_path)
    assert seen["nvml"]["driver"] == "580.159.04"
    (gpu,) = seen["nvml"]["gpus"]
    assert (gpu["name"], gpu["persistence"], gpu["samples"]) == ("NVIDIA H100 80GB HBM3", 0, True)
    closed = os.strerror(2)
    assert seen["devices"] == {str(tmp_path / "nvidia0"): "", str(tmp_path / "nvidia1"): closed}
    assert seen["without"] is None, "there is no srun here"


def test_probe_measures_an_instance_and_says_what_it_lacks(tmp_path: Path) -> None:
    seen = seen_by_probe(tmp_path, visible="MIG-1", more=', mig=("MIG-1",), missing=("nvmlDeviceGetSamples",)')
    (gpu,) = seen["nvml"]["gpus"]
    assert (gpu["mig"], gpu["samples"]) == (True, False)


def test_node_without_a_driver_is_told(tmp_path: Path) -> None:
    seen = seen_by_probe(tmp_path, more="); import types; nvml.nvmlInit = (lambda: nvml.missing()")
    assert seen["nvml"] == {"error": "not supported"}


def test_gpu_node_that_is_as_it_should_be_has_nothing_to_mend() -> None:
    findings = gpus.read("node001", SEEN, 2)
    assert {finding.mark for finding in findings} == {Mark.GOOD}
    assert "a step without GPUs on node001 cannot open any, and a job with one cannot open the other 1" in [
        finding.text for finding in findings
    ]


@pytest.mark.parametrize(
    ("seen", "mark", "says"),
    [
        ({"visible": ["0", "1"]}, Mark.BAD, "CUDA_VISIBLE_DEVICES=0,1"),
        ({"nvml": {"error": "NVML Shared Library Not Found"}}, Mark.WARNING, "NVML does not answer"),
        ({"nvml": {"driver": "1", "gpus": [{**H100, "persistence": 0}]}}, Mark.WARNING, "persistence mode is off"),
        (
            {"nvml": {"driver": "1", "gpus": [{**H100, "samples": False}]}},
            Mark.WARNING,
            "NVML does not report the use of",
        ),
        ({"devices": {"/dev/nvidia0": "", "/dev/nvidia1": ""}}, Mark.BAD, "can open 2: /dev/nvidia0, /dev/nvidia1"),
        ({"devices": {"/dev/nvidia0": "No", "/dev/nvidia1": "No"}}, Mark.BAD, "cannot open it: No"),
        ({"devices": {}}, Mark.WARNING, "confinement was not tested"),
        ({"without": ["/dev/nvidia1"]}, Mark.BAD, "a step without GPUs on node001 can open /dev/nvidia1"),
        ({"devices": {"/dev/nvidia0": ""}, "without": None}, Mark.WARNING, "did not run"),
        ({"autodetect": {"value": "nvml", "plugin": False}}, Mark.BAD, "slurmd has no gpu_nvml"),
        ({"container": {"image": "/i.sif", "sees": False}}, Mark.BAD, "does not see the driver's libraries"),
        ({"container": {"image": "/i.sif", "sees": None}}, Mark.BAD, "does not start"),
    ],
)
def test_what_is_wrong_on_a_gpu_node_is_told_with_what_to_do(seen: dict[str, Any], mark: Mark, says: str) -> None:
    count = len(seen.get("devices", SEEN["devices"]))
    wrong = [finding for finding in gpus.read("node001", {**SEEN, **seen}, count) if finding.mark is not Mark.GOOD]
    assert [finding.mark for finding in wrong] == [mark]
    assert says in wrong[0].text
    assert wrong[0].do


def test_gpu_that_slurm_has_and_the_node_lacks_is_told() -> None:
    (wrong,) = [finding for finding in gpus.read("node001", SEEN, 4) if finding.mark is Mark.BAD]
    assert wrong.text == "node001 has 2 of the 4 GPUs that Slurm has for it"


def test_job_goes_where_gpus_are() -> None:
    nodes = [Node("n1", NodeState.IDLE, partitions=("a100", "all"), cpus=1, gpus=(GpuCount("a100", 4, 0),))]
    assert [gpus.partition_of(nodes, preferred) for preferred in ("all", "cpu", "")] == ["all", "a100", "a100"]
