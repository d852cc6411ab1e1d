"""A Hub that hangs is left alone for a while, and what was refused then was not done."""

from __future__ import annotations

import httpx2
import pytest

from portal import effects
from portal.errors import HubUnavailable
from portal.hub.client import HubClient


@pytest.fixture
def hub() -> HubClient:
    """A client whose Hub does not answer; each question fails, after what the circuit takes for long."""

    def hangs(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ReadTimeout("no answer")

    return HubClient("http://hub/hub/api", "token", timeout_s=0, transport=httpx2.MockTransport(hangs))


async def test_hanging_hub_is_asked_no_more_for_a_while(hub: HubClient) -> None:
    for _ in range(3):
        with pytest.raises(HubUnavailable, match="does not answer"):
            await hub.servers()
    effects.new_request()
    with pytest.raises(HubUnavailable, match="tried again in") as caught:
        await hub.stop_server("alice", "lab")
    assert caught.value.since is not None
    assert not effects.possible(), "The Hub was not asked for anything."
