"""The Hub's configuration follows portal.toml."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spawner.hub_log import JsonFormatter

CONFIG = Path(__file__).parents[3] / "spawner" / "hub_config.py"
SHOW = f"""
import json
from traitlets.config import PyFileConfigLoader
print(json.dumps(PyFileConfigLoader({str(CONFIG)!r}).load_config(), default=str))
"""

LOAD = f"""
from traitlets.config import PyFileConfigLoader
PyFileConfigLoader({str(CONFIG)!r}).load_config()
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    for name in ("hub_key", "service_token", "proxy_token", "encryption_key", "cookie_key"):
        (secrets / name).write_text(name.encode().hex() + "0" * 32)
        (secrets / name).chmod(0o600)
    (tmp_path / "portal.toml").write_text(
        f'data_dir = "{tmp_path}/data"\nsecrets_dir = "{secrets}"\n'
        '[server]\nhost = "0.0.0.0"\nport = 9001\npublic_url = "https://portal.example.org"\n'
        '[hub]\nip = "10.0.0.5"\nconnect_url = "http://hub.cluster:8081"\n'
    )
    return tmp_path


def run(site: Path, *, code: str = SHOW) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={"PORTAL_CONFIG": str(site / "portal.toml"), "PATH": os.environ["PATH"]},
        cwd=CONFIG.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )


def shown(site: Path) -> dict[str, Any]:
    done = run(site)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def say(site: Path, section: str, line: str) -> None:
    """Add a line to a section of portal.toml."""
    file = site / "portal.toml"
    head = f"[{section}]\n"
    text = file.read_text()
    file.write_text(text.replace(head, f"{head}{line}\n") if head in text else f"{text}{head}{line}\n")


@pytest.fixture
def config(site: Path) -> dict[str, Any]:
    return shown(site)


def test_hub_survives_its_own_restart_and_leaves_proxy_and_servers_alone(config: dict[str, Any]) -> None:
    assert config["JupyterHub"]["cleanup_servers"] is False
    assert config["JupyterHub"]["cleanup_proxy"] is False
    assert config["ConfigurableHTTPProxy"]["should_start"] is False
    assert "sock_read=10" in config["JupyterHubHTTPClient"]["session_options"]["timeout"], "A silent proxy is left."


def test_hubs_loop_does_not_go_by_a_clock_that_can_be_set(site: Path) -> None:
    code = f"import time\nfrom tornado.ioloop import IOLoop\n{LOAD}"
    done = run(site, code=f"{code}\nprint(abs(IOLoop().time() - time.monotonic()) < 5)")
    assert done.stdout.strip() == "True", done.stderr


def test_hub_is_reached_where_the_settings_say(config: dict[str, Any], site: Path) -> None:
    hub = config["JupyterHub"]
    assert hub["bind_url"] == "https://portal.example.org"
    assert hub["hub_bind_url"] == "http://10.0.0.5:8081"
    assert hub["hub_connect_url"] == "http://hub.cluster:8081"
    assert hub["services"][0]["url"] == "http://127.0.0.1:9001"
    assert hub["default_url"] == "/services/portal/"
    assert (site / "data" / "hub").stat().st_mode & 0o777 == 0o700


def test_logins_are_tight(config: dict[str, Any]) -> None:
    hub = config["JupyterHub"]
    assert hub["oauth_require_pkce"] is True
    assert hub["token_expires_in_max_seconds"] > 0
    assert config["Authenticator"]["auth_refresh_strict"] is True, "or tokens of who has left go on"
    assert "DirectoryAuthenticator" in hub["authenticator_class"]


def test_other_authenticator_gets_its_options_and_its_secret_from_a_file(site: Path) -> None:
    (site / "password").write_text("p" * 32)
    (site / "password").chmod(0o600)
    say(site, "login", 'authenticator = "dummy"')
    say(site, "login", "options = { auto_login = true }")
    say(site, "login", f'secret_files = {{ password = "{site}/password" }}')
    config = shown(site)
    assert "federated" in config["JupyterHub"]["authenticator_class"]
    assert config["DummyAuthenticator"] == {"auto_login": True, "password": "p" * 32}
    (portal,) = [role for role in config["JupyterHub"]["load_roles"] if role["name"] == "portal"]
    assert portal["scopes"] == ["servers", "admin:server_state", "list:users", "read:hub", "proxy", "read:users:groups"]


def test_options_that_would_bypass_the_groups_are_refused(site: Path) -> None:
    say(site, "login", 'authenticator = "dummy"')
    say(site, "login", 'options = { admin_users = ["eve"] }')
    refused = run(site)
    assert refused.returncode != 0
    assert "set ldap.user_groups and ldap.admin_groups instead" in refused.stderr


def test_portal_gets_no_more_than_servers(config: dict[str, Any]) -> None:
    roles = {role["name"]: role for role in config["JupyterHub"]["load_roles"]}
    assert roles["portal"]["scopes"] == ["servers", "admin:server_state", "list:users", "read:hub", "proxy"]
    others = [scope for name, role in roles.items() if name != "directory-admins" for scope in role["scopes"]]
    # Which session a server holds; and a scope that narrows a token, and means nothing to the Hub.
    reads = {"admin:server_state", "custom:portal:admin"}
    assert not [scope for scope in others if ("admin" in scope or "shares" in scope) and scope not in reads]


