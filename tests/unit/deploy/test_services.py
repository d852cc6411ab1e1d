"""What the units of proxy and Hub run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from portal.cli import app
from portal.deploy import services
from portal.errors import ConfigurationError
from portal.settings import Settings, load


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str], dict[str, str]]]:
    calls: list[tuple[str, list[str], dict[str, str]]] = []
    monkeypatch.setattr(os, "execve", lambda path, argv, environ: calls.append((path, argv, environ)))
    return calls


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "proxy_token").write_text("x" * 64)
    (tmp_path / "proxy_token").chmod(0o600)
    file = tmp_path / "portal.toml"
    file.write_text(
        f'secrets_dir = "{tmp_path}"\n[hub]\nip = "10.1.0.1"\nproxy_api_url = "http://127.0.0.1:9002"\n'
        '[proxy]\nprogram = "/opt/chp"\nport = 9000\n'
    )
    return file


def test_proxy_gets_its_token_by_the_environment_alone(
    became: list[tuple[str, list[str], dict[str, str]]], config: Path
) -> None:
    assert CliRunner().invoke(app, ["proxy", "--config", str(config)]).exit_code == 0
    ((program, argv, environ),) = became
    assert program == "/opt/chp"
    assert environ["CONFIGPROXY_AUTH_TOKEN"] == "x" * 64
    assert "x" * 64 not in " ".join(argv)
    assert "setDefaultHighWaterMark" in environ["NODE_OPTIONS"]
    assert argv[1:] == [
        *("--ip", "127.0.0.1", "--port", "9000", "--api-ip", "127.0.0.1", "--api-port", "9002"),
        *("--error-target", "http://10.1.0.1:8081/hub/error"),
    ]


def test_proxy_goes_by_host_where_each_user_has_one_and_leads_the_rest_to_the_portal() -> None:
    hub = {"public_url": "https://hub.example.org", "subdomains": True}
    argv = services.proxy_argv(Settings.model_validate({"hub": hub, "server": {"host": "::", "port": 9001}}))
    assert argv[-3:] == ["--host-routing", "--default-target", "http://127.0.0.1:9001"]


def test_proxy_keeps_the_options_of_node_that_a_site_gives(config: Path) -> None:
    given = {"NODE_OPTIONS": "--max-old-space-size=512"}
    options = services.proxy_environ(load(config), given)["NODE_OPTIONS"].split()
    assert options[0] == "--max-old-space-size=512"
    assert len(options) == 2, "one word: NODE_OPTIONS is split at spaces"


def test_proxy_that_does_tls_gets_key_and_certificate() -> None:
    both = {"ssl_key": "/tls/key", "ssl_cert": "/tls/pem"}
    argv = services.proxy_argv(Settings.model_validate({"proxy": both}))
    assert argv[-4:] == ["--ssl-key", "/tls/key", "--ssl-cert", "/tls/pem"]
    with pytest.raises(ValueError, match="belong together"):
        Settings.model_validate({"proxy": {"ssl_key": "/tls/key"}})


def test_proxy_leads_by_host_where_each_user_has_one() -> None:
    hub = {"public_url": "https://jupyter.example.org"}
    for subdomains in (False, True):
        argv = services.proxy_argv(Settings.model_validate({"hub": {**hub, "subdomains": subdomains}}))
        assert ("--host-routing" in argv) is subdomains


def test_hub_is_the_one_beside_the_portal_with_our_configuration(
    became: list[tuple[str, list[str], dict[str, str]]], config: Path
) -> None:
    assert CliRunner().invoke(app, ["hub", "--config", str(config)]).exit_code == 0
    ((program, argv, environ),) = became
    assert (Path(program).name, Path(argv[2]).name, environ["PORTAL_CONFIG"]) == (
        "jupyterhub",
        "hub_config.py",
        str(config),
    )


def test_program_that_is_not_there_is_told_with_what_to_do() -> None:
    with pytest.raises(ConfigurationError, match="cannot be started"):
        services.become(["/nowhere/at/all"], {})
