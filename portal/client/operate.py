"""`portal nodes …`, `portal reservations …`, `portal jobs-admin …`: an administrator's actions on the cluster."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from urllib.parse import quote

import typer

from portal.client.announcements import FORMATS, clock, utc
from portal.client.http import PortalClient
from portal.client.terminal import console, table
from portal.errors import InvalidRequest
from portal.policy import formatting

nodes_app = typer.Typer(no_args_is_help=True, help="Nodes: list, show, drain, resume. For administrators.")
reservations_app = typer.Typer(no_args_is_help=True, help="Slurm's reservations. For administrators.")
jobs_admin_app = typer.Typer(no_args_is_help=True, help="Jobs of all users. For administrators.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]


@nodes_app.command("list")
def nodes_list(as_json: Json = False) -> None:
    """List the nodes and their users."""
    items = PortalClient().call("GET", "/admin/nodes")["items"]
    if as_json:
        console.print_json(data=items)
        return
    rows = table("NODE", "STATE", "GPUS", "CPUS", "LOAD", "USERS", "REASON", figures=("GPUS", "CPUS", "LOAD"))
    for item in items:
        gpus, cpus = f"{item['gpus_allocated']}/{item['gpus_total']}", f"{item['cpus_allocated']}/{item['cpus']}"
        load = "" if item["load"] is None else f"{item['load']:g}"
        rows.add_row(item["name"], item["state"], gpus, cpus, load, ", ".join(_users(item)), item["reason"])
    console.print(rows, markup=False)


@nodes_app.command()
def show(node: str, as_json: Json = False) -> None:
    """Show a node's state, its users, and its history."""
    answer = PortalClient().call("GET", f"/admin/nodes/{quote(node, safe='')}")
    if as_json:
        console.print_json(data=answer)
        return
    for name, value in _facts(answer):
        if value:
            _line(name, value)
    for job in answer["jobs"]:
        _line("runs", f"{job['id']} of {job['user']} ({job['name']})")
    for finding in answer["findings"] or ({"text": "Slurm reports no problems with it."},):
        _line("problem" if "level" in finding else "", finding["text"])
    for item in answer["history"]:
        by = f" (by {item['actor']})" if item["actor"] else ""
        _line(clock(item["at"]), f"{item['state']} {item['reason']}{by}")


def _facts(node: dict[str, Any]) -> list[tuple[str, str]]:
    text = "" if node["gpus_found"] is None else f", {node['gpus_found']} found"
    free = "" if node["memory_free_mib"] is None else f", {formatting.memory(node['memory_free_mib'])} free"
    return [
        ("node", node["name"]),
        ("state", node["state"]),
        ("reason", node["reason"]),
        ("partitions", ", ".join(node["partitions"])),
        ("gpus", f"{node['gpus_allocated']} of {node['gpus_total']} in use{text}"),
        ("cores", f"{node['cpus_allocated']} of {node['cpus']} in use"),
        ("memory", f"{formatting.memory(node['memory_mib'])}{free}"),
        ("load", "" if node["load"] is None else f"{node['load']:g}"),
        ("slurmd since", clock(node["slurmd_since"])),
        ("node up", clock(node["boot_at"])),
    ]


def _line(name: str, text: str) -> None:
    console.print(f"{name:>16}  {text.strip()}", markup=False, highlight=False, soft_wrap=True)


@nodes_app.command()
def drain(
    nodes: list[str],
    reason: Annotated[str, typer.Option(help="Reason, shown to everybody who looks at the node.")],
    deadline: Annotated[datetime | None, typer.Option(help="When users should be finished.", formats=FORMATS)] = None,
    message: Annotated[str, typer.Option(help="Message to users with jobs there.")] = "",
    yes: Yes = False,
) -> None:
    """Drain nodes. Their jobs continue; the owners are notified."""
    client = PortalClient()
    rows = [item for item in client.call("GET", "/admin/nodes")["items"] if item["name"] in nodes]
    for row in rows:
        for job in row["jobs"]:
            console.print(
                f"{row['name']}: {job['user']} runs {job['id']} ({job['name']})", markup=False, highlight=False
            )
    if not yes:
        typer.confirm(f"Drain {', '.join(nodes)}?", abort=True)
    body: dict[str, Any] = {"nodes": nodes, "reason": reason, "message": message}
    if deadline is not None:
        body["deadline"] = deadline.astimezone().isoformat()
    notified = client.call("POST", "/admin/nodes/drain", json=body)["told"]
    console.print(f"Drained. Notified: {', '.join(notified) or 'nobody, as there are no jobs'}.", markup=False)


