"""Checks portal.toml from this machine: secrets, database, software of sessions."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from portal.apps.catalogue import Catalogue
from portal.check.findings import Finding, bad, good, warning
from portal.db import migrate
from portal.db.engine import make_engine
from portal.environments.service import EnvironmentService
from portal.images.registry import Registry, RegistryUnavailable
from portal.modules.service import ModuleService
from portal.notebooks import gallery
from portal.notebooks.checkout import CheckoutFailed, checkouts
from portal.plurals import plural
from portal.settings import SECRET_NAMES, App, Mount, Settings
from portal.settings.app_files import read_folder
from portal.settings.apps import shipped
from portal.shipped import WEB_APP

TABLES = ("env", "headers", "resources")
PROGRAMS_OF_IMAGES = ("usr/bin", "usr/local/bin", "opt/*/bin", "opt/*/*/bin")


async def secrets(settings: Settings) -> list[Finding]:
    for name in SECRET_NAMES:
        getattr(settings.secrets, name)  # raises if something is wrong
    return [good(f"all in {settings.secrets_dir}, not accessible to others")]


async def data_folder(settings: Settings) -> list[Finding]:
    folder = settings.data_dir
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return [bad(f"{folder} is not a folder this account can write to", f"Run: install -d -m 700 {folder}")]
    if folder.stat().st_mode & 0o077:
        return [warning(f"{folder} is accessible to others", f"Run: chmod 700 {folder}")]
    return [good(str(folder))]


async def database(settings: Settings) -> list[Finding]:
    engine = make_engine(settings.database_url)
    try:
        async with engine.connect() as connection:
            await connection.execute(text("SELECT 1"))
        revision = await asyncio.to_thread(migrate.current_revision, settings.database_url)
    except SQLAlchemyError as error:
        return [
            bad(f"it does not answer: {error}".split("\n")[0], "Check database.url, and that the server is running.")
        ]
    finally:
        await engine.dispose()
    if revision is None:
        return [warning("it is empty", "`portal serve` creates the tables on its first start.")]
    if not migrate.is_known(revision):
        do = "Run the newer version of the portal again, or restore a backup from before the upgrade."
        return [bad(f"its revision {revision} belongs to a newer version of the portal", do)]
    return [good(f"{engine.dialect.name}, revision {revision}")]


async def environments(settings: Settings) -> list[Finding]:
    overview = await EnvironmentService(settings).overview()
    if not overview:
        return [bad("none is declared, so nothing can be started", "Declare one under [environments.NAME].")]
    findings, later = [], []
    for environment in overview:
        declared = settings.environments[environment.name]
        if environment.kind == "modules":
            continue  # checked with the modules
        if environment.installed:
            findings.append(good(f"{environment.title} ({declared.path})"))
        elif not environment.installable:
            findings.append(
                bad(f"{environment.title}: there is no Python in {declared.path}", "Create it, or correct its path.")
            )
        elif declared.extends:
            later.append(environment.title)
        else:
            findings.append(
                warning(f"{environment.title} is not installed", f"Run: portal environments install {environment.name}")
            )
    if later:
        findings.append(good(f"kernels not installed yet, for an administrator to install: {', '.join(later)}"))
    if not any(environment.installed for environment in overview):
        findings.append(bad("none is installed, so nothing can be started", "Install the first one listed here."))
    return findings


async def apps(settings: Settings) -> list[Finding]:
    catalogue = Catalogue(settings)
    in_files = await asyncio.to_thread(read_folder, settings.apps_folder, settings.environments)
    findings = [warning(f"{path}: {problem}", "Correct the file.") for path, problem in in_files.problems.items()]
    for name, app in settings.apps.items():
        if (why_not := catalogue.why_not(app)) is not None:
            findings.append(
                warning(f"{app.title} cannot be started: {why_not}", f"See docs/how-to/apps.md, [apps.{name}].")
            )
        else:
            findings.append(good(f"{app.title}, in {', '.join(catalogue.fitting(app))}{_merged(name, app)}"))
    return findings


def _merged(name: str, app: App) -> str:
    """Return the tables of a shipped app that portal.toml adds to, as merged; without the values of variables and
    headers, which may be secrets.
    """
    if name not in (known := shipped()):
        return ""
    before, after = (app.model_dump(include=set(TABLES), exclude_none=True) for app in (App(**known[name]), app))
    return "".join(
        f"; {table}: {', '.join(_entry(table, key, after[table], before[table]) for key in after[table])}"
        for table in TABLES
        if after[table] != before[table]
    )


def _entry(table: str, key: str, after: dict[str, Any], before: dict[str, Any]) -> str:
    text = f"{key} = {after[key]}" if table == "resources" else key
    return text if before.get(key) == after[key] else f"{text} (portal.toml)"


async def modules(settings: Settings) -> list[Finding]:
    if settings.modules.command is None:
        return [good("none; set modules.command to offer them")]
    service = ModuleService(settings.modules, lambda: datetime.now(UTC))
    findings = [good(f"{len((await service.refresh()).items)} listed by {settings.modules.command}")]
    wrong = [
        (environment.title, await service.refusal(environment.modules))
        for environment in settings.environments.values()
        if environment.modules
    ]
    findings += [bad(f"{title}: {why}", "Correct its modules, or the module files.") for title, why in wrong if why]
    return findings


async def images(settings: Settings) -> list[Finding]:
    program = settings.images.apptainer
    findings = [
        good(f"Apptainer is {program}")
        if os.access(program, os.X_OK)
        else warning(
            f"{program} is not visible from here", "Images need it on the compute nodes; see images.apptainer."
        )
    ]
    folder = settings.images.site_folder
    if folder is not None and not folder.is_dir():
        findings.append(
            warning(f"{folder} is not visible from here", "Create it, and make it writable by administrators.")
        )
    declared = [
        environment
        for environment in settings.environments.values()
        if environment.kind == "image" and environment.path
    ]
    findings += [
        warning(f"{environment.title}: {environment.path} is not visible from here", "Check that the nodes have it.")
        for environment in declared
        if environment.path and not environment.path.exists()
    ]
    findings += [
        warning(
            f"{environment.title}: no JupyterHub found in {environment.path}",
            "Set `extends` for it, or install JupyterHub in it.",
        )
        for environment in declared
        if environment.path
        and environment.extends is None
        and environment.path.is_dir()
        and not _serves_jupyter(environment.path)
    ]
    async with Registry(settings.ngc.host, settings.ngc, None) as registry:
        try:
            await registry.reach()
            findings.append(good(f"{settings.ngc.host} answers"))
        except RegistryUnavailable as error:
            findings.append(
                warning(error.message, "Keys cannot be checked when they are stored. Pulls work if the nodes reach it.")
            )
    return findings


def _serves_jupyter(image: Path) -> bool:
    """Return whether an image that is a folder has the program, where images keep programs."""
    return any(any(image.glob(f"{folder}/jupyterhub-singleuser")) for folder in PROGRAMS_OF_IMAGES)


async def templates(settings: Settings) -> list[Finding]:
    environment_list = gallery(settings)
    findings = [warning(problem, "Fix it, or remove it.") for problem in environment_list.problems]
    for checkout in checkouts(settings.templates, lambda: datetime.now(UTC)):
        last = checkout.last()
        if last is None:
            findings.append(
                warning(f"{checkout.name} was never fetched", f"Run: portal templates fetch {checkout.name}")
            )
        elif last.problem:
            when = f"{last.at:%Y-%m-%d %H:%M} UTC"
            findings.append(
                warning(f"{checkout.name} could not be fetched at {when}: {last.problem}", CheckoutFailed.hint)
            )
    return findings or [good(plural(len(environment_list.found), "notebook"))]


async def mounts(settings: Settings) -> list[Finding]:
    return [_mount(mount) for mount in settings.mounts]


def _mount(mount: Mount) -> Finding:
    if mount.path.is_dir():
        return good(f"{mount.name}: {mount.path}")
    return warning(f"{mount.name}: {mount.path} is not visible from here", "Check that the nodes have it.")


async def web_app(settings: Settings) -> list[Finding]:
    if (WEB_APP / "index.html").is_file():
        return [good(f"built, in {WEB_APP}")]
    return [bad("it is not built", "Run: npm ci && npm run build, in frontend/.")]
