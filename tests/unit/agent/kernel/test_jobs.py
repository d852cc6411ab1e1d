"""What a notebook can say to the portal: scripts, notebooks with parameters, output, refusals, magics."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest

from agent.build import build
from agent.job import lab
from agent.kernel import portal_jobs
from agent.kernel.portal_jobs import client, jobs
from tests.unit.fake_portal import END, JOB, STREAM, FakePortal, fake_portal


@pytest.fixture
def portal(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePortal]:
    monkeypatch.setenv("JUPYTERHUB_API_TOKEN", "hush")
    monkeypatch.delenv("PORTAL_TOKEN", raising=False)
    monkeypatch.setattr(jobs, "POLL_S", 0.01)
    with fake_portal() as server:
        monkeypatch.setenv("PORTAL_URL", server.url)
        yield server


def test_script_is_submitted_from_here_followed_and_waited_for(
    portal: FakePortal, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    job = portal_jobs.submit("#!/bin/bash\ntrue\n")
    assert portal.asked[0] == ("/jobs", {"script": "#!/bin/bash\ntrue\n", "workdir": str(tmp_path)})
    assert job.follow() is job
    assert capsys.readouterr().out == "one \n… 9 B skipped …\ntwo"
    assert "It finished." in repr(job.wait())


def test_job_that_did_not_finish_well_raises_in_words(portal: FakePortal) -> None:
    portal.says("/jobs/7", JOB | {"end": {"code": "oom", "text": "It ran out of memory.", "advice": "Ask for more."}})
    with pytest.raises(portal_jobs.PortalError, match="ran out of memory"):
        portal_jobs.submit("#!/bin/bash\n").wait()


def sleeping(monkeypatch: pytest.MonkeyPatch, sleep: Callable[[float], None]) -> None:
    """Replace the sleep of these modules alone: other tests' threads sleep as well."""
    for module in (jobs, client):
        monkeypatch.setattr(module, "time", SimpleNamespace(sleep=sleep, monotonic=time.monotonic))