@nodes_app.command()
def resume(nodes: list[str]) -> None:
    """Resume drained nodes."""
    PortalClient().call("POST", "/admin/nodes/resume", json={"nodes": nodes})
    console.print("Back in service.")


def _users(node: dict[str, Any]) -> list[str]:
    return sorted({job["user"] for job in node["jobs"]})


@reservations_app.command("list")
def reservations_list(as_json: Json = False) -> None:
    """List reservations."""
    _show(PortalClient().call("GET", "/admin/reservations")["items"], as_json=as_json)


@reservations_app.command("create")
def reservations_create(
    name: str,
    hours: Annotated[float, typer.Option(help="Duration in hours.")],
    node: Annotated[list[str] | None, typer.Option(help="A node to reserve.")] = None,
    all_nodes: Annotated[bool, typer.Option("--all-nodes", help="Reserve the whole cluster.")] = False,
    gpus: Annotated[
        int | None, typer.Option(help="Instead of nodes: whole nodes with this many GPUs in total.")
    ] = None,
    gpu_type: Annotated[str | None, typer.Option(help="With --gpus: their type.")] = None,
    user: Annotated[
        list[str] | None,
        typer.Option(help="Users who may use it; with --account, only those in one of the accounts."),
    ] = None,
    account: Annotated[list[str] | None, typer.Option(help="Accounts whose members may use it.")] = None,
    from_: Annotated[datetime | None, typer.Option("--from", help="Default: now.", formats=FORMATS)] = None,
    flag: Annotated[list[str] | None, typer.Option(help="MAINT, IGNORE_JOBS, FLEX, DAILY or WEEKLY.")] = None,
) -> None:
    """Reserve nodes for users or accounts: those named, as many as have the GPUs, or all."""
    if [bool(node), gpus is not None, all_nodes].count(True) != 1:
        raise InvalidRequest(
            "Say which nodes to reserve.", hint="Use exactly one of --node NAME, --gpus NUMBER and --all-nodes."
        )
    body = {
        "name": name,
        "minutes": round(hours * 60),
        "nodes": node or [],
        "users": user or [],
        "accounts": account or [],
        "flags": flag or [],
        "all_nodes": all_nodes,
        "gpus": gpus,
        "gpu_type": gpu_type,
        "starts_at": utc(from_),
    }
    _show(PortalClient().call("POST", "/admin/reservations", json=body)["items"], as_json=False)


@reservations_app.command("edit")
def reservations_edit(
    name: str,
    from_: Annotated[
        datetime | None, typer.Option("--from", help="New start, unless it has already started.", formats=FORMATS)
    ] = None,
    until: Annotated[datetime | None, typer.Option(help="New end.", formats=FORMATS)] = None,
    node: Annotated[list[str] | None, typer.Option(help="Nodes to reserve instead of the present ones.")] = None,
    user: Annotated[list[str] | None, typer.Option(help="Users who may use it, instead of the present ones.")] = None,
    account: Annotated[
        list[str] | None, typer.Option(help="Accounts whose members may use it, instead of the present ones.")
    ] = None,
    no_users: Annotated[bool, typer.Option("--no-users", help="Remove all users from it.")] = False,
    no_accounts: Annotated[bool, typer.Option("--no-accounts", help="Remove all accounts from it.")] = False,
) -> None:
    """Change a reservation. What you leave out stays as it is, and running jobs continue."""
    changes = {
        "starts_at": utc(from_),
        "ends_at": utc(until),
        "nodes": node or None,
        "users": [] if no_users else user or None,
        "accounts": [] if no_accounts else account or None,
    }
    body = {key: value for key, value in changes.items() if value is not None}
    if not body:
        raise InvalidRequest("Say what to change.", hint="See: portal reservations edit --help")
    path = f"/admin/reservations/{quote(name, safe='')}"
    _show(PortalClient().call("PATCH", path, json=body)["items"], as_json=False)


