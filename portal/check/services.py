"""Checks the services around the portal: directory, certificates, Hub, proxy, and the portal's own address."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx2

from portal.check.findings import Finding, bad, good, warning
from portal.directory import LdapDirectory
from portal.errors import DirectoryUnavailable
from portal.settings import Ldap, Settings

RENEWAL = timedelta(days=30)
UNTRUSTED = "Set ldap.ca_file to the CA that signed its certificate; docs/how-to/troubleshoot.md has other causes."
REFUSED = (
    "It uses another token: systemctl restart {unit}. If that does not help, another site's process is listening there."
)
UNREACHED = "Check ldap.servers, ldap.bind_dn and its password; try ldapwhoami with the same values."


async def directory(settings: Settings) -> list[Finding]:
    """Bind as the portal does, at each server in turn: normally the second is used only when the first is down."""
    if settings.login.authenticator:
        return [good(f"logins are checked by {settings.login.authenticator}, groups come from the Hub")]
    findings = []
    for server in settings.ldap.servers:
        findings += await _server(settings.ldap.model_copy(update={"servers": [server]}))
    if not settings.ldap.admin_groups:
        findings.append(warning("nobody is an administrator", "Set ldap.admin_groups."))
    return findings


async def _server(settings: Ldap) -> list[Finding]:
    (server,) = settings.servers
    directory = LdapDirectory(settings)
    try:
        ends = await directory.certificate_ends()
    except DirectoryUnavailable as error:
        return [bad(error.message, UNTRUSTED if "CERTIFICATE_VERIFY_FAILED" in error.message else UNREACHED)]
    finally:
        directory.close()
    who = f"as {settings.bind_dn}" if settings.bind_dn else "without an account"
    findings = [good(f"{server} answers, bound {who}, its certificate valid until {ends:%Y-%m-%d}")]
    if ends - datetime.now(UTC) < RENEWAL:
        do = "Renew it: once it has expired, nobody can log in."
        findings.append(warning(f"the certificate of {server} expires on {ends:%Y-%m-%d}", do))
    return findings


async def hub(settings: Settings) -> list[Finding]:
    findings = []
    for name, url, unit in (
        ("the Hub", f"{settings.hub.api_url}/", "portal-hub"),
        ("the proxy", f"{settings.hub.proxy_api_url}/api/routes", "portal-proxy"),
        ("the portal, as nodes reach it,", f"{settings.node_url}/healthz", "portal"),
    ):
        headers = {"Authorization": f"token {settings.secrets.proxy_token}"} if "proxy" in name else {}
        try:
            async with httpx2.AsyncClient(timeout=5, trust_env=False) as client:
                answer = await client.get(url, headers=headers)
            if answer.is_success:
                findings.append(good(f"{name} answers at {url}"))
            else:
                do = REFUSED if answer.status_code == 403 else f"See its log: journalctl -u {unit}"
                findings.append(bad(f"{name} at {url} answers {answer.status_code}", do.format(unit=unit)))
        except httpx2.HTTPError:
            findings.append(bad(f"{name} does not answer at {url}", f"Start it: systemctl start {unit}"))
    return findings
