"""Authenticates the app's users: a login at the Hub (OAuth with PKCE) for browsers, a Hub token for programs.

The browser holds a random cookie for the session's path alone; what it stands for is kept here, in memory. A login in
progress leaves nothing here: its state is signed, and bound to the browser by a cookie. A token's owner is cached for
half a minute, so that a logout or a revoked token takes effect within one; while the Hub does not answer, a recently
known user stays known for a quarter of an hour.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections import OrderedDict
from typing import Any, Callable, NamedTuple
from urllib.parse import parse_qs

from .hub import Hub, HubAway, HubUser
from .oauth import authorize_query

FRESH_S = 30.0
STALE_S = 900.0
LOGIN_S = 600.0
LOGINS_KEPT = 200
TOKENS_KEPT = 500
MAX_NEXT = 2_000


class Refused(Exception):
    """The Hub knows the user, but this user may not enter."""


class HubNeeded(Exception):
    """Only the Hub can identify the user."""


class LoginFailed(Exception):
    """A login that cannot be completed; the message tells the user why."""


class Start(NamedTuple):
    """Where to send a browser that has to log in, and the cookie that binds it to this login."""

    location: str
    cookie: str


class Gate:
    def __init__(
        self, hub: Hub, *, base_url: str, secure: bool, own_host: bool = False, now: Callable[[], float] = time.time
    ) -> None:
        """`base_url` ends with a slash; `secure`: the site is reached over https.

        `own_host`: the host serves only this owner's sessions.
        """
        self._hub = hub
        self._base_url = base_url
        self._secure = secure
        self._now = now
        self._key = secrets.token_bytes(32)
        self._logins: OrderedDict[str, str] = OrderedDict()  # cookie → token
        self._known: dict[str, tuple[float, HubUser | None]] = {}  # digest of a token → since when, and its owner
        mark = hashlib.sha256(base_url.encode()).hexdigest()[:12]
        # With https and a host of the owner's own: names that no page of another host can set.
        fixed = secure and own_host
        prefix = "__Host-" if fixed else ""
        self._path = "/" if fixed else base_url
        self.cookie_name = f"{prefix}portal-app-{mark}"
        self.state_cookie_name = f"{prefix}portal-login-{mark}"

    def who(self, authorization: str, cookies: dict[str, str], *, ask: bool = True) -> str | None:
        """Return the user's name; None for nobody. Raises Refused, and HubAway if it cannot be known.

        It may take as long as the Hub does; with `ask` False it raises HubNeeded instead.
        """
        for token in (self._logins.get(cookies.get(self.cookie_name, "")), _bearer(authorization)):
            user = self._whose(token, ask=ask) if token else None
            if user is not None:
                if not self._hub.access_scopes & user.scopes and "access:servers" not in user.scopes:
                    raise Refused(user.name)
                return user.name
        return None

    def _whose(self, token: str, *, ask: bool) -> HubUser | None:
        digest = hashlib.sha256(token.encode()).hexdigest()
        known = self._known.get(digest)
        now = self._now()
        if known is not None and now - known[0] < FRESH_S:
            return known[1]
        if not ask:
            raise HubNeeded
        try:
            user = self._hub.whose(token)
        except HubAway:
            if known is not None and now - known[0] < STALE_S:
                return known[1]
            raise
        if len(self._known) >= TOKENS_KEPT:
            self._known.clear()
        self._known[digest] = (now, user)
        return user

    # --- a browser's login ---

    def start(self, target: str) -> Start:
        """Begin a login that leads back to `target`."""
        nonce = secrets.token_urlsafe(24)
        state = self._sign({"n": nonce, "t": int(self._now()), "to": target if len(target) <= MAX_NEXT else ""})
        query = authorize_query(self._hub.client_id, self._hub.callback, state, self._verifier(nonce))
        return Start(
            f"{self._hub.authorize_url}?{query}",
            self._cookie(self.state_cookie_name, nonce, f"; Max-Age={LOGIN_S:.0f}"),
        )

    def finish(self, query: str, cookies: dict[str, str]) -> tuple[str, tuple[str, str]]:
        """Complete a login: return where to go next, and the cookies to set. Raises LoginFailed, HubAway."""
        given = {name: values[0] for name, values in parse_qs(query).items()}
        if "error" in given:
            raise LoginFailed("JupyterHub did not let you in.")
        state = self._read(given.get("state", ""))
        if state is None or not 0 <= self._now() - state["t"] < LOGIN_S:
            raise LoginFailed("This login has expired.")
        if not hmac.compare_digest(state["n"].encode(), cookies.get(self.state_cookie_name, "").encode()):
            raise LoginFailed("This login was started in another window or browser.")
        token = self._hub.token_for(given.get("code", ""), self._verifier(state["n"]))
        if token is None:
            raise LoginFailed("JupyterHub no longer knows this login.")
        login = secrets.token_urlsafe(32)
        self._logins[login] = token
        while len(self._logins) > LOGINS_KEPT:
            self._logins.popitem(last=False)
        target = state["to"] if state["to"].startswith(self._base_url) else self._base_url
        return target, (
            self._cookie(self.cookie_name, login, ""),
            self._cookie(self.state_cookie_name, "", "; Max-Age=0"),
        )

    def _cookie(self, name: str, value: str, more: str) -> str:
        secure = "; Secure" if self._secure else ""
        return f"{name}={value}; Path={self._path}; HttpOnly; SameSite=Lax{secure}{more}"

    def _verifier(self, nonce: str) -> str:
        """Return a login's PKCE secret (RFC 7636); derived, so that nothing is stored."""
        return hmac.new(self._key, b"pkce " + nonce.encode(), hashlib.sha256).hexdigest()

    def _sign(self, state: dict[str, object]) -> str:
        body = base64.urlsafe_b64encode(json.dumps(state).encode()).decode()
        return f"{body}.{self._mark(body)}"

    def _read(self, signed: str) -> dict[str, Any] | None:
        body, _, mark = signed.partition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(body).encode()):
            return None
        return dict(json.loads(base64.urlsafe_b64decode(body)))

    def _mark(self, body: str) -> str:
        return hmac.new(self._key, b"state " + body.encode(), hashlib.sha256).hexdigest()


def _bearer(authorization: str) -> str:
    scheme, _, value = authorization.partition(" ")
    return value.strip() if scheme.lower() in ("token", "bearer") else ""
