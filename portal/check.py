"""`portal check`: examines a site and says in words what is missing and what to do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

import httpx2
from rich.console import Console
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from portal.apps.catalogue import Catalogue
from portal.cluster.view import cluster_view
from portal.db import migrate
from portal.db.engine import make_engine
from portal.directory import LdapDirectory
from portal.environments.service import EnvironmentService
from portal.errors import PortalError
from portal.images.registry import Registry, RegistryUnavailable
from portal.modules.service import ModuleService
from portal.notebooks import gallery
from portal.notebooks.checkout import CheckoutFailed, checkouts
from portal.settings import SECRET_NAMES, Mount, Settings
from portal.shipped import WEB_APP
from portal.slurm.commands import SlurmCommands
from portal.slurm.door_client import Door
from portal.slurm.types import Picture


class Mark(Enum):
    GOOD = "[green]✓[/green]"
    WARNING = "[yellow]![/yellow]"
    BAD = "[red]✗[/red]"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing examined: what was found, and what to do about it."""

    mark: Mark
    text: str
    do: str = ""


def good(text: str) -> Finding:
    return Finding(Mark.GOOD, text)


def bad(text: str, do: str) -> Finding:
    return Finding(Mark.BAD, text, do)


def warning(text: str, do: str) -> Finding:
    return Finding(Mark.WARNING, text, do)


Examination = Callable[[Settings], Awaitable[list[Finding]]]


def run(settings: Settings) -> int:
    """Examine everything, print the findings, and return the exit status: 1 if something is missing."""
    return asyncio.run(_run(settings))


async def _run(settings: Settings) -> int:
    console = Console(highlight=False)
    missing = 0
    for title, examine in EXAMINATIONS.items():
        try:
            findings = await examine(settings)
        except PortalError as error:
            findings = [bad(error.message, error.hint)]
        for finding in findings:
            missing += finding.mark is Mark.BAD
            console.print(f"{finding.mark.value} {title}: ", end="")
            console.print(finding.text, markup=False)
            if finding.do:
                console.print(f"    {finding.do}", markup=False)
    console.print("Everything is in place." if not missing else f"{missing} to mend.")
    return 1 if missing else 0


async def secrets(settings: Settings) -> list[Finding]:
    for name in SECRET_NAMES:
        getattr(settings.secrets, name)  # raises in words
    return [good(f"all in {settings.secrets_dir}, closed to others")]


async def data_folder(settings: Settings) -> list[Finding]:
    folder = settings.data_dir
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return [bad(f"{folder} is not a folder this account can write to", f"Run: install -d -m 700 {folder}")]
    if folder.stat().st_mode & 0o077:
        return [warning(f"{folder} is open to others", f"Run: chmod 700 {folder}")]
    return [good(str(folder))]


async def database(settings: Settings) -> list[Finding]:
    engine = make_engine(settings.database_url)
    try:
        async with engine.connect() as connection:
            await connection.execute(text("SELECT 1"))
        revision = await asyncio.to_thread(migrate.current_revision, settings.database_url)
    except SQLAlchemyError as error:
        return [bad(f"it does not answer: {error}".split("\n")[0], "Check database.url and that the server runs.")]
    finally:
        await engine.dispose()
    if revision is None:
        return [warning("it is empty", "`portal serve` makes the tables at its first start.")]
    return [good(f"{engine.dialect.name}, revision {revision}")]


async def directory(settings: Settings) -> list[Finding]:
    server = await LdapDirectory(settings.ldap).health()
    found = [good(f"{server} answers, certificate verified")]
    if not settings.ldap.admin_groups:
        found.append(warning("nobody is an administrator", "Name groups in ldap.admin_groups."))
    return found


async def slurm(settings: Settings) -> list[Finding]:
    client = SlurmCommands(settings.slurm)
    version = await client.version()
    partitions, nodes = await client.partitions(), await client.nodes()
    view = cluster_view(Picture(partitions=tuple(partitions), nodes=tuple(nodes)))
    found = [good(f"version {version}, {len(nodes)} nodes in {len(partitions)} partitions")]
    if not any(one.gpus for one in view.partitions.values()):
        found.append(warning("no partition has GPUs", "Check GresTypes and gres.conf, or sessions will have none."))
    if not await client.associations():
        found.append(warning("no accounting", "Accounts and history need slurmdbd; the portal works without."))
    wanted = settings.policy.default_partition
    if wanted and wanted not in view.partitions:
        found.append(bad(f"there is no partition {wanted}", "Correct policy.default_partition."))
    return found


async def door(settings: Settings) -> list[Finding]:
    answer = await Door(settings.slurm.door, timeout_s=settings.slurm.timeout_s).call("version")
    agent = Path(answer["agent"])
    return [good(f"acts as users, version {answer['version']}"), _readable_by_all(agent)]


def _readable_by_all(agent: Path) -> Finding:
    if agent.is_file() and agent.stat().st_mode & 0o004:
        return good(f"the sessions' agent is {agent}")
    return bad(
        f"the sessions' agent {agent} is not there, or not readable by all",
        "Make it: python -m spawner.agent.build FILE, on storage that the nodes share.",
    )


