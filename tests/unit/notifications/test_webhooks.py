"""Webhooks against a real receiver that fails, hangs and comes back; where they may lead, and what they say."""

from __future__ import annotations

import asyncio
import json
import threading
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import select

from portal.errors import Conflict, InvalidRequest
from portal.notifications.models import Channel, ChannelRecord, Shape
from portal.notifications.outcome import Outcome
from portal.notifications.schemas import WebhookIn
from portal.notifications.webhook import SHAPES, Post, Poster, WebhookRefused, host_of
from portal.settings.notifications import Webhooks
from tests.receivers import Certificate, Receiver
from tests.unit.notifications.conftest import Harness

SESSION = "abcdefghijkm"


async def test_session_that_is_ready_is_told_to_the_receiver(harness: Harness, hook: Receiver, poster: Poster) -> None:
    await harness.wants("alice", hook=hook)
    await harness.session(SESSION, name="bert")
    await harness.becomes(SESSION, "ready", node="node003")
    await harness.post(poster)
    (post,), (delivery,) = hook.posts, await harness.log()
    assert hook.paths == ["/hooks/alice"]
    assert post == {
        "id": delivery.id,
        "event": "ready",
        "at": harness.clock().isoformat(),
        "title": "bert is ready",
        "text": "It runs on node003 and can be opened.",
        "session": SESSION,
        "url": f"https://portal.example/services/portal/sessions/{SESSION}",
    }
    assert (delivery.state, delivery.result) == ("sent", "HTTP 200")


@pytest.mark.parametrize(("status", "state"), [(500, "pending"), (429, "pending"), (404, "failed"), (302, "failed")])
async def test_receiver_that_fails_is_tried_again_unless_it_refuses(
    harness: Harness, hook: Receiver, poster: Poster, status: int, state: str
) -> None:
    hook.status, hook.headers = status, {"Location": hook.url("elsewhere")}
    await harness.wants("alice", hook=hook)
    await harness.services.channels.test("alice", Channel.WEBHOOK)
    await harness.post(poster)
    (delivery,) = await harness.log()
    assert (delivery.state, hook.paths) == (state, ["/hooks/alice"])  # and a redirect leads nowhere
    assert str(status) in delivery.result
    if state == "failed":
        return
    hook.status = 204
    harness.clock.pass_(16)
    await harness.post(poster)
    assert [(delivery.state, delivery.attempts) for delivery in await harness.log()] == [("sent", 2)]


async def test_receiver_that_hangs_delays_nobody_else_and_comes_back(
    harness: Harness, hook: Receiver, own_certificate: Certificate
) -> None:
    hasty = Poster(Webhooks(private_hosts=[hook.host], ca_file=own_certificate.ca, timeout_s=0.5))
    hook.hangs = threading.Event()
    await harness.wants("alice", hook=hook)
    for _ in range(3):
        await harness.services.channels.test("alice", Channel.WEBHOOK)
    await harness.post(hasty)
    await harness.post(hasty)
    states = sorted((delivery.state, delivery.attempts) for delivery in await harness.log())
    assert states == [("pending", 0), ("pending", 0), ("pending", 1)]  # one attempt; the others wait for it
    assert len(hook.posts) == 1
    assert harness.services.webhooks.failing == 1
    hook.hangs.set()
    hook.hangs = None
    await harness.wants("bob", hook=hook)
    await harness.services.channels.test("bob", Channel.WEBHOOK)
    await harness.post(hasty)
    assert [delivery.state for delivery in await harness.log("bob")] == ["sent"]
    harness.clock.pass_(61)
    for _ in range(3):
        await harness.post(hasty)
    assert [delivery.state for delivery in await harness.log()] == ["sent"] * 3
    assert harness.services.webhooks.failing == 0
    await hasty.close()