def test_job_is_followed_and_waited_for_while_the_portal_restarts(
    portal: FakePortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = portal_jobs.submit("#!/bin/bash\n")
    first, end, rest = STREAM.partition('event: piece\ndata: {"text": "two"')
    portal.says("/jobs/7/output/follow", first)  # breaks off
    output = job.output()
    assert next(output) == "one "
    answers = iter([("no portal", 503), (end + rest, 200)])
    sleeping(monkeypatch, lambda _: portal.says("/jobs/7/output/follow", *next(answers)))
    assert list(output) == ["\n… 9 B skipped …\n", "two"]
    assert portal.asked[-1][0].endswith("offset=4")

    portal.says("/jobs/7", "the proxy's page", 502)
    sleeping(monkeypatch, lambda _: portal.says("/jobs/7", JOB | {"end": END}))
    assert job.wait().facts["end"] == END
    portal.says("/jobs/7", "the proxy's page", 502)
    monkeypatch.setattr(client, "PATIENCE_S", 0)
    with pytest.raises(portal_jobs.PortalError, match="502"):
        job.wait()


def test_refusal_names_the_field(portal: FakePortal) -> None:
    error = {"message": "No.", "hint": "Mend it.", "fields": [{"field": "partition", "message": "There is none."}]}
    portal.says("/jobs", {"error": error}, 422)
    with pytest.raises(portal_jobs.PortalError, match="partition: There is none") as caught:
        portal_jobs.submit("#!/bin/bash\n")
    assert caught.value.fields == {"partition": "There is none."}


def test_portal_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTAL_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PORTAL_TOKEN", "hush")
    with pytest.raises(portal_jobs.PortalError, match="does not answer"):
        portal_jobs.submit("#!/bin/bash\n")
    monkeypatch.delenv("PORTAL_TOKEN")
    monkeypatch.delenv("JUPYTERHUB_API_TOKEN", raising=False)
    with pytest.raises(portal_jobs.PortalError, match="no token"):
        portal_jobs.submit("#!/bin/bash\n")


def test_code_runs_with_this_python_whatever_it_holds(portal: FakePortal) -> None:
    portal_jobs.submit_code("print('PORTAL_CODE')", nodes=2)
    form = portal.asked[0][1]["form"]
    assert form["nodes"] == 2
    first, code, last = form["command"].splitlines()
    assert first == f"{sys.executable} - <<'PORTAL_CODE_'"
    assert (code, last) == ("print('PORTAL_CODE')", "PORTAL_CODE_")


def train(epochs: int, rate: float) -> str:
    import math

    return f"{epochs} epochs at {math.floor(1 / rate)}"


def test_function_is_submitted_with_its_text_and_its_arguments(portal: FakePortal) -> None:
    portal_jobs.submit_function(train, 20, rate := 0.1, gpus_per_node=1)
    form = portal.asked[0][1]["form"]
    assert (form["name"], form["gpus_per_node"]) == ("train", 1)
    _, *code, _ = form["command"].splitlines()
    done = subprocess.run([sys.executable, "-c", "\n".join(code)], capture_output=True, text=True, check=True)
    assert done.stdout == f"{train(20, rate)}\n"
    with pytest.raises(portal_jobs.PortalError, match="written as text"):
        portal_jobs.submit_function(train, object())


def test_notebook_is_copied_with_its_parameters_behind_the_tagged_cell(
    portal: FakePortal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    tagged = nbformat.v4.new_code_cell("epochs = 1", metadata={"tags": ["parameters"]})  # type: ignore[no-untyped-call]
    other = nbformat.v4.new_code_cell("print(epochs)")  # type: ignore[no-untyped-call]
    notebook = nbformat.v4.new_notebook(cells=[tagged, other])  # type: ignore[no-untyped-call]
    source = tmp_path / "my notes.ipynb"
    nbformat.write(notebook, source)  # type: ignore[no-untyped-call]
    portal_jobs.submit_notebook(source, parameters={"epochs": 20, "name": "it's"}, gpus_per_node=1)
    (copy,) = (tmp_path / ".portal/jobs").glob("*.ipynb")
    made = nbformat.read(copy, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(made)  # type: ignore[no-untyped-call]
    assert [cell.source for cell in made.cells] == [
        "epochs = 1",
        '# Parameters\nepochs = 20\nname = "it\'s"\n',
        "print(epochs)",
    ]
    form = portal.asked[0][1]["form"]
    assert (form["name"], form["gpus_per_node"]) == ("my notes", 1)
    assert f"'{copy}'" in form["command"]
    with pytest.raises(portal_jobs.PortalError, match="not a variable name"):
        portal_jobs.submit_notebook(source, parameters={"a; import os": 1})


def test_magics_submit_cells_scripts_and_notebooks(portal: FakePortal, capsys: pytest.CaptureFixture[str]) -> None:
    registered: dict[str, Any] = {}

    class Shell:
        def register_magic_function(self, function: Any, kind: str, name: str) -> None:
            registered[name] = (function, kind)

    portal_jobs.load_ipython_extension(Shell())
    magic, kind = registered["portal_submit"]
    assert kind == "line_cell"
    job = magic("--nodes 2 --gpus 1 --hours 0.5 --memory-gb 4 --name x", "print(1)\n")
    form = portal.asked[0][1]["form"]
    assert {name: form[name] for name in ("nodes", "gpus_per_node", "walltime_s", "memory_mib_per_node", "name")} == {
        "nodes": 2, "gpus_per_node": 1, "walltime_s": 1800, "memory_mib_per_node": 4096, "name": "x",
    }  # fmt: skip
    assert job.facts["end"] == END
    assert "Submitted job 7." in capsys.readouterr().out
    asked = len(portal.asked)
    magic("--detach", "#!/bin/bash\ntrue\n")
    assert [path for path, _ in portal.asked[asked:]] == ["/jobs"]


@pytest.mark.parametrize(
    ("line", "cell", "value"),
    [
        ("--nodes many", "x", "usage"),
        ("--name 'it", "x", "No closing quotation"),
        ("--nodes 2", "#!/bin/bash\ntrue\n", "#SBATCH lines"),
        ("-p epochs 20", "x", "not to the cell magic"),
        ("other.ipynb", "x", "not to the cell magic"),
    ],
)
def test_magic_that_asks_for_what_it_cannot_have_says_so_and_submits_nothing(
    line: str, cell: str, value: str, portal: FakePortal, capsys: pytest.CaptureFixture[str]
) -> None:
    assert portal_jobs.magic.portal_submit(line, cell) is None
    assert value in capsys.readouterr().out
    assert not portal.asked


def test_magic_that_is_interrupted_says_how_to_go_on(
    portal: FakePortal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(jobs.Job, "follow", interrupted)
    with pytest.raises(KeyboardInterrupt):
        portal_jobs.magic.portal_submit("", "print(1)")
    assert "Job 7 continues" in capsys.readouterr().out
    assert portal_jobs.job(7).wait().facts["end"] == END


def test_package_is_imported_alone_as_the_agent_brings_it(portal: FakePortal, tmp_path: Path) -> None:
    lab.unpack(str(build(tmp_path / "agent.pyz")), tmp_path)
    code = "import portal_jobs; print(portal_jobs.job(7)); print(portal_jobs.__file__)"
    command = [sys.executable, "-S", "-c", code]
    environment = {"PYTHONPATH": str(tmp_path / "kernel"), "PORTAL_URL": os.environ["PORTAL_URL"]}
    done = subprocess.run(
        command, env=environment | {"PORTAL_TOKEN": "hush"}, capture_output=True, text=True, check=True
    )
    job, file = done.stdout.splitlines()
    assert job == "<Job 7 'train': It finished.>"
    assert Path(file).is_relative_to(tmp_path)


@pytest.mark.parametrize("source", sorted(Path(portal_jobs.__file__).parent.glob("*.py")), ids=lambda path: path.name)
def test_package_is_plain_python_3_8(source: Path) -> None:
    tree = ast.parse(source.read_text(), feature_version=(3, 8))
    assert not {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & {
        "removeprefix",
        "removesuffix",
    }
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    froms = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 0]
    names = [name.name for node in imports for name in node.names] + [str(name) for name in froms]
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
