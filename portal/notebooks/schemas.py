"""What goes over the wire about templates."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from portal.notebooks.preview import Cell


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TemplateOut(Wire):
    id: str
    framework: str
    versions: str
    title: str
    description: str
    task: str
    environment: str | None = Field(description="Its kernel's environment; null: the one that serves Jupyter.")
    environment_title: str | None
    available: bool = Field(description="Whether that environment is installed.")
    data: str
    gpus: int
    file: str = Field(description="Path in the user's folder `templates`.")
    minutes_cpu: float | None
    minutes_gpu: float | None
    tested: str
    has_outputs: bool = Field(description="Whether its preview shows what it gave when it was run.")


class PreviewOut(Wire):
    id: str
    cells: list[Cell]


class TemplatePage(Wire):
    items: list[TemplateOut]


class OpenIn(Wire):
    session: str = Field(min_length=1, max_length=32, description="Id of a session of yours that is ready.")


class OpenOut(Wire):
    url: str = Field(description="Path that shows the notebook in that session.")
