"""The services beside the portal: the directory with its certificates, Hub, proxy, and the portal's own address."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from portal.check.findings import Finding, bad, good, warning
from portal.directory import LdapDirectory
from portal.settings import Settings

CERTIFICATE_DAYS = 30
DAY_S = 86_400


async def directory(settings: Settings) -> list[Finding]:
    """Bind as the portal does, at each server by itself: at work, the second is asked only when the first is away."""
    if settings.login.authenticator:
        return [good(f"logins are those of {settings.login.authenticator}, groups are the Hub's")]
    found = []
    for server in settings.ldap.servers:
        alone = settings.ldap.model_copy(update={"servers": [server]})
        await LdapDirectory(alone).health()
        who = f"as {alone.bind_dn}" if alone.bind_dn else "without an account"
        found.append(good(f"{server} answers, certificate verified, bound {who}"))
        if server.startswith("ldaps://"):
            found += await asyncio.to_thread(_certificate, server, settings.ldap.ca_file, settings.ldap.timeout_s)
    if not settings.ldap.admin_groups:
        found.append(warning("nobody is an administrator", "Name groups in ldap.admin_groups."))
    return found


def _certificate(server: str, ca_file: Path | None, timeout_s: float) -> list[Finding]:
    address = urlsplit(server)
    context = ssl.create_default_context(cafile=ca_file)
    try:
        with (
            socket.create_connection((address.hostname or "", address.port or 636), timeout=timeout_s) as plain,
            context.wrap_socket(plain, server_hostname=address.hostname) as secured,
        ):
            ends = str((secured.getpeercert() or {}).get("notAfter", ""))
    except OSError as error:
        return [warning(f"the certificate of {server} could not be looked at: {error}", "Look with: openssl s_client")]
    days = int((ssl.cert_time_to_seconds(ends) - time.time()) / DAY_S)
    if days < CERTIFICATE_DAYS:
        return [warning(f"the certificate of {server} ends in {days} days", "Have it renewed; then nobody can log in.")]
    return []


async def hub(settings: Settings) -> list[Finding]:
    found = []
    for name, url, unit in (
        ("the Hub", f"{settings.hub.api_url}/", "portal-hub"),
        ("the proxy", f"{settings.hub.proxy_api_url}/api/routes", "portal-proxy"),
        ("the portal, as nodes reach it,", f"{settings.node_url}/healthz", "portal"),
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
            found.append(bad(f"{name} does not answer at {url}", f"Start it: systemctl start {unit}"))
    return found
