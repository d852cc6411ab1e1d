"""Checks the site's host names as a browser would: do they resolve, are they trusted, and where do they lead."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from portal.check.fake_session import Answer, FakeSession, NoRoute, ask, fake_session, resolves
from portal.check.findings import Finding, bad, good, warning
from portal.settings import Settings
from portal.settings.isolation import Isolation

CLAIMED = "192.0.2.66"
"""An address that nobody has (RFC 5737)."""
EXAMPLES = "Compare the web server with the examples that `portal init` writes."
HOW = 'docs/how-to/install.md, "TLS", says which names and certificates it takes.'
UNASKED = "Start the web server and run the check again, on a machine that can reach it."


async def hosts(settings: Settings) -> list[Finding]:
    """Send requests to each host, and see which of them reach a session."""
    isolation = settings.isolation
    findings = [warning(isolation.gives_up, HOW)] if isolation.gives_up else []
    if isolation is Isolation.ONE_HOST:
        return findings
    try:
        async with fake_session(settings) as session:
            findings += await _all(settings, session)
    except NoRoute as error:
        findings.append(warning(f"not checked: {error.message}", "Start it: systemctl start portal-proxy"))
    return findings


async def _all(settings: Settings, session: FakeSession) -> list[Finding]:
    portal = await _named("the portal", f"{settings.server.public_url}{settings.server.prefix}/healthz")
    hub = await _named("the Hub", f"{settings.hub.public_url}/hub/api/")
    findings = [*portal.found, *hub.found]
    for what, url, answer, sign in (
        ("the portal", settings.server.public_url, portal.answer, '"database"'),
        ("the Hub", settings.hub.public_url, hub.answer, '"version"'),
    ):
        if answer and not (answer.status == 200 and sign in answer.text):
            findings.append(bad(f"{url} does not lead to {what}: it answers {answer.status}", EXAMPLES))
    if settings.hub.subdomains:
        url = f"{settings.sessions_origin(session.username)}/user/{session.username}/"
        user = await _named("a user's host", url, wildcard=True)
        findings += user.found
        if user.answer:
            findings += await _apart(settings, session, user.answer)
    elif hub.answer:
        findings += await _gated(settings, session)
    return findings


@dataclass(frozen=True, slots=True)
class _Named:
    found: list[Finding]
    answer: Answer | None = None


async def _named(what: str, url: str, *, wildcard: bool = False) -> _Named:
    """Resolve a host's name and send it a request; no answer if it cannot be reached."""
    host = urlsplit(url).hostname or ""
    name = f"*.{host.partition('.')[2]}" if wildcard else host
    if not await resolves(host):
        asked = f" (asked for {host})" if wildcard else ""
        return _Named([bad(f"{name} does not resolve{asked}", "Add a DNS record that points it to the web server.")])
    answer = await ask(url, **{"X-Real-IP": CLAIMED, "X-Forwarded-For": CLAIMED})
    if answer.untrusted:
        do = f"Give the web server a certificate for {name}; if your own CA signs it, make this machine trust that CA."
        return _Named([bad(f"the certificate for {host} is not valid: {answer.wrong}", do)])
    if answer.wrong:
        return _Named([warning(f"{what} cannot be reached at {host}: {answer.wrong}", UNASKED)])
    certified = ", its certificate is valid" if url.startswith("https:") else ""
    return _Named([good(f"{name} resolves{certified}")], answer)


async def _apart(settings: Settings, session: FakeSession, at_user: Answer) -> list[Finding]:
    """Check that a session is reached at its user's host only, and that nothing else is reached there."""
    path = f"/user/{session.username}/"
    user, other = (settings.sessions_origin(username) for username in (session.username, "check-nobody"))
    if at_user.text != session.word:
        do = f"{EXAMPLES} The proxy must run with --host-routing: systemctl restart portal-proxy portal-hub"
        return [bad(f"{user} does not lead to this user's sessions", do)]
    findings = _forged(settings, session)
    for origin in (settings.hub.public_url, other, settings.server.public_url):
        if (await ask(f"{origin}{path}")).text == session.word:
            do = "The proxy must run with --host-routing: systemctl restart portal-proxy portal-hub"
            findings.append(bad(f"{origin} also leads to another user's sessions", do))
    for what, elsewhere in (("the portal", f"{settings.server.prefix}/healthz"), ("the Hub", "/hub/api/")):
        if (await ask(f"{user}{elsewhere}")).status == 200:
            findings.append(warning(f"{what} is also served at users' hosts", EXAMPLES))
    return findings or [good("each user's sessions are reached only at that user's host")]


async def _gated(settings: Settings, session: FakeSession) -> list[Finding]:
    """Check that nobody reaches a session on the Hub's host without logging in."""
    address = f"{settings.hub.public_url}/user/{session.username}/"
    answer = await ask(address, **{"Sec-Fetch-Mode": "navigate", "Authorization": "token none"})
    led = await ask(address, **{"Sec-Fetch-Mode": "navigate"})
    if session.asked:
        do = (
            f"It has no gate, so a link to somebody else's session acts with the rights of whoever opens it. {EXAMPLES}"
        )
        return [bad("the web server lets everybody through to sessions", do)]
    if answer.status != 403 or "/gate/login" not in led.location:
        return [bad(f"the gate does not answer: the web server says {answer.status} and {led.status}", EXAMPLES)]
    return [good("nobody reaches a session without a login: the gate is closed")]


def _forged(settings: Settings, session: FakeSession) -> list[Finding]:
    """Check that an address claimed by a browser does not get through; a demo on plain HTTP has no web server."""
    if settings.hub.public_url.startswith("https:") and any(CLAIMED in asked for asked in session.asked):
        do = f"It must set X-Forwarded-For, and clear X-Real-IP. {EXAMPLES}"
        return [warning("the web server passes on forged client addresses", do)]
    return []
