"""How the agent enters an environment: modules through the module command's Python, images by a fixed argv."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent.job import enter
from agent.job.modules import ModuleError, assignments, load

RECORDED = Path(__file__).parents[3] / "recorded" / "modules"
CLONE = Path(__file__).parents[4]


def module_command(folder: Path, script: str) -> str:
    path = folder / "modulecmd"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("recorded", ["environment-modules-5.2.0-load.txt", "lmod-8.6.19-load.txt"])
def test_both_commands_python_is_read(tmp_path: Path, recorded: str) -> None:
    command = module_command(tmp_path, f"cat {RECORDED / recorded}")
    environ = load(command, ["/site/modulefiles"], ["numtools/1.0"], {"PATH": "/usr/bin:/bin", "KEPT": "1"})
    assert environ["PATH"] == "/opt/nt/bin:/usr/bin:/bin"
    assert environ["NT_HOME"] == "/opt/nt's"
    assert environ["LOADEDMODULES"] == "numtools/1.0"
    assert environ["KEPT"] == "1"
    assert environ["MODULEPATH"] == "/site/modulefiles"


def test_modules_python_is_read_and_never_run() -> None:
    hostile = (
        "import os\nos.system('false')\nos.environ['A'] = 'b'\ndel os.environ['C']\nos.environ['D'] = str(1)\n"
        "x = 'y'\n_mlstatus = True"
    )
    assert list(assignments(hostile)) == [("A", "b"), ("C", None), (None, "True")]


def test_a_module_that_does_not_load_is_told_in_the_commands_words(tmp_path: Path) -> None:
    command = module_command(
        tmp_path, f"cat {RECORDED}/environment-modules-5.2.0-broken.txt >&2; echo _mlstatus = False"
    )
    with pytest.raises(ModuleError, match=r"The modules broken do not load on this node: Module ERROR: here"):
        load(command, [], ["broken"], {"PATH": "/usr/bin:/bin"})


def test_a_module_command_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModuleError, match=r"cannot be loaded on this node: .*missing: No such file"):
        load(str(tmp_path / "missing"), [], ["numtools"], {})


def test_the_command_becomes_what_was_to_be_entered(tmp_path: Path) -> None:
    command = module_command(tmp_path, f"cat {RECORDED}/environment-modules-5.2.0-load.txt")
    program = ["enter-modules", f"--command={command}", "--load=numtools", "--", sys.executable, "-c"]
    done = subprocess.run(
        [sys.executable, "-m", "agent.job", *program, "import os; print(os.environ['NT_HOME'])"],
        cwd=CLONE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "/opt/nt's\n")


@pytest.mark.parametrize(("program", "code"), [("viewer", 69), ("/opt/viewer", 78)])
def test_a_program_that_the_modules_do_not_have_is_told_apart_from_one_of_the_nodes(
    tmp_path: Path, program: str, code: int
) -> None:
    command = module_command(tmp_path, f"cat {RECORDED}/environment-modules-5.2.0-load.txt")
    words = ["enter-modules", f"--command={command}", "--load=numtools", "--", program]
    done = subprocess.run([sys.executable, "-m", "agent.job", *words], cwd=CLONE, capture_output=True, text=True)
    assert done.returncode == code
    assert (done.stderr == "viewer is not in this environment.\n") == (code == 69)


IMAGE = "--image"


def image_argv(tmp_path: Path, environ: dict[str, str], *options: str) -> list[str]:
    image = tmp_path / "x.sif"
    image.touch()
    return enter.image_argv(
        ["--apptainer=/usr/bin/apptainer", f"{IMAGE}={image}", *options], ["python3", "-V"], {"HOME": "/h", **environ}
    )


def test_an_image_is_closed_but_for_home_folders_and_session(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    (tmp_path / "session").mkdir()
    argv = image_argv(
        tmp_path,
        {"JUPYTER_RUNTIME_DIR": str(tmp_path / "session" / "runtime")},
        f"--bind={tmp_path}/scratch",
        "--bind=/nowhere",
        "--option=--unsquash",
    )
    assert argv[:5] == ["/usr/bin/apptainer", "--silent", "exec", "--cleanenv", "--containall"]
    assert "--home=/h:/h" in argv
    assert f"--bind={tmp_path}/scratch:{tmp_path}/scratch" in argv
    assert f"--bind={tmp_path}/session:{tmp_path}/session" in argv
    assert f"--workdir={tmp_path}/session" in argv
    assert not any("nowhere" in word for word in argv)
    assert argv[-4:] == ["--unsquash", str(tmp_path / "x.sif"), "python3", "-V"]


@pytest.mark.parametrize(
    ("environ", "expected"),
    [({}, False), ({"CUDA_VISIBLE_DEVICES": "0,1"}, True), ({"CUDA_VISIBLE_DEVICES": "NoDevFiles"}, False)],
)
def test_nvidias_libraries_come_in_only_where_the_job_has_gpus(
    tmp_path: Path, environ: dict[str, str], expected: bool
) -> None:
    assert ("--nv" in image_argv(tmp_path, environ)) is expected


def test_variables_go_in_by_the_environment_and_the_nodes_paths_stay_outside() -> None:
    environ = enter.image_environ(
        {"PATH": "/usr/bin", "HOME": "/h", "SLURM_JOB_ID": "7", "TOKEN": "s3cret", "JPY_PARENT_PID": "4"}
    )
    assert environ["APPTAINERENV_SLURM_JOB_ID"] == environ["SINGULARITYENV_SLURM_JOB_ID"] == "7"
    assert environ["APPTAINERENV_TOKEN"] == "s3cret"
    assert "TOKEN" not in environ
    assert environ["PATH"] == "/usr/bin"
    assert not [name for name in environ if name.endswith(("ENV_PATH", "ENV_HOME", "ENV_JPY_PARENT_PID"))]


@pytest.mark.parametrize(
    ("gpus", "expected"), [({}, None), ({"CUDA_VISIBLE_DEVICES": "0"}, "/.singularity.d/libs")], ids=["without", "with"]
)
def test_the_drivers_libraries_are_found_in_plain_folders_too(gpus: dict[str, str], expected: str | None) -> None:
    environ = enter.image_environ({"HOME": "/h", "LD_LIBRARY_PATH": "/opt/cuda/lib64", **gpus})
    assert environ.get("APPTAINERENV_LD_LIBRARY_PATH") == environ.get("SINGULARITYENV_LD_LIBRARY_PATH") == expected


def test_an_image_that_is_not_there_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        enter.image_argv(["--apptainer=a", "--image=/no/such.sif"], ["true"], dict(os.environ))
    assert ended.value.code == enter.CANNOT_ENTER
    assert capfd.readouterr().err == "The image /no/such.sif does not exist on this node.\n"
