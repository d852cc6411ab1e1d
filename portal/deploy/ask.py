"""Asks on a terminal for values that no flag gives; without a terminal, reports the missing flag.

An invalid answer is asked for again at once, with the reason. If the site already has a portal.toml, its values are
the defaults.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import typer

from portal.deploy.answers import check_answer
from portal.errors import ConfigurationError

NONE = "-"
"""Typed to clear an earlier answer."""
Check = Callable[[str], None]


class Prompter:
    """`earlier`: the site's previous answers, by flag."""

    def __init__(self, earlier: Mapping[str, str] | None = None) -> None:
        self.terminal = sys.stdin.isatty()
        self._earlier = earlier or {}

    def __call__(self, flag: str, given: str, question: str, example: str) -> str:
        """Return the given value, or the answer. Raises ConfigurationError without a terminal."""
        if given:
            return given
        if not self.terminal:
            raise ConfigurationError(
                f"{flag} is missing: {question}, such as {example}.",
                hint="Add the flag, or run this in a terminal and answer its questions.",
            )
        return self._prompt(flag, question, self._earlier.get(flag) or example)

    def optional(
        self, flag: str, given: str | None, question: str, check: Check | None = None, *, empty: str = "none"
    ) -> str:
        """Return the given value, or the answer; empty without a terminal. `empty`: what an empty answer means."""
        if given is not None or not self.terminal:
            return given or ""
        earlier = self._earlier.get(flag, "")
        asked = f"{question}, {NONE} for {empty}" if earlier else f"{question} (empty: {empty})"
        answer = self._prompt(flag, asked, earlier, check)
        return "" if answer == NONE else answer

    def offered(self, flag: str, question: str, offer: str, check: Check) -> str:
        """Ask on a terminal; the default is `offer` on a new site, and the current value on an existing one."""
        default = self._earlier.get(flag, "") if self._earlier else offer
        answer = self._prompt(flag, f"{question}, {NONE} for none" if default else question, default, check)
        return "" if answer == NONE else answer

    def bases(self, suffix: str, users: str, groups: str) -> tuple[str, str]:
        """Return the search bases of users and groups; ask for one suffix for both if that is enough."""
        if not (suffix or (users and groups)) and not (self.terminal and self._earlier.get("--ldap-user-base")):
            suffix = self("--ldap-base", "", "Suffix of the directory", "dc=example,dc=org")
        users = users or (f"ou=people,{suffix}" if suffix else "")
        groups = groups or (f"ou=groups,{suffix}" if suffix else "")
        return (
            self("--ldap-user-base", users, "Base DN of users in the directory", "ou=people,dc=example,dc=org"),
            self("--ldap-group-base", groups, "Base DN of groups in the directory", "ou=groups,dc=example,dc=org"),
        )

    def several(self, flag: str, question: str, example: str) -> tuple[str, ...]:
        return tuple(self(flag, "", f"{question}, separated by spaces", example).split())

    def groups(self, flag: str, given: list[str] | None, question: str, *, empty: str) -> tuple[str, ...]:
        if given is not None:
            return tuple(given)
        names = self.optional(flag, None, f"{question}, separated by commas", empty=empty).split(",")
        return tuple(name.strip() for name in names if name.strip())

    def password(self, file: Path | None, there: Path) -> str:
        """Return the service account's password: from a file, from the existing secret, or typed."""
        for path in (file, there):
            if path is not None and path.is_file():
                return path.read_text().rstrip("\r\n")
        if file is not None or not self.terminal:
            raise ConfigurationError(
                "--ldap-bind-dn needs --ldap-password-file, a file with its password.", hint="Give it again."
            )
        return str(typer.prompt("Password of that account", hide_input=True))

    def replaces(self, differing: list[Path]) -> bool:
        """Ask whether to replace files that exist with other text."""
        if not differing or not self.terminal:
            return False
        typer.echo("These files exist and differ from what would be written:")
        for path in differing:
            typer.echo(f"  {path}")
        return typer.confirm("Replace them? The old versions are kept beside them", default=False)

    @staticmethod
    def host() -> str:
        return socket.getfqdn()

    def _prompt(self, flag: str, question: str, default: str, check: Check | None = None) -> str:
        def checked(answer: str) -> str:
            answer = answer.strip()
            if answer and answer != NONE:
                try:
                    check_answer(flag, answer)
                    if check is not None:
                        check(answer)
                except ConfigurationError as error:
                    raise typer.BadParameter(error.message) from error
            return answer

        return str(typer.prompt(question, default=default, show_default=bool(default), value_proc=checked))
