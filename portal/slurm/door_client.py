"""Calls the door, the program that acts as a user (`door/`): one request, one answer, one process."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import structlog

from portal import effects
from portal.errors import SlurmRefused, SlurmUnavailable
from portal.settings import Slurm
from portal.slurm import process
from portal.slurm.door_slots import Slots
from portal.slurm.door_wire import LOOKS
from portal.slurm.error_messages import sentence

log = structlog.get_logger(__name__)

#: The door keeps its own deadline. The caller waits this much longer, for sudo and a slow start.
GRACE_S = 3.0
#: An operation waits for its turn for as long as one may last.
QUEUED_S = 86_400.0
#: A door on a file system that does not answer is ended by its own alarm, which sudo reports in one of two ways.
_ALARMED = (-signal.SIGALRM, 128 + signal.SIGALRM)
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
_FORBIDDEN_HINT = "Ask the administrators; the door's configuration on the portal's machine decides this."


class DoorRefused(SlurmRefused):
    """The door, or Slurm behind it, refused or failed. `kind` is the door's own code."""

    def __init__(self, kind: str, message: str, *, field: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.field = field


class DoorTimeout(SlurmUnavailable):
    """What the door waited for did not answer in time."""


class StartAborted(SlurmUnavailable):
    """The door gave up on a start. If Slurm still creates the job, no process will ever run in it."""


class Talk:
    """A streaming act: its frames, and a way to send it something."""

    def __init__(self, out: asyncio.StreamReader, into: asyncio.StreamWriter) -> None:
        self._out = out
        self._into = into

    async def frames(self) -> AsyncGenerator[tuple[dict[str, Any], bytes]]:
        """Yield frames until the act ends; at most one is buffered. Raises DoorRefused, SlurmUnavailable."""
        while line := await self._out.readline():
            try:
                frame = json.loads(line)
                refused = frame.get("error")
                piece = await self._out.readexactly(0 if refused else frame["bytes"])
            except (ValueError, KeyError, AttributeError, asyncio.IncompleteReadError) as problem:
                raise SlurmUnavailable("The portal's door stopped before it answered.") from problem
            if refused:
                raise _error(str(refused.get("code")), str(refused.get("message")), refused.get("field"))
            yield frame, piece

    def hang_up(self) -> None:
        """Ask the act to end; its last frames can still be read."""
        self._into.close()

    async def send(self, data: bytes) -> None:
        """Send data, waiting while the door is slow. A door that has ended says why in its last frame."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._into.write(data)
            await self._into.drain()


class Door:
    """Every call takes a slot of its kind until the door has ended, and raises DoorBusy if none is free in time."""

    def __init__(self, settings: Slurm) -> None:
        self._argv = tuple(settings.door)
        self._timeout_s = settings.timeout_s
        bounds = settings.doors
        self.looks = Slots(bounds.looks, bounds.looks_per_user, wait_s=bounds.wait_s)
        self._acts = Slots(bounds.acts, bounds.acts_per_user, wait_s=bounds.wait_s)
        self._follows = Slots(bounds.follows, bounds.follows_per_user, wait_s=bounds.wait_s)
        self._operations = Slots(bounds.operations, bounds.operations_per_user, wait_s=QUEUED_S)
        self.transfers = Slots(bounds.transfers, bounds.transfers_per_user, wait_s=bounds.wait_s)

    async def stream(self, verb: str, **fields: Any) -> AsyncGenerator[tuple[dict[str, Any], bytes]]:
        """Yield the frames of a streaming act until it ends or the caller stops; at most one is buffered.

        Raises DoorRefused for a refusal, SlurmUnavailable if there is no usable answer.
        """
        async with self._talk(self._follows, verb, fields) as talk:
            async for frame in talk.frames():
                yield frame

    @asynccontextmanager
    async def transfer(self, verb: str, **fields: Any) -> AsyncIterator[Talk]:
        """Carry a file while the block lasts; takes one of the slots of transfers."""
        if verb not in LOOKS:
            effects.begun()
        async with self._talk(self.transfers, verb, fields) as talk:
            yield talk

    @asynccontextmanager
    async def operate(self, verb: str, **fields: Any) -> AsyncIterator[Talk]:
        """Carry out a long operation while the block lasts, once one of the slots of operations is free."""
        async with self._talk(self._operations, verb, fields) as talk:
            yield talk

    @asynccontextmanager
    async def _talk(self, slots: Slots, verb: str, fields: dict[str, Any]) -> AsyncIterator[Talk]:
        request = json.dumps({"verb": verb, **fields}).encode() + b"\n"
        gone = await slots.take(str(fields.get("user", "")))
        async with process.talking(self._argv, env=ENVIRONMENT, first=request, gone=gone) as (out, into):
            yield Talk(out, into)

    async def call(self, verb: str, **fields: Any) -> dict[str, Any]:
        """Make one call. Raises DoorRefused for a refusal, SlurmUnavailable if there is no usable answer."""
        request = json.dumps({"verb": verb, **fields}).encode()
        wait_s = fields.get("deadline_s", self._timeout_s) + GRACE_S
        looks = verb in LOOKS
        gone = await (self.looks if looks else self._acts).take(str(fields.get("user", "")))
        if not looks:
            effects.begun()
        done = await process.run(self._argv, env=ENVIRONMENT, timeout_s=wait_s, stdin=request, gone=gone)
        if done.code in _ALARMED:
            raise DoorTimeout("The portal's door did not answer in time.")
        try:
            answer = json.loads(done.out)
            accepted = answer["ok"]
            error = {} if accepted else answer["error"]
        except (ValueError, TypeError, KeyError) as problem:
            raise SlurmUnavailable(
                f"The portal's door could not be used: {_cause(done.err)[:200].rstrip('.')}.",
                hint="Run `portal check` on the portal's machine.",
            ) from problem
        if accepted:
            if answer.pop("unlogged", False):
                log.error("door.unlogged", verb=verb, user=fields.get("user"))
            return dict(answer)
        raise _error(str(error.get("code")), str(error.get("message")), error.get("field"))


def _cause(output: str) -> str:
    """Return the line with the cause: sudo's first line, which precedes its password prompt, or a traceback's last."""
    lines = output.strip().splitlines() or ["no answer"]
    return lines[0] if lines[0].startswith("sudo: ") else lines[-1]


def _error(kind: str, message: str, field: str | None) -> Exception:
    if kind == "timeout":
        return DoorTimeout(f"Slurm does not answer: {sentence(message)}")
    if kind == "aborted":
        return StartAborted(f"Slurm does not answer: {sentence(message)}")
    if kind == "ended":
        return SlurmUnavailable(f"The outcome is unknown: {sentence(message)}")
    if kind in ("configuration", "internal"):
        return SlurmUnavailable(
            f"The portal cannot act for users now: {sentence(message)}",
            hint="Tell the administrators; `portal check` says more.",
        )
    if kind == "home":
        hint = "If it is full, free some space in it; otherwise ask the administrators whether it is available."
        return DoorRefused(kind, f"Your home cannot be used: {sentence(message)}", hint=hint)
    if kind in ("unknown_user", "user_refused"):
        return DoorRefused(kind, sentence(message), hint=_FORBIDDEN_HINT)
    return DoorRefused(kind, message, field=field)
