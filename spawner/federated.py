"""Any JupyterHub authenticator in place of the directory.

It identifies users and their groups; the same groups as with the directory decide who may log in and who is an
administrator.
"""

from __future__ import annotations

import grp
import os
import pwd
from importlib.metadata import entry_points
from typing import Any, ClassVar

from jupyterhub.auth import Authenticator
from jupyterhub.utils import maybe_future
from traitlets import default
from traitlets.utils.importstring import import_item

from portal.directory import is_member, normalise
from portal.errors import ConfigurationError
from spawner.authenticator import SiteAuthenticator


class GroupRules(SiteAuthenticator):
    """A mixin for the authenticator's class, whose own `admin_groups` would mean something else."""

    site_user_groups: ClassVar[list[str]] = []
    site_admin_groups: ClassVar[list[str]] = []

    @default("manage_groups")
    def _manage_groups(self) -> bool:
        return True

    @default("allow_all")
    def _allow_all(self) -> bool:
        """The groups decide; a site may restrict it further with the authenticator's own options."""
        return True

    async def get_authenticated_user(self, handler: Any, data: Any) -> Any:
        """The Hub's whole login, with all checks after `authenticate`; a failed one goes to the audit log."""
        model = None
        try:
            model = await super().get_authenticated_user(handler, data)
        finally:
            if model is None:
                username = str(data.get("username") or "") if isinstance(data, dict) else ""
                self.login_reports.failed(username, handler, "refused")
        return model

    async def authenticate(self, handler: Any, data: Any) -> dict[str, Any] | None:
        return self.ruled(await maybe_future(super().authenticate(handler, data)))

    async def refresh_user(self, user: Any, handler: Any = None) -> bool | dict[str, Any]:
        """Return False, which forces a new login, for a user who has left the permitted groups."""
        refreshed = await maybe_future(super().refresh_user(user, handler))
        if not isinstance(refreshed, dict):
            return bool(refreshed)
        model = self.ruled(refreshed)
        return model if model and self._may_log_in(model["groups"]) else False

    async def check_blocked_users(self, username: str, authentication: dict[str, Any] | None = None) -> bool:
        """The Hub calls this at every login, unlike `check_allowed`."""
        if not self._may_log_in((authentication or {}).get("groups") or []):
            self.log.warning("Not allowed to log in: %s", username)
            return False
        return bool(await maybe_future(super().check_blocked_users(username, authentication)))

    def validate_username(self, username: str) -> bool:
        """Sessions run as the Unix account of this name, so it must be a valid one."""
        return normalise(username) == username and bool(super().validate_username(username))

    def _may_log_in(self, groups: list[str]) -> bool:
        return not self.site_user_groups or is_member(groups, [*self.site_user_groups, *self.site_admin_groups])

    def ruled(self, ruled: Any) -> dict[str, Any] | None:
        """Return the Hub's model: groups from the authenticator or from Unix, never the Hub's own administrators."""
        if not ruled:
            return None
        model = {"name": ruled} if isinstance(ruled, str) else dict(ruled)
        if model.get("groups") is None:
            model["groups"] = unix_groups(self.normalize_username(model["name"]))
        return model | {"admin": False}


def federated(name: str) -> type[Authenticator]:
    """Return the named authenticator under our rules. Raises ConfigurationError if it does not exist."""
    try:
        (known,) = entry_points(group="jupyterhub.authenticators", name=name)
        base = known.load()
    except ValueError:
        try:
            base = import_item(name)
        except ImportError as error:
            raise ConfigurationError(
                f"login.authenticator: {name} cannot be loaded: {error}.",
                hint="Install its package beside the portal, such as oauthenticator.",
            ) from error
    if not (isinstance(base, type) and issubclass(base, Authenticator)):
        raise ConfigurationError(f"login.authenticator: {name} is not a JupyterHub authenticator.")
    return type(base.__name__, (GroupRules, base), {"__module__": __name__})


def unix_groups(username: str) -> list[str]:
    """Return the groups of a Unix account; none if it does not exist."""
    try:
        entry = pwd.getpwnam(username)
        return [grp.getgrgid(gid).gr_name for gid in os.getgrouplist(username, entry.pw_gid)]
    except KeyError:
        return []