@pytest.mark.parametrize("allowed", [False, True])
def test_administrators_open_other_peoples_sessions_only_where_the_site_says_so(site: Path, allowed: bool) -> None:
    say(site, "ldap", 'admin_groups = ["ops"]')
    say(site, "hub", f"admins_open_sessions = {str(allowed).lower()}")
    (role,) = [role for role in shown(site)["JupyterHub"]["load_roles"] if role["name"] == "directory-admins"]
    assert role["groups"] == ["ops"]
    assert ("access:servers" in role["scopes"]) is allowed
    assert not {"tokens", "admin:users", "access:services"} & set(role["scopes"]), "They would act as others."


def test_portal_with_a_host_of_its_own_is_not_served_under_the_sessions_host(site: Path) -> None:
    say(site, "hub", 'public_url = "https://jupyter.example.org/"')
    hub = shown(site)["JupyterHub"]
    service, gate = hub["services"]
    assert service["url"] == ""
    assert gate["oauth_redirect_uri"] == "https://jupyter.example.org/services/portal/gate/callback"
    assert gate["api_token"] != service["api_token"]
    scopes = {role["name"]: role["scopes"] for role in hub["load_roles"]}
    assert [name for name in scopes if "access:services!service=portal-gate" in scopes[name]] == ["user"]
    assert service["oauth_redirect_uri"] == "https://portal.example.org/services/portal/oauth_callback"
    assert hub["bind_url"] == "https://jupyter.example.org"
    assert hub["default_url"] == hub["template_vars"]["portal_url"] == "https://portal.example.org/services/portal/"


def with_subdomains(site: Path, hub: str) -> None:
    say(site, "hub", f'public_url = "{hub}"')
    say(site, "hub", "subdomains = true")


def test_each_user_has_a_host_of_their_own_and_the_hub_one_that_is_its_alone(site: Path) -> None:
    with_subdomains(site, "https://hub.example.org")
    hub = shown(site)["JupyterHub"]
    assert hub["subdomain_host"] == "https://hub.example.org"
    assert hub["subdomain_hook"].startswith("<function subdomain "), "The portal's own: both name the same hosts."
    assert hub["hub_routespec"] == "hub.example.org/", "Or the Hub's login page would be under users' hosts, too."
    assert hub["cookie_host_prefix_enabled"] is True


COOKIES = f"""
import json
from traitlets.config import PyFileConfigLoader
PyFileConfigLoader({str(CONFIG)!r}).load_config()
from unittest.mock import Mock
from urllib.parse import urlsplit
from jupyterhub.handlers.base import BaseHandler
from tornado.httputil import HTTPServerRequest
from tornado.web import Application
app = Application(cookie_secret=b"x" * 32, subdomain_host="HUB", domain=urlsplit("HUB").hostname, base_url="/",
                  public_url=urlsplit("HUB"), hub=Mock(base_url="/hub/", cookie_name="jupyterhub-hub-login"))
request = HTTPServerRequest("GET", "/hub/login", connection=Mock(context=None, no_keep_alive=False))
request.cookies
handler = BaseHandler(app, request)
handler.set_session_cookie()
print(json.dumps([one.OutputString() for one in handler._new_cookie.values()]))
"""


@pytest.mark.parametrize(
    ("hub", "name"),
    [
        ("https://hub.example.org", "__Host-jupyterhub-session-id"),
        ("http://hub.localhost:8000", "jupyterhub-session-id"),
    ],
)
def test_hub_sets_no_cookie_that_a_users_server_would_see(site: Path, hub: str, name: str) -> None:
    with_subdomains(site, hub)
    done = run(site, code=COOKIES.replace("HUB", hub))
    assert done.returncode == 0, done.stderr
    (cookie,) = json.loads(done.stdout)
    assert cookie.startswith(f"{name}=")
    assert "domain" not in cookie.lower()


def test_same_host_is_no_host_of_its_own(site: Path) -> None:
    say(site, "hub", 'public_url = "https://portal.example.org:8443"')
    refused = run(site)
    assert refused.returncode != 0
    assert "hub.public_url names the same host" in refused.stderr


def test_log_is_json_unless_the_settings_say_otherwise(config: dict[str, Any]) -> None:
    assert config["JupyterHub"]["logging_config"]["formatters"]["console"]["class"] == "spawner.hub_log.JsonFormatter"
    record = logging.LogRecord("JupyterHub", logging.WARNING, "", 0, "User %s is slow\n", ("alice",), None)
    line = json.loads(JsonFormatter().format(record))
    assert (line["event"], line["level"], line["logger"]) == ("User alice is slow\n", "warning", "JupyterHub")


def test_no_number_of_failed_starts_ends_the_hub(config: dict[str, Any]) -> None:
    assert config["Spawner"]["consecutive_failure_limit"] == 0
    assert config["Spawner"]["start_timeout"] > 7 * 86_400


def test_missing_secret_is_said_in_words(site: Path) -> None:
    (site / "secrets" / "proxy_token").unlink()
    shown = run(site)
    assert shown.returncode != 0
    assert "proxy_token cannot be read" in shown.stderr


AS_THE_HUB_DOES = f"""
import inspect
from traitlets.config import PyFileConfigLoader
variables = PyFileConfigLoader({str(CONFIG)!r}).load_config().JupyterHub.template_vars
shown = {{name: value(None) if callable(value) else value for name, value in variables.items()}}
print(inspect.isawaitable(shown["login_notices"].now()))
"""


def test_pages_variables_can_be_called_as_the_hub_calls_them(site: Path) -> None:
    called = run(site, code=AS_THE_HUB_DOES)
    assert (called.stdout.strip(), called.returncode) == ("True", 0), called.stderr
