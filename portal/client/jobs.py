"""`portal jobs …`: batch jobs from the command line."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from portal.client import job_follow, sessions_show
from portal.client.http import PortalClient
from portal.client.terminal import console, output, table
from portal.errors import InvalidRequest
from portal.policy import formatting

jobs_app = typer.Typer(no_args_is_help=True, help="Batch jobs: submit, check, list, show, tail, cancel, again.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Script = Annotated[str, typer.Argument(help="A script with #SBATCH lines; - reads it from standard input.")]
Workdir = Annotated[str | None, typer.Option(help="Folder to submit from, absolute or ~/…; default: your home.")]
Follow = Annotated[bool, typer.Option("--follow", "-f", help="Follow its output until it ends.")]
JobOrTask = Annotated[str, typer.Argument(help="123, or 123_7 for a task of an array.")]
JobNumber = Annotated[str, typer.Argument(help="Job number, such as 123.")]
POLL_S = 2.0
_NOWHERE = "Its output file is unknown: the job has not started, or neither Slurm nor the portal has a record of it."
_JOB = re.compile(r"([1-9]\d{0,8})(?:_(\d{1,9}))?", re.ASCII)
_JOBS = re.compile(r"[1-9]\d{0,8}(_(\d{1,9}|\[\d[\d,-]{0,999}\]))?", re.ASCII)


def _named(job: str) -> tuple[str, str | None]:
    """Return the job number and array task. Raises InvalidRequest if it is not a job number."""
    match = _JOB.fullmatch(job)
    if match is None:
        raise _names_none(job)
    return match[1], match[2]


def _whole(job: str, command: str) -> str:
    """Return the number of a whole job, not of an array task."""
    number, task = _named(job)
    if task is not None:
        raise InvalidRequest(
            f"{job} is an array task, but this command takes only whole jobs.",
            hint=f"Use: `portal jobs {command} {number}`.",
        )
    return number


def _names_none(job: str) -> InvalidRequest:
    return InvalidRequest(
        f"“{job[:40]}” is not a job number.",
        hint="Use a number such as 123, or 123_7 for an array task; `portal jobs list --all` shows yours.",
    )


def _read(script: str) -> str:
    if script == "-":
        return sys.stdin.read()
    try:
        return Path(script).read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidRequest(f"{script} cannot be read: {reason}.", hint="Check the file name.") from error


@jobs_app.command()
def submit(script: Script, workdir: Workdir = None, follow: Follow = False, as_json: Json = False) -> None:
    """Submit a job. With --follow, the exit status is 1 unless it finishes well."""
    client = PortalClient()
    job = client.make("/jobs", _body(_read(script), workdir))
    _submitted(client, job, follow=follow, as_json=as_json)


def _body(script: str, workdir: str | None) -> dict[str, Any]:
    return {"script": script, **({"workdir": workdir} if workdir else {})}


def _submitted(client: PortalClient, job: dict[str, Any], *, follow: bool, as_json: bool) -> None:
    if as_json:
        console.print_json(data=job)
    else:
        later = "" if job.get("recorded", True) else "The portal will list it shortly."
        console.print(f"Submitted job {job['id']}.{later}", highlight=False)
    if follow:
        with job_follow.interruptible(job["id"]):
            if job_follow.whole_output(job):
                job_follow.follow(client, job["id"], None, "stdout", offset=0)
            job_follow.finish(client, job["id"])


@jobs_app.command()
def check(script: Script, workdir: Workdir = None, as_json: Json = False) -> None:
    """Ask Slurm whether it would accept the job, and when and where it would start. Exit status 1 if not."""
    answer = PortalClient().call("POST", "/jobs/check", json=_body(_read(script), workdir))
    if as_json:
        console.print_json(data=answer)
    elif answer["ok"]:
        console.print(answer["text"], markup=False, highlight=False)
        for caution in answer["cautions"]:
            console.print(caution, style="yellow", markup=False, highlight=False)
    else:
        for problem in answer["problems"]:
            console.print(f"{problem['field']}: {problem['message']}", style="red", markup=False, highlight=False)
    if not answer["ok"]:
        raise typer.Exit(1)


@jobs_app.command("list")
def list_(
    everything: Annotated[bool, typer.Option("--all", help="Include ended jobs.")] = False,
    query: Annotated[str, typer.Option(help="Words to find in names, partitions and scripts.")] = "",
    limit: Annotated[int, typer.Option(help="Maximum number of jobs.")] = 50,
    as_json: Json = False,
) -> None:
    """List your batch jobs, newest first."""
    state = "all" if everything or query else "active"
    items = PortalClient().call("GET", "/jobs", params={"state": state, "query": query, "limit": limit})["items"]
    if as_json:
        console.print_json(data=items)
        return
    if not items:
        console.print("No jobs match." if query else "No jobs. Submit one with: portal jobs submit SCRIPT")
        return
    rows = table("ID", "NAME", "STATE", "RESOURCES", "NODES", "WHY / HOW IT ENDED")
    for item in items:
        rows.add_row(item["id"], item["name"], _state(item), _resources(item), item["node_list"], _why(item))
    console.print(rows, markup=False)


def _state(job: dict[str, Any]) -> str:
    array = job["array"]
    if array is None:
        return str(job["state"]).lower()
    parts = [f"{array[name]} {name}" for name in ("pending", "running", "done", "failed", "cancelled") if array[name]]
    return ", ".join(parts) or str(job["state"]).lower()


def _resources(job: dict[str, Any]) -> str:
    gpus = f"{job['gpus']}×{job['gpu_type'] or 'gpu'} " if job["gpus"] else ""
    memory = f" {formatting.memory(job['memory_mib'])}" if job["memory_mib"] else ""
    return f"{gpus}{job['cpus']} core{'' if job['cpus'] == 1 else 's'}{memory}"


def _why(job: dict[str, Any]) -> str:
    if job["end"]:
        return str(job["end"]["text"])
    return str(job["reason"] or "")


@jobs_app.command()
def show(
    job_id: JobOrTask,
    use: Annotated[bool, typer.Option("--use", help="Show what it uses now on each node, while it runs.")] = False,
    as_json: Json = False,
) -> None:
    """Show a job or an array task: what it requested, what happened, where it writes."""
    client = PortalClient()
    if use:
        _use(client, job_id, as_json=as_json)
        return
    number, task = _named(job_id)
    job = client.call("GET", f"/jobs/{number}" if task is None else f"/jobs/{number}/tasks/{task}")
    if as_json:
        console.print_json(data=job)
        return
    facts = {
        "job": f"{job['id']} ({job['name']})",
        "state": _state(job),
        "resources": f"{formatting.plural(job['nodes'], 'node')}, {_resources(job)}",
        "partition": job["partition"],
        "nodes": job["node_list"],
        "why": _why(job),
        "advice": (job["end"] or {}).get("advice") or "",
        "started": _clock(job["started_at"]),
        "ended": _clock(job["ended_at"]),
        "output": job["stdout"] or "",
        "folder": job.get("workdir") or "",
    }
    for name, value in facts.items():
        if value:
            console.print(f"{name:>10}  {value}", markup=False, highlight=False, soft_wrap=True)
    for event in job.get("events", ()):
        console.print(f"{_clock(event['at']):>20}  {event['text']}", markup=False, highlight=False, soft_wrap=True)


def _clock(moment: str | None) -> str:
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M:%S") if moment else ""


def _use(client: PortalClient, job_id: str, *, as_json: bool) -> None:
    number, task = _named(job_id)
    asked = {"task": task} if task else {}
    while (use := client.call("GET", f"/jobs/{number}/use", params=asked))["state"] == "starting":
        time.sleep(POLL_S)
    if as_json:
        console.print_json(data=use)
        return
    if use["state"] != "live":
        console.print(use["message"] or "It is not running now.", markup=False, highlight=False)
        return
    rows = table("NODE", "CORES", "MEMORY", "GPUS")
    for node in use["nodes"]:
        asked_mib = node["memory_asked_mib"]
        rows.add_row(
            node["node"],
            f"{node['cpu_percent'] / 100:.1f} of {node['cores']:g}",
            formatting.memory(node["memory_mib"]) + (f" of {formatting.memory(asked_mib)}" if asked_mib else ""),
            ", ".join(f"{'?' if gpu['utilization'] is None else round(gpu['utilization'])} %" for gpu in node["gpus"]),
        )
    console.print(rows, markup=False)
    for node in (each for each in use["nodes"] if each["gpus"]):
        console.print(f"\n{node['node']}", markup=False, highlight=False)
        for text in (*map(sessions_show.gpu_line, node["gpus"]), *node["gpu_problems"]):
            console.print(text, markup=False, highlight=False)
        if holding := sessions_show.gpu_processes(node["gpus"]):
            console.print(holding, markup=False)


@jobs_app.command()
def tail(
    job_id: JobOrTask,
    error: Annotated[bool, typer.Option("--error", help="Print the error output, if it has its own file.")] = False,
    follow: Follow = False,
) -> None:
    """Print the end of a job's output; with --follow, continue until the job ends."""
    number, task = _named(job_id)
    client = PortalClient()
    file = "stderr" if error else "stdout"
    if follow:
        with job_follow.interruptible(job_id):
            job_follow.follow(client, number, task, file)
        return
    params = {"file": file, "offset": -65_536, "limit": 65_536, **({"task": task} if task else {})}
    piece = client.call("GET", f"/jobs/{number}/output", params=params)
    sys.stdout.write(output(piece["text"]))
    if not piece["size"]:
        job_follow.say(f"Nothing has been written to {piece['path']} yet." if piece["path"] else _NOWHERE)


