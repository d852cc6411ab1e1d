"""Who may share what with whom, who gets in by it, and when that ends."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.fernet import Fernet
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from portal.audit.service import Audit, AuditFilter
from portal.auth.identity import Identities
from portal.auth.people import People
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.directory import DirectoryUser, TooManyFailures
from portal.errors import Conflict, Forbidden, HubUnavailable, InvalidRequest, NotAuthenticated, NotFound
from portal.hub.client import HubIdentity
from portal.sessions.models import SessionRecord
from portal.settings import Settings
from portal.settings.apps import with_shipped
from portal.sharing.logins import GuestLogin, Logins
from portal.sharing.models import ShareRecord
from portal.sharing.schemas import ShareAsk
from portal.sharing.service import CODE_S, LOGIN_FRESH_S, SPAN, Shares, new_key

START = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
GROUPS = {"alice": ("ml",), "bob": ("ml",), "carol": ("bio",), "dave": ()}
STATE = "s" * 32


class Directory:
    barred = ("dave",)

    async def account(self, username: str) -> DirectoryUser | None:
        if username not in GROUPS:
            return None
        return DirectoryUser(
            username, username, "", 1, 1, GROUPS[username], allowed=username not in self.barred, admin=False
        )


class Hub:
    def __init__(self) -> None:
        self.gone: set[str] = set()
        self.away = False

    async def identify(self, token: str) -> HubIdentity:
        if self.away:
            raise HubUnavailable("away")
        if token in self.gone:
            raise NotAuthenticated("gone")
        return HubIdentity(token.removesuffix("s"), frozenset({"access:services"}))

    async def takes_us(self) -> bool:
        return True


@dataclass
class World:
    shares: Shares
    record: SessionRecord
    audit: Audit
    hub: Hub
    logins: Logins
    work: UnitOfWork
    settings: Settings
    now: datetime = START
    steady: float = 0.0

    def pass_(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.steady += seconds

    async def share(self, **ask: Any) -> int:
        return (await self.shares.share(self.record, ("ml",), ShareAsk(**ask)))[0].id

    async def share_with(self, secret: str, **ask: Any) -> ShareRecord:
        return (await self.shares.share(self.record, ("ml",), ShareAsk(**ask), secret))[0]

    async def enter(self, share: int, user: str) -> str:
        """Enter as a browser does; return the login that the agent keeps."""
        _, _, code = await self.shares.open(share, user, GROUPS[user], f"{user}s", STATE)
        guest = await self.shares.admit(self.record.id, code)
        assert guest is not None
        assert guest.username == user
        return self.shares.seal(guest.login)


def settings(**more: Any) -> Settings:
    hub = {"public_url": "http://hub.example", "subdomains": True}
    return Settings.model_validate({"hub": hub, "server": {"public_url": "http://portal.example"}} | more)


def a_session(app: str = "tensorboard", **more: Any) -> SessionRecord:
    values = {
        "id": "abcdefghijkm", "name": "runs", "owner": "alice", "server_name": "runs", "app": app,
        "environment": "base", "options": {}, "modules": [], "origin": "web", "state": "ready", "partition": "main",
        "nodes": 1, "gpus": 0, "cpus": 1, "memory_mib": 1024, "walltime_s": 3600, "created_at": START,
        "base_url": "/user/alice/runs/", "secret_hash": "", "extended_s": 0, "extended_times": 0, "end_seen": False,
    }  # fmt: skip
    return SessionRecord(**(values | more))


@pytest.fixture
async def make(database: str) -> AsyncIterator[Any]:
    engine = make_engine(database)
    work = unit_of_work(engine)

    async def world(record: SessionRecord | None = None, **more: Any) -> World:
        record = record or a_session()
        async with work() as db:
            db.add(record)
        hub, logins = Hub(), Logins(Fernet(Fernet.generate_key()))
        audit = Audit(work, lambda: made.now)
        made = World(None, record, audit, hub, logins, work, settings(**more))  # type: ignore[arg-type]
        made.shares = Shares(
            settings=made.settings,
            work=work,
            people=People(Directory(), lambda: made.steady),  # type: ignore[arg-type]
            identities=Identities(hub, lambda: made.steady),  # type: ignore[arg-type]
            audit=audit,
            logins=logins,
            now=lambda: made.now,
        )
        return made

    yield world
    await engine.dispose()


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        ({}, InvalidRequest, "at least one person"),
        ({"users": ["nobody"]}, InvalidRequest, "no user “nobody”"),
        ({"users": ["dave"]}, InvalidRequest, "no user “dave”"),
        ({"users": ["alice"]}, InvalidRequest, "no share of your own"),
        ({"groups": ["bio"]}, InvalidRequest, "not in the group"),
        ({"users": ["bob"], "hours": 200}, InvalidRequest, "168 h"),
    ],
)
async def test_what_is_not_shared_is_refused_in_words(make: Any, ask: Any, error: type[Exception], words: str) -> None:
    world = await make()
    with pytest.raises(error, match=words):
        await world.share(**ask)
    assert await world.shares.of(world.record.id) == []


@pytest.mark.parametrize("app", ["jupyterlab", "terminal", "vscode"])
async def test_an_app_that_is_a_shell_is_never_shared_but_its_ports_are(make: Any, app: str) -> None:
    world = await make(a_session(app))
    with pytest.raises(Forbidden, match="runs commands"):
        await world.share(users=["bob"])
    assert await world.share(users=["bob"], port=8501)


def desktop(shareable: bool | str | None = None) -> dict[str, Any]:
    declared = {"enabled": True} | ({} if shareable is None else {"shareable": shareable})
    return {"apps": with_shipped({"desktop": declared})}


async def test_a_desktop_is_shared_to_look_at_and_a_tensorboard_to_use(make: Any) -> None:
    world = await make(a_session("desktop", onlookers=True), **desktop())
    assert world.shares.modes(world.record) == ["look"]
    assert "has your account" in world.shares.mode_reason(world.record)
    assert await world.share(users=["bob"])
    assert [share.mode for share in await world.shares.of(world.record.id)] == ["look"]
    with pytest.raises(InvalidRequest, match="has your account"):
        await world.share(users=["bob"], mode="use")
    board = a_session("tensorboard", onlookers=True)
    assert world.shares.modes(board) == ["use"]
    assert "cannot tell" in world.shares.mode_reason(board)


async def test_an_app_or_a_port_that_can_only_be_used_is_not_shared_to_look(make: Any) -> None:
    world = await make(a_session(onlookers=True))
    for what in ({}, {"port": 8501}):
        with pytest.raises(InvalidRequest, match="cannot tell"):
            await world.share(users=["bob"], mode="look", **what)
        await world.share(users=["bob"], **what)
    assert [share.mode for share in await world.shares.of(world.record.id)] == ["use", "use"]


async def test_where_the_site_allows_both_the_owner_chooses_and_may_change_it(make: Any) -> None:
    world = await make(a_session("desktop", onlookers=True), **desktop("both"))
    assert (world.shares.modes(world.record), world.shares.mode_reason(world.record)) == (["look", "use"], "")
    made = await world.share(users=["bob"])
    login = await world.enter(made, "bob")
    guest = await world.shares.still(world.record.id, login)
    assert guest is not None
    assert guest.mode == "look"
    assert await world.share(users=["bob"], mode="use") == made
    guest = await world.shares.still(world.record.id, login)
    assert guest is not None
    assert guest.mode == "use"


async def test_a_session_whose_agent_is_older_is_not_shared_to_look(make: Any) -> None:
    """An agent from before an upgrade would let its guests use the desktop."""
    world = await make(a_session("desktop"), **desktop())
    with pytest.raises(Forbidden, match=r"before the portal was upgraded.*Start a new one"):
        await world.share(users=["bob"])
    both = await make(a_session("desktop", id="abcdefghijkn", server_name="other"), **desktop("both"))
    assert both.shares.modes(both.record) == ["use"]
    assert "upgraded" in both.shares.mode_reason(both.record)
    with pytest.raises(InvalidRequest, match="upgraded"):
        await both.share(users=["bob"], mode="look")


@pytest.mark.parametrize(("now", "onlookers"), [(True, True), (False, True), ("look", False)])
async def test_a_share_ends_that_the_site_or_the_agent_can_no_longer_keep_to_looking(
    make: Any, now: bool | str, onlookers: bool
) -> None:
    world = await make(a_session("desktop", onlookers=True), **desktop())
    login = await world.enter(await world.share(users=["bob"]), "bob")
    apps = world.settings.apps
    apps["desktop"] = apps["desktop"].model_copy(update={"shareable": now})
    async with world.work() as db:
        record = await db.get(SessionRecord, world.record.id)
        assert record is not None
        record.onlookers = onlookers
    assert await world.shares.still(world.record.id, login) is None
    assert await world.shares.with_user("bob", ()) == []


async def test_a_users_own_app_is_not_shared_whatever_it_declares(make: Any) -> None:
    declared = {"title": "Mine", "kind": "web", "command": ["mine", "{port}"], "shareable": True}
    world = await make(a_session("tensorboard", own_app=declared))
    with pytest.raises(Forbidden, match="not your own"):
        await world.share(users=["bob"])


async def test_only_a_session_that_is_ready_is_shared(make: Any) -> None:
    world = await make(a_session(state="stopping"))
    with pytest.raises(Conflict):
        await world.share(users=["bob"])


@pytest.mark.parametrize("more", [{"sharing": {"enabled": False}}, {"hub": {}}])
async def test_a_site_that_does_not_share_shares_nothing(make: Any, more: Any) -> None:
    world = await make(**more)
    for port in (None, 8501):
        with pytest.raises(Forbidden):
            await world.share(users=["bob"], port=port)


async def test_a_site_may_limit_shares_to_members_of_ones_groups(make: Any) -> None:
    world = await make(sharing={"same_group_only": True})
    with pytest.raises(InvalidRequest, match="carol is in none"):
        await world.share(users=["carol"])
    assert await world.share(users=["bob"])


async def test_a_site_without_open_ports_shares_apps_alone_and_ends_shares_of_ports(
    make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await make()
    login = await world.enter(await world.share(users=["bob"], port=8501), "bob")
    monkeypatch.setattr(world.shares, "_settings", settings(agent={"open_ports": False}))
    assert await world.shares.still(world.record.id, login) is None
    assert await world.shares.with_user("bob", GROUPS["bob"]) == []
    with pytest.raises(Forbidden, match="ports"):
        await world.share(users=["bob"], port=8501)
    assert await world.share(users=["bob"])


@pytest.mark.parametrize("ask", [{"users": ["bob"]}, {"groups": ["ml"]}])
async def test_who_sees_and_opens_a_share(make: Any, ask: Any) -> None:
    world = await make()
    share = await world.share(**ask)
    for user, groups in GROUPS.items():
        seen = [found.id for found, _ in await world.shares.with_user(user, groups)]
        assert seen == ([share] if user == "bob" else []), user
        if user == "bob":
            await world.enter(share, user)
        elif user != "alice" or "users" in ask:
            with pytest.raises(NotFound):
                await world.shares.open(share, user, groups, f"{user}s", STATE)


@pytest.mark.parametrize(
    "how", ["unshared", "time", "session", "group", "account", "logout", "other session", "switched off", "forged"]
)
async def test_a_guest_is_out_at_once_when_it_ends(make: Any, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world = await make()
    share = await world.share(groups=["ml"], hours=1)
    login = await world.enter(share, "bob")
    assert await world.shares.still(world.record.id, login) is not None
    session = world.record.id
    match how:
        case "unshared":
            assert await world.shares.end(session, share)
            assert await world.shares.end(session, share) is None
        case "time":
            world.pass_(3601)
        case "session":
            async with world.shares._work() as db:  # noqa: SLF001
                (await db.get(SessionRecord, session)).state = "stopping"
        case "group":
            monkeypatch.setitem(GROUPS, "bob", ())
            world.pass_(61)
        case "account":
            monkeypatch.setattr(Directory, "barred", ("bob",))
            world.pass_(61)
        case "logout":
            world.hub.gone.add("bobs")
            world.pass_(LOGIN_FRESH_S)
        case "other session":
            session = "another"
        case "switched off":
            monkeypatch.setattr(world.shares, "_settings", settings(sharing={"enabled": False}))
        case "forged":
            login = Logins(Fernet(Fernet.generate_key())).seal(GuestLogin(share, session, "bob", "bobs"))
    assert await world.shares.still(session, login) is None
    if how not in ("group", "account", "logout", "other session", "forged"):
        assert await world.shares.with_user("bob", GROUPS["bob"]) == []


async def test_a_hub_that_is_away_ends_nothing(make: Any) -> None:
    world = await make()
    login = await world.enter(await world.share(users=["bob"]), "bob")
    world.hub.away = True
    world.pass_(61)
    assert await world.shares.still(world.record.id, login) is not None


async def test_a_code_works_once_soon_and_for_its_session_alone(make: Any) -> None:
    world = await make()
    share = await world.share(users=["bob"])

    async def code() -> str:
        return str((await world.shares.open(share, "bob", (), "bobs", STATE))[2])

    once = await code()
    assert await world.shares.admit(world.record.id, once)
    assert await world.shares.admit(world.record.id, once) is None
    assert await world.shares.admit("another", await code()) is None
    late = await code()
    world.pass_(CODE_S + 1)
    assert await world.shares.admit(world.record.id, late) is None
    assert (await world.shares.open(share, "bob", (), "bobs", None))[2] == ""


async def test_the_first_access_of_a_login_in_a_span_is_audited(make: Any) -> None:
    world = await make()
    login = await world.enter(await world.share(users=["bob"], hours=24), "bob")

    async def accesses() -> list[tuple[str, str, Any]]:
        page = await world.audit.page(AuditFilter(action="share.access"), limit=9)
        return [(entry.actor, entry.target, entry.detail["owner"]) for entry in page]

    for _ in range(3):
        await world.shares.still(world.record.id, login)
    assert await accesses() == [("bob", world.record.id, "alice")]
    world.pass_(SPAN.total_seconds() + 1)
    await world.shares.still(world.record.id, login)
    assert len(await accesses()) == 2


async def test_a_key_opens_what_it_was_made_for_and_its_use_is_audited(make: Any) -> None:
    world = await make()
    key, session = new_key(), world.record.id
    share = await world.share_with(key, key="evaluation", hours=1)
    assert key not in str(vars(share))
    guest = await world.shares.with_key(session, key)
    assert guest is not None
    assert (guest.username, guest.port, guest.mode, guest.login) == (f"key:{share.id}", None, "use", None)
    for other, secret in ((session, new_key()), ("another", key), (session, ""), (session, share.key_digest)):
        assert await world.shares.with_key(other, secret) is None
    for user, groups in GROUPS.items():
        assert await world.shares.with_user(user, groups) == []
        with pytest.raises(NotFound):
            await world.shares.open(share.id, user, groups, f"{user}s", STATE)
    await world.shares.with_key(session, key)
    page = await world.audit.page(AuditFilter(action="share.access"), limit=9)
    assert [(entry.actor, entry.detail["key"]) for entry in page] == [(guest.username, "evaluation")]


@pytest.mark.parametrize("trouble", ["locked", "full"])
async def test_a_database_in_trouble_makes_no_key_wrong(make: Any, database: str, trouble: str) -> None:
    if not database.startswith("sqlite"):
        pytest.skip("PostgreSQL locks rows, and its disk cannot be filled here")
    world = await make(sharing={"key_rate": "1/minute"})
    key, session, address = new_key(), world.record.id, "192.0.2.7"
    await world.share_with(key, key="evaluation")
    other = sqlite3.connect(make_url(database).database or "", isolation_level=None)
    if trouble == "locked":
        other.execute("BEGIN EXCLUSIVE")
    else:  # what is audited needs room
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
    with pytest.raises(DBAPIError, match=trouble):
        await world.shares.with_key(session, key, address)
    other.execute("ROLLBACK" if trouble == "locked" else "DROP TRIGGER full")
    other.close()
    assert await world.shares.with_key(session, key, address) is not None


async def test_wrong_keys_from_one_address_make_only_that_address_wait(make: Any) -> None:
    world = await make(sharing={"key_rate": "3/minute"})
    key, session = new_key(), world.record.id
    await world.share_with(key, key="evaluation")
    for _ in range(3):
        assert await world.shares.with_key(session, key, "192.0.2.7") is not None
        assert await world.shares.with_key(session, new_key(), "192.0.2.7") is None
    for secret in (new_key(), key):
        with pytest.raises(TooManyFailures) as refused:
            await world.shares.with_key(session, secret, "192.0.2.7")
        assert 1 <= refused.value.retry_after_s <= 60
    assert await world.shares.with_key(session, key) is not None  # an agent that has known it
    assert await world.shares.with_key(session, key, "192.0.2.8") is not None
    assert await world.shares.with_key("another", key, "192.0.2.7") is None


@pytest.mark.parametrize("how", ["unshared", "time", "session", "replaced", "switched off", "members only"])
async def test_a_key_ends_at_once(make: Any, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world = await make()
    key, session = new_key(), world.record.id
    share = await world.share_with(key, key="evaluation", hours=1)
    assert await world.shares.with_key(session, key) is not None
    match how:
        case "unshared":
            assert await world.shares.end(session, share.id)
        case "time":
            world.pass_(3601)
        case "session":
            async with world.work() as db:
                (await db.get(SessionRecord, session)).state = "stopping"
        case "replaced":
            newer = new_key()
            assert (await world.share_with(newer, key="evaluation")).id == share.id
            assert await world.shares.with_key(session, newer) is not None
        case "switched off":
            monkeypatch.setattr(world.shares, "_settings", settings(sharing={"keys": False}))
        case "members only":
            monkeypatch.setattr(world.shares, "_settings", settings(sharing={"same_group_only": True}))
    assert await world.shares.with_key(session, key) is None


@pytest.mark.parametrize(
    ("record", "ask", "more", "words"),
    [
        ({}, {"users": ["bob"]}, {}, "not with both"),
        ({}, {"mode": "look"}, {}, "cannot tell"),
        ({}, {}, {"sharing": {"keys": False}}, "does not let users make keys"),
        ({}, {}, {"sharing": {"same_group_only": True}}, "lets in whoever has it"),
        ({"app": "desktop", "onlookers": True}, {}, "look", "Desktop can only be shared with people"),
        ({"app": "desktop", "onlookers": True}, {"mode": "use"}, "both", "Desktop can only be shared with people"),
    ],
)
async def test_what_no_key_opens_is_refused_in_words(make: Any, record: Any, ask: Any, more: Any, words: str) -> None:
    world = await make(a_session(**record), **(desktop(more) if isinstance(more, str) else more))
    with pytest.raises(InvalidRequest, match=words):
        await world.share_with(new_key(), key="evaluation", **ask)
    assert await world.shares.of(world.record.id) == []


async def test_a_session_has_a_number_of_shares_at_most(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.sharing.service.MOST", 2)
    world = await make()
    for port in (8501, 8502):
        await world.share(users=["bob"], port=port)
    with pytest.raises(Conflict, match="2 shares at most"):
        await world.share(users=["bob"], port=8503)
    assert len(await world.shares.of(world.record.id)) == 2
    assert await world.share(users=["bob"], port=8502)


async def test_sharing_again_changes_the_time_and_makes_no_second(make: Any) -> None:
    world = await make()
    first = await world.share(users=["bob"], hours=1)
    assert await world.share(users=["bob"], hours=24) == first
    [share] = await world.shares.of(world.record.id)
    assert share.ends_at == START + timedelta(hours=24)


def test_a_login_of_another_purpose_is_none() -> None:
    cipher = Fernet(Fernet.generate_key())
    assert Logins(cipher).unseal(cipher.encrypt(b'{"for": "portal-login", "token": "x", "sid": "y"}').decode()) is None
    assert Logins(cipher).unseal("nonsense") is None
