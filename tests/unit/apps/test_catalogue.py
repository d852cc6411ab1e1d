"""Which environments serve which app, and what is said when none does."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.apps.catalogue import Catalogue
from portal.apps.options import read_options
from portal.errors import InvalidRequest
from portal.settings import App, AppOption, Environment, Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    for name, programs in {"base": ["python", "jupyterhub-singleuser"], "torch": ["python", "viewer"]}.items():
        (tmp_path / name / "bin").mkdir(parents=True)
        for program in programs:
            (tmp_path / name / "bin" / program).touch()
    web = {"kind": "web", "command": ["viewer", "{port}"]}
    return Settings.model_validate(
        {
            "environments": {
                "base": Environment(title="Base", path=tmp_path / "base"),
                "torch": Environment(title="Torch", path=tmp_path / "torch", extends="base"),
            },
            "apps": {
                "viewer": {"title": "Viewer", **web},
                "bound": {"title": "Bound", "environments": ["base"], **web},
                "elsewhere": {"title": "Elsewhere", "kind": "web", "command": ["/opt/e/bin/e", "{port}"]},
            },
        }
    )


def test_jupyter_is_served_by_what_stands_alone_and_shows_what_extends_it(settings: Settings) -> None:
    catalogue = Catalogue(settings)
    lab = settings.apps["jupyterlab"]
    assert list(catalogue.serving(lab)) == ["base"]
    assert catalogue.fitting(lab) == ["base", "torch"]
    assert catalogue.server_environment(lab, "torch") is settings.environments["base"]


def test_an_environment_that_is_seen_to_lack_jupyter_does_not_serve_it(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "base" / "bin" / "jupyterhub-singleuser").unlink()
    assert "No environment" in str(Catalogue(settings).why_not(settings.apps["jupyterlab"]))


def test_a_web_app_runs_where_its_program_is(settings: Settings) -> None:
    catalogue = Catalogue(settings)
    assert catalogue.fitting(settings.apps["viewer"]) == ["torch"]
    assert catalogue.choose("viewer", None) == "torch"
    assert catalogue.server_environment(settings.apps["viewer"], "torch") is settings.environments["torch"]
    with pytest.raises(InvalidRequest, match="Base does not serve Viewer"):
        catalogue.choose("viewer", "base")


def test_an_app_without_its_program_is_not_offered_and_says_why(settings: Settings) -> None:
    catalogue = Catalogue(settings)
    assert "program viewer" in str(catalogue.why_not(settings.apps["bound"]))
    with pytest.raises(InvalidRequest, match="Bound cannot be started"):
        catalogue.choose("bound", None)


def test_a_program_named_by_its_path_is_the_nodes_own(settings: Settings) -> None:
    assert Catalogue(settings).fitting(settings.apps["elsewhere"]) == ["base", "torch"]


OPTIONS = App(
    title="Viewer",
    kind="web",
    command=["viewer", "{port}"],
    options=[
        AppOption(name="folder", label="Folder", kind="folder", required=True),
        AppOption(name="style", label="Style", kind="choice", choices=["dark", "light"], default="dark"),
        AppOption(name="watch", label="Watch", kind="bool"),
        AppOption(name="tag", label="Tag", pattern=r"[a-z]{1,8}"),
    ],
)


def test_options_are_completed_with_their_defaults() -> None:
    values, problems = read_options(OPTIONS, {"folder": " ~/runs "})
    assert (values, problems) == ({"folder": "~/runs", "style": "dark"}, [])


@pytest.mark.parametrize(
    ("given", "field", "why"),
    [
        ({}, "folder", "is required"),
        ({"folder": "runs"}, "folder", "full path"),
        ({"folder": "~bob/runs"}, "folder", "full path"),
        ({"folder": "/x", "style": "blue"}, "style", "dark, light"),
        ({"folder": "/x", "watch": "yes"}, "watch", "true or false"),
        ({"folder": "/x", "tag": "A B"}, "tag", "right form"),
        ({"folder": True}, "folder", "must be text"),
        ({"folder": "/x", "other": "1"}, "other", "no option"),
    ],
)
def test_a_wrong_value_is_told_at_its_field(given: dict[str, str | bool], field: str, why: str) -> None:
    _, problems = read_options(OPTIONS, given)
    assert [(problem.field, why in problem.message) for problem in problems] == [(f"options.{field}", True)]
