"""The lists of people and groups, with a directory that answers, falls silent and comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from portal.auth.people import People
from portal.db.engine import make_engine, unit_of_work
from portal.directory import DirectoryUser, Group, Listing, Person
from portal.errors import DirectoryUnavailable, NotFound
from portal.limits.directory_cache import FRESH_S, RETRY_S, DirectoryCache
from portal.limits.people import PeopleLists
from portal.limits.schemas import Kind, LimitIn
from portal.limits.service import LimitService
from portal.settings import Ldap
from tests.unit.http.rows import session_row
from tests.unit.sessions.conftest import START, Clock, FakeDirectory

HOSTILE = "<script>alert(1)</script>"
PEOPLE = (Person("alice", "Alice Meyer", "alice@example.org"), Person("bob", HOSTILE, ""), Person("eva", "Eva", ""))


class Directory:
    """What a test says; FakeDirectory's accounts are alice's, bob's and the administrator's."""

    silent = False
    asked = 0

    async def listing(self) -> Listing:
        self.asked += 1
        if self.silent:
            raise DirectoryUnavailable("The directory does not answer.")
        return Listing(PEOPLE, (Group("vision", frozenset({"alice", "bob"})), Group("admins", frozenset())))

    async def accounts(self, usernames: Sequence[str]) -> list[DirectoryUser | None]:
        return [await FakeDirectory().account(username) for username in usernames]


class Seconds:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def limits(database: str) -> AsyncIterator[LimitService]:
    engine = make_engine(database)
    work = unit_of_work(engine)
    async with work() as db:
        db.add(session_row("aaaaaaaaaaaa", owner="bob", at=START, gpus=2, state="ready"))
        db.add(session_row("bbbbbbbbbbbb", owner="left", at=START, gpus=1, state="ready"))
    yield LimitService(work, People(FakeDirectory()).groups, Clock())  # type: ignore[arg-type]  # two accounts
    await engine.dispose()


async def test_everybody_is_listed_with_what_they_hold_and_may_use(limits: LimitService) -> None:
    await limits.set("user", "alice", LimitIn(max_gpus=3), "admin")
    lists = PeopleLists(DirectoryCache(Directory(), Clock()), limits, Ldap(admin_groups=["admins"]))
    page = await lists.people(query="", offset=0, limit=3)
    assert [item.username for item in page.items] == ["bob", "left", "alice"], "who holds most first"
    assert (page.total, page.directory.silent_since) == (4, None)
    bob, left, alice = page.items
    assert (bob.display_name, bob.gpus, bob.groups) == (HOSTILE, 2, ["portal-users"])
    assert (left.in_directory, left.sessions) == (False, 1)
    assert alice.limit is not None
    assert alice.limit.max_gpus == 3
    rest = await lists.people(query="", offset=3, limit=3)
    assert [(item.username, item.admin) for item in rest.items] == [("eva", None)]
    assert [item.username for item in (await lists.people(query="MEYER", offset=0, limit=9)).items] == ["alice"]
    admins, vision = (await lists.groups(query="", offset=0, limit=9)).items
    assert (admins.admin, vision.admin) == (True, False)
    assert (vision.members, vision.sessions, vision.gpus) == (2, 1, 2)


async def test_silent_directory_is_said_since_when_and_what_was_read_stays(limits: LimitService) -> None:
    directory, clock, seconds = Directory(), Clock(), Seconds()
    lists = PeopleLists(DirectoryCache(directory, clock, seconds), limits, Ldap())
    directory.silent = True
    bare = await lists.people(query="", offset=0, limit=9)
    assert [(item.username, item.in_directory, item.admin) for item in bare.items] == [
        ("bob", None, None), ("left", None, None),
    ]  # fmt: skip
    assert (bare.directory.as_of, bare.directory.silent_since) == (None, START)
    assert directory.asked == 1
    await lists.people(query="", offset=0, limit=9)
    assert directory.asked == 1, "everybody who looks would wait for it"
    directory.silent, seconds.now = False, RETRY_S + 1
    assert (await lists.people(query="", offset=0, limit=9)).total == 4
    directory.silent, seconds.now = True, RETRY_S + FRESH_S + 2
    since = clock.pass_(600)
    stale = await lists.people(query="", offset=0, limit=9)
    assert (stale.total, stale.directory.silent_since, stale.directory.as_of) == (4, since, START)
    assert {item.admin for item in stale.items} == {None}, "who is an administrator only the directory says"
    assert next(item for item in stale.items if item.username == "alice").groups == ["vision"]


@pytest.mark.parametrize(("kind", "name"), [("group", "vison"), ("user", "alise")])
async def test_limit_for_nobody_is_refused(limits: LimitService, kind: Kind, name: str) -> None:
    directory = Directory()
    lists = PeopleLists(DirectoryCache(directory, Clock()), limits, Ldap())
    with pytest.raises(NotFound, match=f"no {kind} “{name}”"):
        await lists.insist(kind, name)
    await lists.insist("group", "Vision")
    await lists.insist("user", "alice")
    directory.silent = True
    await PeopleLists(DirectoryCache(directory, Clock()), limits, Ldap()).insist(kind, name)  # not known
