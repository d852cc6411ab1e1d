"""The portal's API, as this device's user."""

from __future__ import annotations

import http.client
import json
from typing import Any

from . import web
from .device import Device
from .errors import Failure, NotLoggedIn

PREFIX = "/services/portal"
MOST_BYTES = 32 << 20


def fetch(
    method: str, url: str, *, token: str = "", form: str = "", timeout_s: float = web.TIMEOUT_S
) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers. Raises Failure if there is no answer."""
    headers = {"Authorization": f"token {token}"} if token else {}
    if form:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection = web.open_to(url, timeout_s)
    try:
        connection.request(method, web.target(url), form or None, headers)
        response = connection.getresponse()
        return response.status, response.read(MOST_BYTES), {key.lower(): value for key, value in response.getheaders()}
    except (OSError, http.client.HTTPException) as error:
        raise Failure(f"{url.split('?')[0]} does not answer: {error or type(error).__name__}") from error
    finally:
        connection.close()


def call(device: Device, path: str) -> Any:
    """GET from the API. Raises NotLoggedIn, Failure with the portal's sentence."""
    status, body, _ = fetch("GET", f"{device.url}{PREFIX}/api{path}", token=device.token)
    if status == 200:
        return json.loads(body)
    if status == 401:
        raise NotLoggedIn("This device's login has expired or was revoked. Run: portal login")
    raise Failure(sentence(body) or f"The portal answered HTTP {status}. Try again in a minute.")


def sentence(body: bytes) -> str | None:
    """Return the message in an error's body, with its hint; None if there is none."""
    try:
        error = json.loads(body)["error"]
        return " ".join(filter(None, (str(error["message"]), str(error.get("hint") or ""))))
    except (ValueError, KeyError, TypeError):
        return None
