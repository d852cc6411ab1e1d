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


@dataclass(frozen=True, slots=True)
class Guest:
    """A user whom a share lets in; `ends_at` is the end of the share."""

    username: str
    port: int | None
    mode: Mode
    ends_at: datetime
    landing: str
    """Where the app opens, below the session's address; empty: its root."""
    login: GuestLogin


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
        return ask.mode or ("look" if ask.port is None and "look" in self.modes(record) else "use")

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

    async def share(self, record: SessionRecord, groups: Collection[str], ask: ShareAsk) -> list[ShareRecord]:
        """Share an app or a port of the owner's session. One with the same people is replaced.

        `groups` are the owner's. Raises Forbidden, Conflict, InvalidRequest naming the field, DirectoryUnavailable.
        """
        self._check(record, ask)
        await self._check_people(record.owner, groups, ask)
        now = self._now()
        ends_at = now + timedelta(hours=ask.hours or self._settings.sharing.max_hours)
        whom: list[tuple[str | None, str | None]] = [(user, None) for user in dict.fromkeys(ask.users)]
        whom += [(None, group) for group in dict.fromkeys(ask.groups)]
        async with self._work() as db:
            before = {(old.port, old.username, old.group): old for old in await self._of(db, record.id)}
            made = []
            for user, group in whom:
                share = before.pop((ask.port, user, group), None)
                if share is None:
                    share = ShareRecord(
                        session_id=record.id, port=ask.port, username=user, group=group, created_at=now, ends_at=ends_at
                    )
                    db.add(share)
                share.mode, share.ends_at = self.mode_of(record, ask), ends_at
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
        most = self._settings.sharing.max_hours
        if ask.hours is not None and ask.hours > most:
            raise _wrong("hours", f"The longest time of a share here is {most} h.")

    async def _check_people(self, owner: str, groups: Collection[str], ask: ShareAsk) -> None:
        if not ask.users and not ask.groups:
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
            or record.state != SessionState.READY
            or share.ends_at <= self._now()
            or not (share.username == username or (share.group is not None and share.group in groups))
            or not self._is_open(share, record)
        ):
            raise NotFound(OVER, hint="Ask the session's owner to share it with you again.")
        return share, record

    def _is_open(self, share: ShareRecord, record: SessionRecord) -> bool:
        """Return whether the site's settings, and what the session's agent can do, still allow it."""
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

    async def _guest(self, login: GuestLogin) -> Guest | None:
        try:
            identity = await self._identities.of(login.token, fresh_s=LOGIN_FRESH_S)
            account = await self._people.account(login.user)
            if identity.username != login.user or account is None or not account.allowed:
                return None
            share, record = await self._share_for(login.share, login.user, account.groups)
        except (NotAuthenticated, NotFound, Forbidden):
            return None
        await self._note(login, share, record)
        app = app_of(self._settings, record.app, record.own_app)
        landing = app.landing if app is not None and share.port is None else ""
        return Guest(login.user, share.port, share.mode, share.ends_at, landing, login)

    async def _note(self, login: GuestLogin, share: ShareRecord, record: SessionRecord) -> None:
        """Write an access to the audit log: the first of each login in a span."""
        key, now = digest(f"{login.share} {login.token}"), self._now()
        if key in self._noted and now - self._noted[key] < SPAN:
            return
        self._noted.pop(key, None)
        self._noted[key] = now
        while len(self._noted) > REMEMBERED:
            self._noted.popitem(last=False)
        await self._audit.record(
            actor=login.user,
            action="share.access",
            target=record.id,
            owner=record.owner,
            share=share.id,
            port=share.port,
            mode=share.mode,
        )

    def seal(self, login: GuestLogin) -> str:
        return self._logins.seal(login)

    def ends_in_s(self, guest: Guest) -> float:
        return (guest.ends_at - self._now()).total_seconds()


def _wrong(field: str, message: str) -> InvalidRequest:
    return InvalidRequest(message, fields=[FieldProblem(field, message)])
