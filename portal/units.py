"""What a site's units run: `portal serve`, and other projects' programs with `portal proxy` and `portal hub`.

These processes live long, so this imports none of the commands for people.
"""

from __future__ import annotations

import os

import typer

from portal import settings
from portal.configured import Config
from portal.deploy import services
from portal.garbage import lasting_values

units_app = typer.Typer(pretty_exceptions_enable=False)
NAMES = {"serve", "proxy", "hub"}


@units_app.command()
def serve(config: Config = None) -> None:
    """Run the portal's server, behind the proxy."""
    with lasting_values():
        from portal import server
        from portal.app import create_app  # heavy; the other commands start without it

        loaded = settings.load(config)
        if config:
            os.environ["PORTAL_CONFIG"] = str(config)  # for the checks, which run in a process of their own
        application = create_app(loaded)
    server.serve(application, loaded)


@units_app.command()
def proxy(config: Config = None) -> None:
    """Run configurable-http-proxy as portal.toml configures it, replacing this process: for portal-proxy.service."""
    loaded = settings.load(config)
    services.become(services.proxy_argv(loaded), services.proxy_environ(loaded, os.environ))


@units_app.command()
def hub(config: Config = None) -> None:
    """Run JupyterHub as portal.toml configures it, replacing this process: for portal-hub.service."""
    environ = {**os.environ, "PORTAL_CONFIG": str(config)} if config else os.environ
    settings.load(config)  # report errors in it here, not in a traceback of the Hub
    services.become(services.hub_argv(), environ)
