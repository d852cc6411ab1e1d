"""Asks on a terminal for what no flag has given; where there is no terminal, says which flag is missing."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import typer

from portal.errors import ConfigurationError


class Asker:
    def __init__(self) -> None:
        self._terminal = sys.stdin.isatty()

    def __call__(self, flag: str, given: str, question: str, example: str) -> str:
        """Return what was given, or the answer. Raises ConfigurationError without a terminal."""
        if given:
            return given
        if not self._terminal:
            raise ConfigurationError(
                f"{flag} is missing: {question}, such as {example}.",
                hint="Give it, or run this on a terminal to be asked.",
            )
        return str(typer.prompt(question, default=example)).strip()

    def optional(self, flag: str, given: str | None, question: str) -> str:
        """Return what was given, empty where there is nobody to ask."""
        if given is not None or not self._terminal:
            return given or ""
        return str(typer.prompt(question, default="", show_default=False)).strip()

    def several(self, flag: str, question: str, example: str) -> tuple[str, ...]:
        return tuple(self(flag, "", f"{question}, with blanks between", example).split())

    def groups(self, flag: str, given: list[str] | None, question: str) -> tuple[str, ...]:
        if given is not None:
            return tuple(given)
        return tuple(name.strip() for name in self.optional(flag, None, f"{question}, with commas").split(",") if name)

    def password(self, file: Path | None, there: Path) -> str:
        """Return the service account's password: from a file, from the one that is there, or typed."""
        for one in (file, there):
            if one is not None and one.is_file():
                return one.read_text().rstrip("\r\n")
        if file is not None or not self._terminal:
            raise ConfigurationError(
                "--ldap-password-file is missing: a file with the password of --ldap-bind-dn.", hint="Give it again."
            )
        return str(typer.prompt("Its password", hide_input=True))

    @staticmethod
    def host() -> str:
        return socket.getfqdn()
