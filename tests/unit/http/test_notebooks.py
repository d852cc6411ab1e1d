"""Templates and environments over HTTP: what is listed, what opens where, who may install, and what the audit keeps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from portal.audit.service import AuditFilter
from portal.auth.dependencies import admin_user, current_user
from portal.environments.service import EnvironmentService
from portal.images.environment_list import EnvironmentList
from portal.settings import Environment, Templates
from portal.wiring import Portal, utcnow
from tests.unit.http.rows import session_row

API = "/services/portal/api"
ALICE = {"Authorization": "token alices-token"}
BOB = {"Authorization": "token bobs-token"}
TEMPLATE = "scikit-learn-handwritten-digits"
MINE, WAITING, ANOTHERS = "aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"


@pytest.fixture
async def portal(portal: Portal, tmp_path: Path) -> Portal:
    """A site with the shipped templates, an environment that is not installed, and three sessions."""
    environments = portal.settings.environments | {
        "pytorch": Environment(title="PyTorch", path=tmp_path / "envs" / "pytorch", extends="base")
    }
    shipped = Templates(folders=[Path(__file__).parents[3] / "templates"])
    settings = portal.settings.model_copy(update={"templates": shipped, "environments": environments})
    ready = {"state": "ready", "base_url": "/user/alice/x/", "at": utcnow()}
    async with portal.work() as session:
        session.add(session_row(MINE, owner="alice", **ready))
        session.add(session_row(WAITING, owner="alice", at=utcnow()))
        session.add(session_row(ANOTHERS, owner="bob", **ready))
    environments_ = EnvironmentService(settings, portal.bus)
    environment_list = EnvironmentList(settings, environments_, portal.images.service)
    return replace(
        portal,
        settings=settings,
        environments=environments_,
        images=replace(portal.images, environment_list=environment_list),
    )


async def open_in(http: httpx2.AsyncClient, session: str, template: str = TEMPLATE) -> httpx2.Response:
    return await http.post(f"{API}/templates/{template}/open", json={"session": session}, headers=ALICE)


async def test_templates_are_listed_with_whether_they_can_run(http: httpx2.AsyncClient) -> None:
    items = (await http.get(f"{API}/templates", headers=ALICE)).json()["items"]
    listed = {item["id"]: (item["environment"], item["available"]) for item in items}
    assert listed[TEMPLATE] == (None, True)
    assert listed["pytorch-handwritten-digits"] == ("pytorch", False)
    without_image = {item["environment"] for item in items if not item["image"]}
    assert without_image == {None, "pytorch"}


async def test_a_template_shows_what_it_gave_and_a_picture(http: httpx2.AsyncClient) -> None:
    cells = (await http.get(f"{API}/templates/{TEMPLATE}/preview", headers=ALICE)).json()["cells"]
    assert cells[0]["source"].startswith("# ")
    plain = await http.get(f"{API}/templates/{TEMPLATE}/preview", headers=ALICE | {"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json()["cells"] == cells
    assert any(output["png"] for cell in cells for output in cell["outputs"])
    picture = await http.get(f"{API}/templates/{TEMPLATE}/picture", headers=ALICE)
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    for part in ("preview", "picture"):
        assert (await http.get(f"{API}/templates/nothing/{part}", headers=ALICE)).status_code == 404
        assert (await http.get(f"{API}/templates/{TEMPLATE}/{part}")).status_code == 401


async def test_a_template_opens_in_my_ready_session_only(http: httpx2.AsyncClient) -> None:
    opened = await open_in(http, MINE)
    assert opened.json() == {"url": "/user/alice/x/lab/tree/templates/scikit-learn/handwritten-digits.ipynb"}
    for session, status, words in (
        (WAITING, 409, "not ready"),
        (ANOTHERS, 404, "no session"),
        ("dddddddddddd", 404, "no session"),
    ):
        refused = await open_in(http, session)
        assert refused.status_code == status, session
        assert words in refused.json()["error"]["message"]


async def test_a_template_that_cannot_run_says_what_is_missing(http: httpx2.AsyncClient) -> None:
    refused = await open_in(http, MINE, "pytorch-handwritten-digits")
    assert refused.status_code == 409
    assert "needs PyTorch, which is not installed yet" in refused.json()["error"]["message"]
    assert (await open_in(http, MINE, "nonsense")).status_code == 404


async def test_environments_are_listed_for_everybody(http: httpx2.AsyncClient) -> None:
    items = (await http.get(f"{API}/environments", headers=ALICE)).json()["items"]
    assert [(item["name"], item["state"], item["installable"]) for item in items] == [
        ("base", "absent", False),
        ("pytorch", "absent", False),
    ]


async def test_an_installation_that_is_refused_stands_in_the_audit(
    app: FastAPI, portal: Portal, http: httpx2.AsyncClient
) -> None:
    app.dependency_overrides[admin_user] = current_user  # the directory of these tests has no administrator
    refused = await http.post(f"{API}/environments/pytorch/install", headers=BOB)
    assert refused.status_code == 409
    assert "maintained by the site" in refused.json()["error"]["message"]
    (record,) = await portal.audit.page(AuditFilter(action="environment.install"), limit=10)
    assert (record.actor, record.target, record.result) == ("bob", "pytorch", "conflict")
