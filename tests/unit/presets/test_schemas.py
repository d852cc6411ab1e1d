"""Names of presets."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from portal.policy.request import NAME_LENGTH
from portal.presets.schemas import SessionPresetRename


def test_control_characters_of_a_name_become_spaces() -> None:
    assert SessionPresetRename(name=" two\u009d\nwords ").name == "two words"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("n" * NAME_LENGTH + "\u009d", id="too long as sent"),
        pytest.param("\u009d", id="nothing left"),
        pytest.param(" \t", id="blank"),
        pytest.param("", id="empty"),
    ],
)
def test_name_that_is_too_long_or_empty_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        SessionPresetRename(name=name)
