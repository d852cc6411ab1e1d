"""`portal init`: what it writes can be used as it is, and nothing that is there is lost."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from portal import settings
from portal.cli import app
from portal.errors import ConfigurationError
from tests.unit.deploy.conftest import ACCOUNT, PASSWORD, Init

UNITS = ("portal-proxy", "portal-hub", "portal")


def unit(root: Path, name: str) -> dict[str, str]:
    text = (root / "etc/systemd/system" / f"{name}.service").read_text()
    return dict(re.findall(r"^([A-Z]\w+)=(.*)$", text, re.M))


def test_init_writes_settings_that_load_as_they_were_given(init: Init, root: Path) -> None:
    done = init()
    assert done.exit_code == 0, done.output
    loaded = settings.load(root / "etc/portal/portal.toml", {})
    assert loaded.server.public_url == "https://portal.example.org"
    assert loaded.hub.public_url == "https://jupyter.example.org"
    assert (loaded.node_url, loaded.hub_connect_url) == (
        "http://10.1.0.1:8001/services/portal",
        "http://10.1.0.1:8081",
    )
    assert loaded.ldap.bind_dn == 'cn=portal "the portal",dc=example,dc=org'
    assert (loaded.ldap.user_groups, loaded.ldap.admin_groups) == (["gpu-users"], ["hpc-admins"])
    assert all(lock.exists() for environment in loaded.environments.values() for lock in environment.packages)
    assert (root / "etc/portal/secrets/ldap_password").read_text().strip() == PASSWORD


def test_secrets_are_made_once_and_closed_to_others(init: Init, root: Path) -> None:
    init()
    folder = root / "etc/portal/secrets"
    assert folder.stat().st_mode & 0o777 == 0o700
    secrets = {file.name: file.read_text() for file in folder.iterdir()}
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    assert set(settings.SECRET_NAMES) < secrets.keys()
    assert len(set(secrets.values())) == len(secrets)
    loaded = settings.Secrets(folder)
    assert all(len(getattr(loaded, name)) == 64 for name in settings.SECRET_NAMES)
    init("--force")
    assert {file.name: file.read_text() for file in folder.iterdir()} == secrets
    assert not any(PASSWORD in file.read_text() for file in (root / "etc/portal").glob("*.toml"))


def test_what_is_there_is_kept_and_with_force_put_beside(init: Init, root: Path) -> None:
    init()
    toml = root / "etc/portal/portal.toml"
    ours = toml.read_text() + "\n# a line of the site's own\n"
    toml.write_text(ours)
    assert "kept" in init().output
    assert toml.read_text() == ours
    assert "replaced" in init("--force").output
    assert toml.read_text() != ours
    assert toml.with_name("portal.toml.before").read_text() == ours


def test_next_steps_name_the_settings_only_where_they_are_elsewhere(init: Init) -> None:
    def check(value: str) -> str:
        (line,) = (line for line in value.splitlines() if line.endswith("portal check"))
        return line

    assert "PORTAL_CONFIG" not in check(init().output)
    assert "PORTAL_CONFIG=/srv/portal/etc/portal.toml" in check(init("--etc", "/srv/portal/etc").output)


@pytest.mark.parametrize("name", UNITS)
def test_unit_runs_a_command_of_the_program_as_the_account(name: str, init: Init, root: Path) -> None:
    init()
    says = unit(root, name)
    assert says["User"] == ACCOUNT
    assert says["Restart"] == "always"
    program, command = says["ExecStart"].split()
    assert Path(program).is_absolute()
    assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0
    assert not {"Requires", "PartOf", "BindsTo"} & says.keys(), "each can be restarted alone"


def test_units_are_closed_as_far_as_sudo_lets_them_be(init: Init, root: Path) -> None:
    """For a unit with User=, systemd lets each of these imply NoNewPrivileges (systemd.exec(5)), which ends sudo."""
    init()
    implied = {"PrivateDevices", "SystemCallFilter", "SystemCallArchitectures", "RestrictAddressFamilies"}
    implied |= {"RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "LockPersonality", "ProtectClock"}
    implied |= {"ProtectHostname", "ProtectKernelTunables", "ProtectKernelModules", "ProtectKernelLogs"}
    implied |= {"MemoryDenyWriteExecute", "DynamicUser", "NoNewPrivileges"}
    for name in ("portal-proxy", "portal-hub"):
        says = unit(root, name)
        assert (says["NoNewPrivileges"], says["PrivateTmp"], says["ProtectSystem"]) == ("yes", "yes", "strict")
        assert says["CapabilityBoundingSet"] == ""
    hub = Path(unit(root, "portal-hub")["ReadWritePaths"])
    assert (root / hub.relative_to("/")).stat().st_mode & 0o777 == 0o700
    assert hub.parent == Path("/var/lib/portal"), "the portal's database is above it"
    says = unit(root, "portal")
    assert not implied & says.keys()
    assert (says["PrivateTmp"], says["ProtectSystem"]) == ("yes", "full")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
def test_systemd_accepts_the_units(init: Init, root: Path) -> None:
    init()
    files = [str(root / "etc/systemd/system" / f"{name}.service") for name in UNITS]
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if str(root) in line]
    assert (done.returncode, ours) == (0, [])


@pytest.mark.skipif(not shutil.which("visudo"), reason="sudo is not installed here")
def test_sudo_accepts_the_doors_line(init: Init, root: Path) -> None:
    init()
    file = root / "etc/sudoers.d/portal"
    assert file.stat().st_mode & 0o777 == 0o440
    assert subprocess.run(["visudo", "-cf", file], capture_output=True, check=False).returncode == 0
    assert file.read_text().endswith(f'{ACCOUNT} ALL=(root) NOPASSWD: /usr/libexec/portal-door ""\n')


def test_web_servers_lead_each_host_to_its_port(init: Init, root: Path) -> None:
    init()
    for example in ("nginx.conf", "Caddyfile"):
        text = (root / "etc/portal/examples" / example).read_text()
        portal, sessions = text.index("portal.example.org"), text.index("jupyter.example.org")
        assert re.findall(r"127\.0\.0\.1:(\d+)", text[portal:sessions]) == ["8001"]
        assert re.findall(r"127\.0\.0\.1:(\d+)", text[sessions:]) == ["8001", "8001", "8000"], "gate, its login, proxy"
        assert "{{" not in text
    init("--force", "--sessions-url", "")
    assert "127.0.0.1:8001" not in (root / "etc/portal/examples/nginx.conf").read_text()


def test_wildcard_gives_each_user_a_host_in_settings_and_web_servers(init: Init, root: Path) -> None:
    done = init("--wildcard", "*.jupyter.example.org")
    assert (done.exit_code, "Note:" in done.output) == (0, False), done.output
    loaded = settings.load(root / "etc/portal/portal.toml", {})
    assert (loaded.hub.public_url, loaded.hub.subdomains) == ("https://jupyter.example.org", True)
    nginx = (root / "etc/portal/examples/nginx.conf").read_text()
    names = re.findall(r"server_name (\S+);\n    ssl_certificate (\S+);", nginx)
    certificate = "/etc/portal/tls/jupyter.example.org.pem"
    assert names == [
        ("portal.example.org", "/etc/portal/tls/portal.example.org.pem"),
        ("jupyter.example.org", certificate),
        ("*.jupyter.example.org", certificate),
    ]
    caddy = (root / "etc/portal/examples/Caddyfile").read_text()
    sites = re.findall(r"^(https://\S+) \{\n(\s*tls \S+)?", caddy, re.M)
    assert [(url, bool(tls)) for url, tls in sites] == [
        ("https://portal.example.org", False),
        ("https://jupyter.example.org", True),
        ("https://*.jupyter.example.org", True),
    ]


@pytest.mark.parametrize(("sessions_url", "says"), [("", "With one host name"), (None, "Without a wildcard name")])
def test_site_without_a_wildcard_is_told_what_it_gives_up(sessions_url: str | None, says: str, init: Init) -> None:
    done = init() if sessions_url is None else init("--sessions-url", sessions_url)
    assert f"Note: {says}" in done.output


def test_door_agent_and_templates_are_put_where_the_files_say(init: Init, root: Path) -> None:
    init()
    door = root / "usr/libexec/portal-door"
    assert door.stat().st_mode & 0o777 == 0o755
    assert '"agent": "/shared/portal/agent.pyz"' in door.with_name("portal-door.json").read_text()
    assert (root / "shared/portal/agent.pyz").stat().st_mode & 0o004
    assert (root / "shared/portal/templates/index.toml").exists()


@pytest.mark.parametrize(
    ("flag", "value", "says"),
    [
        ("--url", "portal.example.org", "--url must be"),
        ("--url", "https://portal.example.org/path", "--url must be"),
        ("--sessions-url", "https://portal.example.org:8443", "different host name"),
        ("--wildcard", "*.example.org", "--wildcard must be *.jupyter.example.org"),
        ("--wildcard", "jupyter.example.org", "--wildcard must be *.jupyter.example.org"),
        ("--head", "10.1.0.1; rm", "--head must be"),
        ("--ldap", "ldap.example.org", "--ldap must be"),
        ("--shared", "/shared/with blanks", "--shared must be"),
        ("--shared", "relative", "--shared must be"),
        ("--account", "portal ALL=(ALL)", "--account must be"),
        ("--door", '/usr/door" "', "--door must be"),
        ("--ldap-password-file", "/nowhere", "--ldap-password-file"),
    ],
)
def test_answer_that_cannot_stand_in_a_file_is_refused(
    flag: str, value: str, says: str, init: Init, root: Path
) -> None:
    done = init(flag, value)
    assert isinstance(done.exception, ConfigurationError)
    assert says in done.exception.message
    assert not root.exists()


def test_portal_among_the_hosts_of_users_is_refused(init: Init, root: Path) -> None:
    done = init("--sessions-url", "https://example.org", "--wildcard", "*.example.org")
    assert isinstance(done.exception, ConfigurationError)
    assert "--url must be a URL whose host is not below example.org" in done.exception.message
    assert not root.exists()


def test_without_a_terminal_the_missing_flag_is_named() -> None:
    done = CliRunner().invoke(app, ["init", "--account", ACCOUNT])
    assert isinstance(done.exception, ConfigurationError)
    assert "--url is missing" in done.exception.message


def test_account_that_is_not_there_is_told_with_the_command_that_makes_it(init: Init, root: Path) -> None:
    done = init("--account", "nobody-has-this", "--root", "/")
    assert isinstance(done.exception, ConfigurationError)
    assert "useradd" in done.exception.hint


def test_python_of_the_environments_is_the_one_that_is_chosen(init: Init, root: Path) -> None:
    init("--environments-python", "/usr/bin/python3.12")
    assert settings.load(root / "etc/portal/portal.toml", {}).environments_python == Path("/usr/bin/python3.12")


def test_init_below_a_folder_needs_no_account(init: Init, root: Path) -> None:
    done = init("--account", "portal-of-another-machine")
    assert done.exit_code == 0, done.output
    assert unit(root, "portal")["User"] == "portal-of-another-machine"


def test_portal_listens_for_the_web_server_and_for_the_nodes_alone(init: Init, root: Path) -> None:
    init()
    server = settings.load(root / "etc/portal/portal.toml", {}).server
    assert server.hosts == ["127.0.0.1", "10.1.0.1"]
    init("--head", "127.0.0.1", "--force")
    assert settings.load(root / "etc/portal/portal.toml", {}).server.hosts == ["127.0.0.1"]


def test_locks_are_named_without_the_python_that_the_portal_has(init: Init, root: Path) -> None:
    init()
    text = (root / "etc/portal/portal.toml").read_text()
    assert 'packages = "session.txt"' in text
    assert "site-packages" not in text


def test_alarms_lead_to_the_site_s_own_documentation(init: Init, root: Path) -> None:
    init()
    text = (root / "etc/portal/examples/alerts.yml").read_text()
    assert "runbook: https://portal.example.org/services/portal/docs/how-to/alarms/portal-away.md" in text
