"""JupyterHub's REST API, as far as the portal needs it.

The Hub owns logins, tokens and servers. If it does not answer, HubUnavailable is raised:
nothing is known, and nothing is declared dead.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2

from portal import effects
from portal.circuit import Circuit
from portal.errors import HubUnavailable, NotAuthenticated

RUNNING_GO_ON = "Running sessions continue. Try again in a minute."
#: Users per page of a list; the Hub's default maximum.
USERS_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class HubIdentity:
    """The owner of a token."""

    username: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class HubServer:
    """A server in the Hub: `ready` once its route exists, `pending` is `spawn`, `stop`, `check` or None."""

    ready: bool
    pending: str | None
    session_id: str = ""
    """The session of its spawner; empty if it has none."""
    base_url: str = ""
    last_activity: datetime | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options it was started with, by the portal or by its user."""


def _server_path(username: str, server_name: str) -> str:
    user = quote(username, safe="")
    return f"/users/{user}/servers/{quote(server_name, safe='')}" if server_name else f"/users/{user}/server"


class HubClient:
    def __init__(
        self, api_url: str, token: str, timeout_s: float = 10.0, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        self._http = httpx2.AsyncClient(
            base_url=api_url,
            headers={"Authorization": f"token {token}"},
            timeout=timeout_s,
            trust_env=False,
            transport=transport,
        )
        self.circuit = Circuit("JupyterHub", HubUnavailable, slow_s=timeout_s / 2, hint=RUNNING_GO_ON)

    async def close(self) -> None:
        await self._http.aclose()

    async def _call(self, method: str, path: str, **options: Any) -> httpx2.Response:
        with self.circuit.attempt():
            if method != "GET":
                effects.begun()
            try:
                response = await self._http.request(method, path, **options)
            except httpx2.HTTPError as error:
                raise HubUnavailable("JupyterHub does not answer.") from error
            if response.status_code >= 500:
                raise HubUnavailable(f"JupyterHub answered HTTP {response.status_code}.")
            return response

    async def healthy(self) -> bool:
        try:
            return (await self._call("GET", "/")).is_success
        except HubUnavailable:
            return False

    async def proxy(self, url: str, token: str) -> httpx2.Response | None:
        """Send a request to the Hub's proxy; None if it does not answer."""
        try:
            return await self._http.get(url, headers={"Authorization": f"token {token}"})
        except httpx2.HTTPError:
            return None

    async def restore_routes(self) -> None:
        """Have the Hub compare the proxy's routes with its servers now, and add missing ones."""
        response = await self._call("POST", "/proxy", timeout=60.0)
        if not response.is_success:
            raise HubUnavailable(f"JupyterHub did not update the proxy: {_message(response)}")

    async def identify(self, token: str) -> HubIdentity:
        """Return the token's owner. Raises NotAuthenticated for a token that the Hub rejects."""
        response = await self._call("GET", "/user", headers={"Authorization": f"token {token}"})
        if not response.is_success:
            raise NotAuthenticated("This token is unknown, has expired, or may not identify its user.")
        user = response.json()
        if user.get("kind") != "user":
            raise NotAuthenticated("This token belongs to a service; use a user's token.")
        return HubIdentity(user["name"], frozenset(user.get("scopes", ())))

    async def takes_us(self) -> bool:
        """Return whether the Hub accepts the portal's own token. It accepts none while its database does not answer.

        Raises HubUnavailable.
        """
        return (await self._call("GET", "/user")).is_success

    async def exchange_code(self, form: Mapping[str, str]) -> str:
        """Exchange an OAuth code for the user's access token. Raises NotAuthenticated."""
        response = await self._call("POST", "/oauth2/token", data=form)
        if not response.is_success:
            raise NotAuthenticated("The login could not be completed; log in again.")
        return str(response.json()["access_token"])

    async def start_server(
        self, username: str, server_name: str, session_id: str, display_name: str, ask: Mapping[str, Any]
    ) -> None:
        """Ask the Hub for a server for the session; an existing or starting one is fine.

        The Hub keeps `ask`, the session's request, so that its row can be made again from it.
        """
        body: dict[str, Any] = {"user_options": {"session": session_id, "ask": dict(ask)}}
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
        """Ask the Hub to stop and delete a server; one that does not exist is fine.

        Success means that the Hub has accepted the request, not that the server is gone. Raises HubUnavailable for
        every other answer: the Hub returns 500 while something is pending, and 403 while its database does not answer.
        """
        path = _server_path(username, server_name)
        options = {"json": {"remove": True}} if server_name else {}
        response = await self._call("DELETE", path, **options)
        if not response.is_success and response.status_code != 404:
            raise HubUnavailable(f"JupyterHub did not stop the server: {_message(response)}")

    async def server(self, username: str, server_name: str) -> HubServer | None:
        """Return the Hub's view of a server; None if the Hub has none."""
        response = await self._call("GET", f"/users/{quote(username, safe='')}")
        if response.status_code == 404:
            return None
        if not response.is_success:
            raise HubUnavailable(f"JupyterHub refused to show the user: {_message(response)}")
        server = (response.json().get("servers") or {}).get(server_name)
        return None if server is None else _server(server)

    async def groups(self, username: str) -> tuple[str, ...] | None:
        """Return a user's groups as of their last login; None for a user unknown to the Hub."""
        response = await self._call("GET", f"/users/{quote(username, safe='')}")
        if response.status_code == 404:
            return None
        if not response.is_success:
            raise HubUnavailable(f"JupyterHub refused to show the user: {_message(response)}")
        return tuple(response.json().get("groups") or ())

    async def servers(self, *, stopped: bool = False) -> dict[tuple[str, str], HubServer]:
        """Return all servers by (user, server name): those that run or are starting, with `stopped` all others, too.

        One call per USERS_AT_ONCE users with such a server (with `stopped`: of all users of the Hub). Raises
        HubUnavailable if a page of the list is missing: a partial list says nothing.
        """
        asked: dict[str, Any] = {"include_stopped_servers": "1"} if stopped else {"state": "active"}
        accept = {"Accept": "application/jupyterhub-pagination+json"}
        servers: dict[tuple[str, str], HubServer] = {}
        where: dict[str, Any] | None = {"offset": 0, "limit": USERS_AT_ONCE}
        while where is not None:
            params = asked | {"offset": where["offset"], "limit": where["limit"]}
            response = await self._call("GET", "/users", params=params, headers=accept)
            if not response.is_success:
                raise HubUnavailable(f"JupyterHub refused to list servers: {_message(response)}")
            try:
                page = response.json()
                for user in page["items"]:
                    for name, server in (user.get("servers") or {}).items():
                        servers[user["name"], name] = _server(server)
                where = page["_pagination"]["next"]
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise HubUnavailable("JupyterHub's list of servers could not be read.") from error
        return servers

    async def progress(self, username: str, server_name: str) -> AsyncIterator[dict[str, Any]]:
        """Follow a server's start until it is ready or failed, as the Hub reports it."""
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


def _server(server: Mapping[str, Any]) -> HubServer:
    used = server.get("last_activity")
    return HubServer(
        ready=bool(server.get("ready")),
        pending=server.get("pending"),
        session_id=str((server.get("state") or {}).get("session_id") or ""),
        base_url=urlsplit(str(server.get("url") or "")).path,
        last_activity=datetime.fromisoformat(used) if used else None,
        options=server.get("user_options") or {},
    )


def _message(response: httpx2.Response) -> str:
    try:
        return str(response.json()["message"])[:300]
    except (ValueError, KeyError, TypeError):
        return f"status {response.status_code}"
