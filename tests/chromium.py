"""The browser for the tests, for the benchmarks that need one, and for the screenshots in the docs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Playwright

SYSTEMS = Path("/usr/bin")
#: Where `./dev` unpacks what the system has no package for.
UNPACKED = Path(__file__).parents[1] / ".cache/chromium"
# No sandbox: the tests may run as root. The rest keeps Chromium from calling home.
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Pages of tests are short: optimizing their scripts costs more than it saves.
SHELL_OPTIONS = (*OPTIONS, "--js-flags=--no-opt --no-maglev")


def program(name: str = "chromium") -> Path:
    return SYSTEMS / name if (SYSTEMS / name).exists() else UNPACKED / name


def launch(playwright: Playwright, *options: str) -> Browser:
    """Start Chromium as people have it: figures and pictures are of this one."""
    return playwright.chromium.launch(executable_path=program(), args=[*OPTIONS, *options])


def launch_with_profile(playwright: Playwright, profile: Path, **options: Any) -> BrowserContext:
    """Start it with a profile on disk: only there does it keep compiled scripts from one visit to the next."""
    return playwright.chromium.launch_persistent_context(
        profile, executable_path=program(), args=list(OPTIONS), **options
    )


def launch_shell(playwright: Playwright) -> Browser:
    """Start Chromium's headless shell, the same engine without a browser around it: it takes less of the processor.

    Chromium itself stands in where the system has no package of the shell.
    """
    shell = program("chromium-headless-shell")
    return playwright.chromium.launch(executable_path=shell if shell.exists() else program(), args=SHELL_OPTIONS)
