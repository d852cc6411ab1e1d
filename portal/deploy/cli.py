"""`portal init` and `portal programs`."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from portal import settings
from portal.configured import Config
from portal.deploy import earlier, plan, programs
from portal.deploy.answers import Answers, Places, below, other_host, wildcard_of
from portal.deploy.ask import Prompter
from portal.deploy.shared import writing_below
from portal.deploy.write import Outcome, WriteResult, differing, need_account, write
from portal.errors import ConfigurationError
from portal.settings.isolation import Isolation

deploy_app = typer.Typer()
console = Console(highlight=False, soft_wrap=True)


@deploy_app.command()
def init(
    url: Annotated[str, typer.Option(help="URL that users open: https://portal.example.org.")] = "",
    sessions_url: Annotated[
        str | None, typer.Option(help="URL of logins and sessions, on another host name; empty: the same as --url.")
    ] = None,
    wildcard: Annotated[
        str | None, typer.Option(help="Wildcard name for users' sessions, *.jupyter.example.org; empty: none.")
    ] = None,
    head: Annotated[str, typer.Option(help="Name or address of this machine for the compute nodes.")] = "",
    shared: Annotated[Path | None, typer.Option(help="A folder shared by this machine and the nodes.")] = None,
    ldap: Annotated[list[str], typer.Option(help="Directory server: ldaps://…; tried in this order.")] = [],  # noqa: B006
    ldap_base: Annotated[str, typer.Option(help="Suffix of the directory: dc=example,dc=org.")] = "",
    ldap_user_base: Annotated[str, typer.Option(help="Base DN of users; default: ou=people of the suffix.")] = "",
    ldap_group_base: Annotated[str, typer.Option(help="Base DN of groups; default: ou=groups of the suffix.")] = "",
    ldap_bind_dn: Annotated[str | None, typer.Option(help="Account for searches; empty: none.")] = None,
    ldap_password_file: Annotated[Path | None, typer.Option(help="File with its password.")] = None,
    ldap_ca: Annotated[Path | None, typer.Option(help="CA of the directory's certificates.")] = None,
    user_group: Annotated[
        list[str] | None, typer.Option(help="Group whose members may log in; none: everybody.")
    ] = None,
    admin_group: Annotated[list[str] | None, typer.Option(help="Group whose members are administrators.")] = None,
    unix_group: Annotated[list[str], typer.Option(help="Groups that the door serves; default: as --user-group.")] = [],  # noqa: B006
    database: Annotated[str, typer.Option(help="postgresql+psycopg://…; empty: SQLite.")] = "",
    slurm_bin_dir: Annotated[Path | None, typer.Option(help="Folder of squeue; default: found on PATH.")] = None,
    slurm_conf: Annotated[Path | None, typer.Option(help="slurm.conf; default: Slurm's own.")] = None,
    environments_python: Annotated[
        Path | None, typer.Option(help="Python of the sessions' environments; default: the one that runs this.")
    ] = None,
    account: Annotated[str, typer.Option(help="Unix account of proxy, Hub and portal.")] = "portal",
    etc: Annotated[Path, typer.Option(help="Folder of settings, secrets and examples.")] = Path("/etc/portal"),
    data_dir: Annotated[Path, typer.Option(help="Folder of databases and state.")] = Path("/var/lib/portal"),
    units: Annotated[Path, typer.Option(help="Folder of systemd's units.")] = Path("/etc/systemd/system"),
    sudoers: Annotated[Path, typer.Option(help="The door's sudoers file.")] = Path("/etc/sudoers.d/portal"),
    logrotate: Annotated[Path, typer.Option(help="The door's logrotate file.")] = Path("/etc/logrotate.d/portal"),
    door: Annotated[Path, typer.Option(help="Path of the door.")] = Path("/usr/libexec/portal-door"),
    door_log: Annotated[Path, typer.Option(help="Log file of the door.")] = Path("/var/log/portal-door.log"),
    proxy: Annotated[Path, typer.Option(help="Folder of configurable-http-proxy.")] = Path("/opt/portal/proxy"),
    proxy_port: Annotated[int, typer.Option(help="Port of the proxy.")] = 8000,
    proxy_api_port: Annotated[int, typer.Option(help="Port of the proxy's API, on 127.0.0.1.")] = 8002,
    portal_port: Annotated[int, typer.Option(help="Port of the portal.")] = 8001,
    hub_port: Annotated[int, typer.Option(help="Port of the Hub.")] = 8081,
    root: Annotated[Path, typer.Option(help="Write everything under this folder, for inspection.")] = Path("/"),
    force: Annotated[bool, typer.Option("--force", help="Replace existing files, except secrets.")] = False,
) -> None:
    """Write a site's files: settings, secrets, units, sudoers, door, agent, examples of a web server with TLS.

    Asks on the terminal for whatever is not given; an existing portal.toml provides the defaults. Existing files are
    overwritten only with --force or a yes on the terminal, secrets not even then.
    """
    places = Places(
        prefix=Path(sys.prefix),
        root=root.absolute(),
        etc=etc,
        data=data_dir,
        units=units,
        sudoers=sudoers,
        logrotate=logrotate,
        door=door,
        door_log=door_log,
        proxy=proxy,
        account=account,
        ports={"proxy": proxy_port, "proxy_api": proxy_api_port, "portal": portal_port, "hub": hub_port},
    )
    if places.root == Path("/"):
        need_account(account)
    ask = Prompter(earlier.answers(places.on_disk(places.toml)))
    url = ask("--url", url, "URL that users will open", "https://portal.example.org").rstrip("/")
    sessions_url = ask.optional(
        "--sessions-url", sessions_url, "URL of sessions, on another host name", lambda given: other_host(given, url)
    ).rstrip("/")
    if sessions_url and wildcard is None and ask.terminal:
        typer.echo(Isolation.TWO_HOSTS.gives_up)
        wildcard = ask.offered(
            "--wildcard",
            "Wildcard name, with DNS and a certificate, that gives each user's sessions a host",
            wildcard_of(sessions_url),
            lambda given: below(given, sessions_url),
        )
    head = ask("--head", head, "Name or address of this machine for the compute nodes", ask.host())
    shared = Path(ask("--shared", str(shared or ""), "Folder shared by this machine and the nodes", "/shared/portal"))
    servers = tuple(ldap) or ask.several("--ldap", "Directory servers", "ldaps://ldap.example.org")
    user_base, group_base = ask.bases(ldap_base, ldap_user_base, ldap_group_base)
    bind_dn = ask.optional("--ldap-bind-dn", ldap_bind_dn, "Account for searches in the directory")
    answers = Answers(
        url=url,
        sessions_url=sessions_url,
        wildcard=wildcard or "",
        head=head,
        shared=shared,
        ldap_servers=servers,
        ldap_user_base=user_base,
        ldap_group_base=group_base,
        ldap_bind_dn=bind_dn,
        ldap_ca_file=ldap_ca,
        user_groups=ask.groups("--user-group", user_group, "Groups that may log in", empty="everybody"),
        admin_groups=ask.groups("--admin-group", admin_group, "Groups of administrators", empty="none"),
        unix_groups=tuple(unix_group),
        database_url=database,
        slurm_bin_dir=slurm_bin_dir or Path(shutil.which("squeue") or "/usr/bin/squeue").parent,
        slurm_conf=slurm_conf,
        environments_python=environments_python or base_python(),
    )
    there = places.on_disk(places.secrets / plan.LDAP_PASSWORD)
    password = ask.password(ldap_password_file, there) if bind_dn else ""
    files = plan.files(answers, places, ldap_password=password)
    force = force or ask.replaces(differing(files, places))
    written = write(files, plan.folders(answers, places), places, force=force)
    programs.put_door(places.on_disk(door))
    with writing_below(places.on_disk(answers.shared)):
        programs.put_agent(places.on_disk(plan.agent(answers)))
        programs.put_templates(places.on_disk(plan.templates(answers)))
    _report(written, places)
    if gives_up := answers.isolation.gives_up:
        console.print(f"Note: {gives_up}", style="yellow", markup=False)
    for line in next_steps(places):
        typer.echo(line)


def _report(written: list[WriteResult], places: Places) -> None:
    for write_result in written:
        style = "yellow" if write_result.outcome is Outcome.KEPT else ""
        beside = f" (before: {write_result.before.name})" if write_result.before else ""
        console.print(f"{write_result.outcome.value:>9}  {write_result.path}{beside}", style=style, markup=False)
    if Counter(write_result.outcome for write_result in written)[Outcome.KEPT]:
        console.print(
            "Kept files differ from what would be written; --force replaces them and keeps copies of the old ones."
        )


def base_python() -> Path:
    """Return the Python that this environment was made with, if it is the system's: nodes have it at the same path."""
    python = Path(getattr(sys, "_base_executable", sys.executable))
    return python if python.parent == Path("/usr/bin") else Path("/usr/bin/python3")


