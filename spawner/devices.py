"""Logs in programs on users' own machines through the browser (RFC 8252, RFC 7636).

The program opens `/hub/device` with the port it listens on and a challenge. The user, logged in by cookie, allows it.
The browser carries a code that works once to the program on the same machine, which exchanges the code and the
challenge's verifier for a token of the Hub. The token is named after the device, limited to the user's own sessions
and files, expires after `DAYS`, and is listed and revoked on the page of tokens.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlencode

from jupyterhub.handlers.base import BaseHandler
from tornado import web

from portal import token_scopes

DAYS = 30
CODE_S = 120.0
MOST_CODES = 1000
NAME = re.compile(r"[^\x00-\x1f\x7f]{1,60}")
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
STATE = re.compile(r"[A-Za-z0-9_-]{1,100}")


class Asked(NamedTuple):
    """What a program requests."""

    device: str
    port: int
    challenge: str
    state: str

    @classmethod
    def of(cls, handler: Any) -> Asked:
        """Read a request's arguments. Raises HTTPError."""
        device, port, challenge, state = (
            handler.get_argument(name, "") for name in ("device", "port", "challenge", "state")
        )
        fits = NAME.fullmatch(device) and CHALLENGE.fullmatch(challenge) and STATE.fullmatch(state)
        if not fits or not re.fullmatch("[0-9]{4,5}", port) or not 1024 <= int(port) < 65536:
            raise web.HTTPError(400, "This login was not started by the portal's program. Run `portal login` again.")
        return cls(device, int(port), challenge, state)


class Granted(NamedTuple):
    username: str
    device: str
    challenge: str
    until: float


class Codes:
    """Codes that have been handed out: each works once, for two minutes."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._granted: OrderedDict[str, Granted] = OrderedDict()

    def grant(self, username: str, asked: Asked) -> str:
        code = secrets.token_urlsafe(32)
        self._granted[code] = Granted(username, asked.device, asked.challenge, self._now() + CODE_S)
        while len(self._granted) > MOST_CODES:
            self._granted.popitem(last=False)
        return code

    def redeem(self, code: str, verifier: str) -> Granted | None:
        """Return what the code grants; None for a wrong code or verifier. Each code can be tried once."""
        granted = self._granted.pop(code, None)
        if granted is None or self._now() > granted.until:
            return None
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        return granted if hmac.compare_digest(challenge.encode(), granted.challenge.encode()) else None


class DevicePage(BaseHandler):  # type: ignore[misc]
    """Asks the user, who must be logged in by cookie: a token must not be able to create one with wider scopes."""

    codes: ClassVar[Codes]

    @web.authenticated
    async def get(self) -> None:
        self._by_cookie()
        self.finish(await self.render_template("device.html", asked=Asked.of(self), days=DAYS))

    @web.authenticated
    async def post(self) -> None:
        """Handle the form; its _xsrf token has been checked."""
        user, asked = self._by_cookie(), Asked.of(self)
        code = self.codes.grant(user.name, asked)
        self.redirect(f"http://127.0.0.1:{asked.port}/?{urlencode({'code': code, 'state': asked.state})}")

    def _by_cookie(self) -> Any:
        user = self.get_current_user_cookie()
        if user is None or user is not self.current_user or "Authorization" in self.request.headers:
            raise web.HTTPError(403, "Log in with a browser.")
        return user


class DeviceToken(BaseHandler):  # type: ignore[misc]
    """Exchanges a code for a token. It reads no cookie, so pages of other sites cannot abuse it."""

    codes: ClassVar[Codes]
    access: ClassVar[list[str]]

    def check_xsrf_cookie(self) -> None:
        """Nothing here depends on cookies."""

    async def post(self) -> None:
        granted = self.codes.redeem(self.get_body_argument("code", ""), self.get_body_argument("verifier", ""))
        user = None if granted is None else self.find_user(granted.username)
        if granted is None or user is None:
            raise web.HTTPError(403, "This login has expired. Run `portal login` again.")
        token = user.new_api_token(
            note=granted.device,
            expires_in=DAYS * 86_400,
            scopes=[*self.access, token_scopes.SESSIONS, token_scopes.FILES, f"access:servers!user={user.name}"],
        )
        self.authenticator.login_reports.worked(user.name, self, f"device {granted.device}")
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps({"token": token, "username": user.name, "days": DAYS}))

    def write_error(self, status_code: int, **more: Any) -> None:
        error = more["exc_info"][1]
        text = getattr(error, "log_message", None) or "The Hub could not complete this login."
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"error": {"message": text}}))


def handlers(access: list[str]) -> list[tuple[Any, ...]]:
    """Return the Hub's handlers; `access`: the scopes that a token needs to reach the portal and sessions at all."""
    codes = Codes()
    return [
        ("/device", type("Page", (DevicePage,), {"codes": codes})),
        ("/device/token", type("Token", (DeviceToken,), {"codes": codes, "access": access})),
    ]