async def test_receiver_that_always_hangs_gets_a_message_a_few_times(
    harness: Harness, hook: Receiver, own_certificate: Certificate
) -> None:
    hasty = Poster(Webhooks(private_hosts=[hook.host], ca_file=own_certificate.ca, timeout_s=0.3))
    hook.hangs = threading.Event()
    await harness.wants("alice", hook=hook)
    await harness.session(SESSION)
    await harness.becomes(SESSION, "ended", end_code="oom")
    for _ in range(8):
        await harness.post(hasty)
        harness.clock.pass_(3600)
    (delivery,) = await harness.log()
    assert (delivery.state, delivery.attempts, len(hook.posts)) == ("failed", 4, 4)
    assert "did not send its whole answer in time" in delivery.result
    await hasty.close()


async def test_loop_sends_what_is_written_and_survives_a_failing_database(
    harness: Harness, hook: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.notifications.sender.STEP_S", 0.01)
    monkeypatch.setattr("portal.notifications.sender.LOOK_EVERY_S", 0.05)
    claims = 0
    claim = harness.services.outbox.claim

    async def failing(*arguments: Any, **options: Any) -> Any:
        nonlocal claims
        claims += 1
        if claims == 1:
            raise RuntimeError("the database is away")
        return await claim(*arguments, **options)

    monkeypatch.setattr(harness.services.outbox, "claim", failing)
    loop = asyncio.create_task(harness.services.webhooks.run())
    await harness.wants("alice", hook=hook)
    await harness.services.channels.test("alice", Channel.WEBHOOK)
    async with asyncio.timeout(30):
        while [delivery.state for delivery in await harness.log()] != ["sent"]:
            await asyncio.sleep(0.01)
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    assert len(hook.posts) == 1


# --- where it may lead ---


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/x", "https://evil.example/x", "https://127.0.0.1/x", "https://[::1]/x",
        "https://169.254.169.254/latest", "https://hooks.example@evil.example/", "https://hooks.example:8443/x",
        "https://u:p@hooks.example/x", "file:///etc/passwd", "gopher://hooks.example/", "https:///x", "//hooks.example",
        "https://hooks.example.evil.example/", "https://xhooks.example/", "https://a.chat.example.evil.example/", "x",
        "https://chat.example/", "https://2130706433/", "https://hooks.example\\@evil.example/",
        "https://hooks.example%2eevil.example/",
    ],
)  # fmt: skip
def test_url_elsewhere_is_refused(url: str) -> None:
    with pytest.raises(WebhookRefused):
        host_of(url, Webhooks(hosts=["hooks.example", "*.chat.example"]))


def test_listed_host_and_any_host_of_a_listed_domain_are_allowed() -> None:
    settings = Webhooks(hosts=["hooks.example", "*.chat.example"], private_hosts=["mattermost.cluster.example:8065"])
    assert host_of(" https://HOOKS.example/x ", settings) == "hooks.example"
    assert host_of("https://a.chat.example/x", settings) == "a.chat.example"
    assert host_of("https://mattermost.cluster.example:8065/hooks/y", settings) == "mattermost.cluster.example:8065"


@pytest.mark.parametrize("host", ["*", "*.", "http://x", "a b", "a/b", "*.*.x", "a*.x"])
def test_setting_lists_hosts_alone(host: str) -> None:
    with pytest.raises(ValidationError):
        Webhooks(hosts=[host])


async def test_listed_name_at_an_inner_address_is_not_called(hook: Receiver, own_certificate: Certificate) -> None:
    """`localhost` is listed as a host on the internet; its address is of this machine."""
    poster = Poster(Webhooks(hosts=[hook.host], ca_file=own_certificate.ca))
    attempt = await poster.send(hook.url(), Shape.JSON, _post())
    await poster.close()
    assert attempt.outcome is Outcome.LATER
    assert "inside this network" in attempt.result
    assert hook.paths == []


