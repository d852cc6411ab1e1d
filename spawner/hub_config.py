"""The Hub's whole configuration, derived from portal.toml: `jupyterhub --config spawner/hub_config.py`.

$PORTAL_CONFIG names the file; the Hub runs as the portal's own user, without rights on the cluster.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import ClientTimeout
from jupyterhub.handlers import base as handlers
from sqlalchemy import event
from sqlalchemy.engine import Engine
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop

from portal import logs, token_scopes
from portal.directory import LdapDirectory, LoginGate
from portal.settings import Secrets, Settings, bracketed, load
from portal.settings.hosts import subdomain
from portal.settings.isolation import Isolation
from portal.sqlite import write_durably
from spawner.authenticator import DirectoryAuthenticator, SiteAuthenticator
from spawner.federated import federated
from spawner.form import PAGES, SessionForm
from spawner.hub_server import HubServer
from spawner.login_notices import LoginNotices
from spawner.login_reports import LoginReports
from spawner.portal_client import PortalClient
from spawner.spawner import SlurmSpawner

if TYPE_CHECKING:
    from traitlets.config import Config

DAY_S = 86_400
ASK_S = 10.0
SESSION_COOKIE_NAME = handlers.SESSION_COOKIE_NAME
HUB_ADMINS = "directory-admins"
GATE = "portal-gate"


def configure(c: Config, settings: Settings) -> None:
    _addresses(c, settings)
    _storage(c, settings)
    _logins(c, settings)
    _servers(c, settings)
    _rights(c, settings)
    _looks(c, settings)
    _log(c, settings)


def _addresses(c: Config, settings: Settings) -> None:
    """The proxy is a separate process, so that a restart of the Hub cuts no connection."""
    c.JupyterHub.bind_url = settings.hub.public_url or settings.server.public_url
    c.JupyterHub.hub_bind_url = f"http://{bracketed(settings.hub.ip)}:{settings.hub.port}"
    c.JupyterHub.hub_connect_url = settings.hub_connect_url
    c.ConfigurableHTTPProxy.should_start = False
    c.ConfigurableHTTPProxy.api_url = settings.hub.proxy_api_url
    c.ConfigurableHTTPProxy.auth_token = settings.secrets.proxy_token
    c.JupyterHub.cleanup_proxy = False
    # How often the Hub checks the proxy's routes: a restarted proxy has none until then.
    c.JupyterHub.last_activity_interval = 15
    # A proxy with a full disk accepts a request and never answers it; a retry works.
    c.JupyterHubHTTPClient.session_options = {"timeout": ClientTimeout(sock_connect=ASK_S, sock_read=ASK_S)}
    # Tornado's loop uses the wall clock: set back an hour, it would check routes and servers an hour late.
    IOLoop.time = lambda _: time.monotonic()  # type: ignore[method-assign, assignment]
    HTTPServer.configure(HubServer, trusted=settings.server.trusted_proxies)
    c.JupyterHub.default_url = f"{settings.portal_origin}{settings.server.prefix}/"
    if settings.hub.subdomains:
        _own_hosts(c, settings)


def _own_hosts(c: Config, settings: Settings) -> None:
    """Give each user's sessions a host of their own, and the Hub another, free of theirs."""
    c.JupyterHub.subdomain_host = settings.hub.public_url
    c.JupyterHub.subdomain_hook = subdomain
    c.JupyterHub.hub_routespec = f"{urlsplit(settings.hub.public_url).hostname}/"
    # The Hub would set its session id for all hosts below its own: every user's server would see a visitor's. Servers
    # do without it.
    handlers.BaseHandler.domain = ""
    if _is_https(settings):
        # A page below the Hub's host can set cookies for it, but none with this prefix.
        c.JupyterHub.cookie_host_prefix_enabled = True
        handlers.SESSION_COOKIE_NAME = f"__Host-{SESSION_COOKIE_NAME}"


