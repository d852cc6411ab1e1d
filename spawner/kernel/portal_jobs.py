"""Batch jobs from a notebook of a session: `import portal_jobs`, or `%load_ext portal_jobs` for its magics.

    job = portal_jobs.submit(script)            a script with #SBATCH lines
    job = portal_jobs.run("train.py", nodes=2)  fields of the portal's form, and a command
    job = portal_jobs.submit_function(train, 20)  a function of the notebook, called with 20
    job = portal_jobs.submit_notebook("a.ipynb", parameters={"epochs": 20}, gpus_per_node=1)
    job.follow(); job.wait(); job.cancel()

Python's standard library alone, Python 3.8 and newer: it runs in whatever environment the notebook has. It speaks to
the portal with the session's own token.
"""

from __future__ import annotations

import argparse
import http.client
import inspect
import json
import os
import shlex
import shutil
import sys
import textwrap
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NoReturn, Sequence

POLL_S = 2.0
TIMEOUT_S = 60
PATIENCE_S = 600
"""So long may the portal be away, restarted say, while a job is waited for; the job goes on without it."""
AWAY = (502, 503, 504)
FOLDER = Path("~/.portal/jobs")


class PortalError(Exception):
    """The portal's answer in its own words; `fields` says which field of the form is at fault."""

    def __init__(self, message: str, fields: Sequence[Mapping[str, str]] = ()) -> None:
        self.fields = {one["field"]: one["message"] for one in fields}
        super().__init__(message)


class PortalAway(PortalError):
    """The portal does not answer, or what stands before it says so."""


class Job:
    """A job that was submitted. Its facts are those of the last `refresh`."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts

    @property
    def id(self) -> str:
        return str(self.facts["id"])

    @property
    def state(self) -> str:
        """Slurm's word, as it is now."""
        return str(self.refresh().facts["state"])

    def refresh(self) -> Job:
        self.facts = _call("GET", f"/jobs/{self.id}")
        return self

    def wait(self) -> Job:
        """Wait until it has ended; raise PortalError when it did not end well."""
        patience = _Patience()
        while True:
            with patience:
                if self.refresh().facts["end"] is not None:
                    break
                patience.heard()
            time.sleep(POLL_S)
        end = self.facts["end"]
        if end["code"] != "finished":
            raise PortalError(f"Job {self.id}: {end['text']} {end['advice'] or ''}".strip())
        return self

    def follow(self, file: str = "stdout", task: int | None = None) -> Job:
        """Print its output as it grows, until it has ended."""
        for text in self.output(file, task):
            sys.stdout.write(text)
            sys.stdout.flush()
        return self

    def output(self, file: str = "stdout", task: int | None = None) -> Iterator[str]:
        """Yield its output in pieces as it grows, until it has ended; go on where it was when the portal was away."""
        offset, patience = 0, _Patience()
        while True:
            query = {"file": file, "offset": offset, **({} if task is None else {"task": task})}
            with patience:
                for kind, data in _events(f"/jobs/{self.id}/output/follow?{urllib.parse.urlencode(query)}"):
                    patience.heard()
                    if kind == "end":
                        return
                    if kind == "piece":
                        if data["skipped"]:
                            yield f"\n… {data['skipped']} bytes skipped …\n"
                        yield data["text"]
                        offset = data["next_offset"]
            time.sleep(POLL_S)

    def cancel(self) -> None:
        (result,) = _call("POST", "/jobs/actions", {"ids": [self.id], "action": "cancel"})["results"]
        if not result["ok"]:
            raise PortalError(result["message"])

    def again(self) -> Job:
        """Submit it once more, with what its end says should change changed."""
        proposal = _call("GET", f"/jobs/{self.id}/again")
        return submit(proposal["script"], workdir=proposal["workdir"])

    def __repr__(self) -> str:
        end = self.facts["end"]
        return f"<Job {self.id} {self.facts['name']!r}: {end['text'] if end else self.facts['state'].lower()}>"


def submit(script: str, workdir: str | None = None) -> Job:
    """Submit a script and return its Job. Raises PortalError, with the fields at fault."""
    return Job(_call("POST", "/jobs", {"script": script, "workdir": workdir or os.getcwd()}))


