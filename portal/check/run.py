"""Runs every check, prints the findings, and counts the failures."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import structlog
from rich.console import Console

from portal.check import cluster, hosts, mail, node, services, site
from portal.check.browser import browser as in_browser
from portal.check.findings import Examination, Mark, bad
from portal.errors import PortalError
from portal.settings import Settings


def run(settings: Settings, *, user: str | None = None, browser: str | None = None) -> int:
    """Run every check, print the findings, and return the exit status: 1 if something is missing.

    With `user`, a small job of that user checks the site from a node; with `browser`, that program opens a page of a
    session.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))  # the findings report it
    return asyncio.run(_run(settings, user, browser))


async def _run(settings: Settings, user: str | None, browser: str | None) -> int:
    console = Console(highlight=False, soft_wrap=True)  # keep on one line what people copy
    missing = 0
    examinations: dict[str, Examination] = {**EXAMINATIONS, "Node": partial(node.node, user=user)}
    if browser:
        examinations["Browser"] = partial(in_browser, program=browser)
    for title, examine in examinations.items():
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
    console.print("Everything is in place." if not missing else f"{missing} to fix.")
    return 1 if missing else 0


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
