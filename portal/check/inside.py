"""Lets the running portal do the checks, in a child process under the restrictions of its systemd unit.

A shell has capabilities, folders and privileges that the unit lacks, so checks that pass there can fail in the unit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator

import httpx2

from portal.check.findings import Finding, Mark, Titled, bad
from portal.errors import PortalError
from portal.settings import Settings

SILENT_S = 300.0
"""The longest that one check may take: a job on a node has to start, and may unpack images."""
CUT = "The portal ended the checks early: journalctl -u portal says why."


class NotInside(PortalError):
    """The checks cannot run inside the portal; the message says why."""


async def findings(settings: Settings, user: str | None) -> AsyncIterator[Titled]:
    """Yield what the running portal finds. Raises NotInside before the first finding, if it does not answer."""
    url = f"{settings.portal_connect_url}{settings.server.prefix}/internal/check"
    # Compressed lines would arrive late.
    headers = {"Authorization": f"Bearer {settings.secrets.hub_key}", "Accept-Encoding": "identity"}
    timeout = httpx2.Timeout(5, read=SILENT_S)
    done, first = False, True
    try:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=timeout, trust_env=False) as client,
            client.stream("POST", url, json={"user": user}) as answer,
        ):
            if answer.status_code != 200:
                raise NotInside(f"another portal, or an older version, answers at {url} ({answer.status_code})")
            async for line in answer.aiter_lines():
                if first and line != digest(settings):
                    raise NotInside("it has other settings, from PORTAL_… variables or another portal.toml")
                if first:
                    first = False
                    continue
                done = line == ""
                if not done:
                    yield _parsed(line)
    except httpx2.ConnectError as error:
        raise NotInside("the portal does not run") from error
    except httpx2.HTTPError:
        done = False
    if not done:
        yield Titled("Portal", bad("the checks did not finish", CUT))


def digest(settings: Settings) -> str:
    """Return a short form of the settings, to compare: settings in a request could name programs to run."""
    return hashlib.sha256(settings.model_dump_json().encode()).hexdigest()


def line(titled: Titled) -> str:
    """Return a finding as one line of JSON; an empty line marks the end."""
    finding = titled.finding
    return json.dumps({"title": titled.title, "mark": finding.mark.name, "text": finding.text, "do": finding.do})


def _parsed(line: str) -> Titled:
    tree = json.loads(line)
    return Titled(tree["title"], Finding(Mark[tree["mark"]], tree["text"], tree["do"]))
