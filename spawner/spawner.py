"""The Hub's spawner: asks the portal for a session and waits until it answers. It knows nothing of Slurm.

The Hub does not resume a start that its restart interrupts: the new Hub forgets the server (nothing is stopped, the
token stays), the portal notices and requests it again, and `start` finds the existing session.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

import jupyterhub
from jupyterhub import orm
from jupyterhub.spawner import Spawner, SpawnException
from jupyterhub.utils import url_escape_path, url_path_join
from sqlalchemy.exc import SQLAlchemyError
from traitlets import default

from spawner.form import SessionForm
from spawner.portal_client import PortalAway, PortalClient, PortalProblem, PortalRefused, Started, Step

Answer = TypeVar("Answer")

WAIT_S = 20.0
STOP_WAIT_S = 10.0
STOP_TRIES = 3
FIRST_RETRY_S = 0.5
LONGEST_RETRY_S = 5.0


class SlurmSpawner(Spawner):  # type: ignore[misc]
    """A user's server; `portal` and `form` are shared by all and set by the Hub's configuration."""

    portal: ClassVar[PortalClient]
    form: ClassVar[SessionForm]
    _stop_future: asyncio.Future[None] | None = None  # the Hub sets it at the first stop
    undoing: ClassVar[set[asyncio.Task[None]]] = set()  # the event loop holds only weak references to tasks

    def __init__(self, **arguments: Any) -> None:
        self.session_id = ""
        self.url = ""
        self._exit_code: int | None = None
        self._interrupted = False
        self._starting = False
        self._stopping: asyncio.Task[Any] | None = None
        self._known_at = time.monotonic()
        self._steps: list[Step] = []
        self._changed = asyncio.Event()
        super().__init__(**arguments)

    @default("options_form")
    def _options_form(self) -> Any:
        return _form

    @default("options_from_form")
    def _options_from_form(self) -> Any:
        return self.form.parse

    @default("apply_user_options")
    def _apply_user_options(self) -> Any:
        """Apply no option to this object: the portal gets them as they are, and validates them."""
        return lambda spawner, options: None

    def get_state(self) -> dict[str, Any]:
        state: dict[str, Any] = super().get_state()
        if self.session_id:
            state |= {"session_id": self.session_id, "url": self.url}
        return state

    def load_state(self, state: dict[str, Any]) -> None:
        """Called when the Hub starts and finds this server in its database."""
        super().load_state(state)
        self.session_id = str(state.get("session_id") or "")
        self.url = str(state.get("url") or "")
        self._interrupted = bool(self.session_id) and not self.url
        if self._interrupted:
            self.will_resume = True  # or the Hub would revoke the token that the running job holds

    def clear_state(self) -> None:
        super().clear_state()
        self.session_id = self.url = ""

    async def start(self) -> str:
        """Return the server's URL once it answers; idempotent for (user, server name)."""
        self._exit_code = None
        self._interrupted = self.will_resume = False
        self._steps = []
        self._starting = True
        try:
            started = await self._ask_for_session()
            self.session_id = started.session_id
            # A session that already runs (the Hub was restarted) keeps its token; the Hub adopts it.
            self.api_token = started.api_token
            self._known_at = time.monotonic()
            self._save_state()
            return await self._wait_for_url()
        finally:
            self._starting = False
            self._wake_watchers()

    async def poll(self) -> int | None:
        """Return None while the server lives or its state is unknown. Never raises: the Hub would drop the server."""
        if self._exit_code is not None:
            return self._exit_code
        if self._starting:
            return None
        if not self.session_id or self._interrupted:
            return 0
        try:
            exit_code = await self.portal.exit_code(self.session_id, known_at=self._known_at)
        except PortalAway:
            return None
        if exit_code is None:
            self._keep_address()
        return exit_code

    async def get_url(self) -> str:
        """Called at the Hub's start for a live server: the result of `poll` is enough.

        The Hub would then wait for the server itself to answer. During that time nobody could stop the server, and one
        that the Hub cannot reach for `http_timeout` would be ended.
        """
        self.server.wait_up = _answered
        return str(await super().get_url())

    def _keep_address(self) -> None:
        """Bring the Hub's row back in line with the app's address; the next check of routes uses the row.

        A rollback of the Hub's database, whose one transaction all requests share, loses the address.
        """
        address = urlsplit(self.url)
        with self._hub_database():
            row = self.orm_spawner.server
            if row is not None and address.port and (row.ip, row.port) != (address.hostname, address.port):
                self.log.warning("%s: led to %s:%s, leads to %s again", self._log_name, row.ip, row.port, self.url)
                self.server.ip, self.server.port = row.ip, row.port = address.hostname, address.port
                self.user.db.commit()

    @contextmanager
    def _hub_database(self) -> Iterator[None]:
        """Roll the Hub's database back when it fails, so that it stays usable. The next poll writes again."""
        try:
            yield
        except SQLAlchemyError as error:
            self.log.warning("%s: the Hub's database failed: %s", self._log_name, type(error).__name__)
            self.user.db.rollback()

    async def poll_and_notify(self) -> int | None:
        """Return None also for an end with no callback left: the server must be stopped like a running one.

        The Hub removes the callbacks before it calls them; if one then failed, the server would stay for good.
        """
        polled = bool(self._callbacks)
        status: int | None = await super().poll_and_notify()
        return status if polled else None

    @property
    def _stop_pending(self) -> bool:
        """Whether a stop is in progress. The Hub's own flag stays set if its database fails during a stop."""
        stopping = self._stopping is not None and not self._stopping.done()
        return stopping or self._stop_future is not None

    @_stop_pending.setter
    def _stop_pending(self, stopping: bool) -> None:
        self._stopping = asyncio.current_task() if stopping else None

    async def stop(self, now: bool = False) -> None:
        """End the session. If the portal does not answer, log it: it finds out by itself, or the user stops again."""
        if not self.session_id:
            return
        if self._is_hubs_trouble(sys.exception()):
            self.log.warning("%s: the Hub itself failed; its session continues", self._log_name)
            self.will_resume = True
            return
        for number in range(1, STOP_TRIES + 1):
            try:
                await self.portal.stop(self.session_id, reason="stopped at the Hub", wait_s=0 if now else STOP_WAIT_S)
            except PortalRefused as error:
                self.log.warning("Session %s was not stopped: %s", self.session_id, error)
            except PortalAway as error:
                self.log.warning("Session %s could not be stopped yet: %s", self.session_id, error)
                if number < STOP_TRIES:
                    await asyncio.sleep(FIRST_RETRY_S * number)
                continue
            return

    def run_post_stop_hook(self) -> Any:
        """Called when the server has stopped, even if it was started before the Hub's last restart."""
        if not self.will_resume:
            self._revoke_tokens()
        return super().run_post_stop_hook()

    def delete_forever(self) -> None:
        """Called when the server is removed: its stop may have been the Hub's own shutdown, which revokes nothing."""
        self._revoke_tokens()

    def _revoke_tokens(self) -> None:
        """Revoke the tokens of the server and its visitors. The Hub itself knows the server's token only in memory."""
        note = f"Server at {url_path_join(self.user.base_url, url_escape_path(self.name), '/')}"
        for token in [token for token in self.user.api_tokens if token.note == note]:
            self.user.db.delete(token)
        for client in self.user.db.query(orm.OAuthClient).filter_by(identifier=self.oauth_client_id):
            self.user.db.delete(client)
        self.user.db.commit()

    def _is_hubs_trouble(self, error: BaseException | None) -> bool:
        """Return whether the Hub stops the server because of its own failure: its database, or its way to the proxy.

        Nobody wants the session to end then; the portal hands it back when the Hub has recovered.
        """
        return isinstance(error, SQLAlchemyError) or (error is not None and bool(self._proxy_pending))

    async def progress(self) -> AsyncIterator[dict[str, Any]]:
        """Relay the session's events to the Hub's progress page."""
        steps, seen = self._steps, 0
        while True:
            changed, starting = self._changed, self._starting
            while seen < len(steps):
                yield {"progress": min(steps[seen].progress, 99), "message": steps[seen].message}
                seen += 1
            if not starting:
                return
            await changed.wait()

    async def _ask_for_session(self) -> Started:
        request = {
            "username": self.user.name,
            "server_name": self.name,
            "session": secrets.token_hex(6),  # the same for every call of this start: it makes one session
            "user_options": self.user_options or {},
            "display_name": self.display_name or "",
            "env": self.get_env(),
            "api_token": self.api_token,
            "oauth_client_id": self.oauth_client_id,
            "base_url": self.server.base_url,
            "address": self.handler.request.remote_ip if self.handler else "",
        }
        try:
            return await self._patiently(partial(self._start_or_undo, request))
        except PortalRefused as error:
            raise _spawn_exception(error.message, error.code, error.status) from error

    async def _start_or_undo(self, request: Mapping[str, Any]) -> Started:
        """Request the session; if cancelled while the portal works on it, undo the request once it has answered."""
        asking = asyncio.ensure_future(self.portal.start(request))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            undoing = asyncio.create_task(self._undo(asking))
            self.undoing.add(undoing)
            undoing.add_done_callback(self.undoing.discard)
            raise

    async def _undo(self, asking: asyncio.Future[Started]) -> None:
        with suppress(PortalProblem):
            started = await asking
            await self.portal.stop(started.session_id, reason="cancelled at the Hub", wait_s=0)

    async def _wait_for_url(self) -> str:
        """Follow the session until it has an address. Raises SpawnException if it ends first."""
        after = 0
        while True:
            ask = partial(self.portal.wait, self.session_id, after=after, timeout_s=WAIT_S)
            try:
                update = await self._patiently(ask)
            except PortalRefused as error:
                self._exit_code = 1
                raise _spawn_exception(error.message, error.code, error.status) from error
            for step in update.steps:
                after = max(after, step.seq)
                self._show(step)
            if update.ended:
                code, text = update.ended
                self._exit_code = 1
                raise _spawn_exception(text, code, 400)
            if update.url:
                self.url = update.url
                return update.url

    async def _patiently(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """Retry until the portal answers, bounded only by the Hub's start_timeout. Raises PortalRefused."""
        wait = FIRST_RETRY_S
        while True:
            try:
                return await ask()
            except PortalAway as error:
                if wait == FIRST_RETRY_S:
                    self.log.warning("%s: %s Trying again.", self._log_name, error)
                    self._show(Step(seq=0, message="The portal does not answer; trying again.", progress=0))
            await asyncio.sleep(wait)
            wait = min(LONGEST_RETRY_S, wait * 2)

    def _show(self, step: Step) -> None:
        self._steps.append(step)
        self._wake_watchers()

    def _wake_watchers(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _save_state(self) -> None:
        """Write the session's id to the Hub's database now: the Hub itself does so only after start has returned."""
        self.orm_spawner.state = self.get_state()
        self.user.db.commit()


async def _form(spawner: SlurmSpawner) -> str:
    """Return the form, with what the nodes have; without it while the portal does not answer."""
    most = None
    with suppress(PortalProblem):
        most = await spawner.portal.node_gpus()
    return spawner.form.render(most)


async def _answered(**_options: Any) -> SimpleNamespace:
    """Stand in for a server's response to the Hub, which reads its version from it."""
    return SimpleNamespace(headers={"X-JupyterHub-Version": jupyterhub.__version__})


def _spawn_exception(message: str, code: str, status: int) -> SpawnException:
    """Return a refusal with the portal's sentence, wherever the Hub shows it: page, form, progress or API."""
    refusal = SpawnException(message, reason=code, status_code=status)
    refusal.jupyterhub_message = message
    return refusal
