"""A session that misses its program in its environment keeps its owner, and nobody else, from trying again."""

from __future__ import annotations

import pytest

from portal.errors import InvalidRequest
from portal.policy.request import SessionRequest
from portal.sessions.schemas import AgentEnded
from portal.settings import Environment
from tests.unit.sessions.conftest import Harness

TEXT = "This environment has no JupyterHub, so it cannot serve Jupyter."


async def try_in(harness: Harness, user: str, modules: list[str]) -> None:
    ask = SessionRequest(app="jupyterlab", environment="digits", modules=modules)
    record = await harness.service.start(user, ask, origin="api")
    await harness.agents.ended(record.id, AgentEnded(exit_code=69, code="no_jupyter", text=TEXT))
    ended = await harness.store.get(record.id)
    assert (ended.end_code, TEXT in (ended.end_text or "")) == ("no_jupyter", True)


async def test_it_is_found_out_once_and_for_the_owner_alone(harness: Harness) -> None:
    digits = Environment(title="DIGITS", kind="modules", modules=("digits",), version="6")
    harness.settings.environments["digits"] = digits
    asked = SessionRequest(app="jupyterlab", environment="digits")
    assert (await harness.choices.choose("alice", asked)).environment == "digits"
    await try_in(harness, "alice", [])
    with pytest.raises(InvalidRequest, match="found no JupyterHub there"):
        await harness.choices.choose("alice", asked)
    lab = harness.settings.apps["jupyterlab"]
    assert "digits" not in (await harness.choices.catalogue("alice")).fitting(lab)
    assert (await harness.choices.choose("bob", asked)).environment == "digits"
    harness.settings.environments["digits"] = digits.model_copy(update={"version": "7"})
    assert (await harness.choices.choose("alice", asked)).environment == "digits"


async def test_a_web_apps_missing_program_is_found_out_once_and_for_the_owner_alone(harness: Harness) -> None:
    digits = Environment(title="DIGITS", kind="modules", modules=("digits",), version="6")
    harness.settings.environments["digits"] = digits
    app = harness.settings.apps["tensorboard"].model_copy(update={"environments": ["digits"]})
    harness.settings.apps["tensorboard"] = app
    asked = SessionRequest(app="tensorboard", environment="digits", options={"folder": "~"})
    record = await harness.service.start("alice", asked, origin="api")
    said = f"{app.program} is not in this environment."
    lacking = AgentEnded(exit_code=69, code="no_program", text=said, lacks=app.program)
    await harness.agents.ended(record.id, lacking)
    ended = await harness.store.get(record.id)
    assert (ended.end_code, said in (ended.end_text or "")) == ("no_program", True)
    with pytest.raises(InvalidRequest, match=f"did not find the program {app.program}"):
        await harness.choices.choose("alice", asked)
    assert (await harness.choices.choose("bob", asked)).environment == "digits"
    # An app that starts another program there has not been tried.
    harness.settings.apps["tensorboard"] = app.model_copy(update={"command": ["other", *app.command[1:]]})
    assert (await harness.choices.choose("alice", asked)).environment == "digits"
