"""Loads a page of one user's session in a real browser: can it read the portal, the Hub, or another user's session?"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import tempfile
from contextlib import suppress

from portal.check.fake_session import NoRoute, ask, fake_session
from portal.check.findings import Finding, bad, good, warning
from portal.check.hosts import EXAMPLES
from portal.settings import Settings
from portal.settings.isolation import Isolation

WITHIN_S = 60
PAGE = """<!doctype html><body><script>
const status = (url) => fetch(url, { credentials: "include" }).then((answer) => answer.status, () => 0);
const urls = Object.entries(%s);
Promise.all(urls.map(async ([name, url]) => [name, await status(url)])).then((read) => {
  document.body.textContent = JSON.stringify(Object.fromEntries(read));
});
</script>"""


async def browser(settings: Settings, *, program: str) -> list[Finding]:
    """Open a session's page in `program`, a Chromium, and report what its script can read from other hosts."""
    if settings.isolation is not Isolation.PER_USER:
        return [warning("not tried: users' sessions have no hosts of their own", 'See "Host names" above.')]
    try:
        async with fake_session(settings) as session, fake_session(settings) as other:
            urls = {
                "its own session": _session(settings, session.username),
                "the portal": f"{settings.server.public_url}{settings.server.prefix}/healthz",
                "the Hub": f"{settings.hub.public_url}/hub/api/",
                "another user's session": _session(settings, other.username),
            }
            session.page = PAGE % json.dumps(urls)
            for name, url in urls.items():
                if (answer := await ask(url)).status != 200:
                    why = answer.wrong or f"it answers {answer.status}"
                    return [warning(f"not tried: {name} cannot be reached at {url}: {why}", EXAMPLES)]
            read = await _open(program, f"{urls['its own session']}page")
    except NoRoute as error:
        return [warning(f"not tried: {error.message}", "Start it: systemctl start portal-proxy")]
    if not read.pop("its own session", 0):
        return [warning(f"not tried: {program} did not show the page within {WITHIN_S} s", "Try another browser.")]
    if reached := [name for name, status in read.items() if status]:
        do = f"The web server must not add Access-Control-Allow-Origin to any answer. {EXAMPLES}"
        return [bad(f"in {program}, a page of one user's session can read {' and '.join(reached)}", do)]
    return [good(f"in {program}, a page of one user's session cannot read {', '.join(read)}")]


def _session(settings: Settings, username: str) -> str:
    return f"{settings.sessions_origin(username)}/user/{username}/"


async def _open(program: str, url: str) -> dict[str, int]:
    """Return what the page wrote into itself; empty if it could not be loaded.

    Ignores certificate errors: other findings report them, and browsers do not trust a site's own CA.
    """
    with tempfile.TemporaryDirectory(prefix="portal-check-", ignore_cleanup_errors=True) as profile:
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--ignore-certificate-errors")
        try:
            process = await asyncio.create_subprocess_exec(
                program,
                *options,
                f"--user-data-dir={profile}",
                "--virtual-time-budget=10000",
                "--dump-dom",
                url,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return {}
        try:
            async with asyncio.timeout(WITHIN_S):
                shown, _ = await process.communicate()
        except TimeoutError:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # its helpers, too: they hold its output open
            await process.wait()
            return {}
    match = re.search(r"<body>(\{.*\})</body>", shown.decode(errors="replace"))
    return dict(json.loads(match[1])) if match else {}
