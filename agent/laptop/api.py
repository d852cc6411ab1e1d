"""The portal's API, as this device's user."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from . import web
from .device import Device
from .errors import Failure, NoAnswer, NotLoggedIn

PREFIX = "/services/portal"
MOST_BYTES = 32 << 20


@contextmanager
def opened(
    method: str, url: str, headers: dict[str, str], body: Any = None, timeout_s: float = web.TIMEOUT_S
) -> Iterator[http.client.HTTPResponse]:
    """Send a request, and yield the response to read from. Raises NoAnswer, also for a connection lost in the block.

    `body`: bytes, or an iterator of them if `headers` has the Content-Length.
    """
    connection = web.open_to(url, timeout_s)
    try:
        with suppress(BrokenPipeError, ConnectionResetError):  # a refusal may come before the body has been sent
            connection.request(method, web.target(url), body, headers)
        with connection.getresponse() as response:
            yield response
    except (OSError, http.client.HTTPException) as error:
        raise NoAnswer(web.no_answer(url.split("?")[0], error)) from error
    finally:
        connection.close()


def fetch(
    method: str, url: str, *, token: str = "", form: str = "", body: Any = None, key: str = ""
) -> tuple[int, bytes, dict[str, str]]:
    """Send a form, or `body` as JSON; return status, body and headers. Raises NoAnswer."""
    headers = {"Authorization": f"token {token}"} if token else {}
    if form:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    if body is not None:
        form, headers["Content-Type"] = json.dumps(body), "application/json"
    if key:
        headers["Idempotency-Key"] = key
    with opened(method, url, headers, form.encode() or None) as response:
        return response.status, response.read(MOST_BYTES), {key.lower(): value for key, value in response.getheaders()}


def call(device: Device, path: str, method: str = "GET", body: Any = None, key: str = "") -> Any:
    """Send a request to the API; `key` makes a repeated POST safe.

    Raises NotLoggedIn, Failure with the portal's sentence.
    """
    status, answer, _ = fetch(method, f"{device.url}{PREFIX}/api{path}", token=device.token, body=body, key=key)
    if status in (200, 202):
        return json.loads(answer)
    raise refusal(status, answer)


def refusal(status: int, answer: bytes) -> Failure:
    """Return the error that an answer stands for."""
    if status == 401:
        return NotLoggedIn("This device's login has expired or was revoked. Run: portal login")
    if b'"scope_missing"' in answer:
        return Failure("This device's login is older than this command. Log in again: portal login")
    return Failure(sentence(answer) or f"The portal answered HTTP {status}. Try again in a minute.")


def sentence(body: bytes) -> str | None:
    """Return the message in an error's body, with its hint; None if there is none."""
    try:
        error = json.loads(body)["error"]
        return " ".join(filter(None, (str(error["message"]), str(error.get("hint") or ""))))
    except (ValueError, KeyError, TypeError):
        return None