def check(script: str, workdir: str | None = None) -> dict[str, Any]:
    """Return what Slurm says to the script: `ok`, `problems`, `starts_at`, `nodes`, `text`."""
    answer: dict[str, Any] = _call("POST", "/jobs/check", {"script": script, "workdir": workdir or os.getcwd()})
    return answer


def run(command: str, **form: Any) -> Job:
    """Submit a command of the shell as a job; `form` are fields of the portal's form, such as nodes or walltime_s."""
    return submit(compose(command, **form))


def compose(command: str, **form: Any) -> str:
    """Return the script of a form."""
    fields = {"memory_mib_per_node": 8192, "walltime_s": 3600, **form, "command": command}
    return str(_call("POST", "/jobs/compose", {"form": fields})["script"])


def submit_code(code: str, **form: Any) -> Job:
    """Submit Python code, to be run by the Python of this notebook."""
    mark = "PORTAL_CODE"
    while mark in code:
        mark += "_"
    return run(f"{shlex.quote(sys.executable)} - <<'{mark}'\n{code.rstrip()}\n{mark}", **form)


def submit_function(function: Callable[..., Any], *arguments: Any, **form: Any) -> Job:
    """Submit a function of this notebook, called with `arguments`, to be run by the Python of this notebook.

    Only its own text goes along: it imports what it needs. What it returns is printed.
    """
    text = textwrap.dedent(inspect.getsource(function))
    values = ", ".join(map(repr, arguments))
    try:
        compile(call := f"print({function.__name__}({values}))", "arguments", "eval")
    except SyntaxError:
        raise PortalError("Give arguments that can be written down: numbers, text, lists, dictionaries.") from None
    return submit_code(f"{text}\n{call}", **{"name": function.__name__, **form})


def submit_notebook(
    path: str | os.PathLike[str] | None = None, parameters: Mapping[str, Any] | None = None, **form: Any
) -> Job:
    """Submit a notebook (this one, if none is named) to be executed to its end; the result lies beside it.

    Parameters are set in a cell of their own behind the cell with the tag `parameters`, or at the top.
    """
    source = Path(path or _this_notebook()).expanduser().resolve()
    notebook = json.loads(source.read_text(encoding="utf-8"))
    _parameterize(notebook, parameters or {})
    folder = FOLDER.expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / f"{source.stem}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.ipynb"
    copy.write_text(json.dumps(notebook), encoding="utf-8")
    jupyter = shutil.which("jupyter") or "jupyter"
    words = [jupyter, "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.timeout=-1"]
    lines = [
        *(f"export {name}={shlex.quote(os.environ[name])}" for name in ("JUPYTER_PATH",) if name in os.environ),
        f"cd {shlex.quote(str(source.parent))}",
        f"{shlex.join(words)} --output-dir . "
        f'--output {shlex.quote(source.stem)}-"$SLURM_JOB_ID".ipynb {shlex.quote(str(copy))}',
    ]
    return run("\n".join(lines), **{"name": _plain(source.stem), **form})


def _plain(name: str) -> str:
    return "".join(one if one.isalnum() or one in " ._-" else "_" for one in name)[:100] or "notebook"


def _parameterize(notebook: dict[str, Any], parameters: Mapping[str, Any]) -> None:
    for name in parameters:
        if not name.isidentifier():
            raise PortalError(f"{name!r} is no name of a variable.")
    if not parameters:
        return
    cells = notebook["cells"]
    tagged = [at for at, cell in enumerate(cells) if "parameters" in cell.get("metadata", {}).get("tags", ())]
    lines = "".join(f"{name} = {value!r}\n" for name, value in parameters.items())
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {"tags": ["injected-parameters"]},
        "outputs": [],
        "source": f"# Parameters\n{lines}",
    }
    if notebook.get("nbformat_minor", 0) >= 5:
        cell["id"] = "injected-parameters"
    cells.insert(tagged[0] + 1 if tagged else 0, cell)


def _this_notebook() -> str:
    path = os.environ.get("JPY_SESSION_NAME", "")
    if not path.endswith(".ipynb"):
        raise PortalError("Which notebook this is cannot be told here; name its file.")
    return path


# --- speaking to the portal ---


