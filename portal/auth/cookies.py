"""The web app's login cookie and the state of a login in progress: sealed, HttpOnly, bound to their purpose."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import asdict, dataclass

from cryptography.fernet import Fernet, InvalidToken
from starlette.responses import Response

LOGIN_COOKIE = "portal-login"
STATE_COOKIE = "portal-oauth-state"
LOGIN_MAX_AGE_S = 14 * 86_400
STATE_MAX_AGE_S = 600


@dataclass(frozen=True, slots=True)
class Login:
    """Contents of the login cookie: the Hub's token, and an id from which the CSRF token is derived."""

    token: str
    sid: str


@dataclass(frozen=True, slots=True)
class LoginState:
    """A login in progress, checked when the Hub sends the browser back."""

    state: str
    verifier: str
    next: str


class Cookies:
    def __init__(self, cipher: Fernet, *, path: str, secure: bool, own_host: bool, csrf_key: str) -> None:
        """`own_host`: only the portal is on its host, so its cookies may cover all of it.

        Only then can their names be ones that no page of another host can set (RFC 6265bis, 4.1.3.2).
        """
        self.login_name = LOGIN_COOKIE
        self.state_name = STATE_COOKIE
        self._cipher = cipher
        fixed = secure and own_host
        self._path = "/" if fixed else path
        self._mark = "__Host-" if fixed else ""
        self._secure = secure
        self._csrf_key = csrf_key.encode()

    def of_another_host(self, login_name: str, state_name: str, *, secure: bool) -> Cookies:
        """Return cookies scoped to another host; neither host accepts the other's cookies."""
        other = Cookies(self._cipher, path="/", secure=secure, own_host=True, csrf_key=self._csrf_key.decode())
        other.login_name, other.state_name = login_name, state_name
        return other

    @property
    def names(self) -> tuple[str, str]:
        """The cookies' names in the browser."""
        return self._mark + self.login_name, self._mark + self.state_name

    def csrf_token(self, login: Login) -> str:
        return hmac.new(self._csrf_key, b"csrf:" + login.sid.encode(), hashlib.sha256).hexdigest()

    def csrf_matches(self, login: Login, given: str | None) -> bool:
        return given is not None and hmac.compare_digest(self.csrf_token(login).encode(), given.encode())

    def set_login(self, response: Response, token: str) -> None:
        self._set(response, self.login_name, asdict(Login(token, secrets.token_hex(16))), LOGIN_MAX_AGE_S)

    def set_state(self, response: Response, state: LoginState) -> None:
        self._set(response, self.state_name, asdict(state), STATE_MAX_AGE_S)

    def _set(self, response: Response, name: str, value: dict[str, str], max_age_s: int) -> None:
        sealed = self._cipher.encrypt(json.dumps({"for": name} | value).encode()).decode()
        response.set_cookie(
            self._mark + name,
            sealed,
            max_age=max_age_s,
            path=self._path,
            httponly=True,
            secure=self._secure,
            samesite="lax",
        )

    def clear(self, response: Response, name: str) -> None:
        response.delete_cookie(self._mark + name, path=self._path, httponly=True, secure=self._secure, samesite="lax")

    def clear_state(self, response: Response) -> None:
        self.clear(response, self.state_name)

    def login(self, cookies: dict[str, str]) -> Login | None:
        value = self._read(cookies, self.login_name, LOGIN_MAX_AGE_S)
        return Login(**value) if value else None

    def state(self, cookies: dict[str, str]) -> LoginState | None:
        value = self._read(cookies, self.state_name, STATE_MAX_AGE_S)
        return LoginState(**value) if value else None

    def _read(self, cookies: dict[str, str], name: str, max_age_s: int) -> dict[str, str] | None:
        try:
            value: dict[str, str] = json.loads(self._cipher.decrypt(cookies.get(self._mark + name, ""), ttl=max_age_s))
        except (InvalidToken, ValueError):
            return None
        return value if value.pop("for", None) == name else None
