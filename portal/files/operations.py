"""Operations on files that may take hours, as their user: a door does each, and tells how far it is.

The portal knows an operation while it runs and for an hour after that, and no longer than it runs itself: its doors end
with it. A copy gets its name only when it is complete, so that the target's folder says what was done.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog

from portal.audit.service import Audit, Caller
from portal.errors import NotFound, PortalError, TooManyRequests
from portal.errors import SlurmUnavailable as DoorUnavailable
from portal.events import recent
from portal.events.bus import Bus, Event
from portal.files.asking import refusal, unavailable
from portal.files.schemas import Failed, OperationOut
from portal.files.types import OperationKind, OperationState
from portal.plurals import plural
from portal.sealing import new_id
from portal.slurm.door_client import Door, DoorRefused, Talk
from portal.tasks import Tasks

log = structlog.get_logger()

KEPT = timedelta(hours=1)
LONGEST_S = 86_400
#: Of one user: those that wait or run, and those that are listed.
MOST_UNFINISHED, MOST_KEPT = 10, 50
MAX_NOTES = 50
STALLED_S = 20.0
#: After a request to stop, how long the door may take to clean up before the portal stops listening to it.
STOP_S = 20.0
_VERBS = {
    OperationKind.COPY: "bulk_copy",
    OperationKind.MOVE: "bulk_move",
    OperationKind.DELETE: "bulk_delete",
    OperationKind.EMPTY: "bulk_empty",
}
_ENDED = frozenset({OperationState.DONE, OperationState.FAILED, OperationState.CANCELLED, OperationState.UNKNOWN})
_UNKNOWN = "Nobody knows how far it came: {} What is in its place under its own name is complete."


@dataclass(slots=True)
class Operation:
    id: str
    user: str
    kind: OperationKind
    count: int
    first: str
    target: str
    began: datetime
    updated: datetime
    state: OperationState = OperationState.WAITING
    ended: datetime | None = None
    cancelling: bool = False
    stalled: bool = False
    entries_done: int = 0
    bytes_done: int = 0
    entries_total: int | None = None
    bytes_total: int | None = None
    current: str = ""
    done_count: int = 0
    failed_count: int = 0
    left_count: int = 0
    failed: list[Failed] = field(default_factory=list)
    left: list[Failed] = field(default_factory=list)
    message: str = ""
    task: asyncio.Task[None] | None = None
    talk: Talk | None = None

    @property
    def has_ended(self) -> bool:
        return self.state in _ENDED

    def take(self, frame: dict[str, Any]) -> None:
        """Note what the door tells."""
        if "failure" in frame:
            self.failed = [*self.failed, Failed(**frame["failure"])][:MAX_NOTES]
            return
        if "omission" in frame:
            self.left = [*self.left, Failed(**frame["omission"])][:MAX_NOTES]
            return
        self.entries_done, self.bytes_done = frame["entries"], frame["size"]
        self.entries_total, self.bytes_total = frame["entries_total"], frame["bytes_total"]
        self.current = frame.get("current", "")


class Operations:
    def __init__(self, door: Door, bus: Bus, tasks: Tasks, audit: Audit, now: Callable[[], datetime]) -> None:
        self._door = door
        self._bus = bus
        self._tasks = tasks
        self._audit = audit
        self._now = now
        self._all: dict[str, Operation] = {}

    def start(self, user: Caller, kind: OperationKind, paths: list[str], **fields: Any) -> OperationOut:
        """Begin an operation; it waits while others of the user's run. Raises TooManyRequests."""
        own = self._of(user.username)
        if sum(not operation.has_ended for operation in own) >= MOST_UNFINISHED:
            raise TooManyRequests(
                f"You have {plural(MOST_UNFINISHED, 'operation')} that have not ended.",
                hint="Nothing was done. Wait for one to end, or cancel one.",
            )
        now = self._now()
        for old in [operation for operation in own if operation.has_ended][MOST_KEPT - 1 :]:
            del self._all[old.id]
        operation = Operation(
            new_id(24), user.username, kind, len(paths), paths[0] if paths else "", fields.get("target", ""), now, now
        )
        self._all[operation.id] = operation
        named = {"ids": paths} if kind is OperationKind.EMPTY else {"paths": paths}
        operation.task = self._tasks.start(self._run(user, operation, named | fields), name="file-operation")
        return shown(operation)

    def listed(self, user: str) -> list[OperationOut]:
        """Return the user's operations, newest first."""
        return [shown(operation) for operation in self._of(user)]

    def recent(self, user: str) -> list[Event]:
        """Return the state of those listed that have changed within the last minute, oldest first."""
        since = self._now() - recent.KEPT
        return [_event(operation) for operation in reversed(self._of(user)) if operation.updated > since]

    def get(self, user: str, operation_id: str) -> OperationOut:
        return shown(self._named(user, operation_id))

    def end(self, user: str, operation_id: str) -> None:
        """Cancel an operation that has not ended, or forget one that has. Raises NotFound."""
        operation = self._named(user, operation_id)
        if operation.has_ended:
            del self._all[operation.id]
        elif not operation.cancelling:
            operation.cancelling = True
            if operation.talk:
                operation.talk.hang_up()
            elif operation.task:
                operation.task.cancel()
            self._tell(operation)

    def _of(self, user: str) -> list[Operation]:
        oldest = self._now() - KEPT
        for operation in [old for old in self._all.values() if old.ended and old.ended < oldest]:
            del self._all[operation.id]
        return [operation for operation in reversed(self._all.values()) if operation.user == user]

    def _named(self, user: str, operation_id: str) -> Operation:
        operation = self._all.get(operation_id)
        if operation is None or operation.user != user:
            raise NotFound(
                "This operation is not known any more: it ended over an hour ago, or the portal was restarted.",
                hint="Look into the folder: a copy that has its name is complete.",
            )
        return operation

    async def _run(self, user: Caller, operation: Operation, fields: dict[str, Any]) -> None:
        detail = {"count": operation.count, "into": operation.target[-200:], "operation": operation.id}
        try:
            async with self._audit.noted(user, f"files.{operation.kind}", operation.first[-200:], **detail) as note:
                await self._carry_out(operation, fields)
                note.detail = note.detail | {"state": operation.state.value}
        except PortalError as error:
            known = error.__cause__ is None or isinstance(error.__cause__, DoorRefused)
            state = OperationState.FAILED if known else OperationState.UNKNOWN
            self._ended(operation, state, error.message if known else _UNKNOWN.format(error.message))
        except asyncio.CancelledError:
            if not operation.cancelling:  # the portal ends; its doors end with it
                raise
            self._ended(operation, OperationState.CANCELLED, "It was cancelled before it began. Nothing was done.")
        except BaseException:
            self._ended(operation, OperationState.UNKNOWN, _UNKNOWN.format("the portal failed."))
            raise

    async def _carry_out(self, operation: Operation, fields: dict[str, Any]) -> None:
        """Follow the door to the end. Raises PortalError."""
        verb, answer = _VERBS[operation.kind], None
        asked = {"user": operation.user, "life_s": LONGEST_S, "operation": operation.id}
        try:
            async with (
                self._door.operate(verb, **asked, **fields) as talk,
                self._heard(operation, talk),
                aclosing(talk.frames()) as frames,
            ):
                while (frame := await self._next(operation, frames)) is not None:
                    operation.take(frame)
                    if "stopped" in frame:
                        answer = frame
                    self._tell(operation)
        except DoorRefused as error:
            raise refusal(error) from error
        except DoorUnavailable as error:
            raise unavailable(error) from error
        if answer is None:
            message = "the door was ended, or did not end in time."
            self._ended(operation, OperationState.UNKNOWN, _UNKNOWN.format(message))
        else:
            self._judge(operation, answer)

    @asynccontextmanager
    async def _heard(self, operation: Operation, talk: Talk) -> AsyncIterator[None]:
        operation.talk, operation.state = talk, OperationState.RUNNING
        if operation.cancelling:
            talk.hang_up()
        self._tell(operation)
        try:
            yield
        finally:
            operation.talk = None

    async def _next(self, operation: Operation, frames: Any) -> dict[str, Any] | None:
        """Return the next frame, None after the last; notice silence."""
        reading = asyncio.ensure_future(anext(frames, None))
        silent_s = 0.0
        try:
            while not (await asyncio.wait({reading}, timeout=STALLED_S))[0]:
                silent_s += STALLED_S
                if operation.cancelling and silent_s > STOP_S:
                    return None
                if not operation.stalled:
                    operation.stalled = True
                    self._tell(operation)
            found = reading.result()
        finally:
            if not reading.done():
                reading.cancel()
                await asyncio.wait({reading})
        operation.stalled = False
        return found[0] if found else None

    def _judge(self, operation: Operation, answer: dict[str, Any]) -> None:
        operation.done_count, operation.failed_count = answer["done"], answer["failed"]
        operation.left_count = answer["left"]
        if answer["stopped"]:
            deletes = operation.kind in (OperationKind.DELETE, OperationKind.EMPTY)
            rest = "What was deleted by then is gone." if deletes else "What is complete is there, and nothing else."
            self._ended(operation, OperationState.CANCELLED, f"It was stopped. {rest}")
        elif answer["failed"]:
            first = operation.failed[0].message if operation.failed else ""
            self._ended(operation, OperationState.FAILED, first)
        else:
            self._ended(operation, OperationState.DONE, "")

    def _ended(self, operation: Operation, state: OperationState, message: str) -> None:
        operation.state, operation.message, operation.ended = state, message, self._now()
        operation.stalled, operation.current, operation.task = False, "", None
        self._tell(operation)

    def _tell(self, operation: Operation) -> None:
        operation.updated = self._now()
        if self._bus.is_heard("file-operation", operation.user):
            self._bus.publish(_event(operation))
        else:
            self._bus.unsaid("file-operation", operation.user)


def _event(operation: Operation) -> Event:
    return Event("file-operation", shown(operation).model_dump_json(), operation.user)


def shown(operation: Operation) -> OperationOut:
    return OperationOut.model_validate(operation)
