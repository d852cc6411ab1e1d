"""Login in the browser: the code comes back to a port of this machine (RFC 8252), bound to a secret (RFC 7636)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import platform
import secrets
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from .api import PREFIX, fetch, sentence
from .device import Device
from .errors import Failure

WAIT_S = 300.0
DONE = b"<!doctype html><meta charset=utf-8><title>Logged in</title><p>You are logged in. You can close this page."
FAILED = b"<!doctype html><meta charset=utf-8><title>Not logged in</title><p>This login failed. See the terminal."


def log_in(url: str, name: str = "", *, browser: bool = True) -> Device:
    """Log in at the portal and return this device's token. Raises Failure."""
    hub = _hub_of(url)
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    with _Listener(state) as listener:
        asked = {
            "device": (name or platform.node() or "a computer")[:60],
            "port": listener.server_port,
            "challenge": challenge,
            "state": state,
        }
        page = f"{hub}/hub/device?{urlencode(asked)}"
        print(f"Log in with your browser on this machine:\n\n  {page}\n", flush=True)
        if browser:
            webbrowser.open(page)
        code = listener.wait()
    status, body, _ = fetch("POST", f"{hub}/hub/device/token", form=urlencode({"code": code, "verifier": verifier}))
    if status != 200:
        raise Failure(sentence(body) or f"The Hub answered HTTP {status}. Try again in a minute.")
    answer = json.loads(body)
    return Device(url, str(answer["username"]), str(answer["token"]))


def _hub_of(url: str) -> str:
    """Return the Hub's address: where the portal sends logins, or the portal's own if that is a path."""
    status, _, headers = fetch("GET", f"{url}{PREFIX}/login")
    if status not in (302, 303, 307):
        raise Failure(f"There is no portal at {url} (HTTP {status}). Check the address.")
    login = urlsplit(headers.get("location", ""))
    return f"{login.scheme}://{login.netloc}" if login.netloc else url


class _Listener(HTTPServer):
    """Waits on loopback for the browser that brings the code."""

    def __init__(self, state: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.state = state
        self.code: str | None = None
        self.timeout = WAIT_S

    def wait(self) -> str:
        while self.code is None:
            self.handle_request()
            if self.timed_out:
                raise Failure("Nobody logged in for five minutes. Run `portal login` again.")
        return self.code

    timed_out = False

    def handle_timeout(self) -> None:
        self.timed_out = True


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    timeout = 10

    def do_GET(self) -> None:
        """Take the code; requests with another state do not belong to this login."""
        given = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        ours = hmac.compare_digest(given.get("state", "").encode(), self.server.state.encode())
        if ours and given.get("code"):
            self.server.code = given["code"]
        body = DONE if ours else FAILED
        self.send_response(200 if ours else 400)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing: the address contains the code."""
