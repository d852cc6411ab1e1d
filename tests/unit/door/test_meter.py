"""The meter that the door adds to a script: it starts with the job, and the script does not notice it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from door.audit import line_of
from door.meter import metered
from tests.unit.door.test_batch import ASK, fields

METER = "http://portal:8001/p abcdefabcdef.alice:" + "0" * 64


def config(tmp_path: Path) -> dict[str, Any]:
    """A Python that writes down with what it was called."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nprintf "%s\\n" "$DSP_METER" "$@" > {tmp_path}/ridden.new\n'
                      f"mv {tmp_path}/ridden.new {tmp_path}/ridden\nsleep 30\n")  # fmt: skip
    python.chmod(0o755)
    return {"python": str(python), "agent": "/opt/agent.pyz", "bin_dir": "/usr/bin"}


BODY = """\
#!{shell}
#SBATCH --gres=gpu:1

# what it is for
cat <<'END'
a document
END
[ -z "$!" ] || echo "another's process: $!"
wait
echo "jobs: $(jobs | wc -l)"
nosuchcommand
exit 3
"""


@pytest.mark.parametrize("shell", ["/bin/bash", "/bin/sh", "/usr/bin/env bash", "/bin/bash -l"])
def test_script_does_as_before_and_the_meter_starts(shell: str, tmp_path: Path) -> None:
    site = config(tmp_path)
    script = tmp_path / "job.sh"
    done = []
    for text in (BODY.format(shell=shell), metered(BODY.format(shell=shell), METER, site)):
        script.write_text(text)
        done.append(subprocess.run([*shell.split(), str(script)], capture_output=True, text=True, timeout=20))
    before, after = done
    assert "line 11" in before.stderr or "11:" in before.stderr
    assert (after.returncode, after.stdout, after.stderr) == (3, before.stdout, before.stderr)
    for _ in range(1000):
        if (tmp_path / "ridden").exists():
            break
        subprocess.run(["true"], check=True)
    lines = (tmp_path / "ridden").read_text().splitlines()
    assert lines == [METER, "-I", "/opt/agent.pyz", "ride", site["python"], "/usr/bin"]


@pytest.mark.parametrize(
    "script",
    [
        "#!/usr/bin/python3\nprint(1)\n",
        "#!/bin/tcsh\necho 1\n",
        "#!/bin/bash -x\necho 1\n",
        "#!/bin/bash -ev\necho 1\n",
        "#!/bin/bash\n#SBATCH -N 1\n# nothing\n",
    ],
)
def test_scripts_of_other_programs_and_those_that_print_their_commands_stay_as_they_are(
    script: str, tmp_path: Path
) -> None:
    assert metered(script, METER, config(tmp_path)) == script


def test_directives_stay_before_the_first_command(tmp_path: Path) -> None:
    text = "#!/bin/bash\n#SBATCH -N 1\n#SBATCH --gres=gpu:1\n\npython train.py\n#SBATCH --late\n"
    lines = metered(text, METER, config(tmp_path)).split("\n")
    assert lines[:4] == text.split("\n")[:4]
    assert lines[4].startswith("(DSP_METER=")
    assert lines[4].endswith("&); python train.py")
    assert lines[5:] == text.split("\n")[5:]


def test_key_is_not_in_the_audit_log() -> None:
    line = line_of("job_submit", fields(ASK, meter=METER))
    assert "abcdefabcdef.alice" in line
    assert "0" * 64 not in line
