"""`portal environments`: the web app's installations, from a terminal."""

from __future__ import annotations

import asyncio
import signal
from typing import Annotated, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column, Table

from portal import settings
from portal.configured import Config
from portal.environments.schemas import EnvironmentChange
from portal.environments.service import EnvironmentService
from portal.environments.store import State, Store
from portal.errors import InstallFailed
from portal.settings import Environment

app = typer.Typer(no_args_is_help=True, help="Where the software of sessions comes from.")
console = Console()
INTERRUPTED = 130  # as shells count: 128 plus the signal number

Name = Annotated[str, typer.Argument(help="The environment's name in portal.toml.")]


@app.command("list")
def show(config: Config = None) -> None:
    """List this site's environments."""
    loaded = settings.load(config)
    table = Table("NAME", "TITLE", "VERSION", "STATE", Column("WHERE", overflow="fold"), box=None)
    overview = asyncio.run(EnvironmentService(loaded).overview())
    for environment in overview:
        state = "not installed" if environment.state is State.ABSENT else environment.state.value
        if environment.state is State.INSTALLING:
            state += f" ({environment.progress} %)"
        if environment.installed and environment.state is not State.INSTALLED:
            state = f"installed; update: {state}"
        table.add_row(
            environment.name,
            environment.title,
            environment.version,
            state,
            _where(loaded.environments[environment.name]),
        )
    console.print(table)
    for environment in overview:
        if environment.state is State.FAILED:
            console.print(f"{environment.name}: {environment.message}", style="red", highlight=False, markup=False)


@app.command()
def install(name: Name, config: Config = None) -> None:
    """Install or rebuild an environment; the current one stays in use until the new one is complete."""
    loaded = settings.load(config)
    try:
        asyncio.run(_install(loaded, name))
    except (KeyboardInterrupt, asyncio.CancelledError):
        console.print("Stopped. The previous installation is untouched.")
        raise typer.Exit(INTERRUPTED) from None
    except InstallFailed:
        if path := loaded.environments[name].path:
            console.print(f"Output of pip: {Store(path).log}", highlight=False)
        raise
    console.print(f"Installed {name} in {loaded.environments[name].path}.", highlight=False)


@app.command()
def kernel(name: Name, config: Config = None) -> None:
    """Register the kernels of an environment that the site built itself, for Python and other languages."""
    for file in EnvironmentService(settings.load(config)).declare_kernels(name):
        console.print(f"Wrote {file}.", highlight=False)


def _where(environment: Environment) -> str:
    return " ".join([str(environment.path or "modules:"), *environment.modules])


async def _install(loaded: settings.Settings, name: str) -> None:
    task = cast("asyncio.Task[None]", asyncio.current_task())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, TimeElapsedColumn(), console=console) as bar:
        line = bar.add_task("Preparing", total=100)

        def watch(change: EnvironmentChange) -> None:
            bar.update(line, description=change.message[:60], completed=change.progress)

        await EnvironmentService(loaded).install(name, watch)
