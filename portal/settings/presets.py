"""Presets of the new-session form that a site shares."""

from __future__ import annotations

from pydantic import Field

from portal.settings.apps import AppResources
from portal.settings.base import Name, Section
from portal.settings.environments import ModuleName


class PresetResources(AppResources):
    """What is left out, the app and policy decide."""

    gpu_type: str | None = None
    nodes: int | None = Field(None, ge=1)
    account: str | None = None
    qos: str | None = None
    reservation: str | None = None
    shards: int | None = Field(None, ge=1)
    mps_percent: int | None = Field(None, ge=1, le=100)
    constraint: str | None = None
    licenses: str | None = None
    wckey: str | None = None
    exclusive: bool | None = None


class SharedPreset(Section):
    name: str = Field(min_length=1, max_length=60, description="Shown as a button in New session.")
    groups: list[str] = Field(default_factory=list, description="Groups whose members see it; empty: everybody.")
    app: Name
    environment: Name | None = None
    options: dict[str, str | bool] = Field(default_factory=dict, description="Values of the app's options.")
    modules: list[ModuleName] = Field(default_factory=list)
    resources: PresetResources = PresetResources()
