"""Login and logout of the web app: OAuth with the Hub, PKCE."""

from __future__ import annotations

import time
from typing import Annotated
from urllib.parse import unquote, urlencode, urlsplit

from fastapi import Query, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from portal.auth.cookies import LOGIN_COOKIE
from portal.auth.dependencies import CurrentUser, PortalContext
from portal.auth.oauth import OAuthClient
from portal.context import OAUTH_CLIENT_ID, Portal
from portal.routing import Router
from portal.tickets import logout_ticket

pages = Router(include_in_schema=False)
api = Router(tags=["me"])


class Me(BaseModel):
    username: str
    display_name: str
    admin: bool
    groups: list[str]
    csrf_token: str | None


class Logout(BaseModel):
    location: str = Field(description="Where the browser goes next, to end the login at the Hub.")


@api.get("/me")
async def me(user: CurrentUser) -> Me:
    """Return who is calling; the CSRF token goes into `X-CSRF-Token` of writes made with the cookie."""
    return Me(
        username=user.username,
        display_name=user.display_name,
        admin=user.admin,
        groups=list(user.groups),
        csrf_token=user.csrf_token,
    )


def safe_next(target: str | None, prefix: str) -> str:
    """Return `target` if it is a path of the portal itself, else the portal's first page."""
    parts = urlsplit(target or "")
    # Browsers resolve dots, escaped ones too, before they ask.
    dots = {".", ".."} & set(unquote(parts.path).split("/"))
    inside = not dots and (parts.path == prefix or parts.path.startswith(prefix + "/"))
    if target is None or parts.scheme or parts.netloc or not inside or "\\" in target or "//" in parts.path:
        return prefix + "/"
    return target


def _client(portal: Portal) -> OAuthClient:
    settings = portal.settings
    callback = f"{settings.portal_origin}{settings.server.prefix}/oauth_callback"
    return OAuthClient(OAUTH_CLIENT_ID, settings.secrets.service_token, callback, portal.cookies)


@pages.get("/login")
async def login(portal: PortalContext, target: Annotated[str | None, Query(alias="next")] = None) -> RedirectResponse:
    settings = portal.settings
    return _client(portal).begin(settings.hub_origin, safe_next(target, settings.server.prefix))


@pages.get("/oauth_callback")
async def oauth_callback(
    request: Request, portal: PortalContext, code: str | None = None, state: str | None = None
) -> RedirectResponse:
    token, target = await _client(portal).finish(request, portal.hub, code=code, state=state)
    identity = await portal.identities.of(token)
    await portal.audit.record(
        actor=identity.username,
        action="login",
        target="portal",
        address=request.client.host if request.client else "",
    )
    return _client(portal).logged_in(token, target)


@api.post("/logout")
async def logout(request: Request, response: Response, user: CurrentUser, portal: PortalContext) -> Logout:
    """End this browser's login here, and say where the Hub's ends: go there.

    The ticket in the address, good for a minute, spares the Hub its question whether a logout is meant. A program
    with a token gets none: a token may not end its owner's logins.
    """
    where = f"{portal.settings.hub_origin}/hub/logout"
    if (held := portal.cookies.login(request.cookies)) is not None and user.csrf_token is not None:
        portal.identities.forget(held.token)
        portal.cookies.clear(response, LOGIN_COOKIE)
        ticket = logout_ticket(portal.settings.secrets.hub_key, user.username, now_s=time.time())
        where = f"{where}?{urlencode({'ticket': ticket})}"
    return Logout(location=where)


@pages.get("/logout")
async def ask_to_log_out(portal: PortalContext) -> RedirectResponse:
    """Lead to the Hub, which asks: a link elsewhere must not log anybody out."""
    return RedirectResponse(f"{portal.settings.hub_origin}/hub/logout", status_code=302)


@pages.get("/tokens")
async def tokens(portal: PortalContext) -> RedirectResponse:
    """Lead to the Hub's page of tokens, wherever the Hub is."""
    return RedirectResponse(f"{portal.settings.hub_origin}/hub/token", status_code=302)
