"""What a session had open is offered to the next one, once it has ended."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent.lab.documents import MOST, SESSIONS, Documents, is_list
from agent.lab.portal import PortalUnavailable


class FakePortal:
    """Knows the state of each session; None: it has forgotten it."""

    def __init__(self, session: str, states: dict[str, str | None]) -> None:
        self.session = session
        self.states = states

    async def call(self, method: str, path: str, body: bytes | None = None) -> Any:
        if not self.states:
            raise PortalUnavailable
        state = self.states[path.rpartition("/")[2]]
        return SimpleNamespace(code=404 if state is None else 200, body=json.dumps({"state": state}).encode())


def documents(tmp_path: Path, session: str, **states: str | None) -> Documents:
    return Documents(FakePortal(session, states), {"XDG_STATE_HOME": str(tmp_path)})  # type: ignore[arg-type]


async def test_the_next_session_hears_what_the_last_one_had_open(tmp_path: Path) -> None:
    assert await documents(tmp_path, "two", one="ended").earlier() == []
    documents(tmp_path, "one").keep(["old.ipynb"])
    documents(tmp_path, "one").keep(["a.ipynb", "work/b.md"])
    assert await documents(tmp_path, "two", one="ended").earlier() == ["a.ipynb", "work/b.md"]
    assert await documents(tmp_path, "two", one=None).earlier() == ["a.ipynb", "work/b.md"]
    documents(tmp_path, "two").keep([])
    assert await documents(tmp_path, "two", one="ended").earlier() == [], "It is offered at the start alone."
    assert await documents(tmp_path, "three", two="ended").earlier() == []


@pytest.mark.parametrize("states", [{"one": "ready"}, {"one": "stopping"}, {}])
async def test_nothing_is_offered_while_the_other_session_may_still_have_it_open(
    tmp_path: Path, states: dict[str, str | None]
) -> None:
    documents(tmp_path, "one").keep(["a.ipynb"])
    assert await documents(tmp_path, "two", **states).earlier() == []


async def test_the_file_is_private_bounded_and_may_be_nonsense(tmp_path: Path) -> None:
    for number in range(SESSIONS + 5):
        documents(tmp_path, f"s{number}").keep([f"{number}.ipynb"])
    file = tmp_path / "portal" / "open-documents.json"
    assert len(json.loads(file.read_text())) == SESSIONS
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    for text in ("", "[]", '{"one": 1}', '{"../x": {"at": 1, "paths": ["a"]}}', '{"one": {"at": "x", "paths": ["a"]}}'):
        file.write_text(text)
        assert await documents(tmp_path, "two", one="ended").earlier() == []


def test_only_lists_of_paths_within_bounds_are_kept() -> None:
    assert is_list([])
    assert is_list(["a"] * MOST)
    for wrong in (None, "a", {}, [1], [""], ["a" * 2000], ["a"] * (MOST + 1)):
        assert not is_list(wrong)
