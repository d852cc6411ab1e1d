"""What a login at the Hub sends: OAuth's authorization code with PKCE (RFC 6749, RFC 7636). The portal imports it as
`portal/hub/oauth.py`, a link to it.
"""

from __future__ import annotations

import base64
import hashlib
from urllib.parse import urlencode


def authorize_query(client_id: str, redirect_uri: str, state: str, verifier: str) -> str:
    """Return the query of the redirect to the Hub."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return urlencode(
        {
            "client_id": client_id,
            "redirect_uri": redirect_uri,
            "response_type": "code",
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
    )


def token_form(client_id: str, secret: str, redirect_uri: str, code: str, verifier: str) -> dict[str, str]:
    """Return the form that exchanges the Hub's code for a token."""
    return {
        "client_id": client_id,
        "client_secret": secret,
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect_uri,
        "code_verifier": verifier,
    }
