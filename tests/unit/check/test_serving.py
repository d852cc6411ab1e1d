"""Images and modules that are to serve Jupyter: asked on the node, in the words of a session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portal.check import serving
from portal.check.findings import Mark
from portal.check.probe import why_not
from portal.settings import Settings

IMAGE = {"title": "PyTorch 24.05", "kind": "image", "path": "/shared/images/pytorch.sif"}
LMOD = {"command": "/opt/lmod/libexec/lmod", "paths": ["/opt/modules"]}
MODULES = {"title": "The site's Jupyter", "kind": "modules", "modules": ["jupyter/4"]}


def site(**environments: dict[str, Any]) -> Settings:
    return Settings.model_validate({"environments": environments, "modules": LMOD})


def test_asked_is_what_jupyter_may_be_chosen_with_and_only_nodes_see() -> None:
    base = {"title": "Base", "path": "/shared/environments/base"}
    settings = site(base=base, image=IMAGE, modules=MODULES, kernel={**IMAGE, "extends": "base"})
    asked = serving.questions(settings)
    assert set(asked) == {"image", "modules"}
    argv = asked["image"]["argv"]
    assert argv[:4] == ["{python}", "-I", "{agent}", "enter-image"]
    assert "--image=/shared/images/pytorch.sif" in argv
    assert argv[argv.index("--") + 1 :] == ["python3", "-c", serving.LOOK]


def test_environment_that_another_app_alone_uses_is_not_asked() -> None:
    only = {"jupyterlab": {"environments": ["base"]}}
    settings = Settings.model_validate({"environments": {"base": IMAGE, "digits": IMAGE}, "apps": only})
    assert set(serving.questions(settings)) == {"base"}


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["{python}", "-I", "-S", "-c", serving.LOOK], "it lacks jupyterhub and jupyterlab"),
        (["{python}", "-c", "raise SystemExit(3)"], "it ended with status 3"),
        (["{python}", "-c", "import sys; sys.exit('{agent} is not there')"], "{agent} is not there"),
        (["/nowhere/apptainer"], "[Errno 2] No such file or directory: '/nowhere/apptainer'"),
        (["{python}", "-c", "import time; time.sleep(60)"], "no answer within 1 s"),
    ],
)  # fmt: skip
def test_what_came_of_it_is_told_in_the_last_words(argv: list[str], says: str) -> None:
    timeout = 1 if "60" in argv[-1] else 30
    assert why_not({"argv": argv, "env": {}, "timeout": timeout}, "/shared/agent.pyz") == says


def test_environment_that_has_both_is_looked_for_without_importing_them(tmp_path: Path) -> None:
    for name in ("jupyterhub", "jupyterlab"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')")
    asked = {"argv": ["{python}", "-c", serving.LOOK], "env": {"PYTHONPATH": str(tmp_path)}, "timeout": 30}
    assert why_not(asked, "/shared/agent.pyz") == ""


def test_one_that_cannot_serve_is_to_be_mended_and_one_that_can_is_good() -> None:
    findings = serving.read(
        {"image": "it lacks jupyterhub", "modules": ""}, site(image=IMAGE, modules=MODULES), where="n1"
    )
    assert [finding.mark for finding in findings] == [Mark.BAD, Mark.GOOD]
    assert findings[0].text == "PyTorch 24.05 cannot serve Jupyter on n1: it lacks jupyterhub"
    assert "environments.image.extends" in findings[0].do
