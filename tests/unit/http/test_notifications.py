"""Notifications by their routes: what a site that is silent says, and what users may store."""

from __future__ import annotations

from typing import Any

import httpx2

from portal.notifications import texts
from portal.notifications.models import Channel
from portal.wiring import Portal, utcnow
from tests.unit.http.conftest import token

API = "/services/portal/api/notifications"
ALICE, BOB = token("alices-token"), token("bobs-token")


async def put(http: httpx2.AsyncClient, channel: str, **body: Any) -> httpx2.Response:
    return await http.put(f"{API}/{channel}", json=body, headers=ALICE)


async def test_silent_site_says_so(http: httpx2.AsyncClient) -> None:
    state = (await http.get(API, headers=ALICE)).json()
    assert (state["mail"]["offered"], state["webhook"]["offered"]) == (False, False)
    refused = await put(http, "mail", events=["ready"])
    assert (refused.status_code, refused.json()["error"]["message"]) == (404, "This site sends no mail.")
    refused = await put(http, "webhook", url="https://x.example", shape="json", events=[])
    assert refused.json()["error"]["message"] == "This site allows no webhooks."


async def test_each_user_has_their_own_switches_and_log(http: httpx2.AsyncClient, portal: Portal) -> None:
    portal.notifications.outbox.channels.extend(Channel)
    stored = await put(http, "mail", events=["idle", "ready", "ready"])
    assert stored.json()["mail"]["events"] == ["ready", "idle"]
    assert (await http.get(API, headers=BOB)).json()["mail"]["events"] == []
    assert (await put(http, "mail", events=["lunch"])).status_code == 422
    async with portal.work() as db:
        await portal.notifications.outbox.message(db, "alice", "admin", "Hello", None)
        await portal.notifications.outbox.put(db, "bob", "mail", texts.ready("bert", "abcdefghijkm", None, utcnow()))
    for caller, title in ((ALICE, None), (BOB, "bert is ready")):
        log = (await http.get(f"{API}/log", headers=caller)).json()["items"]
        assert [value["title"] for value in log] == ([title] if title else [])


async def test_webhook_elsewhere_is_refused_at_its_field(http: httpx2.AsyncClient, portal: Portal) -> None:
    portal.notifications.outbox.channels.extend(Channel)
    refused = await put(http, "webhook", url="https://127.0.0.1/x", shape="slack", events=["ready"])
    assert refused.status_code == 422
    assert [field["field"] for field in refused.json()["error"]["fields"]] == ["url"]
    for channel in Channel:  # nowhere to send it: no webhook, no mail address
        assert (await http.post(f"{API}/{channel.value}/test", headers=ALICE)).status_code == 409
    assert (await http.delete(f"{API}/webhook", headers=ALICE)).status_code == 204
