"""What a site may say of its apps: over the shipped catalogue, and refused where it would be unsafe or cannot work."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from portal.settings import App, Settings

VIEWER = {"title": "Viewer", "kind": "web", "command": ["viewer", "--port={port}"]}


def test_a_site_changes_one_key_of_a_shipped_app_and_keeps_the_rest() -> None:
    settings = Settings.model_validate({"apps": {"jupyterlab": {"title": "Notebooks"}}})
    assert settings.apps["jupyterlab"].title == "Notebooks"
    assert settings.apps["jupyterlab"].icon == "jupyter"


def test_a_site_adds_a_key_to_a_table_of_a_shipped_app_and_keeps_the_others() -> None:
    more = {
        "digits": {"env": {"CAFFE_ROOT": "/opt/caffe"}, "headers": {"X-Site": "a"}},
        "tensorboard": {"resources": {"cpus": 2}},
    }
    apps = Settings.model_validate({"apps": more}).apps
    assert {"DIGITS_URL_PREFIX", "DIGITS_JOBS_DIR", "CAFFE_ROOT"} <= set(apps["digits"].env)
    resources = apps["tensorboard"].resources
    assert (resources.gpus, resources.cpus, resources.memory_mib) == (0, 2, 4096)


def test_a_site_adds_an_app_and_takes_one_away() -> None:
    settings = Settings.model_validate({"apps": {"viewer": VIEWER, "jupyterlab": {"enabled": False}}})
    assert "viewer" in settings.apps
    assert "jupyterlab" not in settings.apps


def test_an_app_that_ships_switched_off_takes_one_line_to_offer() -> None:
    assert "streamlit" not in Settings().apps
    offered = Settings.model_validate({"apps": {"streamlit": {"enabled": True}}}).apps["streamlit"]
    assert offered.program == "streamlit"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"command": []}, "needs a `command`"),
        ({"command": ["viewer", "--port={port}", "{pot}"]}, "no placeholder {pot}"),
        ({"command": ["viewer", "--port={port}", "{option:folder}"]}, "no such option"),
        ({"command": ["viewer"]}, "must contain {port}"),
        ({"listen": "socket"}, "must contain {socket}"),
        ({"listen": "port"}, "any user of the node can connect"),
        ({"listen": "port", "env": {"TOKEN": "{secret}"}}, "any user of the node can connect"),
        ({"options": [{"name": "a", "label": "A", "kind": "choice"}]}, "choices"),
        ({"options": [{"name": "a", "label": "A", "default": True}]}, "does not fit"),
        ({"options": [{"name": "a", "label": "A"}, {"name": "a", "label": "B"}]}, "same name"),
        ({"options": [{"name": "a", "label": "A", "pattern": "("}]}, "regular expression"),
        ({"headers": {"X: y": "z"}}, "pattern"),
        ({"options": [{"name": "a", "label": "A", "least": 1}]}, "only kind `number`"),
        ({"options": [{"name": "a", "label": "A", "kind": "file", "whole": True}]}, "only kind `number`"),
        ({"options": [{"name": "a", "label": "A", "kind": "number", "least": 2, "most": 1}]}, "larger than `most`"),
        ({"options": [{"name": "a", "label": "A", "kind": "number", "most": 4, "default": 8}]}, "of at most 4"),
        ({"options": [{"name": "a", "label": "A", "kind": "number", "default": True}]}, "does not fit"),
        ({"options": [{"name": "a", "label": "A", "kind": "number", "most": float("inf")}]}, "finite"),
    ],
)
def test_a_declaration_that_cannot_work_is_refused_with_its_reason(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        App.model_validate(VIEWER | change)


def test_an_app_that_checks_a_secret_itself_may_listen_on_the_node() -> None:
    app = App.model_validate(
        VIEWER | {"listen": "port", "env": {"TOKEN": "{secret}"}, "headers": {"Authorization": "Bearer {secret}"}}
    )
    assert app.listen == "port"