def _storage(c: Config, settings: Settings) -> None:
    folder = settings.data_dir / "hub"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    c.JupyterHub.db_url = f"sqlite:///{folder / 'jupyterhub.sqlite'}"
    c.JupyterHub.upgrade_db = True
    c.JupyterHub.cookie_secret = bytes.fromhex(settings.secrets.cookie_key)
    event.listen(Engine, "connect", _tune_sqlite)


def _tune_sqlite(connection: Any, record: Any) -> None:
    """Make the Hub's own database durable; JupyterHub keeps SQLite's default, with two syncs per commit."""
    if isinstance(connection, sqlite3.Connection):
        write_durably(connection)


def _logins(c: Config, settings: Settings) -> None:
    if settings.login.authenticator:
        _federated_logins(c, settings)
    else:
        _directory_logins(c, settings)
    SiteAuthenticator.logout_key = settings.secrets.hub_key
    SiteAuthenticator.login_reports = LoginReports(_portal_client(settings))
    c.JupyterHub.cookie_max_age_days = 7
    c.JupyterHub.oauth_require_pkce = True
    c.JupyterHub.token_expires_in_max_seconds = 90 * DAY_S


def _federated_logins(c: Config, settings: Settings) -> None:
    authenticator: Any = federated(settings.login.authenticator)
    authenticator.site_user_groups = settings.ldap.user_groups
    authenticator.site_admin_groups = settings.ldap.admin_groups
    c.JupyterHub.authenticator_class = authenticator
    # Login data that it keeps (`enable_auth_state`) is encrypted in the Hub's database.
    c.CryptKeeper.keys = [hashlib.sha256(b"auth_state " + bytes.fromhex(settings.secrets.cookie_key)).digest()]
    secrets = {name: Secrets.read(file) for name, file in settings.login.secret_files.items()}
    for name, value in {**settings.login.options, **secrets}.items():
        c[authenticator.__name__][name] = value


def _directory_logins(c: Config, settings: Settings) -> None:
    c.JupyterHub.authenticator_class = DirectoryAuthenticator
    DirectoryAuthenticator.directory = LdapDirectory(settings.ldap)
    DirectoryAuthenticator.gate = LoginGate(settings.ldap.login_rate)
    DirectoryAuthenticator.user_groups = settings.ldap.user_groups
    DirectoryAuthenticator.support = settings.site.support
    # How soon a user who has left the directory loses access here, too; one lookup per active user.
    c.Authenticator.auth_refresh_age = 60
    # Their tokens too, used by open websockets and programs: since 6.1 the Hub honours those of users who have left.
    c.Authenticator.auth_refresh_strict = True


def _servers(c: Config, settings: Settings) -> None:
    SlurmSpawner.portal = _portal_client(settings)
    SlurmSpawner.form = SessionForm(settings)
    c.JupyterHub.spawner_class = SlurmSpawner
    c.JupyterHub.allow_named_servers = True
    c.JupyterHub.cleanup_servers = False
    c.JupyterHub.init_spawners_timeout = 1
    c.JupyterHub.concurrent_spawn_limit = 0
    c.JupyterHub.tornado_settings = {
        # A refusal comes back within this time; after it, a start continues in the background, and the answer is 202.
        "slow_spawn_timeout": 1,
        "slow_stop_timeout": 1,
        # Behind a web server and the proxy, the Hub takes the last hop's http for the browser's.
        "cookie_options": {"samesite": "Lax"} | ({"secure": True} if _is_https(settings) else {}),
    }
    # A session may wait in the queue for days; how long it may wait is up to the site and the user.
    c.Spawner.start_timeout = 30 * DAY_S
    # When start returns, the server has already answered its agent; this covers network hiccups.
    c.Spawner.http_timeout = 120
    c.Spawner.poll_interval = 10
    c.Spawner.consecutive_failure_limit = 0


def _portal_client(settings: Settings) -> PortalClient:
    return PortalClient(f"{settings.portal_connect_url}{settings.server.prefix}/internal", settings.secrets.hub_key)


