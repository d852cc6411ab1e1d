"""Checks, on a node and with a session's own commands, that images and modules can serve Jupyter.
Only the nodes see images and modules.
"""

from __future__ import annotations

from typing import Any

from portal.apps.catalogue import Catalogue
from portal.check.findings import Finding, bad, good
from portal.environments import entry
from portal.settings import Environment, Settings

#: Exits 0 if both are installed, otherwise names the missing ones. It does not import them.
LOOK = (
    "import sys; from importlib.util import find_spec; "
    "lacks = [one for one in ('jupyterhub', 'jupyterlab') if find_spec(one) is None]; "
    "sys.exit('it lacks ' + ' and '.join(lacks) if lacks else 0)"
)
PATIENCE_S = 45
"""Per environment: an image that is unpacked at each start takes time."""


def questions(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the commands to run on the node, by environment, for the environments that Jupyter apps may use."""
    catalogue = Catalogue(settings)
    offered = (catalogue.serving(app) for app in settings.apps.values() if app.kind == "jupyter")
    asked = {
        name: environment
        for environments in offered
        for name, environment in environments.items()
        if environment.kind != "path"
    }
    return {name: _question(environment, settings) for name, environment in asked.items()}


def read(report: dict[str, str], settings: Settings, *, where: str) -> list[Finding]:
    """Turn the results into findings."""
    return [_finding(name, settings.environments[name], why_not, where) for name, why_not in report.items()]


def _question(environment: Environment, settings: Settings) -> dict[str, Any]:
    inside = entry(environment, settings)
    return {"argv": [*inside.wrap, inside.python, "-c", LOOK], "env": inside.env, "timeout": PATIENCE_S}


def _finding(name: str, environment: Environment, why_not: str, where: str) -> Finding:
    if not why_not:
        return good(f"{environment.title} can serve Jupyter on {where}")
    return bad(
        f"{environment.title} cannot serve Jupyter on {where}: {why_not}",
        f"Install jupyterhub and jupyterlab in it, or name one that has them in environments.{name}.extends; "
        "if it is only for another app, list the other environments in apps.jupyterlab.environments.",
    )
