"""Which parts of a request the app sees, and which parts of its answer the browser sees.

The app sees neither the cookies nor the credentials of the portal. Its own cookies pass by name, and are valid under
its own address only. None of its answers may change what the browser does elsewhere on the portal's host.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Mapping, NamedTuple
from urllib.parse import quote, urlsplit

from .messages import Headers, Request, Response, words

if TYPE_CHECKING:
    from agent import wire

# RFC 9110, 7.6.1, and headers that only an intermediate proxy would set.
HOP_BY_HOP = {
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "upgrade",
}  # fmt: skip
# These apply to the whole host, not to one app under it.
NOT_THE_APPS = {
    "clear-site-data", "service-worker-allowed", "strict-transport-security", "public-key-pins", "alt-svc",
    "origin-agent-cluster", "report-to", "nel",
}  # fmt: skip
UPGRADE = [("Connection", "Upgrade"), ("Upgrade", "websocket")]
# Values of Sec-Fetch-Site for requests from pages of other hosts.
OTHERS = {"same-site", "cross-site"}
UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}
COOKIE = re.compile(r"\s*([^=;\s]+)=([^;]*)")
#: They tell the app that the request is a guest's, whose, and whether they may `use` it or only `look`. Only the proxy
#: sets them.
GUEST_HEADER = "X-Portal-Guest"
MODE_HEADER = "X-Portal-Guest-Mode"


class Visitor(NamedTuple):
    """Who may go on; a guest only to the place of the request."""

    name: str
    is_guest: bool = False
    mode: str = ""
    """Of a guest: `look` or `use`."""


class Rules(NamedTuple):
    """How one app's requests are rewritten.

    `base_url` ends with a slash; `public_url` is the address of the owner's sessions. With `own_host` that host serves
    the owner alone.
    """

    base_url: str
    public_url: str
    portal_url: str
    strip_prefix: bool
    headers: Mapping[str, str]
    cookies: tuple[str, ...]
    user_header: str
    user_cookie: str
    own_host: bool
    cookies_kept_back: tuple[str, ...] = ()
    """Beginnings of the names of cookies that do not pass, whatever `cookies` says."""

    @classmethod
    def parse(cls, answer: wire.Proxy) -> Rules:
        """Parse the portal's part of a launch; raises KeyError or TypeError if it is malformed."""
        return cls(
            base_url=str(answer["base_url"]),
            public_url=str(answer["public_url"]),
            portal_url=str(answer["portal_url"]),
            strip_prefix=bool(answer["strip_prefix"]),
            headers={str(name): str(value) for name, value in answer["headers"].items()},
            cookies=tuple(str(name) for name in answer["cookies"]),
            user_header=str(answer["user_header"]),
            user_cookie=str(answer["user_cookie"]),
            own_host=answer.get("own_host") is True,
        )

    # --- to the app ---

    def to_app(self, request: Request, visitor: Visitor) -> Request:
        """Return the request as the app gets it."""
        user = visitor.name
        set_here = {name.lower() for name in self.headers} | {self.user_header.lower()}
        set_here |= {GUEST_HEADER.lower(), MODE_HEADER.lower()}
        named = set(words(request.headers, "connection"))
        headers = [
            (name, value)
            for name, value in request.headers
            if name.lower() not in HOP_BY_HOP | named | set_here | {"cookie", "authorization", "expect"}
            and "_" not in name  # some servers read it as a dash
        ]
        if request.wants_websocket:
            headers += UPGRADE
        if cookies := self._cookies(request, user):
            headers.append(("Cookie", cookies))
        if self.user_header:
            headers.append((self.user_header, user))
        if self.strip_prefix:
            headers.append(("X-Forwarded-Prefix", self.base_url.rstrip("/")))
        if visitor.is_guest:
            headers += [(GUEST_HEADER, user), (MODE_HEADER, visitor.mode)]
        headers += self.headers.items()
        return Request(request.method, self._target(request.target), headers)

    def _target(self, target: str) -> str:
        return "/" + target[len(self.base_url) :] if self.strip_prefix else target

    def _cookies(self, request: Request, user: str) -> str:
        own = [f"{name}={value}" for name, value in cookies_of(request).items() if self._passes(name)]
        if self.user_cookie:
            own.append(f"{self.user_cookie}={quote(user, safe='')}")
        return "; ".join(own)

    def _passes(self, name: str) -> bool:
        """Return whether a cookie is the app's own; only we may set the one that names the user."""
        if name == self.user_cookie or (self.cookies_kept_back and name.startswith(self.cookies_kept_back)):
            return False
        return any(name.startswith(own[:-1]) if own.endswith("*") else name == own for own in self.cookies)

    # --- to the browser ---

    def to_browser(self, response: Response, host: str, *, goes_on: bool) -> Response:
        """Return the answer as the browser gets it; `host` is the Host header of the request.

        `goes_on`: another request may follow on the connection.
        """
        named = set(words(response.headers, "connection"))
        headers: Headers = []
        for name, value in response.headers:
            key = name.lower()
            if key in HOP_BY_HOP | named | NOT_THE_APPS:
                continue
            if key == "set-cookie":
                cookie = self._confined(value)
                if cookie:
                    headers.append((name, cookie))
            elif key in ("location", "content-location"):
                headers.append((name, self._location(value, host)))
            else:
                headers.append((name, value))
        if response.status == 101:
            headers += UPGRADE
        else:
            headers.append(("Connection", "keep-alive" if goes_on else "close"))
            headers.append(("Content-Security-Policy", "frame-ancestors 'self'"))  # added to the app's own: both apply
        return Response(response.status, response.reason, headers)

    def _confined(self, cookie: str) -> str | None:
        """Restrict the cookie to the app's own address or a folder of it; None if it must not pass."""
        match = COOKIE.match(cookie)
        if match is None or not self._passes(match[1]):
            return None
        path, kept = self.base_url, []
        for attribute in cookie.split(";")[1:]:
            name, _, value = attribute.strip().partition("=")
            if name.lower() == "path":
                asked = self._location(value.strip(), "")
                path = asked if asked.startswith(self.base_url) else self.base_url
            elif name and name.lower() != "domain":
                kept.append(attribute.strip())
        return "; ".join([f"{match[1]}={match[2]}", f"Path={path}", *kept])

    def _location(self, location: str, host: str) -> str:
        """Return a redirect to this host as a path, with the prefix that the app leaves out."""
        parts = urlsplit(location)
        if parts.netloc and parts.netloc == host and parts.scheme in ("http", "https", ""):
            location = parts._replace(scheme="", netloc="").geturl() or "/"
            location = location if location.startswith("/") else f"/{location}"
        if self.strip_prefix and location.startswith("/") and not location.startswith("//"):
            return self.base_url + location[1:]
        return location

    # --- where a request comes from ---

    def same_origin(self, request: Request) -> bool:
        """Return whether a page of this host sent the request; programs, which send no origin, pass.

        Opening an address is not a page's request. Other users' hosts are the same site, so requests from their pages
        carry cookies.
        """
        if request.get("sec-fetch-site") in OTHERS and request.get("sec-fetch-mode") != "navigate":
            return False
        origin = request.get("origin")
        if not origin or not (request.wants_websocket or request.method in UNSAFE):
            return True
        netloc = urlsplit(origin).netloc.lower()
        ours = {urlsplit(self.public_url).netloc.lower()}
        if not self.own_host:  # whatever name the site is reached by
            ours.add(request.get("host").lower())
        return bool(netloc) and netloc in ours


def cookies_of(request: Request) -> dict[str, str]:
    """Return the request's cookies; of two with the same name the first, which has the longer path (RFC 6265, 5.4)."""
    cookies: dict[str, str] = {}
    for header, line in request.headers:
        if header.lower() == "cookie":
            for pair in line.split(";"):
                name, equals, value = pair.strip().partition("=")
                if equals:
                    cookies.setdefault(name, value)
    return cookies
