"""What messages say. A session's name is its owner's text: bounded and on one line; each channel escapes it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.notifications.models import TEST, Happening
from portal.one_line import one_line
from portal.policy import formatting

TITLE_LENGTH = 150
TEXT_LENGTH = 2000
#: How long a message is worth sending after its event.
WORTH = {
    Happening.READY: timedelta(hours=1),
    Happening.IDLE: timedelta(hours=1),
    Happening.ENDED_BADLY: timedelta(days=1),
    Happening.MESSAGE: timedelta(days=1),
    TEST: timedelta(minutes=30),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An event to notify a user of; not sent any more after `until`."""

    event: str
    title: str
    text: str
    until: datetime
    session_id: str | None = None


def ready(name: str, session_id: str, node: str | None, at: datetime) -> Told:
    return _about(
        Happening.READY,
        title=f"{name} is ready",
        text=f"It runs{f' on {node}' if node else ''} and can be opened.",
        until=at + WORTH[Happening.READY],
        session_id=session_id,
    )


def ending_soon(name: str, session_id: str, ends_at: datetime, at: datetime) -> Told:
    minutes = max(1, round((ends_at - at).total_seconds() / 60))
    return _about(
        Happening.ENDING_SOON,
        title=f"{name} ends in {minutes} min",
        text=f"It reaches its time limit at {ends_at:%H:%M} UTC. Save your work, or extend it on its page.",
        until=ends_at,
        session_id=session_id,
    )


def ended_badly(name: str, session_id: str, end: str, advice: str | None, at: datetime) -> Told:
    return _about(
        Happening.ENDED_BADLY,
        title=f"{name} has ended",
        text=" ".join(part for part in (end, advice) if part),
        until=at + WORTH[Happening.ENDED_BADLY],
        session_id=session_id,
    )


def idle(name: str, session_id: str, gpus: int, minutes: int, at: datetime) -> Told:
    whose = "its GPU" if gpus == 1 else f"any of its {gpus} GPUs"
    return _about(
        Happening.IDLE,
        title=f"{name} is not using {whose}",
        text=f"Nothing has run there for {minutes} min. Stop the session if you no longer need it.",
        until=at + WORTH[Happening.IDLE],
        session_id=session_id,
    )


def idle_warning(name: str, session_id: str, since: datetime, ends_at: datetime | None, at: datetime) -> Told:
    minutes = int((at - since).total_seconds() / 60)
    text = f"None of its GPUs, kernels, terminals or files has been in use for {formatting.duration(60 * minutes)}."
    if ends_at is None:
        return _about(
            Happening.IDLE,
            title=f"{name} is idle",
            text=f"{text} Stop it if you no longer need it.",
            until=at + WORTH[Happening.IDLE],
            session_id=session_id,
        )
    return _about(
        Happening.IDLE,
        title=f"{name} is idle and will be ended at {ends_at:%H:%M} UTC",
        text=f"{text} To keep it, run something in it, or snooze this warning on its page.",
        until=ends_at,
        session_id=session_id,
    )


def message(author: str, text: str, session_id: str | None, at: datetime) -> Told:
    return _about(
        Happening.MESSAGE,
        title=f"Message from {author}",
        text=text,
        until=at + WORTH[Happening.MESSAGE],
        session_id=session_id,
    )


def test(at: datetime) -> Told:
    text = "You asked for this test message on the Notifications page. Messages on this channel arrive like this one."
    return _about(TEST, title="Test message", text=text, until=at + WORTH[TEST])


def _about(event: str, *, title: str, text: str, until: datetime, session_id: str | None = None) -> Told:
    return Told(
        event=event,
        title=one_line(title)[:TITLE_LENGTH],
        text=one_line(text)[:TEXT_LENGTH],
        until=until,
        session_id=session_id,
    )
