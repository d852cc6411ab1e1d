"""The portal's routes on their own database, with a few users, a fake Hub, and no Slurm."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import httpx2
import pytest
from fastapi import FastAPI

from portal import token_scopes
from portal.app import attach, routes
from portal.directory import DirectoryUser, LdapDirectory
from portal.errors import NotAuthenticated
from portal.hub.client import HubIdentity
from portal.settings import SECRET_NAMES, Database, Environment, Hub, Ldap, Settings
from portal.wiring import Portal, build
from tests.unit.sessions.conftest import FakeDirectory

SCOPES = frozenset({"access:services!service=portal"})


def token(name: str) -> dict[str, str]:
    return {"Authorization": f"token {name}"}


ADMIN = token("admins-token")


class FakeIdentities:
    known: ClassVar = {
        "alices-token": HubIdentity("alice", SCOPES),
        "bobs-token": HubIdentity("bob", SCOPES),
        "evas-token": HubIdentity("eva", SCOPES),
        "admins-token": HubIdentity("admin", SCOPES),
        "admins-inheriting-token": HubIdentity("admin", SCOPES | token_scopes.DESCRIPTIONS.keys()),
        **{
            f"admins-{name.removeprefix(token_scopes.PREFIX)}-token": HubIdentity("admin", SCOPES | {name})
            for name in token_scopes.DESCRIPTIONS
        },
    }

    async def of(self, token: str) -> HubIdentity:
        if token not in self.known:
            raise NotAuthenticated("This token is not known.")
        return self.known[token]

    def forget(self, token: str) -> None:
        return None


def settings(tmp_path: Path, database: str) -> Settings:
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    for number, name in enumerate(SECRET_NAMES):
        (secrets / name).write_text(f"{number:064x}")
        (secrets / name).chmod(0o600)
    return Settings(
        data_dir=tmp_path,
        database=Database(url=database),
        secrets_dir=secrets,
        hub=Hub(port=9),  # nobody listens there
        ldap=Ldap(servers=["ldaps://127.0.0.1:636"]),  # nor there, at one address: ldap3 leaves a socket open
        environments={"base": Environment(title="Base", path=Path("/opt/environments/base"))},
    )


class SilentDirectory(LdapDirectory):
    """Knows three accounts; asked for anything else, it does not answer."""

    async def account(self, username: str) -> DirectoryUser | None:
        return await FakeDirectory().account(username)


@pytest.fixture
async def portal(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Portal]:
    monkeypatch.setattr("portal.slurm.watcher.FIRST_LOOK_S", 0)  # nobody looks: the watcher's loops do not run here
    known = settings(tmp_path, database)
    built = build(known, SilentDirectory(known.ldap))
    yield replace(built, identities=FakeIdentities())  # type: ignore[arg-type]
    await built.engine.dispose()
    await built.hub.close()


@pytest.fixture(scope="session")
def application() -> FastAPI:
    """The routes, shared by all tests, since they take a quarter of a second to build."""
    return routes(Settings())


@pytest.fixture
def app(application: FastAPI, portal: Portal) -> Iterator[FastAPI]:
    attach(application, portal)
    yield application
    application.dependency_overrides.clear()


@pytest.fixture
async def http(app: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://portal") as client:
        yield client
