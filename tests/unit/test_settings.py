"""portal.toml: overridden by the environment, refused with words when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.errors import ConfigurationError
from portal.settings import Secrets, load


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
        ("[ldap]\nservers = ['ldap://plain']\n", "in clear"),
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
    with pytest.raises(ConfigurationError, match=r"There is no .*nowhere\.toml"):
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