def next_steps(places: Places) -> list[str]:
    """Return the remaining steps, as commands."""
    elsewhere = "" if str(places.toml) == settings.DEFAULT_PATH else f"PORTAL_CONFIG={places.toml} "
    as_account = f"sudo -u {places.account} {elsewhere}{places.prefix}/bin/portal"
    return [
        "",
        "Next:",
        f"  npm ci --prefix {places.proxy}                        # the proxy; Node.js 20 or newer",
        f"  visudo -c                                             # sudoers, with the door's line in {places.sudoers}",
        f"  {as_account} environments install base",
        "  systemctl daemon-reload && systemctl enable --now portal-proxy portal-hub portal",
        f"  {as_account} check",
        f"  less {places.etc}/examples/nginx.conf                 # or Caddyfile: TLS in front of it",
    ]


@deploy_app.command("programs")
def put_programs(config: Config = None) -> None:
    """Install this version's door, agent and templates on the site. Run it after each upgrade, as root."""
    if os.geteuid() != 0:
        raise ConfigurationError("Only root can install the door.", hint="Run this command as root.")
    door, agent, templates = programs.of_site(settings.load(config))
    programs.put_door(door)
    with writing_below(agent.parent):
        programs.put_agent(agent)
    if templates is not None:
        with writing_below(templates):
            programs.put_templates(templates)
    for path in (door, agent, templates):
        if path is not None:
            typer.echo(f"installed {path}")
