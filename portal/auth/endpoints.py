"""Login and logout of the web app: OAuth with the Hub, PKCE."""

from __future__ import annotations

import time
from typing import Annotated
from urllib.parse import unquote, urlencode, urlsplit

from fastapi import Depends, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from portal.audit.dependencies import AuditLog
from portal.auth.cookies import LOGIN_COOKIE
from portal.auth.dependencies import CurrentUser, HubOnly, LoginCookies, TokenOwners
from portal.auth.oauth import OAuthClient
from portal.hub.dependencies import HubApi
from portal.routing import Router
from portal.settings.dependencies import SiteSettings
from portal.tickets import logout_ticket

CLIENT_ID = "service-portal"

pages = Router(include_in_schema=False)
api = Router(tags=["me"])
internal = Router(prefix="/internal", include_in_schema=False, dependencies=[HubOnly])


class Me(BaseModel):
    username: str
    display_name: str
    admin: bool
    groups: list[str]
    csrf_token: str | None


class Logout(BaseModel):
    location: str = Field(description="URL for the browser to open next, to log out of the Hub.")


class LoginReport(BaseModel):
    username: str = Field(max_length=64)
    address: str = Field(max_length=64)
    result: str = Field(max_length=64)
    target: str = Field(max_length=100)
    count: int = Field(ge=1)


class LoginReports(BaseModel):
    items: list[LoginReport] = Field(max_length=1000)


@api.get("/me")
async def me(user: CurrentUser) -> Me:
    """Return the caller; the CSRF token goes into `X-CSRF-Token` of writes made with the cookie."""
    return Me(
        username=user.username,
        display_name=user.display_name,
        admin=user.admin,
        groups=list(user.groups),
        csrf_token=user.csrf_token,
    )


def safe_next(target: str | None, prefix: str) -> str:
    """Return `target` if it is a path of the portal, else the portal's first page."""
    parts = urlsplit(target or "")
    # Browsers resolve dots before they send the request, escaped ones too.
    dots = {".", ".."} & set(unquote(parts.path).split("/"))
    inside = not dots and (parts.path == prefix or parts.path.startswith(prefix + "/"))
    if target is None or parts.scheme or parts.netloc or not inside or "\\" in target or "//" in parts.path:
        return prefix + "/"
    return target


async def _client(settings: SiteSettings, cookies: LoginCookies) -> OAuthClient:
    callback = f"{settings.portal_origin}{settings.server.prefix}/oauth_callback"
    return OAuthClient(CLIENT_ID, settings.secrets.service_token, callback, cookies)


Client = Annotated[OAuthClient, Depends(_client)]


@pages.get("/login")
async def login(
    client: Client, settings: SiteSettings, target: Annotated[str | None, Query(alias="next")] = None
) -> RedirectResponse:
    return client.begin(settings.hub_origin, safe_next(target, settings.server.prefix))


@pages.get("/oauth_callback")
async def oauth_callback(
    request: Request,
    client: Client,
    hub: HubApi,
    identities: TokenOwners,
    audit: AuditLog,
    code: str | None = None,
    state: str | None = None,
) -> RedirectResponse:
    token, target = await client.finish(request, hub, code=code, state=state)
    identity = await identities.of(token)
    await audit.record(
        actor=identity.username,
        action="login",
        target="portal",
        address=request.client.host if request.client else "",
    )
    return client.logged_in(token, target)


@internal.post("/login-reports", status_code=204)
async def report_logins(reports: LoginReports, audit: AuditLog) -> None:
    """Record logins at the Hub: failed ones, and those of devices; `count` equal reports make one entry."""
    for login in reports.items:
        await audit.record(
            actor=login.username,
            action="login",
            target=login.target,
            result=login.result,
            address=login.address,
            count=login.count,
        )


@api.post("/logout")
async def logout(
    request: Request,
    response: Response,
    user: CurrentUser,
    settings: SiteSettings,
    cookies: LoginCookies,
    identities: TokenOwners,
) -> Logout:
    """Log this browser out of the portal, and return the Hub's logout URL to open next.

    With the ticket in the URL, valid for a minute, the Hub does not ask for confirmation. A program with a token
    gets none: a token may not end its owner's logins.
    """
    where = f"{settings.hub_origin}/hub/logout"
    if (held := cookies.login(request.cookies)) is not None and user.csrf_token is not None:
        identities.forget(held.token)
        cookies.clear(response, LOGIN_COOKIE)
        ticket = logout_ticket(settings.secrets.hub_key, user.username, now_s=time.time())
        where = f"{where}?{urlencode({'ticket': ticket})}"
    return Logout(location=where)


@pages.get("/logout")
async def ask_to_log_out(settings: SiteSettings) -> RedirectResponse:
    """Redirect to the Hub, which asks for confirmation: a link elsewhere must not log anybody out."""
    return RedirectResponse(f"{settings.hub_origin}/hub/logout", status_code=302)


@pages.get("/tokens")
async def tokens(settings: SiteSettings) -> RedirectResponse:
    """Redirect to the Hub's token page, wherever the Hub is."""
    return RedirectResponse(f"{settings.hub_origin}/hub/token", status_code=302)
