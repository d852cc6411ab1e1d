"""The short form at /hub/spawn, and what its fields mean.

Nothing is validated here: numeric text becomes numbers, names move to their place in the API's body, and the portal
answers for all of it in its own words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2

from portal.settings import App, Settings

PAGES = Path(__file__).parent / "hub_pages"
RESOURCES = {
    "partition", "account", "qos", "reservation", "nodes", "gpus", "gpu_type", "gpu_memory_gb", "cpus", "memory_mib",
    "walltime_s", "shards", "mps_percent", "constraint", "licenses", "wckey", "exclusive",
}  # fmt: skip
NUMBERS = {"nodes", "gpus", "gpu_memory_gb", "cpus", "memory_mib", "walltime_s", "shards", "mps_percent"}
TRUTHS = {"true": True, "false": False}
INTEGER = re.compile(r"-?\d{1,15}")
DECIMAL = re.compile(r"\d{1,6}([.,]\d{1,4})?")


class SessionForm:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._template = jinja2.Environment(loader=jinja2.FileSystemLoader(PAGES), autoescape=True).get_template(
            "session_form.html"
        )

    def render(self, node_gpus: int | None = None) -> str:
        """Return the fields as HTML for the Hub's own <form>.

        `node_gpus`: GPUs of the node that has the most; None if unknown, and the portal refuses what does not fit.
        """
        settings = self._settings
        most = settings.policy.max_gpus if node_gpus is None else min(node_gpus, settings.policy.max_gpus)
        return self._template.render(
            apps={name: app for name, app in settings.apps.items() if not _asks(app)},
            asking={name: app for name, app in settings.apps.items() if app.options},
            environments={
                name: environment for name, environment in settings.environments.items() if not environment.extends
            },
            policy=settings.policy,
            most_gpus=most,
            node_gpus=node_gpus,
            gpus=min(settings.policy.default_gpus, most),
            hours=f"{settings.policy.default_walltime_s / 3600:g}",
            max_hours=f"{settings.policy.max_walltime_s / 3600:g}",
            new_session_url=f"{settings.server.prefix}/sessions/new",
        )

    def parse(self, form: Mapping[str, list[Any]]) -> dict[str, Any]:
        """Return the API's body for the fields of the form, or for `opt-…` parameters in the address.

        Empty fields are left out. Unknown ones stay where they are, so that the portal names them in its refusal.
        """
        options: dict[str, Any] = {}
        resources: dict[str, Any] = {}
        for name, values in form.items():
            value = _one(values)
            if value == "":
                continue
            if name == "hours":
                resources["walltime_s"] = _seconds(value)
            elif name in RESOURCES:
                resources[name] = _typed(name, value)
            else:
                options[name] = value
        if resources:
            options["resources"] = resources
        return options


def _asks(app: App) -> bool:
    """Return whether the app needs its user to set an option before it can start."""
    return any(option.required and option.default is None for option in app.options)


def _one(values: list[Any]) -> Any:
    """Return the single value of a field; leave several values or an upload as they are: a refusal names them."""
    texts = [value.strip() if isinstance(value, str) else "(a file)" for value in values]
    return texts[0] if len(texts) == 1 else texts


def _typed(name: str, value: Any) -> Any:
    if name == "exclusive":
        return TRUTHS.get(value, value) if isinstance(value, str) else value
    return _number(value) if name in NUMBERS else value


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and INTEGER.fullmatch(value) else value


def _seconds(value: Any) -> Any:
    if isinstance(value, str) and DECIMAL.fullmatch(value):
        return round(float(value.replace(",", ".")) * 3600)
    return value
