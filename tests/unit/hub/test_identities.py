"""Whose a token is, while the Hub's database is locked for a moment: a no counts only from a Hub that can tell."""

from __future__ import annotations

import asyncio

import pytest

from portal.auth.identity import ACCESS_SCOPES, FRESH_S, Identities
from portal.errors import HubUnavailable, NotAuthenticated
from portal.hub.client import HubIdentity


class Hub:
    """Knows alice's token; while `locked` it refuses every token."""

    def __init__(self) -> None:
        self.known = {"alices"}
        self.locked = False
        self.hiccups = 0
        self.calls = 0
        self.own_calls = 0

    async def identify(self, token: str) -> HubIdentity:
        self.calls += 1
        await asyncio.sleep(0)
        if self.hiccups or self.locked or token not in self.known:
            self.hiccups = max(0, self.hiccups - 1)
            raise NotAuthenticated("This token is not known.")
        return HubIdentity("alice", ACCESS_SCOPES)

    async def takes_us(self) -> bool:
        self.own_calls += 1
        await asyncio.sleep(0)
        return not self.locked


@pytest.fixture
def hub() -> Hub:
    return Hub()


@pytest.fixture
def clock() -> list[float]:
    return [1000.0]


@pytest.fixture
def identities(hub: Hub, clock: list[float]) -> Identities:
    return Identities(hub, lambda: clock[0])  # type: ignore[arg-type]


async def test_token_known_a_moment_ago_stays_known_while_the_hubs_database_is_locked(
    hub: Hub, identities: Identities, clock: list[float]
) -> None:
    assert (await identities.of("alices")).username == "alice"
    clock[0] += FRESH_S
    hub.locked = True
    assert (await identities.of("alices")).username == "alice"


async def test_new_token_is_not_refused_while_the_hub_cannot_tell(hub: Hub, identities: Identities) -> None:
    hub.locked = True
    with pytest.raises(HubUnavailable):
        await identities.of("alices")


async def test_known_token_is_asked_for_once_more(hub: Hub, identities: Identities, clock: list[float]) -> None:
    await identities.of("alices")
    clock[0] += FRESH_S
    hub.hiccups = 1
    assert (await identities.of("alices")).username == "alice"


async def test_revoked_token_is_refused_at_once(hub: Hub, identities: Identities, clock: list[float]) -> None:
    await identities.of("alices")
    clock[0] += FRESH_S
    hub.known.clear()
    with pytest.raises(NotAuthenticated):
        await identities.of("alices")
    calls = hub.calls
    with pytest.raises(NotAuthenticated):
        await identities.of("alices")
    assert hub.calls == calls + 1, "It is known no more: one question."


async def test_guessed_tokens_share_the_question_whether_the_hub_can_tell(hub: Hub, identities: Identities) -> None:
    answers = await asyncio.gather(*(identities.of(f"guess-{n}") for n in range(50)), return_exceptions=True)
    assert {type(answer) for answer in answers} == {NotAuthenticated}
    assert (hub.calls, hub.own_calls) == (50, 1)
