"""The idle policy against the generated week of 200 sessions."""

from __future__ import annotations

import pytest

from bench import idle_rules
from bench.idle_rules import NAIVE, RULES, Week, outcomes, warned_at_work, week


@pytest.fixture(scope="module")
def of() -> Week:
    return week()


@pytest.mark.parametrize("name", RULES)
def test_no_session_that_worked_in_the_window_is_warned(of: Week, name: str) -> None:
    window_s = RULES[name].after_minutes * 60
    results = outcomes(name, of)
    assert [session["kind"] for session, outcome in results if warned_at_work(session, outcome, window_s)] == []
    assert any(outcome.ended_s is not None for _, outcome in results)


def test_a_rule_that_looks_at_the_gpu_alone_warns_many_that_work(of: Week) -> None:
    results = outcomes(NAIVE, of)
    assert sum(warned_at_work(session, outcome, 7200) for session, outcome in results) > 20


def test_the_page_is_current() -> None:
    assert idle_rules.PAGE.read_text() == idle_rules.page(), "run: .venv/bin/python -m bench.idle_rules"
