"""What the door accepts, and that nothing a caller writes becomes anything else."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from door.__main__ import parse
from door.refused import Refused
from door.request import MAX_REQUEST
from door.sessions import OWN_ENV
from tests.unit.door.asking import NUMBERS, SUBMIT, WORDS, ask, refused


def test_good_request_is_taken_as_it_is() -> None:
    assert ask() == {name: value for name, value in SUBMIT.items() if name != "verb"}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
#: Text made of what shells, Slurm's option parser and files care about.
HOSTILE = st.text(alphabet="ab19-=,:;|&$`'\"\\/.*?~#!%^(){}[]<> \t\r\n\x00\x1b\x7f\u202e\ufffd", min_size=1)


@given(st.sampled_from([*WORDS, "user", "session"]), HOSTILE)
def test_text_is_a_plain_word_or_refused(field: str, value: str) -> None:
    if re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.:@+-]*", value) and field in WORDS:
        assert ask(**{field: value})[field] == value
    elif not re.fullmatch(r"[A-Za-z0-9_.@+-]+", value):
        assert refused(**{field: value}).answer["error"]["field"] == field


@given(st.sampled_from([name for name in SUBMIT if name != "verb"]), ANYTHING)
@example("after", 1)
def test_value_of_another_kind_is_refused(field: str, value: object) -> None:
    assume(not (field in (*WORDS, "title", "after", "constraint", "licenses") and value is None))
    try:
        taken = ask(**{field: value})[field]
    except Refused:
        return
    kind = int if field == "after" else type(SUBMIT[field] if SUBMIT[field] is not None else "")
    assert type(taken) is kind


@given(st.sampled_from(NUMBERS), st.integers())
def test_numbers_stay_in_their_range(field: str, value: int) -> None:
    try:
        taken = ask(**{field: value})[field]
    except Refused:
        return
    assert 0 <= taken <= 1 << 30


@pytest.mark.parametrize("field", NUMBERS)
@pytest.mark.parametrize("value", [-1, True, 1.5, "1", None, 1 << 40])
def test_what_is_no_number_in_range_is_refused(field: str, value: object) -> None:
    assert refused(**{field: value}).answer["error"]["code"] == "invalid"


@given(
    st.dictionaries(st.text() | st.sampled_from(["DSP_A", "DSP_LOG", "LD_PRELOAD", "SLURM_CONF"]), st.text() | HOSTILE)
)
def test_environment_is_only_ours_and_printable(env: dict[str, str]) -> None:
    try:
        taken = ask(env=env)["env"]
    except Refused:
        return
    for name, value in taken.items():
        assert name.startswith("DSP_")
        assert name not in OWN_ENV
        assert value.isascii()
        assert value.isprintable()


@pytest.mark.parametrize(
    "name", ["DSP_LOG", "DSP_PYTHON", "DSP_AGENT", "DSP_PLACED", "LD_PRELOAD", "PATH", "DSP_a", "DSP_A=B"]
)
def test_variables_that_are_not_the_callers_to_set_are_refused(name: str) -> None:
    assert refused(env={name: "x"}).answer["error"]["field"] == "env"


@given(st.binary() | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_anything_that_is_no_request_is_refused(raw: bytes) -> None:
    with pytest.raises(Refused):
        parse(raw)


def test_fields_too_many_and_too_few_are_refused() -> None:
    assert refused(comment="x").answer["error"]["field"] == "comment"
    with pytest.raises(Refused):
        parse(json.dumps({name: SUBMIT[name] for name in SUBMIT if name != "user"}).encode())


def test_deeply_nested_and_oversized_requests_are_refused() -> None:
    for raw in (b"[" * 60_000, b" " * (MAX_REQUEST + 1)):
        with pytest.raises(Refused):
            parse(raw)
