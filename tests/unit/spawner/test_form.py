"""The short form: what its fields become, and that nothing in it can become anything else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.settings import Settings
from spawner.form import RESOURCES, SessionForm

form = SessionForm(
    Settings(environments={"base": {"title": "Base <b>", "path": "/e"}, "old": {"title": "Old", "path": "/o"}})
)


@pytest.mark.parametrize(
    ("fields", "options"),
    [
        ({}, {}),
        ({"gpus": ["2"], "hours": ["8"]}, {"resources": {"gpus": 2, "walltime_s": 28800}}),
        ({"hours": ["0,5"]}, {"resources": {"walltime_s": 1800}}),
        ({"gpus": ["two"], "hours": ["1e9"]}, {"resources": {"gpus": "two", "walltime_s": "1e9"}}),
        ({"gpus": [" 1 "], "cpus": [""]}, {"resources": {"gpus": 1}}),
        ({"app": ["jupyterlab"], "partition": ["sxm2"]}, {"app": "jupyterlab", "resources": {"partition": "sxm2"}}),
        ({"gpus": ["1", "2"]}, {"resources": {"gpus": ["1", "2"]}}),
        ({"resources": ["{}"], "job": ["x\n#SBATCH --uid=0"]}, {"resources": "{}", "job": "x\n#SBATCH --uid=0"}),
        ({"key_file": [{"filename": "x", "body": b"y"}]}, {"key_file": "(a file)"}),
    ],
)
def test_form_becomes_the_apis_body(fields: dict[str, list[Any]], options: dict[str, Any]) -> None:
    assert form.parse(fields) == options


@given(st.dictionaries(st.text(), st.lists(st.text(), min_size=1, max_size=2)))
def test_any_fields_keep_their_place(fields: dict[str, list[str]]) -> None:
    options = form.parse(fields)
    resources = options.get("resources", {})
    assert set(options) <= set(fields) | {"resources"}
    if isinstance(resources, dict):
        assert set(resources) <= (set(fields) & RESOURCES) | {"walltime_s"}


def test_form_escapes_titles_and_names_every_field() -> None:
    html = form.render()
    assert "Base &lt;b&gt;" in html
    for name in ("environment", "gpus", "hours"):
        assert f'for="{name}"' in html
        assert f'name="{name}"' in html


def test_form_leads_to_the_portal_for_what_an_app_asks() -> None:
    html = form.render()
    assert 'href="/services/portal/sessions/new?app=tensorboard"' in html
    assert '<option value="tensorboard">' not in html, "It cannot be started without a folder."
    assert '<option value="digits">' in html


@pytest.mark.parametrize(
    ("node_gpus", "attributes", "hint"),
    [
        (None, 'max="8" value="1"', "At most what one node has, and 8 in all your sessions."),
        (4, 'max="4" value="1"', "At most 4, as a node has, and 8 in all your sessions."),
        (16, 'max="8" value="1"', "At most 16, as a node has, and 8 in all your sessions."),
        (0, 'max="0" value="0"', "No node has GPUs."),
    ],
)
def test_form_offers_the_gpus_that_a_node_has(node_gpus: int | None, attributes: str, hint: str) -> None:
    html = form.render(node_gpus)
    assert attributes in html
    assert hint in html
