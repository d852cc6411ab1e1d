"""Lets guests in: colleagues whom the owner has opened the session's app, or one port of it, to.

The Hub gives guests no access to the session's server. The portal knows the shares, and a guest's browser comes from
there with a code, which the agent exchanges. The browser then holds a cookie for one place: the app, or a port.
Everywhere else in the session the cookie means nothing: not for another port, SSH, or Jupyter. A program has a key
instead, which the portal knows as well.

The portal is asked again while cookie or key are used, so that the end of a share or of the guest's login takes effect
within seconds; the time of a share ends here, too. A portal that does not answer changes nothing for a while.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional
from urllib.parse import parse_qs, quote, urlencode

from . import pages
from .forward import Visitor, cookies_of
from .messages import Request

if TYPE_CHECKING:
    from agent import wire

PATH = ".portal/guest"
OURS = ".portal/"
PORT = re.compile(r"proxy-port/(?:absolute/)?([1-9][0-9]{0,4})(?=/|\Z)")
APP = "app"
LOOK, USE = "look", "use"
COOKIE = "portal-guest"
CALLBACK = "oauth_callback"
PORTS = "proxy-port/"
FRESH_S = 5.0
STALE_S = 900.0
LOGIN_S = 600
LOGINS_KEPT = 200
SHARE = re.compile(r"[0-9]{1,10}")
#: What `new_key` in portal/sharing/service.py makes, as programs send it.
KEY = re.compile(r"(?:bearer|token) +(dsp-[A-Za-z0-9_-]{43})", re.IGNORECASE)
WRONG_KEPT = 1000
MOST_FORWARDED = 1000
AWAY_RETRY_S = 60
#: Asks the portal about a guest, with a code, a login or a key; None for nobody. Raises PortalAway, TooManyKeys.
Ask = Callable[[Mapping[str, str]], Optional[Mapping[str, Any]]]


class PortalAway(Exception):
    """The portal does not answer; nothing is known."""


class TooManyKeys(Exception):
    """Too many wrong keys came from one address; the argument is how many seconds to wait."""


class Guest:
    """A guest's login for one place of the session."""

    def __init__(self, known: Mapping[str, Any], place: str, now: float, key: str = "") -> None:
        """`known` is the portal's answer. Raises KeyError, TypeError, ValueError if it is malformed."""
        self.place = place
        self.key = key
        self.mode = _mode(known)
        self.checking: asyncio.Future[None] | None = None
        self.note(known, now)

    def note(self, known: Mapping[str, Any], now: float) -> None:
        self.user = str(known["user"])
        self.login = str(known["login"])
        self.ends_at = now + float(known["ends_in_s"])
        self.known_at = self.checked_at = now


