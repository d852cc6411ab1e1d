"""The commands of `portal`: for the server (serve, check, db, environments) and for users (sessions, jobs, login)."""

from __future__ import annotations

import json
import os
import secrets as random
import sys
from contextlib import nullcontext
from typing import Annotated

import typer
from rich.console import Console

from portal import __version__, settings
from portal.client.announcements import announcements_app
from portal.client.apps import apps_app
from portal.client.audit import audit_app
from portal.client.cli import login_app, sessions_app
from portal.client.files import files_app
from portal.client.health import health_app
from portal.client.idle import idle_app
from portal.client.jobs import jobs_app
from portal.client.limits import limits_app
from portal.client.operate import jobs_admin_app, nodes_app, reservations_app
from portal.client.people import people_app
from portal.client.usage import usage_app
from portal.configured import Config
from portal.dbadmin.cli import db_app
from portal.deploy.cli import deploy_app
from portal.environments.cli import app as environments_app
from portal.images.cli import app as images_app
from portal.notebooks.cli import app as templates_app
from portal.units import units_app

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help="Work on a GPU cluster from a browser.")
app.add_typer(sessions_app, name="sessions")
app.add_typer(apps_app, name="apps")
app.add_typer(jobs_app, name="jobs")
app.add_typer(files_app, name="files")
app.add_typer(announcements_app, name="announcements")
app.add_typer(limits_app, name="limits")
app.add_typer(people_app, name="people")
app.add_typer(nodes_app, name="nodes")
app.add_typer(reservations_app, name="reservations")
app.add_typer(jobs_admin_app, name="jobs-admin")
app.add_typer(usage_app, name="usage")
app.add_typer(idle_app, name="idle")
app.add_typer(environments_app, name="environments")
app.add_typer(images_app, name="images")
app.add_typer(templates_app, name="templates")
app.add_typer(db_app, name="db")
app.add_typer(login_app)
app.add_typer(units_app)
app.add_typer(deploy_app)
app.add_typer(health_app)
app.add_typer(audit_app)


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


@app.command()
def docs(
    page: Annotated[str, typer.Argument(help="For example how-to/troubleshoot, with or without docs/ and .md.")] = "",
) -> None:
    """Show a page of this version's documentation; without a name, the index."""
    from rich.markdown import Markdown

    from portal import doc_pages

    name = page.removeprefix("docs/").removesuffix(".md") or doc_pages.FIRST.removesuffix(".md")
    console = Console()
    with console.pager(styles=True) if sys.stdout.isatty() else nullcontext():
        console.print(Markdown(doc_pages.file(f"{name}.md").read_text(encoding="utf-8")))


@app.command()
def check(
    config: Config = None,
    user: Annotated[
        str | None, typer.Option(help="Also check from a compute node, with a small job submitted as this user.")
    ] = None,
    browser: Annotated[
        str | None,
        typer.Option(help="Also open a session's page in this Chromium or Chrome, and check what it can read."),
    ] = None,
) -> None:
    """Check the site and report problems. Exit status 1 if there are any."""
    from portal import logs
    from portal.check.run import run  # heavy

    loaded = settings.load(config)
    logs.configure(loaded.model_copy(update={"log_level": "error"}))  # it reports what it finds
    raise typer.Exit(run(loaded, user=user, browser=browser))


@app.command("init-secrets")
def init_secrets(config: Config = None) -> None:
    """Create the missing secrets, one file each; existing ones stay."""
    folder = settings.load(config).secrets_dir
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    account = folder.stat()
    for name in settings.SECRET_NAMES:
        file = folder / name
        if not file.exists():
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as stream:
                stream.write(random.token_hex(32) + "\n")
                if os.geteuid() == 0:  # the services run as another account
                    os.fchown(descriptor, account.st_uid, account.st_gid)
            typer.echo(f"created {file}")


@app.command()
def openapi() -> None:
    """Print the API's OpenAPI description, from which the web app's client is generated."""
    from portal.app import describe  # heavy

    json.dump(describe(), sys.stdout, indent=1, sort_keys=True)
    typer.echo()
