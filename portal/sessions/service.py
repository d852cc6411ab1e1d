"""Starts and stops sessions, for the web form, the API, the command line and the Hub alike."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

import structlog
from pydantic import ValidationError

from portal import sealing
from portal.audit.service import PendingEntry
from portal.db import failure
from portal.errors import Conflict, Forbidden, SlurmRefused, SlurmUnavailable
from portal.idempotency.service import Key
from portal.invalid import invalid_request
from portal.owner_locks import OwnerLocks
from portal.placement.starts import starts
from portal.policy import formatting
from portal.policy.request import Resources, SessionRequest
from portal.policy.view import UserView
from portal.sealing import Seals
from portal.sessions.choices import Choice
from portal.sessions.hub_link import HubLink
from portal.sessions.live import LiveSessions
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.requests import SessionRequests
from portal.sessions.schemas import HubStart
from portal.sessions.store import SessionStore
from portal.sessions.view import ask_again, resources_of
from portal.settings import Settings
from portal.slurm.client import SlurmClient
from portal.slurm.door_slots import DoorBusy
from portal.slurm.jobs import SessionSpec, Submitted
from portal.slurm.snapshot import Reach
from portal.slurm.watcher import Watcher
from portal.tasks import Tasks

log = structlog.get_logger()

DEFAULT_APP = "jupyterlab"
AGENT_GRACE_S = 5.0  # the agent gives the app 3 s
AGAIN_HINT = "Start a new one in the portal, or choose Start again there."


class SessionService:
    def __init__(
        self,
        *,
        settings: Settings,
        store: SessionStore,
        slurm: SlurmClient,
        watcher: Watcher,
        hub: HubLink,
        requests: SessionRequests,
        seals: Seals,
        live: LiveSessions,
        tasks: Tasks,
        locks: OwnerLocks,
        now: Callable[[], datetime],
    ) -> None:
        self._settings = settings
        self._store = store
        self._slurm = slurm
        self._watcher = watcher
        self._hub = hub
        self._requests = requests
        self._seals = seals
        self._live = live
        self._tasks = tasks
        self._now = now
        self._locks = locks

    # --- starting ---

    async def start(
        self,
        username: str,
        ask: SessionRequest,
        *,
        origin: str,
        server_name: str | None = None,
        session_id: str | None = None,
        at_hub: bool = True,
        key: Key | None = None,
        note: PendingEntry | None = None,
    ) -> SessionRecord:
        """Submit a session for `username` and return its row. `session_id`, if given, must be a new id.

        Writes the intent of `note` with the row, and its outcome with the job id.

        Raises PolicyRefused, SlurmRefused or InvalidRequest (nothing was submitted), Conflict for a server name in use,
        SlurmUnavailable if Slurm does not answer.
        """
        await self._slurm_answers()
        choice = await self._requests.choices.choose(username, ask)
        async with self._locks.of(username, self._requests.views.user) as user:
            resources = await self._requests.resolve(choice, user)
            session_id = session_id or sealing.new_id()
            secret = self._seals.secret_of(session_id)
            record = self._new_record(session_id, username, ask, choice, resources, origin, server_name, secret)
            if await self._store.find_active(username, record.server_name) is not None:
                raise Conflict(f"You already have a session on the server “{record.server_name}”.")
            intent = [note.intent] if note else []
            await self._store.add(record, f"Asked for {formatting.summary(resources)}.", key, beside=intent)
        # Shielded: a client that disconnects must not leave a job without a row that knows it.
        submission = self._submit(record, user, secret, at_hub, note, avoid=ask.avoid)
        return await asyncio.shield(asyncio.ensure_future(submission))

    async def _slurm_answers(self) -> None:
        snapshot = await self._watcher.first_look()
        if snapshot.state is Reach.DOWN:
            raise SlurmUnavailable(
                f"Slurm does not answer, so nothing can be started now. {snapshot.message or ''}".strip()
            )
        if not snapshot.knows_the_cluster:
            raise SlurmUnavailable("The portal has just started and has not read the cluster's state yet.")

    def _new_record(
        self,
        session_id: str,
        username: str,
        ask: SessionRequest,
        choice: Choice,
        resources: Resources,
        origin: str,
        server_name: str | None,
        secret: str,
    ) -> SessionRecord:
        name = ask.name or f"{choice.app.title} {session_id[:4]}"
        return SessionRecord(
            id=session_id,
            owner=username,
            name=name,
            server_name=server_name if server_name is not None else _server_name(ask.name or choice.name, session_id),
            app=choice.name,
            own_app=choice.own_app,
            environment=choice.environment,
            environment_version=choice.environment_version,
            image=choice.image,
            options=choice.options,
            modules=ask.modules,
            template=ask.template,
            preset=ask.preset,
            origin=origin,
            state=SessionState.SUBMITTED.value,
            created_at=self._now(),
            secret_hash=sealing.digest(secret),
            **resources.model_dump(),
        )

    async def _submit(
        self,
        record: SessionRecord,
        user: UserView,
        secret: str,
        at_hub: bool,
        note: PendingEntry | None,
        *,
        avoid: str | None,
    ) -> SessionRecord:
        resources = resources_of(record)
        # A futile attempt would leave a failed job in Slurm's accounting.
        room = starts(resources, self._watcher.snapshot.without(avoid), user, self._now())[0] == "now"
        immediate = self._settings.slurm.immediate and room
        title = _comment(record.name)
        spec = SessionSpec(
            session_id=record.id, title=title, immediate=immediate, exclude=avoid, **resources.model_dump()
        )
        try:
            submitted = await self._slurm.submit(record.owner, spec, record.env(self._settings.node_url, secret))
        except (SlurmRefused, DoorBusy):
            with suppress(*failure.FAILURES):  # otherwise the reconciler closes the row
                await self._store.forget(record.id)
            raise
        except SlurmUnavailable as error:
            with failure.told_as(f"The session may have been started: {error.message}", hint=_looked_for(record.id)):
                async with self._store.change(record.id) as draft:
                    draft.end("slurm_unavailable", text=f"It could not be submitted. {error.message}")
            raise
        if at_hub:
            self._hub.start(record.id)  # now, so that the Hub works while this is written
        known = f"The session has been started as job {submitted.job_id}, but this could not be recorded."
        with failure.told_as(known, hint=_looked_for(record.id)):
            record = await self._submitted(record.id, submitted, note)
        self._watcher.kick()
        return record

    async def _submitted(self, session_id: str, submitted: Submitted, note: PendingEntry | None) -> SessionRecord:
        async with self._store.change(session_id) as draft:
            if note:
                note.target, note.detail["job"] = session_id, submitted.job_id
                draft.beside.append(note.ends_well())
            draft.set(job_id=submitted.job_id, submitted_at=draft.now)
            if submitted.placed:
                draft.set(node=submitted.node, started_at=draft.record.started_at or draft.now)
                draft.advance(SessionState.ALLOCATED, f"Allocated on {submitted.node or 'a node'}.")
            elif draft.advance(SessionState.QUEUED, "Waiting in Slurm's queue."):
                draft.set(queued_at=draft.now)
            record = draft.record
        if record.state == SessionState.STOPPING:  # stopped while it was being submitted
            await self._slurm.cancel(record.owner, submitted.job_id)
        return record

    # --- the Hub's side ---

    async def attach(self, hub: HubStart) -> tuple[str, str]:
        """Give the Hub's server its session, making one if needed; return its id and the token to use.

        Idempotent for (user, server name) until the session has ended. If the app already runs with a token, the
        session keeps it, and the Hub adopts it.
        """
        record = await self._store.find_active(hub.username, hub.server_name)
        if record is None:
            ask = await self._ask_of(hub)
            record = await self.start(
                hub.username,
                ask,
                origin="hub",
                server_name=hub.server_name,
                session_id=hub.session,
                at_hub=False,
            )
        elif hub.user_options.get("session") not in (None, record.id):
            raise Conflict("This server already has another session.")
        async with self._store.change(record.id) as draft:
            if draft.is_over or draft.state is SessionState.STOPPING:
                raise Conflict("This session has ended.", hint=AGAIN_HINT)
            handover = self._seals.unseal(draft.record.launch_sealed)
            if handover is None or draft.record.hello_at is None:
                handover = sealing.HubHandover(hub.env, hub.api_token)
                draft.set(launch_sealed=self._seals.seal(handover), base_url=hub.base_url)
        return record.id, handover.api_token

    async def _ask_of(self, hub: HubStart) -> SessionRequest:
        """Read the Hub's user options: a request as in the API, or `again` with the id of a session to start again.

        A start that names a session never makes a second one, and neither does a start that has already made one: the
        Hub keeps its options and starts with them again. Raises Conflict for both.
        """
        options = dict(hub.user_options)
        made = await self._store.known(hub.session) if hub.session else None
        if "session" in options or made is not None:
            raise Conflict("This server's session has ended.", hint=AGAIN_HINT)
        again = options.get("again")
        if isinstance(again, str) and set(options) == {"again"}:
            record = await self._store.get(again)
            if record.owner != hub.username:
                raise Forbidden("This session belongs to someone else.")
            return ask_again(record)
        options.setdefault("app", DEFAULT_APP)
        if hub.display_name:
            options.setdefault("name", hub.display_name)
        try:
            return SessionRequest.model_validate(options)
        except ValidationError as error:
            raise invalid_request(error.errors()) from error

    # --- stopping ---

    async def stop(self, session_id: str, *, code: str = "stopped") -> SessionRecord:
        """End a session's job; the row ends once Slurm says that the job is gone. Stopping twice is fine."""
        async with self._store.change(session_id) as draft:
            record = draft.record
            if draft.is_over:
                return record
            if draft.record.end_code is None:
                draft.set(end_code="cancelled" if code == "stopped" and record.started_at is None else code)
            if draft.advance(SessionState.STOPPING, "Stopping."):
                draft.set(stopping_at=draft.now)
        if self._live.listens(record.id):
            self._tasks.start(self._cancel_later(record.id), name=f"cancel-{record.id}")
        else:
            await record.cancel(self._slurm)
            self._watcher.kick()
        return record

    async def _cancel_later(self, session_id: str) -> None:
        """Cancel the job once the agent has had time to end the app cleanly."""
        await asyncio.sleep(AGENT_GRACE_S)
        record = await self._store.get(session_id)
        if record.state != SessionState.ENDED and record.exit_code is None:
            await record.cancel(self._slurm)
            self._watcher.kick()

    def announce(self, record: SessionRecord) -> None:
        """Clean up after an ended session: have the Hub drop its server."""
        log.info("session.ended", session=record.id, owner=record.owner, code=record.end_code, job=record.job_id)
        self._hub.drop(record)


def _comment(name: str) -> str | None:
    """Return a session's name as its job's comment: one printable line, and never a batch job's mark."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    return None if not text or text.startswith("portal:") else text


def _looked_for(session_id: str) -> str:
    return f"Do not start it again: the portal is looking for session {session_id} and lists it once found."


def _server_name(name: str, session_id: str) -> str:
    """`BERT fine-tune` → `bert-fine-tune-k3f9`: readable in the address bar, and valid for the Hub."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if not slug[:1].isalpha():  # JupyterHub's names start with a letter (is_valid_safe_slug)
        slug = f"s-{slug}"
    return f"{slug[:24].strip('-')}-{session_id[:4]}"
