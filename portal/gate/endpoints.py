"""HTTP routes for the gate: the web server's check of each request, and the login on the sessions' host."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, Header, Query, Request
from starlette.responses import RedirectResponse, Response

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import TokenOwners, bearer
from portal.errors import Forbidden, NotAuthenticated, NotFound
from portal.gate.service import Gate, NotLoggedIn
from portal.gate.target import Ambiguous, owner_of
from portal.hub.dependencies import HubApi
from portal.provided import provided
from portal.routing import Router
from portal.settings.dependencies import SiteSettings

LONGEST_NEXT = 1000
"""Length of the address to return to after the login: it travels in headers, which web servers limit."""

router = Router(prefix="/gate", include_in_schema=False)

SessionGate = Annotated[Gate, provided(Gate)]


async def gate_of(gate: SessionGate) -> Gate:
    if not gate.is_here:
        raise NotFound("This site has no gate.")
    return gate


GateHere = Annotated[Gate, Depends(gate_of)]


@router.get("/check")
async def check(request: Request, gate: GateHere, target: Annotated[str, Header(alias="X-Forwarded-Uri")]) -> Response:
    """Check whether a request may pass: 204, 403, or 401 for a page whose visitor has to log in first."""
    handed_on = {"X-Gate-Cookie": gate.without_its_own(request.headers.getlist("cookie"))}
    try:
        await gate.judge(target, bearer=bearer(request), cookies=request.cookies)
    except NotLoggedIn:
        if not _opens_a_page(request):
            return Response(status_code=403)
        return Response(status_code=401, headers={"X-Gate-Login": _login(request, target)})
    return Response(status_code=204, headers=handed_on)


@router.get("/login")
async def login(
    settings: SiteSettings, gate: GateHere, target: Annotated[str | None, Query(alias="next")] = None
) -> RedirectResponse:
    return gate.client.begin(settings.hub_origin, safe_next(target))


@router.get("/callback")
async def callback(
    request: Request,
    hub: HubApi,
    identities: TokenOwners,
    audit: AuditLog,
    gate: GateHere,
    code: str | None = None,
    state: str | None = None,
) -> RedirectResponse:
    try:
        token, target = await gate.client.finish(request, hub, code=code, state=state)
    except NotAuthenticated as error:
        raise Forbidden(error.message, hint="Open the session from the portal again.") from error
    identity = await identities.known(token)
    await audit.record(
        actor=identity.username,
        action="login",
        target="sessions",
        address=request.client.host if request.client else "",
    )
    return gate.client.logged_in(token, target)


def safe_next(target: str | None) -> str:
    """Return an address of a session, else the first page: never one of another host."""
    try:
        return target if target and owner_of(target) else "/"
    except Ambiguous:
        return "/"


def _opens_a_page(request: Request) -> bool:
    """Return whether a redirect to the login makes sense: not for requests of scripts or programs."""
    mode = request.headers.get("sec-fetch-mode")
    if request.headers.get("x-forwarded-method", "GET") != "GET":
        return False
    return mode == "navigate" if mode else "text/html" in request.headers.get("accept", "")


def _login(request: Request, target: str) -> str:
    back = target if len(target) <= LONGEST_NEXT else f"/user/{owner_of(target)}/"
    return f"{request.url.path.rpartition('/')[0]}/login?{urlencode({'next': back})}"
