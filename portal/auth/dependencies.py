"""Who may call a route: `Annotated` aliases that routes name in their signature.

A browser comes with the login cookie and, for writes, the CSRF token; a script with a Hub token;
the Hub's spawner with the Hub key.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from portal.context import Portal
from portal.errors import Forbidden, NotAuthenticated
from portal.routing import gate

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class CsrfFailed(Forbidden):
    code = "csrf"
    hint = "Load the page again and repeat what you did."


def portal_of(connection: HTTPConnection) -> Portal:
    portal: Portal = connection.app.state.portal
    return portal


PortalContext = Annotated[Portal, Depends(portal_of)]


@dataclass(frozen=True, slots=True)
class User:
    """The caller; `admin` and `groups` as the directory says."""

    username: str
    display_name: str
    admin: bool
    groups: tuple[str, ...]
    address: str
    csrf_token: str | None


def bearer(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    token = token.strip()
    return token if scheme.lower() in ("token", "bearer") and token and token.isascii() else None


def _from_our_page(request: Request) -> bool:
    """Whether the browser says so, if it says anything: hosts of Hub and sessions are the same site, as cookies go."""
    return request.headers.get("sec-fetch-site", "same-origin") == "same-origin"


@gate
async def current_user(request: Request, portal: PortalContext) -> User:
    csrf_token = None
    token = bearer(request)
    if token is None:
        login = portal.cookies.login(request.cookies)
        if login is None:
            raise NotAuthenticated("You are not logged in.")
        if request.method not in SAFE_METHODS and not (
            _from_our_page(request) and portal.cookies.csrf_matches(login, request.headers.get("x-csrf-token"))
        ):
            raise CsrfFailed("This request did not come from the portal's own page.")
        token, csrf_token = login.token, portal.cookies.csrf_token(login)
    identity = await portal.identities.of(token)
    account = await portal.people.account(identity.username)
    if account is None or not account.allowed:
        raise Forbidden(f"The account “{identity.username}” may not use this portal.")
    return User(
        username=identity.username,
        display_name=account.display_name or identity.username,
        admin=account.admin,
        groups=tuple(account.groups),
        address=request.client.host if request.client else "",
        csrf_token=csrf_token,
    )


CurrentUser = Annotated[User, Depends(current_user)]


@gate
async def admin_user(request: Request, portal: PortalContext) -> User:
    user = await current_user(request, portal)
    if not user.admin:
        if request.method not in SAFE_METHODS:  # an attempt at something, not a page that was opened
            path = request.url.path.removeprefix(portal.settings.server.prefix)
            await portal.audit.record(
                actor=user.username,
                action="admin.refused",
                target=f"{request.method} {path}",
                result=Forbidden.code,
                address=user.address,
            )
        raise Forbidden("This is for administrators.")
    return user


AdminUser = Annotated[User, Depends(admin_user)]


@gate
async def hub_only(request: Request, portal: PortalContext) -> None:
    """Let only the Hub's spawner in."""
    token = bearer(request) or ""
    if not hmac.compare_digest(token.encode(), portal.settings.secrets.hub_key.encode()):
        raise NotAuthenticated("This is for the Hub alone.")


HubOnly = Depends(hub_only)