@jobs_app.command()
def cancel(
    job_ids: Annotated[list[str], typer.Argument(help="123, 123_7, or tasks of an array: '123_[0-9]'.")],
    as_json: Json = False,
) -> None:
    """Cancel jobs. Exit status 1 if one was not cancelled: it is not yours, or had already ended."""
    for job_id in job_ids:
        if _JOBS.fullmatch(job_id) is None:
            raise _names_none(job_id)
    results = PortalClient().call("POST", "/jobs/actions", json={"ids": job_ids, "action": "cancel"})["results"]
    if as_json:
        console.print_json(data=results)
    for job_result in [] if as_json else results:
        console.print(
            f"{job_result['id']}: {job_result['message']}",
            style=None if job_result["ok"] else "red",
            markup=False,
            highlight=False,
        )
    if not all(result["changed"] for result in results):
        raise typer.Exit(1)


@jobs_app.command()
def again(
    job_id: JobNumber,
    corrected: Annotated[bool, typer.Option(help="Apply the suggested changes.")] = True,
    follow: Follow = False,
    as_json: Json = False,
) -> None:
    """Submit a job again, with more memory or time if it ran out."""
    client = PortalClient()
    number = _whole(job_id, "again")
    was = client.call("GET", f"/jobs/{number}")
    if was["script"] is None:
        raise InvalidRequest(
            f"The script of job {number} is unknown: it was not submitted through the portal.",
            hint="Submit the script itself: `portal jobs submit SCRIPT`.",
        )
    proposal = client.call("GET", f"/jobs/{number}/again")
    script, workdir = proposal["script"], proposal["workdir"]
    if not corrected:
        script = was["script"]
    elif not as_json:
        for correction in proposal["corrections"]:
            console.print(f"{_change(correction)}. {correction['why']}", markup=False, highlight=False, soft_wrap=True)
    job = client.make("/jobs", _body(script, workdir))
    _submitted(client, job, follow=follow, as_json=as_json)


#: Fields that may be corrected, named as in the form.
LABELS: dict[str, tuple[str, Callable[[int], str]]] = {
    "memory_mib_per_node": ("Memory per node", formatting.memory),
    "walltime_s": ("Time limit", formatting.duration),
}


def _change(correction: dict[str, Any]) -> str:
    """Return `Memory per node: 10 GB → 20 GB`, in the web app's words."""
    label, say = LABELS.get(correction["field"], (correction["field"].replace("_", " ").capitalize(), str))
    before, after = (
        "Slurm’s default" if memory is None else say(memory) for memory in (correction["from"], correction["to"])
    )
    return f"{label}: {before} → {after}"
