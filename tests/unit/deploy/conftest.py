"""`portal init`, into a folder instead of the machine."""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from portal.cli import app

ACCOUNT = pwd.getpwuid(os.getuid()).pw_name
PASSWORD = "the directory's password"

Init = Callable[..., Result]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


@pytest.fixture
def init(root: Path, tmp_path: Path) -> Init:
    """Run it with answers for everything; more arguments come last and so win."""
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    answers = {
        "--url": "https://portal.example.org",
        "--sessions-url": "https://jupyter.example.org",
        "--head": "10.1.0.1",
        "--shared": "/shared/portal",
        "--ldap": "ldaps://ldap.example.org",
        "--ldap-base": "dc=example,dc=org",
        "--ldap-bind-dn": 'cn=portal "the portal",dc=example,dc=org',
        "--ldap-password-file": str(tmp_path / "password"),
        "--user-group": "gpu-users",
        "--admin-group": "hpc-admins",
        "--account": ACCOUNT,
        "--root": str(root),
    }

    def run(*more: str) -> Result:
        given = [word for pair in answers.items() if pair[0] not in more for word in pair]
        return CliRunner().invoke(app, ["init", *given, *more])

    return run