@reservations_app.command("delete")
def reservations_delete(name: str) -> None:
    """Delete a reservation."""
    PortalClient().call("DELETE", f"/admin/reservations/{quote(name, safe='')}")
    console.print(f"Deleted reservation {name}.", markup=False)


def _show(items: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        console.print_json(data=items)
        return
    rows = table("NAME", "STATE", "FROM", "UNTIL", "NODES", "FOR", "FLAGS")
    for item in items:
        whom = ", ".join([*item["users"], *item["accounts"]])
        times = (clock(item["starts_at"]), clock(item["ends_at"]))
        rows.add_row(item["name"], item["state"], *times, item["nodes"], whom, ", ".join(item["flags"]))
    console.print(rows, markup=False)


@jobs_admin_app.command("list")
def jobs_list(
    query: Annotated[str, typer.Argument(help="Part of an id, name, user, account, partition or node.")] = "",
    as_json: Json = False,
) -> None:
    """List the pending and running jobs of all users."""
    page = PortalClient().call("GET", "/admin/jobs", params={"query": query, "limit": 500})
    if as_json:
        console.print_json(data=page["items"])
        return
    rows = table("ID", "USER", "NAME", "STATE", "PARTITION", "GPUS", "NODES / WHY", figures=("GPUS",))
    for item in page["items"]:
        where = item["nodes"] or item["reason"]
        rows.add_row(item["id"], item["user"], item["name"], item["state"], item["partition"], str(item["gpus"]), where)
    console.print(rows, markup=False)
    if page["total"] > len(page["items"]):
        console.print(f"{page['total']} in total; give part of a name to see fewer.")


@jobs_admin_app.command()
def hold(jobs: list[str]) -> None:
    """Hold pending jobs, so that they do not start."""
    _act(jobs, "hold")


@jobs_admin_app.command()
def release(jobs: list[str]) -> None:
    """Release held jobs."""
    _act(jobs, "release")


@jobs_admin_app.command()
def requeue(jobs: list[str], yes: Yes = False) -> None:
    """Requeue running jobs: they end and wait again. Unsaved work is lost."""
    _ask(jobs, "Requeue", yes=yes)
    _act(jobs, "requeue")


@jobs_admin_app.command()
def cancel(jobs: list[str], yes: Yes = False) -> None:
    """Cancel jobs. Unsaved work is lost."""
    _ask(jobs, "Cancel", yes=yes)
    _act(jobs, "cancel")


@jobs_admin_app.command("time-limit")
def time_limit(
    jobs: list[str], hours: Annotated[float, typer.Option(help="New time limit, counted from the start of the job.")]
) -> None:
    """Set the time limit of jobs."""
    _act(jobs, "time_limit", walltime_s=round(hours * 3600))


@jobs_admin_app.command()
def priority(
    jobs: list[str], value: Annotated[int, typer.Option("--to", help="New priority; higher starts sooner.")]
) -> None:
    """Set the priority of pending jobs."""
    _act(jobs, "priority", priority=value)


def _ask(jobs: list[str], what: str, *, yes: bool) -> None:
    """Show whose jobs are affected, and ask for confirmation."""
    if yes:
        return
    client = PortalClient()
    for number in jobs:
        for item in client.call("GET", "/admin/jobs", params={"query": number, "limit": 500})["items"]:
            if item["id"] == number:
                _line(number, f"{item['user']}: {item['name']} ({item['state'].lower()})")
    typer.confirm(f"{what} {len(jobs)} job{'' if len(jobs) == 1 else 's'}?", abort=True)


def _act(jobs: list[str], action: str, **value: int) -> None:
    body = {"jobs": jobs, "action": action, **value}
    results = PortalClient().call("POST", "/admin/jobs/actions", json=body)["results"]
    for result in results:
        console.print(f"{result['id']}: {'done' if result['ok'] else result['message']}", markup=False, highlight=False)
    if not all(result["ok"] for result in results):
        raise typer.Exit(1)