def _request(method: str, path: str, body: object = None) -> Any:
    token = os.environ.get("PORTAL_TOKEN") or os.environ.get("JUPYTERHUB_API_TOKEN")
    if not token:
        raise PortalError("There is no token here: start the notebook in a session, or set PORTAL_TOKEN.")
    address = os.environ.get("PORTAL_URL", "http://localhost:8000").rstrip("/")
    request = urllib.request.Request(  # noqa: S310  (the address is the site's own)
        f"{address}/services/portal/api{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"token {token}", "Content-Type": "application/json"},
    )
    try:
        return urllib.request.urlopen(request, timeout=TIMEOUT_S)  # noqa: S310
    except urllib.error.HTTPError as error:
        refusal = _refusal(error)
        raise (PortalAway(str(refusal)) if error.code in AWAY else refusal) from None
    except OSError as error:
        raise PortalAway(f"The portal at {address} does not answer ({error}).") from None


def _refusal(error: urllib.error.HTTPError) -> PortalError:
    try:
        told = json.loads(error.read())["error"]
    except (ValueError, KeyError):
        return PortalError(f"The portal answered {error.code}.")
    lines = [f"{one['field']}: {one['message']}" for one in told["fields"]] or [told["message"]]
    return PortalError(" ".join([*lines, told["hint"]]), told["fields"])


def _call(method: str, path: str, body: object = None) -> Any:
    with _request(method, path, body) as answer:
        return json.loads(answer.read())


def _events(path: str) -> Iterator[tuple[str, Any]]:
    kind = "message"
    with _request("GET", path) as answer:
        for line in _lines(answer):
            if line.startswith(":"):
                yield "ping", None
            elif line.startswith("event: "):
                kind = line[len("event: ") :]
            elif line.startswith("data: "):
                yield kind, json.loads(line[len("data: ") :])


def _lines(answer: Any) -> Iterator[str]:
    """Yield the lines of a stream; raise PortalAway when it breaks off."""
    try:
        for raw in answer:
            yield raw.decode().rstrip("\n")
    except (OSError, http.client.HTTPException) as error:
        raise PortalAway(f"The portal broke off ({error}).") from None


class _Patience:
    """A `with` that forgives a portal that is away, until it has been away for too long."""

    def __init__(self) -> None:
        self.heard()

    def heard(self) -> None:
        self._last = time.monotonic()

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: object, __: object) -> bool:
        return isinstance(error, PortalAway) and time.monotonic() - self._last < PATIENCE_S


# --- magics ---


class _Usage(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Usage(f"{message}\n{self.format_usage()}")


def _parser() -> _Parser:
    parser = _Parser(prog="portal_submit", add_help=False, description=_magic.__doc__)
    parser.add_argument("notebook", nargs="?")
    parser.add_argument("-p", "--parameter", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))
    parser.add_argument("--name")
    parser.add_argument("--partition")
    parser.add_argument("--environment")
    for name, field in (("--nodes", "nodes"), ("--gpus", "gpus_per_node"), ("--cpus", "cpus_per_task")):
        parser.add_argument(name, type=int, dest=field)
    parser.add_argument("--memory-gb", type=float)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--detach", action="store_true")
    return parser


def _magic(line: str, cell: str | None = None) -> Job | None:
    """Submit this notebook, the named one, or the cell below, and follow it until it has ended.

    A cell that begins with #! is a script with #SBATCH lines; any other is Python. --detach returns at once.
    """
    try:
        asked = vars(_parser().parse_args(shlex.split(line)))
    except _Usage as error:
        print(error)
        return None
    detach, notebook, parameters = (asked.pop(name) for name in ("detach", "notebook", "parameter"))
    memory, hours = asked.pop("memory_gb"), asked.pop("hours")
    form = {name: value for name, value in asked.items() if value is not None}
    if memory:
        form["memory_mib_per_node"] = round(memory * 1024)
    if hours:
        form["walltime_s"] = round(hours * 3600)
    if cell is None:
        job = submit_notebook(notebook, {name: _value(value) for name, value in parameters}, **form)
    elif cell.startswith("#!"):
        job = submit(cell)
    else:
        job = submit_code(cell, **form)
    print(f"Submitted job {job.id}.")
    if not detach:
        job.follow().wait()
    return job


def _value(text: str) -> Any:
    """A parameter as JSON where it is some (3, 0.1, true), else as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def load_ipython_extension(shell: Any) -> None:
    shell.register_magic_function(_magic, "line_cell", "portal_submit")
