"""Runs every check, prints the findings, and counts the failures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from functools import partial

import structlog
from rich.console import Console

from portal.check import cluster, gpus, hosts, inside, mail, node, services, site
from portal.check.browser import browser as in_browser
from portal.check.findings import Examination, Mark, Titled, bad, good, warning
from portal.errors import PortalError
from portal.settings import Settings

WHERE = "Checks"


def run(settings: Settings, *, user: str | None = None, browser: str | None = None) -> int:
    """Run every check, print the findings, and return the exit status: 1 if something is missing.

    With `user`, a small job of that user checks the site from a node; with `browser`, that program opens a page of a
    session. All but the browser run inside the running portal, or here if it does not run.
    """
    quiet()
    return asyncio.run(_run(settings, user, browser))


def quiet() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))  # the findings report it


async def _run(settings: Settings, user: str | None, browser: str | None) -> int:
    console = Console(highlight=False, soft_wrap=True)  # keep on one line what people copy
    missing = 0
    async for titled in _findings(settings, user, browser):
        finding = titled.finding
        missing += finding.mark is Mark.BAD
        console.print(f"{finding.mark.value} {titled.title}: ", end="")
        console.print(finding.text, markup=False)
        if finding.do:
            console.print(f"    {finding.do}", markup=False)
    console.print("Everything is in place." if not missing else f"{missing} to fix.")
    return 1 if missing else 0


async def _findings(settings: Settings, user: str | None, browser: str | None) -> AsyncIterator[Titled]:
    try:
        async for titled in inside.findings(settings, user):
            yield titled
        yield Titled(WHERE, good("run inside the running portal, under the restrictions of its unit"))
    except inside.NotInside as error:
        async for titled in examine(settings, user):
            yield titled
        do = "Start it, and run the check again: systemctl start portal"
        yield Titled(WHERE, warning(f"run from this shell, which has more rights than the portal: {error.message}", do))
    if browser:
        async for titled in _one("Browser", partial(in_browser, program=browser), settings):
            yield titled


async def examine(settings: Settings, user: str | None) -> AsyncIterator[Titled]:
    """Run the checks in this process."""
    on_nodes: dict[str, Examination] = {"Node": partial(node.node, user=user), "GPUs": partial(gpus.gpus, user=user)}
    examinations = {**EXAMINATIONS, **on_nodes}
    for title, examination in examinations.items():
        async for titled in _one(title, examination, settings):
            yield titled


async def _one(title: str, examination: Examination, settings: Settings) -> AsyncIterator[Titled]:
    try:
        findings = await examination(settings)
    except PortalError as error:
        findings = [bad(error.message, error.hint)]
    for finding in findings:
        yield Titled(title, finding)


EXAMINATIONS: dict[str, Examination] = {
    "Secrets": site.secrets,
    "Data folder": site.data_folder,
    "Database": site.database,
    "Directory": services.directory,
    "Slurm": cluster.slurm,
    "Readings": cluster.reads,
    "Door": cluster.door,
    "Hub and proxy": services.hub,
    "Mail": mail.mail,
    "Host names": hosts.hosts,
    "Environment": site.environments,
    "App": site.apps,
    "Modules": site.modules,
    "Images": site.images,
    "Templates": site.templates,
    "Mounts": site.mounts,
    "Web app": site.web_app,
}
