"""Checks the mail server: encryption, certificate, login. Sends nothing."""

from __future__ import annotations

from datetime import UTC, datetime

from portal.check.findings import Finding, bad, good, warning
from portal.check.services import RENEWAL
from portal.notifications.mail import Mailer, MailServerUnavailable
from portal.settings import Settings

UNREACHED = "Check [notifications.mail]: server, port, security, ca_file, username and password_file."


async def mail(settings: Settings) -> list[Finding]:
    """Log in as the portal does."""
    wanted = settings.notifications.mail
    if not wanted.server:
        return [good("the portal sends no mail (notifications.mail.server is not set)")]
    try:
        async with Mailer(wanted, settings.server.public_url).connected() as smtp:
            certificate = smtp.get_transport_info("peercert")
    except MailServerUnavailable as error:
        return [bad(error.message, UNREACHED)]
    who = f"as {wanted.username}" if wanted.username else "without a login"
    findings = [good(f"{wanted.server}:{wanted.at} answers ({wanted.security}), {who}")]
    if certificate and (ends := _ends(certificate["notAfter"])) - datetime.now(UTC) < RENEWAL:
        do = "Renew it: once it has expired, no mail is sent."
        findings.append(warning(f"the certificate of {wanted.server} expires on {ends:%Y-%m-%d}", do))
    return findings


def _ends(text: str) -> datetime:
    return datetime.strptime(text, "%b %d %H:%M:%S %Y %Z").replace(tzinfo=UTC)
