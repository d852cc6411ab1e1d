"""Presets: a user's own, and those that the site shares."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from portal.db.engine import make_engine, unit_of_work
from portal.errors import ConfigurationError, Conflict, NotFound
from portal.policy.request import SessionRequest
from portal.presets import service
from portal.presets.service import Presets
from portal.settings import SharedPreset
from portal.settings.presets import PresetResources

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
SMALL = SessionRequest.model_validate({"app": "jupyterlab", "resources": {"gpus": 1, "walltime_s": 3600}})
LARGE = SessionRequest.model_validate({"app": "jupyterlab", "resources": {"gpus": 4}})
SHARED = (
    SharedPreset(name="Course", app="terminal", resources=PresetResources(gpus=0, walltime_s=3600)),
    SharedPreset(name="Vision", app="jupyterlab", groups=["vision"]),
)


@pytest.fixture
async def presets(database: str) -> AsyncIterator[Presets]:
    engine = make_engine(database)
    yield Presets(unit_of_work(engine), SHARED, lambda: NOW)
    await engine.dispose()


async def names(presets: Presets, owner: str = "alice", *groups: str) -> list[str]:
    return [preset.name for preset in await presets.of(owner, groups)]


async def test_preset_is_saved_replaced_renamed_and_deleted(presets: Presets) -> None:
    saved = await presets.save("alice", " small ", SMALL)
    assert (saved.name, saved.request) == ("small", SMALL)
    again = await presets.save("alice", "small", LARGE)
    assert (again.id, again.request) == (saved.id, LARGE)
    await presets.save("alice", "Another", SMALL)
    assert await names(presets) == ["Another", "small", "Course"]
    assert saved.id is not None
    await presets.rename("alice", saved.id, "large")
    assert await names(presets) == ["Another", "large", "Course"]
    with pytest.raises(Conflict, match="already have a preset “Another”"):
        await presets.rename("alice", saved.id, "Another")
    await presets.delete("alice", saved.id)
    await presets.delete("alice", saved.id)
    assert await names(presets) == ["Another", "Course"]


async def test_presets_are_their_owners_alone(presets: Presets) -> None:
    saved = await presets.save("alice", "mine", SMALL)
    assert saved.id is not None
    assert await names(presets, "bob") == ["Course"]
    with pytest.raises(NotFound):
        await presets.rename("bob", saved.id, "stolen")
    await presets.delete("bob", saved.id)
    assert await names(presets) == ["mine", "Course"]


async def test_shared_presets_are_for_everybody_or_for_groups(presets: Presets) -> None:
    assert await names(presets, "alice", "vision") == ["Course", "Vision"]
    [course] = await presets.of("alice", ())
    assert course.id is None
    assert course.request.model_dump(exclude_none=True, exclude_defaults=True) == {
        "app": "terminal",
        "resources": {"gpus": 0, "walltime_s": 3600},
    }


async def test_number_of_presets_is_bounded(presets: Presets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST", 2)
    await presets.save("alice", "one", SMALL)
    await presets.save("alice", "two", SMALL)
    with pytest.raises(Conflict, match="2 presets already"):
        await presets.save("alice", "three", SMALL)
    await presets.save("alice", "two", LARGE)
    await presets.save("bob", "one", SMALL)


def test_shared_preset_that_is_no_request_is_named(database: str) -> None:
    wrong = SharedPreset(name="Wrong", app="terminal", resources=PresetResources(gpu_type="a b"))
    with pytest.raises(ConfigurationError, match=r"“Wrong” in \[\[presets\]\]: resources.gpu_type"):
        Presets(unit_of_work(make_engine(database)), [wrong], lambda: NOW)
