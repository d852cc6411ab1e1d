"""portal.toml: overridden by the environment, refused with words when it is wrong."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st
from jupyterhub.utils import subdomain_hook_idna

from portal.directory.user import USERNAME
from portal.errors import ConfigurationError
from portal.settings import Secrets, Settings, load


def toml(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "portal.toml"
    file.write_text(text)
    return file


def test_load_takes_defaults_for_what_is_left_out(tmp_path: Path) -> None:
    settings = load(toml(tmp_path, ""), {})
    assert (settings.policy.cpus_per_gpu, settings.policy.memory_mib_per_gpu) == (8, 49_152)
    assert settings.policy.default_walltime_s == 8 * 3600
    assert settings.database_url.startswith("sqlite+aiosqlite:////var/lib/portal/")
    assert settings.node_url == "http://127.0.0.1:8001/services/portal"


def test_a_variable_overrides_a_key_whatever_its_kind(tmp_path: Path) -> None:
    environ = {
        "PORTAL_POLICY__MAX_GPUS": "2",
        "PORTAL_SITE__NAME": "Our Cluster",
        "PORTAL_LDAP__SERVERS": '["ldaps://one"]',
        "PORTAL_CONFIG": "elsewhere",
    }
    settings = load(toml(tmp_path, "[policy]\nmax_gpus = 8\n"), environ)
    assert (settings.policy.max_gpus, settings.site.name, settings.ldap.servers) == (2, "Our Cluster", ["ldaps://one"])


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[policy]\nmax_gpu = 8\n", "policy.max_gpu"),
        ("[nonsense]\n", "nonsense"),
        ("[policy]\nmax_gpus = 'many'\n", "policy.max_gpus"),
        ("[ldap]\nservers = ['ldap://plain']\n", "in the clear"),
        ("[environments.a]\ntitle = 'A'\npath = '/a'\nextends = 'b'\n", "no environment 'b'"),
        ("[apps.a]\ntitle = 'A'\nenvironments = ['b']\n", "no environment 'b'"),
        ("not toml", "not valid TOML"),
    ],
)
def test_load_refuses_what_is_wrong_and_names_it(tmp_path: Path, text: str, part: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(toml(tmp_path, text), {})
    assert part in caught.value.message
    assert "portal.toml" in caught.value.message


def test_load_says_which_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.toml does not exist"):
        load(tmp_path / "nowhere.toml", {})


@pytest.mark.parametrize("weak", ["", "changeme", "short", "secret"])
def test_a_weak_secret_is_refused(tmp_path: Path, weak: str) -> None:
    (tmp_path / "hub_key").write_text(weak)
    (tmp_path / "hub_key").chmod(0o600)
    with pytest.raises(ConfigurationError, match="too short or a well-known word"):
        _ = Secrets(tmp_path).hub_key


def test_a_secret_others_can_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hub_key").write_text("a" * 64)
    (tmp_path / "hub_key").chmod(0o644)
    with pytest.raises(ConfigurationError, match="read by others"):
        _ = Secrets(tmp_path).hub_key


SUBDOMAINS = "[server]\npublic_url = {portal!r}\n[hub]\npublic_url = {hub!r}\nsubdomains = true\n"


def with_subdomains(tmp_path: Path, *, portal: str = "https://portal.example.org", hub: str) -> Settings:
    return load(toml(tmp_path, SUBDOMAINS.format(portal=portal, hub=hub)), {})


@pytest.mark.parametrize("hub", ["https://hub.example.org", "http://Hub.localhost:8000"])
@given(name=st.from_regex(USERNAME, fullmatch=True))
@example(name="alice")
@example(name="a.b_c")
@example(name="a-b--c")
@example(name="9-")
@example(name="__.")
@settings_of_hypothesis(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_sessions_of_a_user_are_where_the_hub_puts_them(tmp_path: Path, hub: str, name: str) -> None:
    parts = urlsplit(hub)
    host = subdomain_hook_idna(name, parts.hostname, kind="user")
    port = f":{parts.port}" if parts.port else ""
    assert with_subdomains(tmp_path, hub=hub).sessions_origin(name) == f"{parts.scheme}://{host}{port}"


def test_sessions_of_everybody_are_at_the_hubs_without_subdomains(tmp_path: Path) -> None:
    assert load(toml(tmp_path, ""), {}).sessions_origin("alice") == ""
    apart = load(toml(tmp_path, '[hub]\npublic_url = "https://hub.example.org/"\n'), {})
    assert apart.sessions_origin("alice") == "https://hub.example.org"


@pytest.mark.parametrize(
    ("portal", "hub", "part"),
    [
        ("https://portal.example.org", "", "needs hub.public_url"),
        ("https://portal.example.org", "https://10.0.0.5:8443", "an IP address"),
        ("https://portal.example.org", "https://[fe80::1]", "an IP address"),
        ("https://portal.hub.example.org", "https://hub.example.org", "below the host of hub.public_url"),
    ],
)
def test_subdomains_that_would_protect_nobody_are_refused(tmp_path: Path, portal: str, hub: str, part: str) -> None:
    with pytest.raises(ConfigurationError, match=part):
        with_subdomains(tmp_path, portal=portal, hub=hub)


def test_environment_cannot_put_a_key_below_a_value(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="PORTAL_LOG_LEVEL__X: log_level is a single value, not a section"):
        load(toml(tmp_path, "log_level = 'info'\n"), {"PORTAL_LOG_LEVEL__X": "1"})
