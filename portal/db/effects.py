"""Detects that a request has changed the database; log entries about an act do not count."""

from __future__ import annotations

from sqlalchemy import event
from sqlalchemy.orm import ORMExecuteState, Session, UOWTransaction

from portal import effects
from portal.db.base import Base

_WROTE = "wrote"


def listen() -> None:
    """Listen to all sessions; calling it again changes nothing."""
    for name, heard in (("after_flush", _flushed), ("do_orm_execute", _executing), ("after_commit", _committed)):
        if not event.contains(Session, name, heard):
            event.listen(Session, name, heard)


def _flushed(session: Session, _context: UOWTransaction) -> None:
    changed = (*session.new, *session.dirty, *session.deleted)
    _wrote(session, any(isinstance(row, Base) and row.is_effect for row in changed))


def _executing(state: ORMExecuteState) -> None:
    _wrote(state.session, state.is_insert or state.is_update or state.is_delete)


def _committed(session: Session) -> None:
    if session.info.pop(_WROTE, False):
        effects.begun()


def _wrote(session: Session, wrote: bool) -> None:
    """A failed SQLite commit (no space, locked) has changed nothing; a server may fail after committing."""
    if not wrote:
        return
    session.info[_WROTE] = True
    if session.get_bind().dialect.name != "sqlite":
        effects.begun()