class Guests:
    def __init__(self, orders: wire.Guests, ask: Ask, now: Callable[[], float] = time.monotonic) -> None:
        self._base_url = str(orders["base_url"])
        self._portal_url = str(orders["portal_url"])
        self._ask = ask
        self._now = now
        secure = str(orders["public_url"]).startswith("https:")
        # The host is the owner's own. With https, names that no page of another host can set.
        mark = hashlib.sha256(self._base_url.encode()).hexdigest()[:12]
        self._cookie = f"{'__Host-' if secure else ''}{COOKIE}-{mark}"
        self._attributes = f"; Path={'/' if secure else self._base_url}; HttpOnly; SameSite=Lax"
        self._attributes += "; Secure" if secure else ""
        self._threads = ThreadPoolExecutor(4, "guests")
        self._logins: OrderedDict[str, Guest] = OrderedDict()
        self._keys: OrderedDict[str, Guest] = OrderedDict()
        self._wrong: dict[str, float] = {}  # keys that the portal does not know, and since when
        self._asking: dict[str, asyncio.Future[None]] = {}

    def owns(self, request: Request) -> bool:
        """Return whether the request is a guest's arrival."""
        return request.path == self._base_url + PATH

    def place_of(self, request: Request) -> str:
        """Return the place that the request is for: a port's number, or the app; empty if no guest may be there."""
        if not request.path.startswith(self._base_url):
            return ""
        rest = request.path[len(self._base_url) :]
        if port := PORT.match(rest):
            return port[1]
        ours = rest.startswith((OURS, PORTS)) or rest in (OURS[:-1], PORTS[:-1], CALLBACK)
        return "" if ours else APP

    async def of(self, request: Request) -> Visitor | None:
        """Return the guest if the request is a guest's, for the place that is open to them.

        Raises PortalAway, TooManyKeys if nobody knows yet whether a key is one.
        """
        place = self.place_of(request)
        if not place:
            return None
        key = key_of(request)
        if key:
            guest = await self._with_key(key, request)
        else:
            guest = self._logins.get(cookies_of(request).get(self._cookie_of(place), ""))
        if guest is None or guest.place != place:
            return None
        if self._now() - guest.checked_at >= FRESH_S:
            await self._check(guest)
        if self._now() < guest.ends_at:
            return Visitor(guest.user, is_guest=True, mode=guest.mode)
        self._keys.pop(guest.key, None)
        return None

    async def _with_key(self, key: str, request: Request) -> Guest | None:
        """Return what the key opens; concurrent requests share the call.

        Raises PortalAway, TooManyKeys.
        """
        if key not in self._keys and self._now() - self._wrong.get(key, -FRESH_S) >= FRESH_S:
            if key not in self._asking:
                self._asking[key] = asyncio.ensure_future(self._learn(key, request))
                self._asking[key].add_done_callback(lambda _: self._asking.pop(key))
            await asyncio.shield(self._asking[key])
        return self._keys.get(key)

    async def _learn(self, key: str, request: Request) -> None:
        now = self._now()
        # A wrong key counts once: a program that goes on with one that has ended is no attempt to guess another.
        sender = {"peer": request.peer, "forwarded": request.get("x-forwarded-for")[-MOST_FORWARDED:]}
        try:
            known = await self._asked({"key": key, **({} if key in self._wrong else sender)})
            guest = None if known is None else Guest(known, _place(known), now, key)
        except (KeyError, TypeError, ValueError):
            return
        if guest is None:
            if len(self._wrong) >= WRONG_KEPT:
                self._wrong.clear()
            self._wrong[key] = now
            return
        self._keys[key] = guest
        while len(self._keys) > LOGINS_KEPT:
            self._keys.popitem(last=False)

    async def _check(self, guest: Guest) -> None:
        """Ask the portal whether the guest may still enter; concurrent requests share the call."""
        if guest.checking is None:
            guest.checking = asyncio.ensure_future(self._renew(guest))
            guest.checking.add_done_callback(lambda _: setattr(guest, "checking", None))
        await asyncio.shield(guest.checking)

    async def _renew(self, guest: Guest) -> None:
        guest.checked_at = now = self._now()
        try:
            known = await self._asked({"key": guest.key} if guest.key else {"login": guest.login})
        except PortalAway:
            if now - guest.known_at >= STALE_S:
                guest.ends_at = 0.0
            return
        if known is None or (_place(known), _mode(known)) != (guest.place, guest.mode):
            guest.ends_at = 0.0
            return
        guest.note(known, now)

    async def _asked(self, question: Mapping[str, str]) -> Mapping[str, Any] | None:
        """Ask in a thread: the portal may be slow and must not block the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: self._ask(question))

    def unknown(self, error: PortalAway | TooManyKeys) -> bytes:
        """Return the answer to a request whose key could not be checked."""
        if isinstance(error, PortalAway):
            text = "The portal does not answer, so this key cannot be checked right now. Try again in a minute."
            return self._page(503, "This key cannot be checked", text, retry_after_s=AWAY_RETRY_S)
        seconds = max(1, round(error.args[0]))
        text = "Too many wrong keys came from your address. Try again in a minute."
        return self._page(429, "Too many wrong keys", text, retry_after_s=seconds)

    def over(self, request: Request) -> bytes | None:
        """Return the answer for a browser whose share or login has ended; None if it was never a guest here."""
        cookie = self._cookie_of(self.place_of(request))
        if cookie not in cookies_of(request):
            return None
        text = "The owner ended the share, its time is up, or you logged out. Open it again from the list of sessions."
        gone = self._set(cookie, "", "; Max-Age=0")
        return pages.page(403, "You no longer have access here", text, portal=self._portal_url, cookie=gone)

    # --- arriving ---

    async def answer(self, request: Request) -> bytes:
        """Bring a guest in: first to the portal and back with a code, then to the place that is shared."""
        if request.method != "GET" or request.wants_websocket:
            return self._page(403, "Request refused", "Open the link that you were sent.")
        given = {name: values[0] for name, values in parse_qs(request.target.partition("?")[2]).items()}
        if "code" not in given:
            share = given.get("share", "")
            if not SHARE.fullmatch(share):
                return self._page(404, "There is nothing at this address", "Open the link that you were sent.")
            state = secrets.token_urlsafe(24)
            where = f"{self._portal_url}shared/{share}?{urlencode({'state': state})}"
            return pages.redirect(where, self._set(self._state_cookie, state, f"; Max-Age={LOGIN_S}"))
        bound = cookies_of(request).get(self._state_cookie, "")
        if not bound or not hmac.compare_digest(given.get("state", "").encode(), bound.encode()):
            text = "This login was started in another window or browser. Open the link again."
            return self._page(403, "Not logged in", text)
        return await self._enter(given["code"])

    async def _enter(self, code: str) -> bytes:
        now = self._now()
        try:
            known = await self._asked({"code": code[:100]})
            if known is None:
                text = "This share has ended, or the link was used before. Open it again from the list of sessions."
                return self._page(403, "Not logged in", text)
            place = _place(known)
            guest = Guest(known, place, now)
        except PortalAway:
            return self._page(503, "Nobody can log in right now", "The portal does not answer. Try again in a minute.")
        except (KeyError, TypeError, ValueError):
            return self._page(502, "Nobody can log in right now", "The portal's answer cannot be read.")
        login = secrets.token_urlsafe(32)
        self._logins[login] = guest
        while len(self._logins) > LOGINS_KEPT:
            self._logins.popitem(last=False)
        where = f"{PORTS}{place}/" if place != APP else quote(str(known.get("landing", "")), safe="/?=&%")
        return pages.redirect(
            self._base_url + where.lstrip("/"),
            self._set(self._cookie_of(place), login, ""),
            self._set(self._state_cookie, "", "; Max-Age=0"),
        )

    def _cookie_of(self, place: str) -> str:
        return f"{self._cookie}-{place}"

    @property
    def _state_cookie(self) -> str:
        return f"{self._cookie}-state"

    def _set(self, name: str, value: str, more: str) -> str:
        return f"{name}={value}{self._attributes}{more}"

    def _page(self, status: int, title: str, text: str, retry_after_s: int = 0) -> bytes:
        return pages.page(status, title, text, portal=self._portal_url, retry_after_s=retry_after_s)


def key_of(request: Request) -> str:
    """Return the key that the request carries; empty if it carries none."""
    match = KEY.fullmatch(request.get("authorization").strip())
    return match[1] if match else ""


def _place(known: Mapping[str, Any]) -> str:
    """Return the place that the portal names. Raises KeyError, TypeError, ValueError if it is malformed."""
    return APP if known["port"] is None else str(int(known["port"]))


def _mode(known: Mapping[str, Any]) -> str:
    """Return what the guest may do; only looking, unless the portal says otherwise."""
    return USE if known.get("mode") == USE else LOOK
