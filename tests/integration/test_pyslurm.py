"""pyslurm on a Slurm that it fits, the cluster real and the readings of this moment (./dev pyslurm brings both in).

Where that is not there, what a real one said is read in tests/unit/slurm/test_library_rows.py, in every run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from portal.slurm import parse_nodes
from portal.slurm.library.rows import read_partition
from tests.unit.slurm.pictures_by_pyslurm import by_commands, by_pyslurm
from tests.unit.slurm.recordings import Recording

CLONE = Path(__file__).resolve().parents[2]
ROOT = CLONE / ".cache" / "pyslurm"


@pytest.mark.slow
@pytest.mark.skipif(not ROOT.exists(), reason="./dev pyslurm was not run: pyslurm was read from recorded objects only")
def test_pictures_of_a_real_cluster_are_equal_field_by_field(tmp_path: Path) -> None:
    file = tmp_path / "readings.json"
    recorder = CLONE / "tests" / "recorded" / "record.py"
    subprocess.run([sys.executable, str(recorder), str(ROOT), str(file)], check=True, timeout=600)
    recording = Recording("now", **json.loads(file.read_text()))
    assert by_pyslurm(recording)[0] == by_commands(recording)
    ours = [read_partition(line) for line in recording.lines("partitions")]
    assert ours == parse_nodes.partitions(recording.out("partitions"))
    assert "error" in json.loads(recording.pyslurm["no slurmctld"][-1]), "a slurmctld that is gone is no empty queue"
