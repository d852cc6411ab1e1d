"""What a session found out holds for the environment as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portal.apps.catalogue import Catalogue
from portal.apps.tried import JUPYTER, Tried, still_missing
from portal.errors import InvalidRequest
from portal.settings import Environment, Settings

DIGITS: dict[str, Any] = {"title": "DIGITS", "kind": "image", "path": "/images/digits.sif", "version": "6.1.1"}
TRIED = Tried("digits", "6.1.1", {"path": "/images/digits.sif", "digest": None})


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        ({}, True),
        ({"version": "6.1.2"}, False),
        ({"path": "/images/other.sif"}, False),
        ({"digest": "sha256:" + "0" * 64}, False),
        ({"extends": "base"}, False),
        ({"kind": "modules", "modules": ("digits",), "path": None}, False),
    ],
)
def test_it_holds_until_the_environment_is_another(change: dict[str, Any], holds: bool) -> None:
    environments = {"digits": Environment.model_validate(DIGITS | change)}
    assert still_missing([TRIED], environments) == (frozenset({("digits", JUPYTER)}) if holds else frozenset())


def test_it_holds_for_modules_and_not_for_what_is_no_longer_declared() -> None:
    modules = Environment(title="M", kind="modules", modules=("digits",))
    tried = [Tried("m", None, None), Tried("gone", None, None)]
    assert still_missing(tried, {"m": modules}) == frozenset({("m", JUPYTER)})


def test_a_web_app_is_kept_from_an_environment_that_extends_another_too() -> None:
    """It runs in it, and not in the one that serves Jupyter."""
    environments = {"digits": Environment.model_validate(DIGITS | {"extends": "base"})}
    assert still_missing([TRIED._replace(program="viewer")], environments) == frozenset({("digits", "viewer")})


def test_jupyter_is_neither_offered_nor_preselected_there_and_the_refusal_says_why() -> None:
    other = Environment(title="Other", kind="image", path=Path("/images/lab.sif"))
    settings = Settings.model_validate({"environments": {"digits": DIGITS, "other": other}})
    lab = settings.apps["jupyterlab"]
    assert Catalogue(settings).choose("jupyterlab", None) == "digits"
    catalogue = Catalogue(settings, None, {("digits", JUPYTER)})
    assert catalogue.choose("jupyterlab", None) == "other"
    assert catalogue.fitting(lab) == ["other"]
    with pytest.raises(InvalidRequest, match=r"DIGITS does not serve JupyterLab.*found no JupyterHub there"):
        catalogue.choose("jupyterlab", "digits")
