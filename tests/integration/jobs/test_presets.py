"""The presets as they come, and what a running job really uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.demo_site import INSIDE
from tests.integration.jobs.batch import act, ended, job, output, script, submit
from tests.person import Person


def preset(who: Person, name: str, **changes: Any) -> str:
    """Submit a preset as the page offers it."""
    offered = {item["name"]: item for item in who.api("GET", "/jobs/presets").json()["items"]}[name]
    assert offered["caution"] is None, offered["caution"]
    text = who.api("POST", "/jobs/compose", json={"form": offered["form"] | changes}).json()["script"]
    checked = who.api("POST", "/jobs/check", json={"script": text}).json()
    assert (checked["ok"], checked["cautions"]) == (True, [])
    return submit(who, text)


def test_presets_run_as_they_are(alice: Person) -> None:
    notebook, bandwidth = preset(alice, "notebook"), preset(alice, "bandwidth")
    sweep = preset(alice, "sweep", array={"range": "0-11:5", "at_once": 3})
    for job_id in (notebook, bandwidth, sweep):
        done = ended(alice, job_id, timeout_s=120)
        assert done["end"]["code"] == "finished", output(alice, job_id)["text"]
    assert f"saved as example-{notebook}.ipynb" in output(alice, notebook)["text"]
    executed = alice.site.run("cat", f"{INSIDE}/home/alice/example-{notebook}.ipynb", user="alice")
    assert "epoch 9" in executed
    assert "Gbit/s" in output(alice, bandwidth)["text"]
    assert "learning rate 0.1, batch size 32: loss" in output(alice, sweep, task=5)["text"]


def test_preset_whose_software_is_not_here_says_so_before_it_is_submitted(alice: Person) -> None:
    form = {"name": "torch", "command": "srun torchrun train.py", "environment": "base"}
    text = alice.api("POST", "/jobs/compose", json={"form": form}).json()["script"]
    checked = alice.api("POST", "/jobs/check", json={"script": text}).json()
    assert checked["ok"]
    assert checked["cautions"] == [
        "It uses PyTorch, which “Python 3” does not have. Choose an environment or load modules that provide it."
    ]


def test_use_of_a_running_job_is_told_node_by_node_while_somebody_looks(
    alice: Person, person: Callable[[str], Person]
) -> None:
    busy = "python3 -c 'import time\nx = bytearray(80 << 20)\nwhile True: sum(range(500_000)); time.sleep(0.05)'"
    job_id = submit(alice, script(f"srun {busy}", "--nodes=2", "--ntasks-per-node=1", "--mem=300M"))

    def use() -> dict[str, Any]:
        response = alice.api("GET", f"/jobs/{job_id}/use")
        response.raise_for_status()
        return dict(response.json())

    def steps() -> list[str]:
        return [line for line in alice.site.run("squeue", "--noheader", "--steps").splitlines() if "portal-u" in line]

    def both() -> list[dict[str, Any]]:
        results = list(use()["nodes"])
        return results if len(results) == 2 and all(value["cpu_percent"] > 5 for value in results) else []

    nodes = alice.site.wait_for(both, "both nodes to tell", 60, every_s=1)
    assert all(80 < node["memory_mib"] <= node["memory_asked_mib"] == 300 for node in nodes), nodes
    assert len(steps()) == 1
    assert person("bob").api("GET", f"/jobs/{job_id}/use").status_code == 404
    alice.site.wait_for(lambda: not steps(), "the step to end when nobody looks", 60, every_s=1)
    assert job(alice, job_id)["state"] == "RUNNING"
    act(alice, "cancel", job_id)
    assert ended(alice, job_id)["end"]["text"] == "You cancelled it."
    assert use()["state"] == "idle"


@pytest.mark.slow
def test_mpi_preset_adds_up_its_ranks_on_nodes_that_share_no_memory(alice: Person) -> None:
    """Needs openmpi-bin and python3-mpi4py on this machine, which a demo site does without."""
    job_id = preset(alice, "horovod")
    done = ended(alice, job_id, timeout_s=120)
    assert done["end"]["code"] == "finished", output(alice, job_id)["text"]
    ranks = sorted(line.split(" on ")[0] for line in output(alice, job_id)["text"].splitlines())
    assert ranks == [f"rank {rank} of 4" for rank in range(4)]
    assert output(alice, job_id)["text"].count("the sum of all ranks is 6") == 4
    assert done["efficiency"]["cpu_percent"] is not None
