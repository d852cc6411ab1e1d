"""`portal people …`: users and groups, what they use now and what they may use."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import typer

from portal.client.announcements import clock
from portal.client.http import PortalClient
from portal.client.terminal import console, table
from portal.plurals import plural
from portal.policy import formatting

people_app = typer.Typer(no_args_is_help=True, help="Users and groups of the directory, for administrators.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Query = Annotated[str, typer.Argument(help="Part of a name.")]
USE = ("SESSIONS", "GPUS", "GPU-HOURS USED", "PROMISED")


@people_app.command("list")
def list_(query: Query = "", as_json: Json = False) -> None:
    """List users with what they use now and their GPU-hours this month."""
    _show("/admin/people", query, as_json=as_json)


@people_app.command()
def groups(query: Query = "", as_json: Json = False) -> None:
    """List groups with what their members use now and their GPU-hours this month."""
    _show("/admin/groups", query, as_json=as_json)


@people_app.command()
def show(username: str, as_json: Json = False) -> None:
    """Show a user: groups, rights, what they use now and what they may use."""
    answer = PortalClient().call("GET", f"/admin/people/{quote(username, safe='')}")
    if as_json:
        console.print_json(data=answer)
        return
    may = ", ".join(_may(answer["limits"]))
    rights = "administrator" if answer["admin"] else "can log in" if answer["allowed"] else "cannot log in"
    facts = {
        "name": answer["display_name"],
        "mail": answer["mail"],
        "rights": rights,
        "groups": ", ".join(answer["groups"]) or "none",
        "holds": f"{formatting.plural(answer['sessions'], 'session')}, {formatting.plural(answer['gpus'], 'GPU')}; "
        f"this month {_hours(answer)}",
        "may use": may,
        "shares": "; ".join(_pool(pool) for pool in answer["pools"]) or "nothing with others",
    }
    for name, value in facts.items():
        console.print(f"{name:>8}  {value}", markup=False, highlight=False, soft_wrap=True)


def _show(path: str, query: str, *, as_json: bool) -> None:
    client = PortalClient()
    page = client.call("GET", path, params={"query": query, "limit": 200})
    if as_json:
        console.print_json(data=page["items"])
        return
    named: list[tuple[str, ...]]
    if path.endswith("people"):
        rows = table("USER", "NAME", "STANDING", *USE, "LIMITS", figures=USE)
        named = [(item["username"], item["display_name"], _standing(item)) for item in page["items"]]
    else:
        rows = table("GROUP", "MEMBERS", *USE, "LIMITS", figures=("MEMBERS", *USE))
        named = [(item["name"], str(item["members"] or "")) for item in page["items"]]
    for names, person in zip(named, page["items"], strict=True):
        held = (
            str(person["sessions"]),
            str(person["gpus"]),
            f"{person['gpu_hours_used']:,.1f}",
            f"{person['gpu_hours_promised']:,.1f}",
        )
        rows.add_row(*names, *held, ", ".join(_may(person["limit"])) if person["limit"] else "")
    console.print(rows, markup=False)
    if page["total"] > len(page["items"]):
        console.print(f"{page['total']} in total; give part of a name to see fewer.")
    if (since := page["directory"]["silent_since"]) is not None:
        console.print(f"The directory has not answered since {clock(since)}: names and groups are as of then.")


def _hours(held: dict[str, Any]) -> str:
    return f"{plural(round(held['gpu_hours_used'], 1), 'GPU-hour')} used, {held['gpu_hours_promised']:,.1f} promised"


def _pool(pool: dict[str, Any]) -> str:
    most = ", ".join(_most(pool["max_gpus"], pool["max_gpu_hours"]))
    return f"all of {pool['group']}: {most}; hold {formatting.plural(pool['gpus'], 'GPU')}, this month {_hours(pool)}"


def _most(gpus: int | None, gpu_hours: int | None) -> list[str]:
    counts = {("GPU", " at once"): gpus, ("GPU-hour", " per month"): gpu_hours}
    return [formatting.plural(value, count) + when for (count, when), value in counts.items() if value is not None]


def _standing(person: dict[str, Any]) -> str:
    if person["in_directory"] is False:
        return "not in the directory"
    if person["admin"]:
        return "administrator"
    return "cannot log in" if person["allowed"] is False else ""


def _may(rule: dict[str, Any]) -> list[str]:
    """Describe a rule, one item per limit."""
    counts = {
        ("GPU", " at once"): rule["max_gpus"],
        ("session", " at once"): rule["max_sessions"],
        ("GPU-hour", " per month"): rule["max_gpu_hours"],
    }
    parts = [formatting.plural(value, count) + when for (count, when), value in counts.items() if value is not None]
    if rule["max_walltime_s"] is not None:
        parts.append(f"{rule['max_walltime_s'] / 3600:g} h per session")
    parts += [
        f"{most} for all members together" for most in _most(*map(rule.get, ("group_max_gpus", "group_max_gpu_hours")))
    ]
    names = {"partitions": rule["partitions"], "GPU types": rule["gpu_types"]}
    return parts + [f"{what} {', '.join(value) or 'none'}" for what, value in names.items() if value is not None]
