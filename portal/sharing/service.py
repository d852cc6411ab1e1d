"""Shares of sessions: who may open which app or port of another user's session, and until when.

The Hub knows nothing of shares: a guest has no access to the session's server, only to what the agent opens after
asking here (docs/decisions/sharing-through-the-agent.md).
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from portal.apps.own import app_of
from portal.audit.service import Audit
from portal.auth.identity import Identities
from portal.auth.people import People
from portal.db.engine import UnitOfWork
from portal.directory import FailureGate
from portal.errors import Conflict, FieldProblem, Forbidden, InvalidRequest, NotAuthenticated, NotFound
from portal.sealing import digest
from portal.sessions.models import SessionRecord, SessionState
from portal.settings import Settings
from portal.sharing.logins import GuestLogin, Logins
from portal.sharing.models import Mode, ShareRecord
from portal.sharing.schemas import ShareAsk

MOST = 40
#: An access is written to the audit log once in this time, for each login of a guest.
SPAN = timedelta(hours=1)
REMEMBERED = 10_000
CODE_S = 60
#: How soon a guest's logout takes effect.
LOGIN_FRESH_S = 15.0
CODES_KEPT = 1000
#: What an app whose `shareable` is this may be shared for.
MODES: Mapping[bool | str, tuple[Mode, ...]] = {False: (), True: ("use",), "look": ("look",), "both": ("look", "use")}
OLD_AGENT = "This session was started before the portal was upgraded, and cannot keep guests from doing more than look."
OVER = "This share has ended, or it is not for you."
#: Beginning of every key, by which agents and people tell it from a login (`agent/job/proxy/guests.py`).
KEY_PREFIX = "dsp-"


@dataclass(frozen=True, slots=True)
class Guest:
    """Who is let in by a share: a user or, without a login, whoever has its key. `ends_at` is the end of the share."""

    username: str
    port: int | None
    mode: Mode
    ends_at: datetime
    landing: str
    """Where the app opens, below the session's address; empty: its root."""
    login: GuestLogin | None


def new_key() -> str:
    return KEY_PREFIX + secrets.token_urlsafe(32)


