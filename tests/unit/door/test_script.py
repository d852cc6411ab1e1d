"""The job's script: it reports its start, and passes on signals and exit codes."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from door.sessions import SCRIPT, STARTED


def hear_interrupts() -> None:
    """As slurmd starts a job; tests that run in the background would hand down that SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def run_script(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    agent = tmp_path / "agent.py"
    agent.write_text("import os, sys; print('agent', os.environ.get('SLURM_JOB_GPUS')); sys.exit(5)")
    scancel = tmp_path / "scancel"
    scancel.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/cancelled\n')
    scancel.chmod(0o755)

    def run(**env: str) -> subprocess.CompletedProcess[str]:
        base = {"PATH": f"{tmp_path}:/usr/bin:/bin", "SLURM_JOB_ID": "42", "SLURMD_NODENAME": "node001"}
        ours = {"DSP_LOG": f"{tmp_path}/log", "DSP_PYTHON": "/usr/bin/python3", "DSP_AGENT": str(agent)}
        return subprocess.run(
            ["/bin/bash", "-c", SCRIPT.decode()],
            env={**base, **ours, **env},
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
            preexec_fn=hear_interrupts,
        )

    return run


def test_script_says_that_it_began_and_writes_the_rest_to_the_log(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run_script()
    assert (done.returncode, done.stdout) == (5, "dsp-started 42 node001\n")
    started = STARTED.search(done.stdout.encode())
    assert started
    assert started.groups() == (b"42", b"node001")
    assert (tmp_path / "log").read_text() == "agent None\n"
    assert not (tmp_path / "cancelled").exists()


def test_placed_script_gives_its_allocation_back_and_keeps_the_agents_exit_code(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run_script(DSP_PLACED="1", SLURM_STEP_GPUS="2,3", SLURM_CPU_BIND="quiet,none")
    assert done.returncode == 5
    assert (tmp_path / "cancelled").read_text() == "--quiet 42\n"
    assert (tmp_path / "log").read_text() == "agent 2,3\n"


@pytest.mark.parametrize("placed", [{}, {"DSP_PLACED": "1"}], ids=["batch", "placed"])
def test_agent_hears_the_signal_that_ends_the_job_and_may_clean_up(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path, placed: dict[str, str]
) -> None:
    (tmp_path / "agent.py").write_text(
        "import os, signal, sys, time\n"
        "def end(*_):\n"
        "    time.sleep(0.3); print('clean', flush=True); sys.exit(9)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, flush=True)\n"
        "leader = os.getppid() if os.environ.get('DSP_PLACED') else os.getpid()\n"
        "os.kill(leader, signal.SIGTERM)\n"  # as Slurm does: to the task's first process alone
        "time.sleep(20)\n"
    )
    done = run_script(**placed)
    assert done.returncode == 9
    assert (tmp_path / "log").read_text() == "True\nclean\n"
    assert (tmp_path / "cancelled").exists() is bool(placed)


def test_script_whose_log_cannot_be_opened_never_begins(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run_script(DSP_LOG=f"{tmp_path}/nowhere/log")
    assert done.returncode != 0
    assert "dsp-started" not in done.stdout
