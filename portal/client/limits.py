"""`portal limits …`: the limits of users and groups from the command line."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import typer

from portal.client.http import PortalClient
from portal.client.terminal import console, table
from portal.errors import InvalidRequest

limits_app = typer.Typer(no_args_is_help=True, help="Limits of users and groups, for administrators.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
User = Annotated[str | None, typer.Option(help="A user name.")]
Group = Annotated[str | None, typer.Option(help="A group of the directory.")]


@limits_app.command("list")
def list_(as_json: Json = False) -> None:
    """List the limits that administrators have set."""
    items = PortalClient().call("GET", "/admin/limits")["items"]
    if as_json:
        console.print_json(data=items)
        return
    rows = table(
        "FOR", "GPUS EACH", "SESSIONS EACH", "HOURS", "GPU-HOURS PER MONTH EACH", "GPUS OF GROUP",
        "GPU-HOURS PER MONTH OF GROUP", "PARTITIONS", "GPU TYPES",
    )  # fmt: skip
    for item in items:
        hours = None if item["max_walltime_s"] is None else f"{item['max_walltime_s'] / 3600:g}"
        each = (item["max_gpus"], item["max_sessions"], hours, item["max_gpu_hours"])
        values = (*each, item["group_max_gpus"], item["group_max_gpu_hours"])
        names = (item["partitions"], item["gpu_types"])
        cells = ["" if value is None else str(value) for value in values]
        cells += ["" if value is None else ", ".join(value) or "none" for value in names]
        rows.add_row(f"{item['kind']} {item['name']}", *cells)
    console.print(rows, markup=False)


@limits_app.command("set")
def set_(
    user: User = None,
    group: Group = None,
    gpus: Annotated[int | None, typer.Option(help="GPUs at once of the user or of each member.")] = None,
    sessions: Annotated[int | None, typer.Option(help="Sessions at once of the user or of each member.")] = None,
    hours: Annotated[float | None, typer.Option(help="Longest time limit of a session or batch job, in hours.")] = None,
    gpu_hours: Annotated[int | None, typer.Option(help="GPU-hours per month of the user or of each member.")] = None,
    group_gpus: Annotated[int | None, typer.Option(help="GPUs at once of all members of the group together.")] = None,
    group_gpu_hours: Annotated[
        int | None, typer.Option(help="GPU-hours per month of all members of the group together.")
    ] = None,
    partition: Annotated[list[str] | None, typer.Option(help="Allowed partition; default: all.")] = None,
    gpu_type: Annotated[list[str] | None, typer.Option(help="Allowed GPU type; default: all.")] = None,
) -> None:
    """Set the whole rule of a user or group; options left out mean no limit."""
    body: dict[str, Any] = {
        "max_gpus": gpus,
        "max_sessions": sessions,
        "max_walltime_s": None if hours is None else round(hours * 3600),
        "max_gpu_hours": gpu_hours,
        "partitions": partition or None,
        "gpu_types": gpu_type or None,
        "group_max_gpus": group_gpus,
        "group_max_gpu_hours": group_gpu_hours,
    }
    PortalClient().call("PUT", _path(user, group), json=body)
    console.print("Limits set. They apply from the next session or job on.")


@limits_app.command()
def slurm(as_json: Json = False) -> None:
    """List the limits that Slurm itself sets by association and QOS."""
    answer = PortalClient().call("GET", "/admin/limits/slurm")
    if as_json:
        console.print_json(data=answer)
        return
    rows = table("FOR", "LIMITS")
    for item in answer["items"]:
        whom = [f"{item['kind']} {item['name']}"]
        whom += [f"in {item['account']}"] if item["account"] else []
        whom += [f"on {item['partition']}"] if item["partition"] else []
        rows.add_row(" ".join(whom), "  ".join(f"{name}={value}" for name, value in item["limits"].items()))
    console.print(rows, markup=False)
    if not answer["enforced"]:
        console.print("Slurm does not enforce limits: AccountingStorageEnforce in slurm.conf lacks “limits”.")


@limits_app.command()
def remove(user: User = None, group: Group = None) -> None:
    """Remove the limits of a user or group."""
    PortalClient().call("DELETE", _path(user, group))
    console.print("Removed.")


def _path(user: str | None, group: str | None) -> str:
    if (user is None) == (group is None):
        raise InvalidRequest("Give either a user or a group.", hint="Use --user NAME or --group NAME.")
    kind, name = ("user", user) if user is not None else ("group", group)
    return f"/admin/limits/{kind}/{quote(str(name), safe='')}"
