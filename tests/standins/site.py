"""Puts the stand-ins into a demo site, so that it can start every app of the catalogue."""

from __future__ import annotations

from pathlib import Path

from demo.site import INSIDE
from tests.demo_site import DemoSite
from tests.standins import code_server, digits_devserver

FOLDER = INSIDE / "standins"
BASE_PYTHON = INSIDE / "environments" / "base" / "bin" / "python"
TOML = INSIDE / "portal" / "portal.toml"
ENVIRONMENTS = f"""
[environments.digits]
title = "DIGITS (a stand-in)"
path = "{FOLDER}/whole"

[environments.digits-without-caffe]
title = "DIGITS without Caffe"
path = "{FOLDER}/bare"

[environments.without-jupyter]
title = "Modules without Jupyter"
kind = "modules"
modules = ["demo-tools/1.1"]
"""


def bring_in(site: DemoSite) -> None:
    """Install the stand-ins and declare their environments; once a site."""
    if "[environments.digits]" in site.run("cat", str(TOML)):
        return
    for name, programs in {
        "whole": {"digits-devserver": digits_devserver, "code-server": code_server},
        "bare": {"digits-devserver": digits_devserver},
    }.items():
        folder = FOLDER / name / "bin"
        site.run("mkdir", "-p", str(folder))
        for program, module in programs.items():
            source = f"#!{BASE_PYTHON} -I\n{Path(str(module.__file__)).read_text()}"
            site.run("install", "-m", "755", "/dev/stdin", str(folder / program), stdin=source)
        site.run("ln", "-sfn", str(BASE_PYTHON), str(folder / "python"))
    site.run("ln", "-sfn", "/bin/true", str(FOLDER / "whole" / "bin" / "caffe"))
    site.run("tee", "-a", str(TOML), stdin=ENVIRONMENTS)
    site.restart("portal")
