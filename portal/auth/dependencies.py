"""Who may call a route: `Annotated` aliases for the routes' signatures.

A browser sends the login cookie and, for writes, the CSRF token; a script sends a Hub token;
the Hub's spawner sends the Hub key.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from portal import token_scopes
from portal.audit.dependencies import AuditLog
from portal.auth.cookies import Cookies
from portal.auth.identity import Identities
from portal.auth.people import People
from portal.errors import Forbidden, NotAuthenticated
from portal.provided import provided
from portal.routing import SAFE_METHODS, gate
from portal.settings.dependencies import SiteSettings


class CsrfFailed(Forbidden):
    code = "csrf"
    hint = "Reload the page and try again."


class ScopeMissing(Forbidden):
    code = "scope_missing"
    hint = "Use a token with that scope, or one without any scope of the portal, which may do all that you may."


LoginCookies = Annotated[Cookies, provided(Cookies)]
TokenOwners = Annotated[Identities, provided(Identities)]
Accounts = Annotated[People, provided(People)]


@dataclass(frozen=True, slots=True)
class User:
    """The caller; `admin` and `groups` come from the directory."""

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
    """Return whether the browser says that our own page sent the request; True if it says nothing.

    To SameSite cookies, Hub and sessions are the same site.
    """
    return request.headers.get("sec-fetch-site", "same-origin") == "same-origin"


@gate
async def _caller(
    request: Request, cookies: LoginCookies, identities: TokenOwners, people: Accounts
) -> tuple[User, frozenset[str]]:
    """Return the caller, and the scopes of the token that was sent."""
    csrf_token = None
    token = bearer(request)
    if token is None:
        login = cookies.login(request.cookies)
        if login is None:
            raise NotAuthenticated("You are not logged in.")
        if request.method not in SAFE_METHODS and not (
            _from_our_page(request) and cookies.csrf_matches(login, request.headers.get("x-csrf-token"))
        ):
            raise CsrfFailed("This request did not come from the portal's own page.")
        token, csrf_token = login.token, cookies.csrf_token(login)
    identity = await identities.of(token)
    account = await people.account(identity.username)
    if account is None or not account.allowed:
        raise Forbidden(f"The user “{identity.username}” may not use this portal.")
    user = User(
        username=identity.username,
        display_name=account.display_name or identity.username,
        admin=account.admin,
        groups=tuple(account.groups),
        address=request.client.host if request.client else "",
        csrf_token=csrf_token,
    )
    return user, identity.scopes


def _need(scope: str | None, granted: frozenset[str]) -> None:
    """Raise Forbidden if the token is too narrow: the one place where its scopes are checked."""
    if token_scopes.lacks(granted, scope):
        raise ScopeMissing(f"This token lacks the scope {scope}." if scope else "Tokens with scopes may not do this.")


@gate
async def current_user(request: Request) -> User:
    user, granted = await _caller(request)
    domain = request.scope["endpoint"].__module__.split(".")[1]
    _need(token_scopes.READ if request.method in SAFE_METHODS else token_scopes.WRITES.get(domain), granted)
    return user


CurrentUser = Annotated[User, Depends(current_user)]


@gate
async def admin_user(request: Request, settings: SiteSettings, audit: AuditLog) -> User:
    user, granted = await _caller(request)
    _need(token_scopes.ADMIN, granted)
    if not user.admin:
        if request.method not in SAFE_METHODS:  # an attempt at an action, not a page that was opened
            path = request.url.path.removeprefix(settings.server.prefix)
            await audit.record(
                actor=user.username,
                action="admin.refused",
                target=f"{request.method} {path}",
                result=Forbidden.code,
                address=user.address,
            )
        raise Forbidden("Only administrators can do this.")
    return user


AdminUser = Annotated[User, Depends(admin_user)]


@gate
async def hub_only(request: Request, settings: SiteSettings) -> None:
    """Admit only the Hub's spawner."""
    token = bearer(request) or ""
    if not hmac.compare_digest(token.encode(), settings.secrets.hub_key.encode()):
        raise NotAuthenticated("Only the Hub can do this.")


HubOnly = Depends(hub_only)
