"""What the proxy's and the Hub's units run: other projects' programs, configured by portal.toml and the secrets."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from portal.errors import ConfigurationError
from portal.settings import Settings
from portal.shipped import PROXY_NODE_OPTIONS


def proxy_argv(settings: Settings) -> list[str]:
    """Return the command line of configurable-http-proxy, without its token."""
    api = urlsplit(settings.hub.proxy_api_url)
    argv = [
        str(settings.proxy.program),
        *("--ip", settings.proxy.ip, "--port", str(settings.proxy.port)),
        *("--api-ip", api.hostname or "127.0.0.1", "--api-port", str(api.port or 8002)),
        *("--error-target", f"{settings.hub_connect_url}/hub/error"),
    ]
    if settings.hub.subdomains:
        # Requests to unknown hosts go to the portal, which says where things are (portal/host_redirects.py).
        argv += ["--host-routing", "--default-target", settings.portal_connect_url]
    if settings.proxy.ssl_key and settings.proxy.ssl_cert:
        argv += ["--ssl-key", str(settings.proxy.ssl_key), "--ssl-cert", str(settings.proxy.ssl_cert)]
    return argv


def proxy_environ(settings: Settings, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the proxy's environment: its token, and Node's options, including those in `environ`."""
    node_options = " ".join(filter(None, [environ.get("NODE_OPTIONS"), PROXY_NODE_OPTIONS]))
    return {**environ, "CONFIGPROXY_AUTH_TOKEN": settings.secrets.proxy_token, "NODE_OPTIONS": node_options}


def hub_argv() -> list[str]:
    """Return the command line of the JupyterHub installed beside the portal. Raises ConfigurationError."""
    program = Path(sys.executable).with_name("jupyterhub")
    config = importlib.util.find_spec("spawner.hub_config")
    if not program.exists() or config is None or not config.origin:
        raise ConfigurationError(f"JupyterHub is not installed next to {sys.executable}.", hint="Reinstall the portal.")
    return [str(program), "--config", config.origin]


def become(argv: list[str], environ: Mapping[str, str]) -> None:
    """Replace this process with the program. Raises ConfigurationError if it cannot be started."""
    try:
        os.execve(argv[0], argv, dict(environ))  # noqa: S606 - an argv list, no shell
    except OSError as error:
        raise ConfigurationError(
            f"{argv[0]} cannot be started: {error.strerror}.", hint="Run `npm ci` in the folder of its package.json."
        ) from error
