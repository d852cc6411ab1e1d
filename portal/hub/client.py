"""JupyterHub's REST API, as far as the portal needs it.

The Hub owns logins, tokens and servers. When it does not answer, HubUnavailable is raised:
nothing is known, and nothing is declared dead.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

import httpx2

from portal import effects
from portal.errors import HubUnavailable, NotAuthenticated

#: Users in one piece of a list; the Hub gives no more by default.
USERS_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class HubIdentity:
    """Whose token it is."""

    username: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class HubServer:
    """A server the Hub knows: `ready` once its route is there, `pending` is `spawn`, `stop`, `check` or None."""

    ready: bool
    pending: str | None


def _server_path(username: str, server_name: str) -> str:
    user = quote(username, safe="")
    return f"/users/{user}/servers/{quote(server_name, safe='')}" if server_name else f"/users/{user}/server"


class HubClient:
    def __init__(self, api_url: str, token: str, timeout_s: float = 10.0) -> None:
        self._http = httpx2.AsyncClient(
            base_url=api_url, headers={"Authorization": f"token {token}"}, timeout=timeout_s, trust_env=False
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def _call(self, method: str, path: str, **options: Any) -> httpx2.Response:
        if method != "GET":
            effects.begun()
        try:
            response = await self._http.request(method, path, **options)
        except httpx2.HTTPError as error:
            raise HubUnavailable("JupyterHub does not answer.") from error
        if response.status_code >= 500:
            raise HubUnavailable(f"JupyterHub answered {response.status_code}.")
        return response

    async def healthy(self) -> bool:
        try:
            return (await self._call("GET", "/")).is_success
        except HubUnavailable:
            return False

    async def proxy(self, url: str, token: str) -> httpx2.Response | None:
        """Ask the Hub's proxy something; None when it does not answer."""
        try:
            return await self._http.get(url, headers={"Authorization": f"token {token}"})
        except httpx2.HTTPError:
            return None

    async def identify(self, token: str) -> HubIdentity:
        """Return whose token it is. Raises NotAuthenticated for a token the Hub does not take."""
        response = await self._call("GET", "/user", headers={"Authorization": f"token {token}"})
        if not response.is_success:
            raise NotAuthenticated("This token is not known, has expired, or may not identify its user.")
        user = response.json()
        if user.get("kind") != "user":
            raise NotAuthenticated("This token belongs to a service; use a user's token.")
        return HubIdentity(user["name"], frozenset(user.get("scopes", ())))

    async def exchange_code(self, *, code: str, verifier: str, redirect_uri: str, client_id: str, secret: str) -> str:
        """Exchange an OAuth code for the user's access token. Raises NotAuthenticated."""
        response = await self._call(
            "POST",
            "/oauth2/token",
            data={
                "grant_type": "authorization_code",
                "code": code,
                "code_verifier": verifier,
                "redirect_uri": redirect_uri,
                "client_id": client_id,
                "client_secret": secret,
            },
        )
        if not response.is_success:
            raise NotAuthenticated("The login could not be completed; log in again.")
        return str(response.json()["access_token"])

    async def start_server(self, username: str, server_name: str, session_id: str, display_name: str) -> None:
        """Ask the Hub for a server that carries the session; one already there or on its way is fine."""
        body: dict[str, Any] = {"user_options": {"session": session_id}}
        if server_name:
            body["display_name"] = display_name
        response = await self._call("POST", _server_path(username, server_name), json=body, timeout=60.0)
        if response.status_code == 400 and any(
            word in response.text for word in ("already running", "pending", "stopping")
        ):
            return
        if not response.is_success:
            raise HubUnavailable(f"JupyterHub did not start the server: {_message(response)}")

    async def stop_server(self, username: str, server_name: str) -> None:
        """Ask the Hub to drop a server; one that is not there is fine."""
        path = _server_path(username, server_name)
        options = {"json": {"remove": True}} if server_name else {}
        await self._call("DELETE", path, **options)

    async def server(self, username: str, server_name: str) -> HubServer | None:
        """Return the Hub's view of one server; None when the Hub has none."""
        response = await self._call("GET", f"/users/{quote(username, safe='')}")
        if response.status_code == 404:
            return None
        if not response.is_success:
            raise HubUnavailable(f"JupyterHub refused to show the user: {_message(response)}")
        server = (response.json().get("servers") or {}).get(server_name)
        if server is None:
            return None
        return HubServer(ready=bool(server.get("ready")), pending=server.get("pending"))

    async def groups(self, username: str) -> tuple[str, ...] | None:
        """Return the groups of a user as their last login brought them; None for nobody that the Hub knows."""
        response = await self._call("GET", f"/users/{quote(username, safe='')}")
        if response.status_code == 404:
            return None
        if not response.is_success:
            raise HubUnavailable(f"JupyterHub refused to show the user: {_message(response)}")
        return tuple(response.json().get("groups") or ())

    async def last_use(self) -> dict[tuple[str, str], datetime]:
        """Return when each server was last used, by (user, server name)."""
        found: dict[tuple[str, str], datetime] = {}
        accept = {"Accept": "application/jupyterhub-pagination+json"}
        where: dict[str, Any] | None = {"offset": 0, "limit": USERS_AT_ONCE}
        while where is not None:
            asked = {"state": "active", "offset": where["offset"], "limit": where["limit"]}
            response = await self._call("GET", "/users", params=asked, headers=accept)
            if not response.is_success:
                raise HubUnavailable(f"JupyterHub refused to list servers: {_message(response)}")
            page = response.json()
            for user in page["items"]:
                for name, server in (user.get("servers") or {}).items():
                    if server.get("last_activity"):
                        found[user["name"], name] = datetime.fromisoformat(server["last_activity"])
            where = page["_pagination"]["next"]
        return found

    async def progress(self, username: str, server_name: str) -> AsyncIterator[dict[str, Any]]:
        """Follow a server's start until it is ready or failed, as the Hub tells it."""
        path = f"{_server_path(username, server_name)}/progress"
        try:
            async with self._http.stream("GET", path, timeout=httpx2.Timeout(10.0, read=None)) as response:
                if not response.is_success:
                    return
                async for line in response.aiter_lines():
                    if line.startswith("data:"):
                        yield json.loads(line.removeprefix("data:"))
        except httpx2.HTTPError as error:
            raise HubUnavailable("JupyterHub stopped answering.") from error


def _message(response: httpx2.Response) -> str:
    try:
        return str(response.json()["message"])[:300]
    except (ValueError, KeyError, TypeError):
        return f"status {response.status_code}"
