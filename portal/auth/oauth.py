"""Login at the Hub by OAuth, with PKCE and a state bound to the browser."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

from fastapi import Request
from starlette.responses import RedirectResponse

from portal.auth.cookies import Cookies, LoginState
from portal.errors import NotAuthenticated
from portal.hub.client import HubClient
from portal.hub.oauth import authorize_query, token_form


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """An OAuth client registered with the Hub. `secret` is the token of its service."""

    id: str
    secret: str
    redirect_uri: str
    cookies: Cookies

    def begin(self, hub_origin: str, target: str) -> RedirectResponse:
        """Send the browser to the Hub; it returns to `target` afterwards."""
        verifier = secrets.token_urlsafe(48)
        state = LoginState(secrets.token_urlsafe(24), verifier, target)
        query = authorize_query(self.id, self.redirect_uri, state.state, verifier)
        response = RedirectResponse(f"{hub_origin}/hub/api/oauth2/authorize?{query}", status_code=302)
        self.cookies.set_state(response, state)
        return response

    async def finish(self, request: Request, hub: HubClient, *, code: str | None, state: str | None) -> tuple[str, str]:
        """Return the token and the target page. Raises NotAuthenticated for a login that did not begin here."""
        expected = self.cookies.state(request.cookies)
        if expected is None or not code or not hmac.compare_digest(expected.state.encode(), (state or "").encode()):
            # Never redirect back to the login: without cookies that would loop for ever.
            raise NotAuthenticated("This login was not started in this browser, or took too long. Log in again.")
        token = await hub.exchange_code(token_form(self.id, self.secret, self.redirect_uri, code, expected.verifier))
        return token, expected.next

    def logged_in(self, token: str, target: str) -> RedirectResponse:
        response = RedirectResponse(target, status_code=302)
        self.cookies.set_login(response, token)
        self.cookies.clear_state(response)
        return response