def _is_https(settings: Settings) -> bool:
    return (settings.hub.public_url or settings.server.public_url).startswith("https://")


def _rights(c: Config, settings: Settings) -> None:
    name = settings.server.prefix.removeprefix("/services/")
    access = f"access:services!service={name}"
    c.JupyterHub.services = [
        {
            "name": name,
            # A portal with a host of its own must not be served on the sessions' host, too.
            "url": "" if settings.portal_origin else settings.portal_connect_url,
            "api_token": settings.secrets.service_token,
            "oauth_client_id": "service-portal",
            "oauth_redirect_uri": f"{settings.portal_origin}{settings.server.prefix}/oauth_callback",
            "oauth_no_confirm": True,
            "display": False,
        }
    ]
    gated = settings.isolation is Isolation.TWO_HOSTS
    if gated:
        c.JupyterHub.services.append(_gate(settings))
    through = [f"access:services!service={GATE}"] if gated else []
    SiteAuthenticator.device_scopes = [access, *through]
    c.JupyterHub.custom_scopes = {name: {"description": text} for name, text in token_scopes.DESCRIPTIONS.items()}
    c.JupyterHub.load_roles = [
        {"name": "portal", "services": [name], "scopes": _portal_scopes(settings)},
        # With its own token, a session's terminal can use the portal as its user: `portal sessions list`.
        {"name": "server", "scopes": ["users:activity!user", "access:servers!server", access]},
        {"name": "user", "scopes": ["self", access, *through, *token_scopes.DESCRIPTIONS]},
        {"name": HUB_ADMINS, "scopes": _admin_scopes(settings), "groups": settings.ldap.admin_groups},
    ]


def _gate(settings: Settings) -> dict[str, Any]:
    """Register the gate in front of sessions that share a host (portal/gate): it logs users in there, nothing else."""
    return {
        "name": GATE,
        "api_token": settings.secrets.gate_token,
        "oauth_client_id": f"service-{GATE}",
        "oauth_redirect_uri": f"{settings.hub_origin}{settings.server.prefix}/gate/callback",
        "oauth_no_confirm": True,
        "display": False,
    }


def _portal_scopes(settings: Settings) -> list[str]:
    """A server's state says which session it holds; for logins without the directory, the Hub knows the groups."""
    scopes = ["servers", "admin:server_state", "list:users", "read:hub", "proxy"]
    return [*scopes, "read:users:groups"] if settings.login.authenticator else scopes


def _admin_scopes(settings: Settings) -> list[str]:
    """Return what administrators may do at the Hub: list, start and stop servers.

    The Hub's own role `admin`, which cannot be narrowed, may act as everybody: open their servers, make their tokens.
    """
    scopes = ["admin-ui", "list:users", "read:users", "admin:servers", "read:hub", "read:metrics", "list:services"]
    return [*scopes, "access:servers"] if settings.hub.admins_open_sessions else scopes


def _looks(c: Config, settings: Settings) -> None:
    c.JupyterHub.template_paths = [str(PAGES)]
    c.JupyterHub.template_vars = {
        "site_name": settings.site.name,
        "support": settings.site.support,
        "portal_url": f"{settings.portal_origin}{settings.server.prefix}/",
        "portal_access": f"access:services!service={settings.server.prefix.removeprefix('/services/')}",
        "portal_scopes": token_scopes.DESCRIPTIONS,
        "login_notices": LoginNotices(SlurmSpawner.portal),
    }


def _log(c: Config, settings: Settings) -> None:
    c.JupyterHub.log_level = settings.log_level.upper()
    formatter = "JsonFormatter" if settings.log_format == "json" else "OneLineFormatter"
    c.JupyterHub.logging_config = {"formatters": {"console": {"class": f"spawner.hub_log.{formatter}"}}}


settings = load()
logs.configure(settings)
configure(get_config(), settings)  # type: ignore[name-defined]  # noqa: F821 - traitlets gives it