async def hub(settings: Settings) -> list[Finding]:
    found = []
    for name, url, do in (
        ("the Hub", f"{settings.hub.api_url}/", "Start it: jupyterhub --config …/spawner/hub_config.py"),
        ("the proxy", f"{settings.hub.proxy_api_url}/api/routes", "Start it: configurable-http-proxy"),
        ("the portal, as nodes reach it,", f"{settings.node_url}/healthz", "Start it: portal serve"),
    ):
        headers = {"Authorization": f"token {settings.secrets.proxy_token}"} if "proxy" in name else {}
        try:
            async with httpx2.AsyncClient(timeout=5, trust_env=False) as client:
                answer = await client.get(url, headers=headers)
            found.append(
                good(f"{name} answers at {url}")
                if answer.is_success
                else bad(f"{name} at {url} answers {answer.status_code}", "Look at its log.")
            )
        except httpx2.HTTPError:
            found.append(bad(f"{name} does not answer at {url}", do))
    return found


async def environments(settings: Settings) -> list[Finding]:
    found = []
    for one in await EnvironmentService(settings).overview():
        path = settings.environments[one.name].path
        if one.kind == "modules":
            continue  # examined with the modules
        if one.installed:
            found.append(good(f"{one.title} ({path})"))
        elif one.installable:
            found.append(warning(f"{one.title} is not installed", f"Run: portal environments install {one.name}"))
        else:
            found.append(bad(f"{one.title}: there is no Python in {path}", "Make it, or correct its path."))
    return found or [bad("there is none, so nothing can be started", "Declare one under [environments.NAME].")]


async def apps(settings: Settings) -> list[Finding]:
    catalogue = Catalogue(settings)
    found = []
    for name, app in settings.apps.items():
        if (why_not := catalogue.why_not(app)) is not None:
            found.append(
                warning(f"{app.title} cannot be started: {why_not}", f"See docs/how-to/apps.md, [apps.{name}].")
            )
        else:
            found.append(good(f"{app.title}, in {', '.join(catalogue.fitting(app))}"))
    return found


async def modules(settings: Settings) -> list[Finding]:
    if settings.modules.command is None:
        return [good("none; set modules.command to offer them")]
    service = ModuleService(settings.modules, lambda: datetime.now(UTC))
    found = [good(f"{len((await service.refresh()).items)} listed by {settings.modules.command}")]
    wrong = [(one.title, await service.refusal(one.modules)) for one in settings.environments.values() if one.modules]
    found += [bad(f"{title}: {why}", "Correct its modules, or the module files.") for title, why in wrong if why]
    return found


async def images(settings: Settings) -> list[Finding]:
    program = settings.images.apptainer
    found = [
        good(f"Apptainer is {program}")
        if os.access(program, os.X_OK)
        else warning(f"{program} is not seen from here", "Images need it on the compute nodes; see images.apptainer.")
    ]
    declared = [one for one in settings.environments.values() if one.kind == "image" and one.path]
    found += [
        warning(f"{one.title}: {one.path} is not seen from here", "Check that the nodes have it.")
        for one in declared
        if one.path and not one.path.exists()
    ]
    async with Registry(settings.ngc.host, settings.ngc, None) as registry:
        try:
            await registry.reach()
            found.append(good(f"{settings.ngc.host} answers"))
        except RegistryUnavailable as error:
            found.append(warning(error.message, "Keys cannot be checked beforehand; pulls need it on the nodes only."))
    return found


async def templates(settings: Settings) -> list[Finding]:
    shelf = gallery(settings)
    found = [warning(problem, "Mend it, or leave it out.") for problem in shelf.problems]
    for checkout in checkouts(settings.templates, lambda: datetime.now(UTC)):
        last = checkout.last()
        if last is None:
            found.append(warning(f"{checkout.name} was never fetched", f"Run: portal templates fetch {checkout.name}"))
        elif last.problem:
            when = f"{last.at:%Y-%m-%d %H:%M} UTC"
            found.append(
                warning(f"{checkout.name} could not be fetched at {when}: {last.problem}", CheckoutFailed.hint)
            )
    return found or [good(f"{len(shelf.found)} notebooks")]


async def mounts(settings: Settings) -> list[Finding]:
    return [_mount(mount) for mount in settings.mounts]


def _mount(mount: Mount) -> Finding:
    if mount.path.is_dir():
        return good(f"{mount.name}: {mount.path}")
    return warning(f"{mount.name}: {mount.path} is not seen from here", "Check that the nodes have it.")


async def web_app(settings: Settings) -> list[Finding]:
    if (WEB_APP / "index.html").is_file():
        return [good(f"built, in {WEB_APP}")]
    return [bad("it is not built", "Run: npm ci && npm run build, in frontend/.")]


EXAMINATIONS: dict[str, Examination] = {
    "Secrets": secrets,
    "Data folder": data_folder,
    "Database": database,
    "Directory": directory,
    "Slurm": slurm,
    "Door": door,
    "Hub and proxy": hub,
    "Environment": environments,
    "App": apps,
    "Modules": modules,
    "Images": images,
    "Templates": templates,
    "Mounts": mounts,
    "Web app": web_app,
}
