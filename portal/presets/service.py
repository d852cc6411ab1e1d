"""Named requests for sessions: a user's own, and those that the site shares in its settings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from pydantic import ValidationError
from sqlalchemy import func, select

from portal.db.engine import UnitOfWork
from portal.errors import ConfigurationError, Conflict, NotFound
from portal.policy.request import SessionRequest
from portal.presets.models import PresetRecord
from portal.presets.schemas import SessionPresetOut
from portal.settings import SharedPreset

MOST = 50


class Presets:
    def __init__(self, work: UnitOfWork, shared: Sequence[SharedPreset], now: Callable[[], datetime]) -> None:
        """Raises ConfigurationError if a shared preset is not a valid request."""
        self._work = work
        self._now = now
        self._shared = [(frozenset(preset.groups), _of_site(preset)) for preset in shared]

    async def of(self, owner: str, groups: Collection[str]) -> list[SessionPresetOut]:
        """Return the user's own presets by name, then those shared with everybody or with a group of theirs."""
        async with self._work() as db:
            query = select(PresetRecord).where(PresetRecord.owner == owner)
            rows = (await db.scalars(query)).all()
        mine = sorted((_out(row) for row in rows), key=lambda preset: preset.name.casefold())
        return mine + [preset for only, preset in self._shared if not only or only & set(groups)]

    async def save(self, owner: str, name: str, request: SessionRequest) -> SessionPresetOut:
        """Save a preset; one of the same name is replaced. Raises Conflict if there are too many."""
        name = name.strip()
        async with self._work() as db:
            query = select(PresetRecord).where(PresetRecord.owner == owner)
            row = (await db.scalars(query.where(PresetRecord.name == name))).first()
            if row is None:
                count = await db.scalar(select(func.count()).select_from(query.subquery()))
                if (count or 0) >= MOST:
                    raise Conflict(f"You have {MOST} presets already. Delete one first.")
                row = PresetRecord(owner=owner, name=name)
                db.add(row)
            row.request = request.model_dump(mode="json", exclude_none=True)
            row.saved_at = self._now()
            await db.flush()
            return _out(row)

    async def rename(self, owner: str, preset_id: int, name: str) -> SessionPresetOut:
        """Raises NotFound, or Conflict if another preset of the user has the name."""
        name = name.strip()
        async with self._work() as db:
            row = await db.get(PresetRecord, preset_id)
            if row is None or row.owner != owner:
                raise NotFound("You have no such preset.")
            taken = select(PresetRecord.id).where(
                PresetRecord.owner == owner, PresetRecord.name == name, PresetRecord.id != preset_id
            )
            if await db.scalar(taken) is not None:
                raise Conflict(f"You already have a preset “{name}”.")
            row.name = name
            return _out(row)

    async def delete(self, owner: str, preset_id: int) -> None:
        """Delete a preset of the user, if it exists."""
        async with self._work() as db:
            row = await db.get(PresetRecord, preset_id)
            if row is not None and row.owner == owner:
                await db.delete(row)


def _out(row: PresetRecord) -> SessionPresetOut:
    return SessionPresetOut(id=row.id, name=row.name, request=SessionRequest.model_validate(row.request))


def _of_site(preset: SharedPreset) -> SessionPresetOut:
    request = preset.model_dump(exclude={"name", "groups"}, exclude_none=True, exclude_defaults=True)
    try:
        return SessionPresetOut(id=None, name=preset.name, request=SessionRequest.model_validate(request))
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(str(part) for part in wrong["loc"])
        raise ConfigurationError(f"The preset “{preset.name}” in [[presets]]: {where}: {wrong['msg']}") from error
