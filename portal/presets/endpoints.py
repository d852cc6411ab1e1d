"""HTTP routes for presets."""

from __future__ import annotations

from typing import Annotated

from portal.auth.dependencies import CurrentUser
from portal.numbers import RowNumber
from portal.presets.schemas import SessionPresetIn, SessionPresetList, SessionPresetOut, SessionPresetRename
from portal.presets.service import Presets
from portal.provided import provided
from portal.routing import Router

router = Router(prefix="/presets", tags=["sessions"])

MyPresets = Annotated[Presets, provided(Presets)]


@router.get("")
async def listing(user: CurrentUser, presets: MyPresets) -> SessionPresetList:
    """List your presets for new sessions, and those that the site shares with you."""
    return SessionPresetList(items=await presets.of(user.username, user.groups))


@router.post("", responses={409: {"description": "You have too many."}})
async def save(asked: SessionPresetIn, user: CurrentUser, presets: MyPresets) -> SessionPresetOut:
    """Save a preset. One of yours with the same name is replaced."""
    return await presets.save(user.username, asked.name, asked.request)


@router.put("/{preset_id}", responses={409: {"description": "Another of yours has that name."}})
async def rename(
    preset_id: RowNumber, asked: SessionPresetRename, user: CurrentUser, presets: MyPresets
) -> SessionPresetOut:
    """Rename one of your presets."""
    return await presets.rename(user.username, preset_id, asked.name)


@router.delete("/{preset_id}", status_code=204)
async def delete(preset_id: RowNumber, user: CurrentUser, presets: MyPresets) -> None:
    """Delete one of your presets. Repeating it is safe."""
    await presets.delete(user.username, preset_id)
