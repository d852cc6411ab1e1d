"""Users' webhooks: which URLs are allowed, what is sent in which shape, and what an answer means.

Users' text is never markup: Slack and Teams get it as plain text, Mattermost escaped. A message holds no secret: its
only link is the session's page, which asks for a login.
"""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx2

from portal import __version__
from portal.errors import FieldProblem, InvalidRequest
from portal.fetch import Fetcher, NotReached, Unanswered, is_listed
from portal.notifications.models import Shape
from portal.notifications.outcome import Attempt, Outcome
from portal.settings.notifications import Webhooks

MOST_BYTES = 64 << 10
HEADERS = {"Content-Type": "application/json", "User-Agent": f"Data-Scientist-Portal/{__version__}"}
AGAIN = frozenset({408, 425, 429})
LINK = "Open in the portal"
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>&:^$=])")


class WebhookRefused(InvalidRequest):
    code = "webhook_refused"
    hint = "Copy the URL of an incoming webhook from your chat, or ask the administrators to allow its host."


@dataclass(frozen=True, slots=True)
class Post:
    """What a receiver gets."""

    id: int
    event: str
    at: datetime
    title: str
    text: str
    url: str
    session_id: str | None


def host_of(url: str, settings: Webhooks) -> str:
    """Return the host of an allowed URL. Raises WebhookRefused with the reason."""
    try:
        parsed = httpx2.URL(url.strip())
        host = parsed.netloc.decode()
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        raise _refused("This is not a URL.") from None
    if parsed.scheme != "https" or not host:
        raise _refused("The URL must begin with https://.")
    if parsed.userinfo:
        raise _refused("The URL must not contain a user name.")
    if not is_listed(host, {*settings.hosts, *settings.private_hosts}):
        raise _refused(f"This site does not allow webhooks to {host[:100]}.")
    return host


def _refused(message: str) -> WebhookRefused:
    return WebhookRefused(message, fields=[FieldProblem("url", message)])


class Poster:
    def __init__(self, settings: Webhooks) -> None:
        """Raise OSError if the file with the CAs cannot be read."""
        verify: ssl.SSLContext | bool = True
        if settings.ca_file is not None:
            verify = ssl.create_default_context()
            verify.load_verify_locations(cafile=settings.ca_file)
        self._fetcher = Fetcher(
            allowed=settings.hosts,
            trusted=settings.private_hosts,
            plain=None,
            timeout_s=settings.timeout_s,
            most_bytes=MOST_BYTES,
            verify=verify,
        )

    async def close(self) -> None:
        await self._fetcher.close()

    async def send(self, url: str, shape: Shape, post: Post) -> Attempt:
        content = json.dumps(SHAPES[shape](post)).encode()
        try:
            answer = await self._fetcher.post(url, headers=HEADERS, content=content)
        except Unanswered as error:
            return Attempt.of(Outcome.UNSURE, f"The receiver {error}.")
        except NotReached as error:
            return Attempt.of(Outcome.LATER, f"The receiver {error}.")
        if 200 <= answer.status < 300:
            return Attempt.of(Outcome.SENT, f"HTTP {answer.status}")
        if answer.status >= 500 or answer.status in AGAIN:
            return Attempt.of(Outcome.LATER, f"The receiver answers HTTP {answer.status}.")
        why = "a redirect, which is not followed" if 300 <= answer.status < 400 else "it refuses the message"
        return Attempt.of(Outcome.REFUSED, f"The receiver answers HTTP {answer.status}: {why}.")


def _json(post: Post) -> dict[str, Any]:
    return {
        "id": post.id,
        "event": post.event,
        "at": post.at.isoformat(),
        "title": post.title,
        "text": post.text,
        "session": post.session_id,
        "url": post.url,
    }


def _slack(post: Post) -> dict[str, Any]:
    words = {"type": "plain_text", "emoji": False, "text": f"{post.title}\n{post.text}"}
    link = {"type": "mrkdwn", "text": f"<{post.url}|{LINK}>"}
    escaped = post.title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {
        "text": escaped,  # in Slack's own notifications
        "blocks": [{"type": "section", "text": words}, {"type": "context", "elements": [link]}],
    }


def _teams(post: Post) -> dict[str, Any]:
    """An Adaptive Card. The text of a `TextRun` is plain; that of a `TextBlock` would be Markdown."""
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [
            {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": post.title, "weight": "Bolder"}]},
            {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": post.text}]},
        ],
        "actions": [{"type": "Action.OpenUrl", "title": LINK, "url": post.url}],
    }
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    return {"type": "message", "attachments": [attachment]}


def _mattermost(post: Post) -> dict[str, Any]:
    return {"text": f"**{_plain(post.title)}**\n{_plain(post.text)}\n[{LINK}]({post.url})"}


def _plain(text: str) -> str:
    """Escape Markdown, and part `@` from the name behind it so that nobody is mentioned."""
    return _MARKDOWN.sub(r"\\\1", text).replace("@", "@\u200b")


SHAPES: dict[Shape, Callable[[Post], dict[str, Any]]] = {
    Shape.JSON: _json,
    Shape.SLACK: _slack,
    Shape.TEAMS: _teams,
    Shape.MATTERMOST: _mattermost,
}
