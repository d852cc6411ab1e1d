"""Presets of the new-session form that a site shares."""

from __future__ import annotations

from pydantic import Field

from portal.settings.apps import AppResources
from portal.settings.base import Name, Section
from portal.settings.environments import ModuleName


class PresetResources(AppResources):
    """What is left out, the app and policy decide."""

    gpu_type: str | None = Field(None, description="Type of the GPUs, as Slurm names it: `v100`.")
    gpu_memory_gb: int | None = Field(None, ge=1, description="The least memory of each GPU, instead of its type.")
    nodes: int | None = Field(None, ge=1, description="Number of nodes.")
    account: str | None = Field(None, description="Slurm's account.")
    qos: str | None = Field(None, description="Slurm's QOS.")
    reservation: str | None = Field(None, description="Slurm's reservation.")
    shards: int | None = Field(None, ge=1, description="Shards of one GPU, instead of whole ones.")
    mps_percent: int | None = Field(None, ge=1, le=100, description="Percent of one GPU by MPS, instead of whole ones.")
    constraint: str | None = Field(None, description="Features that its nodes must have: `a100&nvme`.")
    licenses: str | None = Field(None, description="Licences, with how many of each: `matlab:2,ansys`.")
    wckey: str | None = Field(None, description="Slurm's WCKey.")
    exclusive: bool | None = Field(None, description="Whether it gets whole nodes.")


class SharedPreset(Section):
    name: str = Field(min_length=1, max_length=60, description="Shown as a button in New session.")
    groups: list[str] = Field(default_factory=list, description="Groups whose members see it; empty: everybody.")
    app: Name = Field(description="App that it starts: the NAME in `[apps.NAME]`.")
    environment: Name | None = Field(None, description="Environment: the NAME in `[environments.NAME]`.")
    options: dict[str, str | bool] = Field(default_factory=dict, description="Values of the app's options.")
    modules: list[ModuleName] = Field(
        default_factory=list, description="Environment modules, loaded on top of the environment."
    )
    resources: PresetResources = PresetResources()
