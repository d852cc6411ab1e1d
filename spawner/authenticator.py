"""Logins at the Hub with the directory's accounts; each refusal says why and what to do."""

from __future__ import annotations

from typing import Any, ClassVar

from jupyterhub.auth import Authenticator
from tornado import web
from traitlets import default

from portal.directory import Directory, DirectoryUser, LoginGate, TooManyFailures
from portal.errors import DirectoryUnavailable
from portal.plurals import plural
from spawner import devices
from spawner.login_reports import LoginReports
from spawner.logout import confirmed


class SiteAuthenticator(Authenticator):  # type: ignore[misc]
    """Adds our logout page and logins of devices to an authenticator; reports those, and failed logins."""

    logout_key: ClassVar[str] = ""
    device_scopes: ClassVar[list[str]] = []
    login_reports: ClassVar[LoginReports]

    def get_handlers(self, app: Any) -> list[tuple[Any, ...]]:
        return [*confirmed(super().get_handlers(app), self.logout_key), *devices.handlers(self.device_scopes)]


class DirectoryAuthenticator(SiteAuthenticator):
    """Accounts come from `directory`, `gate` limits failed logins; the Hub's configuration sets both."""

    directory: ClassVar[Directory]
    gate: ClassVar[LoginGate]
    user_groups: ClassVar[list[str]] = []
    support: ClassVar[str] = ""

    @default("manage_groups")
    def _manage_groups(self) -> bool:
        return True

    @default("allow_all")
    def _allow_all(self) -> bool:
        """Allow everybody here: the directory decides, in `authenticate`."""
        return True

    async def authenticate(self, handler: Any, data: dict[str, str]) -> dict[str, Any]:
        """Return the Hub's model of the account. Raises HTTPError with the text for the login page."""
        username, password = data.get("username", ""), data.get("password", "")
        address = handler.request.remote_ip or "unknown"
        try:
            async with self.gate.login(username, address) as attempt:
                account = await self.directory.authenticate(username, password)
                if account is None:
                    attempt.failed()
        except TooManyFailures as error:
            self.log.warning("Too many failed logins: %.32r from %s", username, address)
            self.login_reports.failed(username, handler, "too_many_logins")
            raise _too_many(error.retry_after_s) from error
        except DirectoryUnavailable as error:
            self.log.error("Login of %.32r: %s", username, error)
            raise web.HTTPError(
                503, "The directory of accounts does not answer, so nobody can log in right now. Try again in a minute."
            ) from error
        if account is None:
            self.log.warning("Failed login: %.32r from %s", username, address)
            self.login_reports.failed(username, handler, "wrong_password")
            raise web.HTTPError(403, "Wrong user name or password. Use your cluster account.")
        if not account.allowed:
            self.log.warning("Not allowed to log in: %s", account.username)
            self.login_reports.failed(account.username, handler, "not_allowed")
            raise web.HTTPError(403, self._not_allowed(account))
        # The Hub creates a user only at a login by page; a first token by name and password needs one, too.
        handler.user_from_username(account.username)
        return _model(account)

    async def refresh_user(self, user: Any, handler: web.RequestHandler | None = None) -> bool | dict[str, Any]:
        """Follow the directory: update groups and rights; a user who has left must log in again (and cannot)."""
        try:
            account = await self.directory.account(user.name)
        except DirectoryUnavailable:
            return True
        if account is None or not account.allowed:
            self.log.warning("%s no longer has an account, or may not log in", user.name)
            return False
        return _model(account)

    def _not_allowed(self, account: DirectoryUser) -> str:
        groups = " or ".join(f"“{group}”" for group in self.user_groups)
        who = f"Ask {self.support}" if self.support else "Ask the administrators"
        return f"{account.username} may not use this portal yet. {who} to be added to the group {groups}."


def _model(account: DirectoryUser) -> dict[str, Any]:
    return {
        "name": account.username,
        # The Hub's own administrators may act as everybody; ours get a narrower role through their group.
        "admin": False,
        "groups": list(account.groups),
        "user_info": {"name": account.username, "display_name": account.display_name},
    }


def _too_many(retry_after_s: float) -> web.HTTPError:
    seconds = max(1, round(retry_after_s))
    when = plural(seconds, "second") if seconds < 90 else plural(round(seconds / 60), "minute")
    error = web.HTTPError(429, f"Too many failed logins. Try again in {when}.")
    error.headers = {"Retry-After": str(seconds)}  # type: ignore[attr-defined]  # the Hub looks for it
    return error
