"""The agent's client for the portal's agent API: one JSON request at a time, and its errors.

AgentError
├── Unreachable   no answer, or a 5xx or 429: try again later
├── Gone          410: the portal has ended the session; stop everything
└── Refused       another 4xx: asking again would not help
    └── NotRecognized  401: the portal has lost this agent's introduction
"""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Any, Callable
from urllib.parse import urlsplit

MAX_ANSWER_BYTES = 1_000_000


class AgentError(Exception):
    """A failure between the agent and the portal."""


class Unreachable(AgentError):
    pass


class Gone(AgentError):
    pass


class Refused(AgentError):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{message} (HTTP {status})")
        self.status = status


class NotRecognized(Refused):
    pass


class Portal:
    """A client of `<node_url>/agent/…`; thread-safe, because every call opens its own connection."""

    def __init__(self, url: str, session: str, key: str) -> None:
        self._url = urlsplit(url)
        if self._url.scheme not in ("http", "https") or not self._url.hostname:
            raise ValueError(f"DSP_PORTAL is not an http(s) address: {url!r}")
        self._authorization = f"Bearer {session}:{key}"
        self.introduce: Callable[[], None] | None = None
        """Says anew who the agent is; called when the portal asks for it, before what was to be said is said again."""

    @property
    def address(self) -> tuple[str, int]:
        """Return the host and port where the portal listens, as seen from this node."""
        default = 443 if self._url.scheme == "https" else 80
        return self._url.hostname or "", self._url.port or default

    def call(self, what: str, body: dict[str, Any], *, timeout_s: float = 10.0) -> tuple[int, dict[str, Any]]:
        """POST `body` to `/agent/<what>`; return status (200 or 202) and answer. Raises Unreachable, Gone or Refused.

        A portal that no longer knows this agent counts as Unreachable: it may know it again once it has reconciled.
        """
        try:
            return self.post(what, body, timeout_s=timeout_s)
        except NotRecognized as error:
            if self.introduce is None:
                raise
            try:
                self.introduce()
                return self.post(what, body, timeout_s=timeout_s)
            except NotRecognized:
                raise Unreachable(f"the portal does not know this agent: {error}") from error

    def post(self, what: str, body: dict[str, Any], *, timeout_s: float = 10.0) -> tuple[int, dict[str, Any]]:
        """POST once, without retries. Raises Unreachable, Gone, NotRecognized or Refused."""
        connection = self._connect(timeout_s)
        try:
            connection.request(
                "POST",
                f"{self._url.path}/agent/{what}",
                body=json.dumps(body),
                headers={"Content-Type": "application/json", "Authorization": self._authorization},
            )
            response = connection.getresponse()
            answer = _decode(response.read(MAX_ANSWER_BYTES))
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"the portal does not answer: {error or type(error).__name__}") from error
        finally:
            connection.close()
        if response.status in (200, 202, 204):
            return response.status, answer or {}
        if response.status == 410:
            raise Gone("the session has ended")
        if response.status >= 500 or response.status == 429 or response.status < 400:
            raise Unreachable(f"the portal answers HTTP {response.status}")
        raise (NotRecognized if response.status == 401 else Refused)(response.status, _message(answer))

    def _connect(self, timeout_s: float) -> http.client.HTTPConnection:
        host, port = self.address
        if self._url.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=timeout_s, context=ssl.create_default_context())
        return http.client.HTTPConnection(host, port, timeout=timeout_s)


def _decode(raw: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(raw or b"{}")
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _message(answer: dict[str, Any] | None) -> str:
    """Return the sentence in the portal's error answer."""
    error = (answer or {}).get("error")
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])[:300]
    return "the portal refused"
