"""Sessions whose JupyterLab is of another version than the site's: in an environment, and in an image."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.demo_site import CLONE, INSIDE, DemoSite, setting
from tests.e2e.conftest import OpenPage
from tests.e2e.lab_loads import LAUNCHER
from tests.images import STANDARD_LIBRARY, add_python_kernel, bring, needed_by, write_root
from tests.person import Person

#: It installs 300 MB: ./dev test e2e runs it, ./dev test does not.
pytestmark = pytest.mark.slow

LOCK = CLONE / "requirements" / "older-lab.txt"
OLDER = CLONE / ".cache" / "environments" / "older-lab"
UV = CLONE / ".cache" / "boot" / "bin" / "uv"
IMAGE = INSIDE / "shared" / "older-lab"
VERSION = "4.4"
SITES = f"""
[environments.older]
title = "Older JupyterLab"
path = "{INSIDE}/environments/older-lab"

[environments.imaged]
title = "Older JupyterLab in an image"
kind = "image"
path = "{IMAGE}"
"""


@pytest.fixture(scope="module")
def environment() -> Path:
    """Install the older JupyterLab from its lock, once per clone, where the site's environments are."""
    stamp = OLDER / "made-of"
    made_of = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != made_of:
        subprocess.run([UV, "venv", "--quiet", "--clear", "--python", "/usr/bin/python3", OLDER], check=True)
        sync = (
            "pip",
            "sync",
            "--quiet",
            "--require-hashes",
            "--compile-bytecode",
            "--python",
            OLDER / "bin" / "python",
        )
        subprocess.run([UV, *sync, LOCK], check=True)
        stamp.write_text(made_of)
    return OLDER


@pytest.fixture(scope="module")
def with_older(shared_site: DemoSite, environment: Path) -> Iterator[None]:
    """The site offers the older JupyterLab, as an environment and in an image that is a folder."""
    root = write_root(shared_site.folder / "shared" / IMAGE.name, "/usr/bin/python3")
    packages = environment / "lib" / STANDARD_LIBRARY.name / "site-packages"
    add_python_kernel(root, packages)
    local = root / "usr/local/lib" / STANDARD_LIBRARY.name / "dist-packages"
    shutil.copytree(packages, local, dirs_exist_ok=True)
    for name in ("share", "etc"):
        shutil.copytree(environment / name, root / "usr" / name, dirs_exist_ok=True)
    for library in local.glob("**/*.so"):
        bring(root, needed_by(library))
    with setting(shared_site, SITES):
        yield
    shared_site.run("rm", "-rf", str(IMAGE))


@pytest.fixture
def alice(site: DemoSite, with_older: None, person: Callable[[str], Person]) -> Person:
    return person("alice")


def version(page: Page) -> str:
    config = page.locator("#jupyter-config-data").text_content() or ""
    return config.partition('"appVersion": "')[2].partition('"')[0]


def run_a_cell(page: Page) -> None:
    page.locator(f"{LAUNCHER}[data-category='Notebook']").first.click()
    cell = page.locator(".jp-Notebook .jp-Cell .cm-content").first
    cell.wait_for()
    page.get_by_text("| Idle").wait_for(timeout=90_000)
    cell.click()
    page.keyboard.type("print(6*7)")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-Notebook .jp-OutputArea-output", has_text="42").first).to_be_visible()


@pytest.mark.parametrize("environment_name", ["older", "imaged"])
def test_session_with_another_jupyterlab_opens_and_works(
    open_page: OpenPage, alice: Person, environment_name: str
) -> None:
    live = alice.open("jupyterlab", environment=environment_name, resources={"gpus": 0})
    live.until("ready")
    page = open_page("alice")
    page.goto(live.url)
    expect(page.locator(LAUNCHER).first).to_be_visible(timeout=90_000)
    assert version(page).startswith(VERSION)
    expect(page.locator(".portal-session-bar")).to_be_visible()
    run_a_cell(page)
