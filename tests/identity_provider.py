"""A small OpenID provider on loopback: the authorisation code flow with PKCE (RFC 6749, RFC 7636), and userinfo.

`signed_in` is the user whom its page would log in; `people` are the users it knows, with their claims.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT = "portal"


@dataclass
class Provider:
    people: dict[str, dict[str, Any]]
    signed_in: str = ""
    url: str = ""
    secret: str = field(default_factory=secrets.token_urlsafe)
    asked: list[str] = field(default_factory=list)
    """Every path that was asked for."""
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)
    _tokens: dict[str, str] = field(default_factory=dict)

    def authorize(self, query: dict[str, str]) -> str:
        """Return where the browser goes with its code."""
        assert (query["client_id"], query["response_type"]) == (CLIENT, "code")
        assert "openid" in query["scope"].split()
        code = secrets.token_urlsafe()
        self._codes[code] = {**query, "sub": self.signed_in}
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, form: dict[str, str]) -> dict[str, Any] | None:
        """Return the answer for a code, once; None for a wrong secret, code, address or verifier."""
        given = self._codes.pop(form.get("code", ""), None)
        if given is None or not secrets.compare_digest(form.get("client_secret", ""), self.secret):
            return None
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (form.get("redirect_uri"), challenge) != (given["redirect_uri"], given["code_challenge"]):
            return None
        token = secrets.token_urlsafe()
        self._tokens[token] = given["sub"]
        return {"access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": given["scope"]}

    def userinfo(self, authorization: str) -> dict[str, Any] | None:
        """Return the claims; None for a token that it did not issue, or of a user who has left."""
        return self.people.get(self._tokens.get(authorization.removeprefix("Bearer "), ""))


@contextmanager
def identity_provider(people: dict[str, dict[str, Any]]) -> Iterator[Provider]:
    provider = Provider(people)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            provider.asked.append(asked.path)
            if asked.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", provider.authorize(_single(asked.query)))
                self.end_headers()
            elif asked.path == "/userinfo":
                self._say(provider.userinfo(self.headers["Authorization"] or ""))
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            provider.asked.append(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._say(provider.token(_single(body)))

        def _say(self, answer: dict[str, Any] | None) -> None:
            self.send_response(401 if answer is None else 200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(answer or {"error": "invalid_grant"}).encode())

        def log_message(self, *arguments: object) -> None:
            """Log nothing: requests are recorded in `asked`."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()


def _single(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
