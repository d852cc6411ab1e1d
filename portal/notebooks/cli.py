"""`portal templates`: lists this site's templates, fetches those that come from git, checks a folder."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from portal import settings
from portal.configured import Config
from portal.errors import NotFound
from portal.notebooks.checkout import CheckoutFailed, checkouts
from portal.notebooks.gallery import gallery
from portal.notebooks.index import read_folder
from portal.plurals import plural

app = typer.Typer(no_args_is_help=True, help="Notebook templates of this site.")
console = Console()


@app.command("list")
def show(config: Config = None) -> None:
    """List the templates with their paths, and the problems of invalid ones."""
    loaded = settings.load(config)
    shown_gallery = gallery(loaded)
    table = Table("ID", "FRAMEWORK", "ENVIRONMENT", Column("NOTEBOOK", overflow="fold"), box=None)
    for template in shown_gallery.found:
        table.add_row(
            template.template.id, template.template.framework, template.template.environment or "-", str(template.path)
        )
    console.print(table)
    for checkout in checkouts(loaded.templates, _now):
        last = checkout.last()
        message = f"fetched {last.at:%Y-%m-%d %H:%M} UTC, {last.commit[:12] or 'nothing'}" if last else "never fetched"
        console.print(f"{checkout.name}: {message}", highlight=False, markup=False)
        _tell([last.problem] if last and last.problem else [])
    _tell(shown_gallery.problems)


@app.command()
def fetch(
    name: Annotated[str | None, typer.Argument(help="A repository named in portal.toml; default: all.")] = None,
    config: Config = None,
) -> None:
    """Fetch the template repositories now, and report problems with what was fetched."""
    loaded = settings.load(config)
    chosen = [checkout for checkout in checkouts(loaded.templates, _now) if name in (None, checkout.name)]
    if not chosen:
        raise NotFound("There is no such repository.", hint="portal.toml lists them under [templates.repositories].")
    failed = False
    for checkout in chosen:
        try:
            fetched = asyncio.run(checkout.fetch())
        except CheckoutFailed as error:
            failed = True
            _tell([error.message, error.hint])
            continue
        console.print(f"{checkout.name}: {fetched.commit[:12]} in {checkout.path}.", highlight=False, markup=False)
        _tell(read_folder(checkout.path / loaded.templates.repositories[checkout.name].folder).problems)
    raise typer.Exit(int(failed))


@app.command()
def check(folder: Path) -> None:
    """Check a folder of templates before adding it to the site. Exit status 1 if there are problems."""
    checked = read_folder(folder)
    _tell(checked.problems)
    console.print(f"Valid: {plural(len(checked.found), 'template')}.", highlight=False)
    raise typer.Exit(int(bool(checked.problems)))


def _now() -> datetime:
    return datetime.now(UTC)


def _tell(problems: tuple[str, ...] | list[str]) -> None:
    for problem in problems:
        console.print(problem, style="red", highlight=False, markup=False)
