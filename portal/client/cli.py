"""`portal login` and `portal sessions …`: the user's side of the command line."""

from __future__ import annotations

import os
import sys
import time
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urljoin

import typer

from portal.client import idle, sessions_admin, sessions_show, shares
from portal.client.http import PortalClient, address, fetch_token, token_file
from portal.client.terminal import console, output, table
from portal.policy import formatting

login_app = typer.Typer()
sessions_app = typer.Typer(no_args_is_help=True, help="Interactive sessions: start, list, stop, logs.")

GpuMemory = Annotated[
    int | None, typer.Option(help="GPUs with this much memory in GB, such as MIG instances, instead of a whole type.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


@login_app.command()
def login(
    username: Annotated[str, typer.Option(prompt=True)] = "",
) -> None:
    """Log in with your cluster account and keep a token for 30 days."""
    password = typer.prompt("Password", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    token = fetch_token(username, password)
    file = token_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(token + "\n")
    console.print(f"Logged in at {address()} as {username}.")


@sessions_app.command()
def start(
    app: str = "jupyterlab",
    name: str | None = None,
    environment: str | None = None,
    gpus: int | None = None,
    gpu_type: str | None = None,
    gpu_memory_gb: GpuMemory = None,
    cpus: int | None = None,
    memory_gb: Annotated[float | None, typer.Option(help="Memory in GB.")] = None,
    hours: Annotated[float | None, typer.Option(help="Time limit in hours.")] = None,
    partition: str | None = None,
    account: str | None = None,
    qos: str | None = None,
    reservation: str | None = None,
    shards: Annotated[int | None, typer.Option(help="Shards of one GPU instead of whole GPUs.")] = None,
    mps_percent: Annotated[int | None, typer.Option(help="Percent of one GPU, shared by MPS.")] = None,
    constraint: Annotated[str | None, typer.Option(help="Features that the nodes must have: 'a100&nvme'.")] = None,
    licenses: Annotated[str | None, typer.Option(help="Licences: 'matlab:2,ansys'.")] = None,
    wckey: str | None = None,
    nodes: int | None = None,
    exclusive: Annotated[bool, typer.Option("--exclusive", help="Whole nodes, with all their GPUs and cores.")] = False,
    wait: Annotated[bool, typer.Option(help="Wait until it is ready, printing its progress.")] = True,
    as_json: Json = False,
) -> None:
    """Start a session and follow it until it is ready. The site's policy fills in what you leave out."""
    asked = asked_for(gpus, gpu_type, cpus, memory_gb, hours, partition)
    asked |= given({"account": account, "qos": qos, "reservation": reservation, "gpu_memory_gb": gpu_memory_gb})
    asked |= given({"shards": shards, "mps_percent": mps_percent, "nodes": nodes})
    asked |= given({"constraint": constraint, "licenses": licenses, "wckey": wckey, "exclusive": exclusive or None})
    body = {"app": app, "name": name, "environment": environment, "resources": asked}
    client = PortalClient()
    session = client.make("/sessions", given(body))
    if wait:
        session = follow(client, session["id"], quiet=as_json)
    if as_json:
        console.print_json(data=session)
    elif wait:
        said(session)
    else:
        console.print(session["id"])
    if session["state"] == "ended":
        raise typer.Exit(1)


def asked_for(
    gpus: int | None,
    gpu_type: str | None,
    cpus: int | None,
    memory_gb: float | None,
    hours: float | None,
    partition: str | None,
) -> dict[str, Any]:
    return given(
        {
            "gpus": gpus,
            "gpu_type": gpu_type,
            "cpus": cpus,
            "memory_mib": None if memory_gb is None else round(memory_gb * 1024),
            "walltime_s": None if hours is None else round(hours * 3600),
            "partition": partition,
        }
    )


def given(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def follow(client: PortalClient, session_id: str, *, quiet: bool) -> dict[str, Any]:
    for kind, data in client.events(f"/sessions/{session_id}/events"):
        if kind == "progress" and not quiet:
            console.print(f"{_clock(data['at'])}  {data['message']}", highlight=False, markup=False)
        if kind == "end" or (kind in ("session", "progress") and data.get("state") == "ready"):
            break
    session: dict[str, Any] = client.call("GET", f"/sessions/{session_id}")
    return session


def said(session: dict[str, Any]) -> None:
    if session["url"]:
        console.print(f"Open {urljoin(address(), session['url'])}", highlight=False, markup=False, soft_wrap=True)
    else:
        console.print(session["reason"] or session["state"], markup=False)


def _clock(at: str) -> str:
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M:%S")


@sessions_app.command("list")
def list_(
    ended: Annotated[bool, typer.Option("--ended", help="Include ended sessions.")] = False,
    everybodys: Annotated[bool, typer.Option("--all", help="Sessions of all users. For administrators.")] = False,
    query: Annotated[str, typer.Option(help="With --all: part of an owner, name, app, node or partition.")] = "",
    as_json: Json = False,
) -> None:
    """List your sessions."""
    params = {"state": "all" if ended else "active", **({"query": query} if everybodys else {})}
    page = PortalClient().call("GET", "/admin/sessions" if everybodys else "/sessions", params=params)
    items = page["items"]
    if as_json:
        console.print_json(data=items)
        return
    if not items:
        none = "There are no sessions." if everybodys else "No sessions. Start one with: portal sessions start --gpus 1"
        console.print(none)
        return
    whose = ["OWNER"] if everybodys else []
    rows = table("ID", *whose, "NAME", "STATE", "RESOURCES", "NODE", "LEFT / WHY")
    for item in items:
        owner = [item["owner"]] if everybodys else []
        where = (_resources(item["resources"]), item["node"] or "", _left(item))
        rows.add_row(item["id"], *owner, item["name"], item["state"], *where)
    console.print(rows, markup=False)
    if page["next"] is not None:
        console.print("Only the newest are shown; there are more.")


def _resources(resources: dict[str, Any]) -> str:
    gpus = f"{resources['gpus']}×{resources['gpu_type'] or 'gpu'} " if resources["gpus"] else ""
    return f"{gpus}{formatting.plural(resources['cpus'], 'core')} {formatting.memory(resources['memory_mib'])}"


def _left(session: dict[str, Any]) -> str:
    if session["reason"]:
        return str(session["reason"])
    if session["idle"] and session["idle"]["ends_at"]:
        return f"idle, ends at {_clock(session['idle']['ends_at'])[:5]}"
    if session["ends_at"] is None:
        return ""
    minutes = max(0, int(datetime.fromisoformat(session["ends_at"]).timestamp() - time.time()) // 60)
    return f"{minutes // 60} h {minutes % 60:02} min"


@sessions_app.command()
def show(session_id: str, as_json: Json = False) -> None:
    """Show a session: its state, its resource use, and which of its processes hold GPU memory."""
    session = PortalClient().call("GET", f"/sessions/{session_id}")
    if as_json:
        console.print_json(data=session)
        return
    for line in sessions_show.lines(session):
        console.print(line, markup=False, highlight=False)
    if rows := sessions_show.processes(session):
        console.print(rows, markup=False)


@sessions_app.command()
def stop(session_id: str, wait: Annotated[bool, typer.Option(help="Wait until its job has ended.")] = True) -> None:
    """Stop a session, or cancel a queued one."""
    client = PortalClient()
    session = client.call("DELETE", f"/sessions/{session_id}")
    if wait:
        for kind, _ in client.events(f"/sessions/{session_id}/events"):
            if kind == "end":
                break
        session = client.call("GET", f"/sessions/{session_id}")
    console.print(session["reason"] or session["state"], markup=False)


@sessions_app.command()
def logs(
    session_id: str,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Keep printing new lines until the session ends.")
    ] = False,
) -> None:
    """Print a session's log."""
    client = PortalClient()
    offset = 0
    while True:
        piece = client.call("GET", f"/sessions/{session_id}/log", params={"offset": offset, "limit": 262_144})
        sys.stdout.write(output(piece["text"]))
        sys.stdout.flush()
        moved, offset = piece["next_offset"] != offset, piece["next_offset"]
        if moved:
            continue
        if not follow or client.call("GET", f"/sessions/{session_id}")["state"] == "ended":
            return
        time.sleep(2)


@sessions_app.command()
def change(
    session_id: str,
    gpus: int | None = None,
    gpu_type: str | None = None,
    gpu_memory_gb: GpuMemory = None,
    cpus: int | None = None,
    memory_gb: Annotated[float | None, typer.Option(help="Memory in GB.")] = None,
    hours: Annotated[float | None, typer.Option(help="Time limit in hours.")] = None,
    partition: str | None = None,
    account: str | None = None,
    new_job: Annotated[
        bool,
        typer.Option("--new-job", help="Let a new job take over, at the end of the queue, if the change needs that."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do.")] = False,
) -> None:
    """Change what a waiting session requests, and show what that does to its position in the queue."""
    asked = asked_for(gpus, gpu_type, cpus, memory_gb, hours, partition)
    asked |= given({"account": account, "gpu_memory_gb": gpu_memory_gb})
    body, client = {"resources": asked, "new_job": new_job}, PortalClient()
    plan = client.call("POST", f"/sessions/{session_id}/resources/check", json=body)
    for problem in plan["problems"]:
        console.print(problem["message"], markup=False)
    console.print(plan["place"] or "That is what it already requests.", markup=False)
    if dry_run or not plan["ok"]:
        raise typer.Exit(0 if plan["ok"] else 1)
    after = client.call("PUT", f"/sessions/{session_id}/resources", json=body)["resources"]
    console.print(f"It now requests {_resources(after)} on {after['partition']}.", markup=False)


sessions_app.command()(sessions_admin.extend)
sessions_app.command()(sessions_admin.shorten)
sessions_app.command()(sessions_admin.message)
sessions_app.command()(idle.snooze)
sessions_app.command()(shares.share)
sessions_app.command()(shares.unshare)
sessions_app.command("shares")(shares.shares)
