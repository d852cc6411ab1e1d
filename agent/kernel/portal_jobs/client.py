"""Talks to the portal with the session's own token: calls, streams of events, and patience while it is away."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Iterator, Mapping, Sequence

TIMEOUT_S = 60
PATIENCE_S = 600
"""So long may the portal be away, restarted say, while a job is waited for; the job goes on without it."""
AWAY = (502, 503, 504)
AGAIN_S = 2.0


class PortalError(Exception):
    """The portal's error message; `fields` names the fields of the form at fault."""

    def __init__(self, message: str, fields: Sequence[Mapping[str, str]] = ()) -> None:
        self.fields = {field["field"]: field["message"] for field in fields}
        super().__init__(message)


class PortalAway(PortalError):
    """The portal does not answer, or a proxy in front of it reports so."""


def _request(method: str, path: str, body: object = None, **headers: str) -> Any:
    token = os.environ.get("PORTAL_TOKEN") or os.environ.get("JUPYTERHUB_API_TOKEN")
    if not token:
        raise PortalError("There is no token here: start the notebook in a session, or set PORTAL_TOKEN.")
    address = os.environ.get("PORTAL_URL", "http://localhost:8000").rstrip("/")
    request = urllib.request.Request(  # noqa: S310  (the address is the site's own)
        f"{address}/services/portal/api{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"token {token}", "Content-Type": "application/json", **headers},
    )
    try:
        return urllib.request.urlopen(request, timeout=TIMEOUT_S)  # noqa: S310
    except urllib.error.HTTPError as error:
        with error:
            portal_error = _error_from(error)
        raise (PortalAway(str(portal_error)) if error.code in AWAY else portal_error) from None
    except OSError as error:
        raise PortalAway(f"The portal at {address} does not answer ({error}).") from None


def _error_from(error: urllib.error.HTTPError) -> PortalError:
    try:
        error_body = json.loads(error.read())["error"]
    except (ValueError, KeyError):
        return PortalError(f"The portal answered HTTP {error.code}.")
    lines = [f"{field['field']}: {field['message']}" for field in error_body["fields"]] or [error_body["message"]]
    return PortalError(" ".join([*lines, error_body["hint"]]), error_body["fields"])


def call(method: str, path: str, body: object = None) -> Any:
    with _request(method, path, body) as answer:
        return json.loads(answer.read())


def make(path: str, body: object) -> Any:
    """Create something exactly once: without an answer, the same request is repeated with the same key."""
    key = {"Idempotency-Key": uuid.uuid4().hex}
    try:
        answer = _request("POST", path, body, **key)
    except PortalAway:
        time.sleep(AGAIN_S)
        answer = _request("POST", path, body, **key)
    with answer:
        return json.loads(answer.read())


def events(path: str) -> Iterator[tuple[str, Any]]:
    kind = "message"
    with _request("GET", path) as answer:
        for line in _lines(answer):
            if line.startswith(":"):
                yield "ping", None
            elif line.startswith("event: "):
                kind = line[len("event: ") :]
            elif line.startswith("data: "):
                yield kind, json.loads(line[len("data: ") :])


def _lines(answer: Any) -> Iterator[str]:
    """Yield the lines of a stream; raise PortalAway when it breaks off."""
    try:
        for raw in answer:
            yield raw.decode().rstrip("\n")
    except (OSError, http.client.HTTPException) as error:
        raise PortalAway(f"The connection to the portal was lost ({error}).") from None


class OutageTolerance:
    """A context manager that tolerates a portal that is away, up to a limit."""

    def __init__(self) -> None:
        self.heard()

    def heard(self) -> None:
        self._last = time.monotonic()

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: object, __: object) -> bool:
        return isinstance(error, PortalAway) and time.monotonic() - self._last < PATIENCE_S
