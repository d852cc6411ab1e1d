"""Logins without the directory: any JupyterHub authenticator, with the same groups behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from portal.settings.base import Section

OURS = {"admin_users", "admin_groups", "allowed_groups", "manage_groups"}
"""Options that would decide what `ldap.user_groups` and `ldap.admin_groups` decide."""


class Login(Section):
    authenticator: str = Field(
        "",
        description="A JupyterHub authenticator, by its short name or class, such as `pam` or "
        "`oauthenticator.generic.GenericOAuthenticator`; empty: the directory (`[ldap]`).",
    )
    options: dict[str, Any] = Field(default_factory=dict, description="Its options, as its documentation names them.")
    secret_files: dict[str, Path] = Field(
        default_factory=dict, description="Files of the options that are secrets, such as `client_secret`."
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.authenticator and (self.options or self.secret_files):
            raise ValueError("`options` and `secret_files` need an `authenticator`")
        if taken := OURS & {*self.options, *self.secret_files}:
            raise ValueError(f"{', '.join(sorted(taken))}: set ldap.user_groups and ldap.admin_groups instead")
        return self