class Shares:
    def __init__(
        self,
        *,
        settings: Settings,
        work: UnitOfWork,
        people: People,
        identities: Identities,
        audit: Audit,
        logins: Logins,
        now: Callable[[], datetime],
    ) -> None:
        self._settings = settings
        self._work = work
        self._people = people
        self._identities = identities
        self._audit = audit
        self._logins = logins
        self._now = now
        self._codes: OrderedDict[str, tuple[datetime, GuestLogin]] = OrderedDict()
        self._noted: OrderedDict[str, datetime] = OrderedDict()
        self._wrong_keys = FailureGate(settings.sharing.key_rate)

    # --- what may be shared ---

    @property
    def enabled(self) -> bool:
        return self._settings.sharing.enabled and self._settings.hub.subdomains

    def app_refusal(self, record: SessionRecord) -> str:
        """Return why the session's app itself may not be shared; empty if it may."""
        app = app_of(self._settings, record.app, record.own_app)
        if not self.enabled:
            return "This site does not let users share sessions."
        if record.own_app is not None:
            return "Only the site's apps can be shared as a whole, not your own."
        if app is None or not app.shareable:
            title = app.title if app else record.app
            return f"{title} runs commands or opens files for whoever uses it, so it cannot be shared as a whole."
        if app.shareable == "look" and not record.onlookers:
            return f"{OLD_AGENT} Start a new one to share it."
        return ""

    def modes(self, record: SessionRecord) -> list[Mode]:
        """Return what the session's app may be shared for; nothing if it may not be shared."""
        app = app_of(self._settings, record.app, record.own_app)
        if app is None or self.app_refusal(record):
            return []
        return [mode for mode in MODES[app.shareable] if mode == "use" or record.onlookers]

    def keys_refusal(self) -> str:
        """Return why nothing may be shared with a key; empty if it may."""
        if not self._settings.sharing.keys:
            return "This site does not let users make keys."
        if self._settings.sharing.same_group_only:
            return "This site lets you share only with members of your groups, and a key lets in whoever has it."
        return ""

    def _app_key_refusal(self, record: SessionRecord) -> str:
        """Return why the app, which may be shared, may not be shared with a key; empty if it may."""
        app = app_of(self._settings, record.app, record.own_app)
        if app is not None and app.shareable is True:
            return ""
        return f"{app.title if app else record.app} can only be shared with people, not with a key."

    def mode_reason(self, record: SessionRecord) -> str:
        """Return why an owner cannot choose between looking and using; empty if they can, or if neither is allowed."""
        app = app_of(self._settings, record.app, record.own_app)
        match self.modes(record):
            case ["look"]:
                return f"Whoever uses {app.title if app else record.app} has your account, so guests only look."
            case ["use"] if app is not None and app.shareable == "both":
                return f"Guests cannot only look. {OLD_AGENT}"
            case ["use"]:
                return "Guests cannot only look: the portal cannot tell which of their requests change something."
        return ""

    def mode_of(self, record: SessionRecord, ask: ShareAsk) -> Mode:
        """Return what the request is for: looking, where the owner has not chosen and that is possible."""
        to_look = ask.port is None and ask.key is None and "look" in self.modes(record)
        return ask.mode or ("look" if to_look else "use")

    def shares_ports(self) -> bool:
        return self.enabled and self._settings.agent.open_ports

    # --- the owner's side ---

    async def of(self, session_id: str) -> Sequence[ShareRecord]:
        """Return the session's shares that have not ended, oldest first."""
        async with self._work() as db:
            return await self._of(db, session_id)

    async def _of(self, db: AsyncSession, session_id: str) -> Sequence[ShareRecord]:
        query = select(ShareRecord).where(ShareRecord.session_id == session_id, ShareRecord.ends_at > self._now())
        return (await db.scalars(query.order_by(ShareRecord.id))).all()

    async def share(
        self, record: SessionRecord, groups: Collection[str], ask: ShareAsk, key: str = ""
    ) -> list[ShareRecord]:
        """Share an app or a port of the owner's session. One with the same people, or a key of that name, is replaced.

        `groups` are the owner's, `key` is a new one if the request names one. Raises Forbidden, Conflict,
        InvalidRequest naming the field, DirectoryUnavailable.
        """
        self._check(record, ask)
        await self._check_people(record.owner, groups, ask)
        now = self._now()
        ends_at = now + timedelta(hours=ask.hours or self._settings.sharing.max_hours)
        whom: list[tuple[str | None, str | None, str | None]] = [
            (user, None, None) for user in dict.fromkeys(ask.users)
        ]
        whom += [(None, group, None) for group in dict.fromkeys(ask.groups)]
        whom += [(None, None, ask.key)] if ask.key is not None else []
        async with self._work() as db:
            before = {(old.port, old.username, old.group, old.key_name): old for old in await self._of(db, record.id)}
            made = []
            for user, group, name in whom:
                share = before.pop((ask.port, user, group, name), None)
                if share is None:
                    share = ShareRecord(
                        session_id=record.id, port=ask.port, username=user, group=group, key_name=name, created_at=now
                    )
                    db.add(share)
                share.mode, share.ends_at = self.mode_of(record, ask), ends_at
                share.key_digest = digest(key) if name is not None else None
                made.append(share)
            if len(before) + len(made) > MOST:
                raise Conflict(f"A session has {MOST} shares at most. End some first.")
            await db.flush()
        return made

    def _check(self, record: SessionRecord, ask: ShareAsk) -> None:
        if record.state != SessionState.READY:
            raise Conflict("Only a session that is ready can be shared.")
        if ask.port is None and (refusal := self.app_refusal(record)):
            raise Forbidden(refusal)
        if ask.port is not None and not self.shares_ports():
            raise Forbidden("This site does not let users share ports of their sessions.")
        if ask.mode is not None and ask.mode not in (self.modes(record) if ask.port is None else MODES[True]):
            why = "A port can only be shared to use: the portal cannot tell which requests to it change something."
            raise _wrong("mode", self.mode_reason(record) if ask.port is None else why)
        if ask.key is not None and (
            refusal := self.keys_refusal() or (self._app_key_refusal(record) if ask.port is None else "")
        ):
            raise _wrong("key", refusal)
        most = self._settings.sharing.max_hours
        if ask.hours is not None and ask.hours > most:
            raise _wrong("hours", f"The longest time of a share here is {most} h.")

    async def _check_people(self, owner: str, groups: Collection[str], ask: ShareAsk) -> None:
        if ask.key is not None and (ask.users or ask.groups):
            raise _wrong("key", "Share with people or with a key, not with both at once.")
        if ask.key is None and not ask.users and not ask.groups:
            raise _wrong("users", "Name at least one person or group.")
        for group in ask.groups:
            if group not in groups:
                raise _wrong("groups", f"You are not in the group “{group}”. Choose one of your own groups.")
        for name in ask.users:
            account = await self._people.account(name)
            if account is None or not account.allowed or account.username != name:
                raise _wrong("users", f"There is no user “{name}” on this portal.")
            if name == owner:
                raise _wrong("users", "You need no share of your own session.")
            if self._settings.sharing.same_group_only and set(groups).isdisjoint(account.groups):
                raise _wrong("users", f"This site lets you share only with members of your groups; {name} is in none.")

    async def end(self, session_id: str, share_id: int) -> ShareRecord | None:
        """End a share at once; return it, None if it had ended already."""
        async with self._work() as db:
            share = await db.get(ShareRecord, share_id)
            if share is None or share.session_id != session_id or share.ends_at <= self._now():
                return None
            share.ends_at = self._now()
            return share

    # --- the guest's side ---

    async def with_user(self, username: str, groups: Collection[str]) -> list[tuple[ShareRecord, SessionRecord]]:
        """Return what others share with the user now, with its sessions, oldest first."""
        if not self.enabled:
            return []
        async with self._work() as db:
            query = (
                select(ShareRecord, SessionRecord)
                .join(SessionRecord, SessionRecord.id == ShareRecord.session_id)
                .where(
                    or_(ShareRecord.username == username, ShareRecord.group.in_(list(groups))),
                    ShareRecord.ends_at > self._now(),
                    SessionRecord.state == SessionState.READY.value,
                    SessionRecord.owner != username,
                )
                .order_by(ShareRecord.id)
            )
            found = [(share, record) for share, record in await db.execute(query)]
        return [(share, record) for share, record in found if self._is_open(share, record)]

    async def open(
        self, share_id: int, username: str, groups: Collection[str], token: str, state: str | None
    ) -> tuple[ShareRecord, SessionRecord, str]:
        """Return the share, its session, and with `state` a code that lets this login in, once, within a minute.

        Raises NotFound if the share has ended or is not for this user.
        """
        share, record = await self._share_for(share_id, username, groups)
        if state is None:
            return share, record, ""
        code = secrets.token_urlsafe(32)
        until = self._now() + timedelta(seconds=CODE_S)
        self._codes[code] = until, GuestLogin(share=share.id, session=record.id, user=username, token=token)
        while len(self._codes) > CODES_KEPT:
            self._codes.popitem(last=False)
        return share, record, code

    async def _share_for(
        self, share_id: int, username: str, groups: Collection[str]
    ) -> tuple[ShareRecord, SessionRecord]:
        async with self._work() as db:
            share = await db.get(ShareRecord, share_id)
            record = await db.get(SessionRecord, share.session_id) if share is not None else None
        if (
            share is None
            or record is None
            or not self._goes_on(share, record)
            or not (share.username == username or (share.group is not None and share.group in groups))
        ):
            raise NotFound(OVER, hint="Ask the session's owner to share it with you again.")
        return share, record

    def _goes_on(self, share: ShareRecord, record: SessionRecord) -> bool:
        return record.state == SessionState.READY and share.ends_at > self._now() and self._is_open(share, record)

    def _is_open(self, share: ShareRecord, record: SessionRecord) -> bool:
        """Return whether the site's settings, and what the session's agent can do, still allow it."""
        if share.key_digest is not None and (
            self.keys_refusal() or (share.port is None and self._app_key_refusal(record))
        ):
            return False
        return self.shares_ports() if share.port is not None else share.mode in self.modes(record)

    # --- the agent's side ---

    async def admit(self, session_id: str, code: str) -> Guest | None:
        """Return the guest whom the code lets into this session; None if it is spent, too old or another session's."""
        until, login = self._codes.pop(code, (None, None))
        if until is None or login is None or until < self._now() or login.session != session_id:
            return None
        return await self._guest(login)

    async def still(self, session_id: str, sealed: str) -> Guest | None:
        """Return the guest of a login that was let in before; None if it has ended.

        Raises HubUnavailable, DirectoryUnavailable if that is unknown.
        """
        login = self._logins.unseal(sealed)
        return None if login is None or login.session != session_id else await self._guest(login)

    async def with_key(self, session_id: str, key: str, address: str = "") -> Guest | None:
        """Return what a key of this session opens; None if it is none, or has ended.

        With the address of who sent it, a wrong key counts. Raises TooManyFailures after too many from there.
        """
        async with self._wrong_keys.attempt(*([f"{session_id} {address}"] if address else [])) as attempt:
            guest = await self._with_key(session_id, key)
            if guest is None:
                attempt.failed()
            return guest

    async def _with_key(self, session_id: str, key: str) -> Guest | None:
        async with self._work() as db:
            query = select(ShareRecord, SessionRecord).join(SessionRecord, SessionRecord.id == ShareRecord.session_id)
            query = query.where(ShareRecord.key_digest == digest(key), ShareRecord.session_id == session_id)
            found = (await db.execute(query)).one_or_none()
        if found is None or not self._goes_on(*found):
            return None
        share, record = found
        name = f"key:{share.id}"
        await self._note(name, f"{share.id} {share.key_digest}", share, record)
        return Guest(name, share.port, share.mode, share.ends_at, "", None)

    async def _guest(self, login: GuestLogin) -> Guest | None:
        try:
            identity = await self._identities.of(login.token, fresh_s=LOGIN_FRESH_S)
            account = await self._people.account(login.user)
            if identity.username != login.user or account is None or not account.allowed:
                return None
            share, record = await self._share_for(login.share, login.user, account.groups)
        except (NotAuthenticated, NotFound, Forbidden):
            return None
        await self._note(login.user, f"{login.share} {login.token}", share, record)
        app = app_of(self._settings, record.app, record.own_app)
        landing = app.landing if app is not None and share.port is None else ""
        return Guest(login.user, share.port, share.mode, share.ends_at, landing, login)

    async def _note(self, who: str, login: str, share: ShareRecord, record: SessionRecord) -> None:
        """Write an access to the audit log: the first of each login, or with each key, in a span."""
        key, now = digest(login), self._now()
        if key in self._noted and now - self._noted[key] < SPAN:
            return
        self._noted.pop(key, None)
        self._noted[key] = now
        while len(self._noted) > REMEMBERED:
            self._noted.popitem(last=False)
        await self._audit.record(
            actor=who,
            action="share.access",
            target=record.id,
            owner=record.owner,
            share=share.id,
            port=share.port,
            mode=share.mode,
            **({"key": share.key_name} if share.key_name is not None else {}),
        )

    def seal(self, login: GuestLogin) -> str:
        return self._logins.seal(login)

    def ends_in_s(self, guest: Guest) -> float:
        return (guest.ends_at - self._now()).total_seconds()


def _wrong(field: str, message: str) -> InvalidRequest:
    return InvalidRequest(message, fields=[FieldProblem(field, message)])
