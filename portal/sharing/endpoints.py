"""HTTP routes of shares: an owner's, and what others share with a user."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Request

from portal.apps.own import app_of
from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import CurrentUser, LoginCookies, User, bearer
from portal.errors import Forbidden, NotAuthenticated, NotFound
from portal.numbers import RowNumber
from portal.routing import Router
from portal.sessions.dependencies import SessionRecords
from portal.sessions.models import SessionRecord
from portal.sessions.store import SessionStore
from portal.settings import Settings
from portal.settings.dependencies import SiteSettings
from portal.sharing.dependencies import SessionShares
from portal.sharing.models import ShareRecord
from portal.sharing.schemas import Entry, EntryOut, ShareAsk, SharedList, SharedOut, ShareList, ShareOut
from portal.sharing.service import Shares, new_key

router = Router(tags=["sessions"])
NONE: Mapping[int, str] = MappingProxyType({})


async def _session(records: SessionStore, session_id: str, user: User) -> SessionRecord:
    """Return the session if the caller may see it. Raises NotFound."""
    record = await records.get(session_id)
    if record.owner != user.username and not user.admin:
        raise NotFound(f"There is no session {session_id}.")
    return record


@router.get("/sessions/{session_id}/shares")
async def listing(
    session_id: str, user: CurrentUser, records: SessionRecords, shares: SessionShares, settings: SiteSettings
) -> ShareList:
    """List with whom your session is shared, and what of it may be shared."""
    return await _listing(await _session(records, session_id, user), shares, settings)


@router.post("/sessions/{session_id}/shares", responses={409: {"description": "Not ready, or shared too often."}})
async def share(
    session_id: str,
    ask: ShareAsk,
    user: CurrentUser,
    records: SessionRecords,
    shares: SessionShares,
    settings: SiteSettings,
    audit: AuditLog,
) -> ShareList:
    """Share the app of your session, or one port of it. People you already share it with get the new time.

    With `key` it opens to programs that send the key which this answer holds, and no later one.

    Whoever may `use` it does so as you: they may read and change what the app may. Whoever may `look` sees what you do.
    Ports are always shared to use.
    """
    record = await _session(records, session_id, user)
    if record.owner != user.username:
        raise Forbidden("This session belongs to someone else.")
    whom: dict[str, Any] = {"users": ask.users, "groups": ask.groups, "port": ask.port, "hours": ask.hours}
    whom |= {"key": ask.key} if ask.key is not None else {}
    key = new_key() if ask.key is not None else ""
    async with audit.noted(user, "share.start", record.id, **whom, mode=shares.mode_of(record, ask)):
        made = await shares.share(record, user.groups, ask, key)
    return await _listing(record, shares, settings, {share.id: key for share in made})


@router.delete("/sessions/{session_id}/shares/{share_id}", status_code=204)
async def unshare(
    session_id: str,
    share_id: RowNumber,
    user: CurrentUser,
    records: SessionRecords,
    shares: SessionShares,
    audit: AuditLog,
) -> None:
    """End a share. What its guests have open closes within seconds. Repeating it is safe."""
    record = await _session(records, session_id, user)
    async with audit.noted(user, "share.end", record.id, share=share_id) as note:
        ended = await shares.end(record.id, share_id)
        if ended is not None:
            note.detail |= {"user": ended.username, "group": ended.group, "port": ended.port, "mode": ended.mode}
            note.detail |= {"key": ended.key_name} if ended.key_name is not None else {}


@router.get("/shares")
async def with_me(user: CurrentUser, shares: SessionShares, settings: SiteSettings) -> SharedList:
    """List what other users share with you now."""
    found = await shares.with_user(user.username, user.groups)
    return SharedList(items=[_shared(share, record, settings) for share, record in found])


async def _token(request: Request, cookies: LoginCookies) -> str:
    """Return the token that the caller was identified by."""
    login = cookies.login(request.cookies)
    token = bearer(request) or (login.token if login else None)
    if token is None:
        raise NotAuthenticated("You are not logged in.")
    return token


@router.post("/shares/{share_id}/open")
async def open_(
    share_id: RowNumber,
    entry: Entry,
    user: CurrentUser,
    token: Annotated[str, Depends(_token)],
    shares: SessionShares,
    settings: SiteSettings,
    audit: AuditLog,
) -> EntryOut:
    """Return where to open what is shared with you. The session's host first sends the browser back with a `state`."""
    share, record, code = await shares.open(share_id, user.username, user.groups, token, entry.state)
    query = {"share": str(share.id)}
    if code and entry.state is not None:
        query = {"code": code, "state": entry.state}
        await audit.record(
            actor=user.username,
            action="share.open",
            target=record.id,
            address=user.address,
            owner=record.owner,
            share=share.id,
            port=share.port,
            mode=share.mode,
        )
    origin = settings.sessions_origin(record.owner)
    return EntryOut(location=f"{origin}{record.base_url}.portal/guest?{urlencode(query)}")


async def _listing(
    record: SessionRecord, shares: Shares, settings: Settings, new_keys: Mapping[int, str] = NONE
) -> ShareList:
    """`new_keys`: the keys that were just made, by the share's number."""
    reason = shares.app_refusal(record)
    return ShareList(
        items=[_out(share, record, settings, new_keys.get(share.id, "")) for share in await shares.of(record.id)],
        app=not reason,
        ports=shares.shares_ports(),
        keys=not shares.keys_refusal(),
        max_hours=settings.sharing.max_hours,
        reason=reason,
        modes=shares.modes(record),
        mode_reason=shares.mode_reason(record),
    )


def _link(share: ShareRecord, settings: Settings) -> str:
    return f"{settings.server.public_url}{settings.server.prefix}/shared/{share.id}"


def _address(share: ShareRecord, record: SessionRecord, settings: Settings) -> str:
    """Return where programs find what is shared."""
    return f"{settings.sessions_origin(record.owner)}{record.base_url}" + (
        f"proxy-port/{share.port}/" if share.port else ""
    )


def _out(share: ShareRecord, record: SessionRecord, settings: Settings, key: str) -> ShareOut:
    return ShareOut(
        id=share.id,
        port=share.port,
        mode=share.mode,
        user=share.username,
        group=share.group,
        key_name=share.key_name,
        key=key,
        created_at=share.created_at,
        ends_at=share.ends_at,
        link=_link(share, settings) if share.key_name is None else _address(share, record, settings),
    )


def _shared(share: ShareRecord, record: SessionRecord, settings: Settings) -> SharedOut:
    app = app_of(settings, record.app, record.own_app)
    return SharedOut(
        id=share.id,
        owner=record.owner,
        session=record.name,
        app_title=app.title if app else record.app,
        port=share.port,
        mode=share.mode,
        ends_at=min(share.ends_at, record.ends_at) if record.ends_at else share.ends_at,
        link=_link(share, settings),
    )
