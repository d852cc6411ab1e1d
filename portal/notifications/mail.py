"""Sends messages by SMTP, many over one connection. The server's certificate is verified, and so is its encryption."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY

import aiosmtplib

from portal.errors import Unavailable
from portal.notifications.outcome import Attempt, Outcome
from portal.settings.notifications import Mail

SENDER_NAME = "Data Scientist Portal"
ADDRESS_LENGTH = 254  # RFC 5321, 4.5.3.1.3, without the angle brackets


class MailServerUnavailable(Unavailable):
    code = "mail_server_unavailable"
    hint = "Check [notifications.mail], and run `portal check`."


@dataclass(frozen=True, slots=True)
class Letter:
    """A message to one address. `key` makes its Message-ID: the same again if it has to be sent twice."""

    key: int
    to: Address
    title: str
    text: str
    url: str
    at: datetime


def address_of(mail: str) -> Address | None:
    """Return the address of an account; None if the directory has none that can be used."""
    if not mail.isascii() or not mail.isprintable() or len(mail) > ADDRESS_LENGTH:
        return None
    try:
        address = Address(addr_spec=mail.strip())
    except (MessageError, ValueError, IndexError):
        return None
    return address if address.username and address.domain else None


class Mailer:
    def __init__(self, settings: Mail, site: str) -> None:
        """`site`: the portal's URL, named in each message."""
        self._settings = settings
        self._site = site

    async def send(self, letters: Sequence[Letter]) -> tuple[dict[int, Attempt], str | None]:
        """Send all over one connection. Returns how each went, and what is wrong with the server, None if nothing."""
        done: dict[int, Attempt] = {}
        trouble = None
        try:
            async with self.connected() as smtp:
                for letter in letters:
                    done[letter.key], trouble = await self._one(smtp, letter)
                    if trouble is not None:
                        break
        except MailServerUnavailable as error:
            trouble = error.message
            if letters and letters[0].key not in done:  # one carries the reason into the log; the others wait for it
                done[letters[0].key] = Attempt.of(Outcome.LATER, trouble)
        return {letter.key: done.get(letter.key, Attempt(Outcome.UNTRIED, "")) for letter in letters}, trouble

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[aiosmtplib.SMTP]:
        """Connect, encrypt and log in. Raises MailServerUnavailable."""
        settings = self._settings
        smtp = aiosmtplib.SMTP(
            hostname=settings.server,
            port=settings.at,
            use_tls=settings.security == "tls",
            start_tls=settings.security == "starttls",  # True: an error if the server does not offer it
            tls_context=_context(settings),
            timeout=settings.timeout_s,
            username=settings.username or None,
            password=_password(settings),
        )
        where = f"{settings.server}:{settings.at}"
        try:
            async with asyncio.timeout(3 * settings.timeout_s):
                await smtp.connect()
        except aiosmtplib.SMTPAuthenticationError as error:
            smtp.close()
            raise MailServerUnavailable(f"{where} refuses the login as {settings.username} ({error.code}).") from error
        except (aiosmtplib.SMTPException, OSError, UnicodeError) as error:
            smtp.close()
            raise MailServerUnavailable(f"{where} {_why(error)}.") from error
        try:
            yield smtp
        finally:
            with suppress(aiosmtplib.SMTPException, OSError):
                async with asyncio.timeout(2.0):
                    await smtp.quit()
            smtp.close()

    async def _one(self, smtp: aiosmtplib.SMTP, letter: Letter) -> tuple[Attempt, str | None]:
        sender, to = self._settings.sender, letter.to.addr_spec
        try:
            async with asyncio.timeout(2 * self._settings.timeout_s):
                _, reply = await smtp.sendmail(sender, [to], bytes(self._message(letter)))
        except aiosmtplib.SMTPRecipientsRefused as error:
            refused = error.recipients[0]
            return _answered(refused.code, f"The mail server refuses {to}: {refused.code} {refused.message}"), None
        except aiosmtplib.SMTPSenderRefused as error:
            trouble = f"The mail server refuses the sender {sender}: {error.code} {error.message}"
            return Attempt.of(Outcome.LATER, trouble), trouble
        except aiosmtplib.SMTPResponseException as error:
            return _answered(error.code, f"The mail server refuses it: {error.code} {error.message}"), None
        except (TimeoutError, aiosmtplib.SMTPTimeoutError):
            trouble = "The mail server did not answer in time."
            return Attempt.of(Outcome.UNSURE, trouble), trouble
        except (aiosmtplib.SMTPException, OSError):
            trouble = "The mail server closed the connection."
            return Attempt.of(Outcome.UNSURE, trouble), trouble
        return Attempt.of(Outcome.SENT, f"Accepted by the mail server for {to}: {reply}"), None

    def _message(self, letter: Letter) -> EmailMessage:
        """Make the mail. The policy refuses line breaks in headers and encodes what is not ASCII."""
        message = EmailMessage(policy=SMTP_POLICY)
        domain = Address(addr_spec=self._settings.sender).domain
        message["From"] = Address(SENDER_NAME, addr_spec=self._settings.sender)
        message["To"] = letter.to
        message["Subject"] = letter.title
        message["Date"] = letter.at
        message["Message-ID"] = f"<notification-{letter.key}@{domain}>"
        message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no automatic replies
        message.set_content(
            f"{letter.title}\n\n{letter.text}\n\n{letter.url}\n\n-- \n"
            f"Sent by the {SENDER_NAME}. Choose which notifications you get: {self._site}/notifications\n"
        )
        return message


def _answered(code: int, result: str) -> Attempt:
    return Attempt.of(Outcome.REFUSED if code >= 500 else Outcome.LATER, result)


def _context(settings: Mail) -> ssl.SSLContext | None:
    if settings.security == "none":
        return None
    try:
        return ssl.create_default_context(cafile=settings.ca_file)
    except OSError as error:
        raise MailServerUnavailable(f"{settings.ca_file} cannot be read: {error.strerror or error}.") from error


def _password(settings: Mail) -> str | None:
    if not settings.username or settings.password_file is None:
        return None
    try:
        return settings.password_file.read_text().rstrip("\r\n")
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise MailServerUnavailable(f"{settings.password_file} cannot be read: {why}.") from error


def _why(error: BaseException) -> str:
    """Return what is wrong with the connection, completing a sentence that begins with the server."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"has a certificate that is not trusted: {cause.verify_message}"
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, TimeoutError):
        return "does not answer in time"
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"refuses the connection: {error.code} {error.message}"
    if "STARTTLS" in str(error):
        return "does not offer STARTTLS"
    return "cannot be reached"