async def test_host_that_the_site_no_longer_allows_is_not_called(harness: Harness, hook: Receiver) -> None:
    await harness.wants("alice", hook=hook)
    await harness.services.channels.test("alice", Channel.WEBHOOK)
    poster = Poster(Webhooks(hosts=["hooks.example"]))
    await harness.post(poster)
    await poster.close()
    assert (hook.paths, (await harness.log())[0].state) == ([], "pending")


async def test_receiver_with_an_untrusted_certificate_gets_nothing(hook: Receiver) -> None:
    poster = Poster(Webhooks(private_hosts=[hook.host]))
    attempt = await poster.send(hook.url(), Shape.JSON, _post())
    await poster.close()
    assert (attempt.outcome, hook.paths) == (Outcome.LATER, [])


# --- what it says ---

HOSTILE = "<!channel> @all [x](https://evil.example) **b** <https://evil.example|y> & `z` :x:"


def _post() -> Post:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Post(7, "ready", at, f"{HOSTILE} is ready", HOSTILE, "https://portal.example/s", SESSION)


@pytest.mark.parametrize("shape", list(Shape))
async def test_every_shape_arrives_and_its_text_is_no_markup(shape: Shape, hook: Receiver, poster: Poster) -> None:
    assert (await poster.send(hook.url(), shape, _post())).outcome is Outcome.SENT
    (sent,) = hook.posts
    assert sent == json.loads(json.dumps(SHAPES[shape](_post())))
    if shape is Shape.SLACK:
        words, link = sent["blocks"]
        assert words["text"] == {"type": "plain_text", "emoji": False, "text": f"{HOSTILE} is ready\n{HOSTILE}"}
        assert link["elements"][0]["text"] == "<https://portal.example/s|Open in the portal>"
        assert "<" not in sent["text"]
    elif shape is Shape.MATTERMOST:
        assert "](https://evil" not in sent["text"]
        assert "@all" not in sent["text"]
        assert sent["text"].endswith("[Open in the portal](https://portal.example/s)")
    elif shape is Shape.TEAMS:
        (attachment,) = sent["attachments"]
        assert {value["type"] for value in attachment["content"]["body"]} == {"RichTextBlock"}  # whose text is plain
    else:
        assert sent["text"] == HOSTILE


# --- the stored URL ---


async def test_url_is_sealed_and_never_shown_again(harness: Harness, hook: Receiver) -> None:
    await harness.wants("alice", hook=hook)
    async with harness.work() as db:
        (row,) = await db.scalars(select(ChannelRecord))
    assert row.url_sealed is not None
    assert b"hooks" not in row.url_sealed
    shown = await harness.services.channels.of("alice")
    assert shown.webhook.host == hook.host
    assert "hooks/alice" not in shown.model_dump_json()
    await harness.services.channels.set_webhook("alice", WebhookIn(shape=Shape.SLACK, events=[]))
    kept = await harness.services.channels.webhooks(["alice"])
    assert kept == {"alice": (hook.url("hooks/alice"), Shape.SLACK)}


async def test_webhook_sealed_with_another_key_says_so(harness: Harness, hook: Receiver, poster: Poster) -> None:
    await harness.wants("alice", hook=hook)
    harness = harness.again("another key")
    await harness.services.channels.test("alice", Channel.WEBHOOK)
    await harness.post(poster)
    (delivery,) = await harness.log()
    assert (delivery.state, hook.paths) == ("failed", [])
    assert "encryption key was changed" in delivery.result


async def test_removed_webhook_gets_nothing_more(harness: Harness, hook: Receiver, poster: Poster) -> None:
    await harness.wants("alice", hook=hook)
    await harness.services.channels.test("alice", Channel.WEBHOOK)
    await harness.services.channels.forget_webhook("alice")
    await harness.post(poster)
    assert ((await harness.log())[0].state, hook.paths) == ("failed", [])
    with pytest.raises(Conflict):
        await harness.services.channels.test("alice", Channel.WEBHOOK)
    with pytest.raises(InvalidRequest):
        await harness.services.channels.set_webhook("alice", WebhookIn(shape=Shape.JSON, events=[]))
