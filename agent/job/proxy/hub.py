"""The proxy's calls to JupyterHub: look up a token's owner, exchange a login's code for a token, note activity."""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Any, Mapping, NamedTuple
from urllib.parse import urlencode, urlsplit

from .oauth import token_form

TIMEOUT_S = 10.0
MAX_ANSWER = 1_000_000


class HubAway(Exception):
    """The Hub does not answer, or its answer makes no sense; nothing is known."""


class HubUser(NamedTuple):
    name: str
    scopes: frozenset[str]


class Hub:
    def __init__(self, environ: Mapping[str, str], api_token: str) -> None:
        """`environ`: the variables the Hub gives its servers (JUPYTERHUB_…). Raises KeyError naming what is missing."""
        self._api = environ["JUPYTERHUB_API_URL"].rstrip("/")
        self._token = api_token
        self._activity = environ.get("JUPYTERHUB_ACTIVITY_URL", "")
        self._server = environ.get("JUPYTERHUB_SERVER_NAME", "")
        self.client_id = environ["JUPYTERHUB_CLIENT_ID"]
        self.callback = environ["JUPYTERHUB_OAUTH_CALLBACK_URL"]
        base = environ.get("JUPYTERHUB_BASE_URL", "/")
        self.authorize_url = f"{environ.get('JUPYTERHUB_HOST', '')}{base}hub/api/oauth2/authorize"
        self.access_scopes = frozenset(json.loads(environ["JUPYTERHUB_OAUTH_ACCESS_SCOPES"]))

    def whose(self, token: str) -> HubUser | None:
        """Return the token's owner; None if the Hub does not know it. Raises HubAway."""
        status, answer = self._ask("GET", f"{self._api}/user", token)
        if status in (401, 403, 404):
            return None
        if status != 200 or answer.get("kind", "user") != "user" or not isinstance(answer.get("name"), str):
            raise HubAway(f"HTTP {status}")
        return HubUser(answer["name"], frozenset(str(scope) for scope in answer.get("scopes") or ()))

    def token_for(self, code: str, verifier: str) -> str | None:
        """Return the token for a login's code; None if the Hub refuses it. Raises HubAway."""
        form = token_form(self.client_id, self._token, self.callback, code, verifier)
        status, answer = self._ask(
            "POST", f"{self._api}/oauth2/token", None, urlencode(form), "application/x-www-form-urlencoded"
        )
        if 400 <= status < 500:
            return None
        if status != 200 or not isinstance(answer.get("access_token"), str):
            raise HubAway(f"HTTP {status}")
        return str(answer["access_token"])

    def note_activity(self, moment: str) -> None:
        """Report when the app was last used (an ISO time). Raises HubAway."""
        if not self._activity:
            return
        body = json.dumps({"servers": {self._server: {"last_activity": moment}}, "last_activity": moment})
        status, _ = self._ask("POST", self._activity, self._token, body, "application/json")
        if status >= 300:
            raise HubAway(f"HTTP {status}")

    @staticmethod
    def _ask(
        method: str, url: str, token: str | None, body: str | None = None, kind: str = ""
    ) -> tuple[int, dict[str, Any]]:
        parts = urlsplit(url)
        host = parts.hostname or ""
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(
                host, parts.port, timeout=TIMEOUT_S, context=ssl.create_default_context()
            )
        else:
            connection = http.client.HTTPConnection(host, parts.port, timeout=TIMEOUT_S)
        headers = {"Authorization": f"token {token}"} if token else {}
        if kind:
            headers["Content-Type"] = kind
        try:
            connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body, headers)
            response = connection.getresponse()
            raw = response.read(MAX_ANSWER)
        except (OSError, http.client.HTTPException) as error:
            raise HubAway(str(error) or type(error).__name__) from error
        finally:
            connection.close()
        try:
            answer = json.loads(raw or b"{}")
        except ValueError:
            answer = {}
        return response.status, answer if isinstance(answer, dict) else {}
