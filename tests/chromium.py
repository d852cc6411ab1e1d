"""The browser for the tests, for the benchmarks that need one, and for the screenshots in the docs."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Playwright

SYSTEMS = Path("/usr/bin/chromium")
#: Where `./dev` unpacks one if the system has no package for it.
UNPACKED = Path(__file__).parents[1] / ".cache/chromium/chromium"
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


def program() -> Path:
    return SYSTEMS if SYSTEMS.exists() else UNPACKED


def launch(playwright: Playwright, *options: str) -> Browser:
    return playwright.chromium.launch(executable_path=program(), args=[*OPTIONS, *options])
