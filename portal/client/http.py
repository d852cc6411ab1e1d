"""A small client of the portal's API, for the command line and for scripts."""

from __future__ import annotations

import json
import os
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import uuid4

import httpx2

from portal.errors import FieldProblem, NotAuthenticated, OutcomeUnknown, PortalError, Unavailable

DEFAULT_URL = "http://localhost:8000"
PREFIX = "/services/portal"
AWAY = (502, 503, 504)
#: Pause before a request without an answer is sent again.
PAUSES_S = (1.0, 3.0)


def token_file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "portal" / "token"


def address() -> str:
    return os.environ.get("PORTAL_URL", DEFAULT_URL).rstrip("/")


class ApiError(PortalError):
    """The portal's error response, as received."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__(
            body.get("message", "The portal refused the request."),
            hint=body.get("hint", ""),
            fields=[FieldProblem(field["field"], field["message"]) for field in body.get("fields", ())],
        )
        self.code = body.get("code", "http")


class PortalUnavailable(ApiError):
    """The portal does not answer, or something in front of it says so: it may be back in a moment."""

    @property
    def was_sent(self) -> bool:
        """Return whether the request may have been carried out although there was no answer."""
        lost = isinstance(self.__cause__, httpx2.HTTPError) and not isinstance(self.__cause__, httpx2.ConnectError)
        return lost or self.code == OutcomeUnknown.code

    @classmethod
    def of(cls, message: str, hint: str) -> PortalUnavailable:
        return cls({"message": message, "hint": hint, "code": Unavailable.code})


class PortalClient:
    """Calls the portal with a JupyterHub token: `$PORTAL_TOKEN`, `portal login`'s, or the session's own."""

    def __init__(self, url: str | None = None, token: str | None = None) -> None:
        self._http = httpx2.Client(
            base_url=f"{url or address()}{PREFIX}/api",
            headers={"Authorization": f"token {token or self._token()}"},
            timeout=30.0,
        )
        weakref.finalize(self, self._http.close)

    @staticmethod
    def _token() -> str:
        if token := os.environ.get("PORTAL_TOKEN"):
            return token
        with suppress(OSError):
            return token_file().read_text().strip()
        if token := os.environ.get("JUPYTERHUB_API_TOKEN"):
            return token
        raise NotAuthenticated("You are not logged in.", hint="Run `portal login`, or set PORTAL_TOKEN.")

    def call(self, method: str, path: str, **options: Any) -> Any:
        """Return the response's JSON.

        Raises ApiError with the portal's message, PortalUnavailable if there is no answer.
        """
        response = self._ask(method, path, **options)
        return response.json() if response.content else None

    def make(self, path: str, body: Any) -> Any:
        """Create something exactly once: if the answer is lost, send the same request again with the same key."""
        headers = {"Idempotency-Key": uuid4().hex}
        for pause_s in PAUSES_S:
            try:
                return self.call("POST", path, json=body, headers=headers)
            except PortalUnavailable as error:
                if not error.was_sent:
                    raise
                time.sleep(pause_s)
        return self.call("POST", path, json=body, headers=headers)

    def response(self, method: str, path: str, **options: Any) -> httpx2.Response:
        """Return the whole response; raises like `call`."""
        return self._ask(method, path, **options)

    @contextmanager
    def download(self, path: str, **options: Any) -> Iterator[httpx2.Response]:
        """Yield a response whose body is read piece by piece; raises like `call`."""
        try:
            with self._http.stream("GET", path, timeout=httpx2.Timeout(30.0, read=120.0), **options) as response:
                if not response.is_success:
                    response.read()
                    raise _refusal(response)
                yield response
        except httpx2.HTTPError as error:
            raise PortalUnavailable.of(
                f"The connection to the portal at {address()} was lost.", hint="Run the command again to go on."
            ) from error

    def text(self, path: str, **options: Any) -> str:
        """Return a response that is not JSON, such as CSV; raises like `call`."""
        return self._ask("GET", path, **options).text

    def _ask(self, method: str, path: str, **options: Any) -> httpx2.Response:
        try:
            response = self._http.request(method, path, **options)
        except httpx2.HTTPError as error:
            raise PortalUnavailable.of(
                f"The portal at {address()} does not answer.", hint="Check $PORTAL_URL."
            ) from error
        if not response.is_success:
            raise _refusal(response)
        return response

    def events(self, path: str) -> Iterator[tuple[str, Any]]:
        """Yield (event, data) of a stream until it ends."""
        try:
            # The portal pings its streams, so it is never silent this long.
            with self._http.stream("GET", path, timeout=httpx2.Timeout(30.0, read=60.0)) as response:
                if not response.is_success:
                    response.read()
                    raise _refusal(response)
                kind = "message"
                for line in response.iter_lines():
                    if line.startswith("event: "):
                        kind = line.removeprefix("event: ")
                    elif line.startswith("data: "):
                        yield kind, json.loads(line.removeprefix("data: "))
        except httpx2.HTTPError as error:
            raise PortalUnavailable.of(
                f"The portal at {address()} stopped answering.",
                hint="`portal sessions list` and `portal jobs list` show the state of your sessions and jobs.",
            ) from error


def _refusal(response: httpx2.Response) -> ApiError:
    return (PortalUnavailable if response.status_code in AWAY else ApiError)(_error_of(response))


def _error_of(response: httpx2.Response) -> dict[str, Any]:
    try:
        error: dict[str, Any] = response.json()["error"]
    except (ValueError, KeyError):
        return {"message": f"The portal answered HTTP {response.status_code}.", "hint": "Try again in a minute."}
    return error


def _hub_of(portal: str) -> str:
    """Return the Hub's address: where the portal redirects logins, or the portal's own host if that is a path."""
    login = urlsplit(httpx2.get(f"{portal}{PREFIX}/login", timeout=30.0).headers.get("location", ""))
    return f"{login.scheme}://{login.netloc}" if login.netloc else portal


def reachable(url: str) -> tuple[str, dict[str, str]]:
    """Return the address to connect to, and headers: names below localhost are this machine (RFC 6761, 6.3)."""
    parts = urlsplit(url)
    if parts.scheme != "http" or not (parts.hostname or "").endswith(".localhost"):
        return url, {}
    return parts._replace(netloc=f"127.0.0.1:{parts.port or 80}").geturl(), {"Host": parts.netloc}


def fetch_token(username: str, password: str, url: str | None = None) -> str:
    """Get a new token for a user from the Hub. Raises NotAuthenticated."""
    body = {
        "auth": {"username": username, "password": password},
        "note": "portal login",
        "expires_in": 30 * 86_400,
    }
    try:
        hub, headers = reachable(_hub_of(url or address()))
        response = httpx2.post(
            f"{hub}/hub/api/users/{quote(username, safe='')}/tokens", json=body, headers=headers, timeout=30.0
        )
    except httpx2.HTTPError as error:
        raise Unavailable(f"The portal at {address()} does not answer.", hint="Check $PORTAL_URL.") from error
    if response.status_code == 403:  # the Hub gives no reason here
        raise NotAuthenticated(
            "Wrong user name or password, or this account may not use the portal.",
            hint=f"The login page says which: {url or address()}",
        )
    if not response.is_success:
        raise Unavailable(f"JupyterHub answered HTTP {response.status_code}.", hint="Try again in a minute.")
    return str(response.json()["token"])
