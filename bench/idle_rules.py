"""Replays the week of 200 sessions in tests/recorded/idle with several rules, and writes docs/reference/idle-rules.md.

Run: .venv/bin/python -m bench.idle_rules
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from portal.idle.dry_run import Outcome, Recorded, Wait, replay
from portal.idle.report import in_words
from portal.idle.rules import Reading, is_exempt
from portal.settings.idle import Idle

ROOT = Path(__file__).resolve().parents[1]
WEEK = ROOT / "tests" / "recorded" / "idle" / "week.json.gz"
PAGE = ROOT / "docs" / "reference" / "idle-rules.md"
MONDAY = datetime(2026, 11, 16, tzinfo=UTC)
COURSE = ["course"]
RULES = {
    "1 h": Idle(action="end", after_minutes=60, exempt_reservations=COURSE),
    "2 h": Idle(action="end", exempt_reservations=COURSE),
    "4 h": Idle(action="end", after_minutes=240, exempt_reservations=COURSE),
    "2 h, others wait": Idle(action="end", while_others_wait=True, exempt_reservations=COURSE),
    "2 h, working hours": Idle(action="end", hours=["mon-fri 08:00-20:00"], exempt_reservations=COURSE),
}
NAIVE = "GPU alone, 2 h"
"""For comparison: what a rule that looks at the GPU alone would do."""


class Week(NamedTuple):
    sessions: list[dict[str, Any]]
    waits: list[Wait]


def week() -> Week:
    read = json.loads(gzip.decompress(WEEK.read_bytes()))
    monday_s = MONDAY.timestamp()
    waits = [
        Wait(owner="others", partition="gpu", gpu_type=None, from_s=monday_s + 60 * first, to_s=monday_s + 60 * last)
        for first, last in read["waits"]
    ]
    return Week(read["sessions"], waits)


def recorded(session: dict[str, Any]) -> Recorded:
    return Recorded(
        id=session["id"],
        name=session["kind"],
        owner=session["owner"],
        partition="gpu",
        reservation=session["reservation"],
        gpus=session["gpus"],
        gpu_type=None,
    )


def readings(session: dict[str, Any], *, gpu_alone: bool = False) -> Iterator[Reading]:
    minute = session["start_minute"]
    for count, (_, peak, cpu, kernel, programs, quiet, disk, network) in session["minutes"]:
        for number in range(count):
            minute += 1
            at_s = MONDAY.timestamp() + 60 * minute
            quiet_s = None if quiet is None else quiet + 60 * number
            others = (0, 0, 0, 1e9, 0, 0) if gpu_alone else (cpu, kernel, programs, quiet_s, disk, network)
            yield Reading(
                at_s=at_s,
                seconds=60,
                gpu_percent=peak,
                cpu_percent=others[0],
                kernel_busy_percent=others[1],
                programs=others[2],
                quiet_s=others[3],
                disk_kib_s=others[4],
                network_kib_s=others[5],
            )


def outcomes(name: str, of: Week) -> list[tuple[dict[str, Any], Outcome]]:
    """Replay the week; exempt sessions are left out."""
    rule = RULES.get(name, Idle(action="end"))
    return [
        (
            session,
            replay(recorded(session), readings(session, gpu_alone=name == NAIVE), rule, waits=of.waits, local=_local),
        )
        for session in of.sessions
        if not is_exempt(rule, partition="gpu", reservation=session["reservation"], groups=frozenset())
    ]


def warned_at_work(session: dict[str, Any], outcome: Outcome, window_s: float) -> bool:
    """Return whether the session did work in the window before one of its warnings."""
    start_s = MONDAY.timestamp() + 60 * session["start_minute"]
    spans = [(start_s + 60 * begin, start_s + 60 * end) for begin, end in session["truth"]]
    return any(begin < warned_s and end > warned_s - window_s for warned_s in outcome.warned_s for begin, end in spans)


def page() -> str:
    of = week()
    names = [*RULES, NAIVE]
    results = {name: outcomes(name, of) for name in names}
    kinds = sorted({session["kind"] for session in of.sessions})
    lines = [
        "# Rules of the idle policy, compared",
        "",
        "<!-- Made by bench/idle_rules.py from tests/recorded/idle; change those, not this page. -->",
        "",
        "This page shows what the [idle policy](../how-to/idle-sessions.md) would have done in a week with 200",
        "sessions. The week is **generated**: `tests/recorded/idle/make.py` builds it, with a fixed seed, from the",
        "load that an H100 reported and from invented working days. The table therefore shows what the rules do in",
        "each situation, not how many GPU-hours they would give back on your cluster. For that, `portal idle report`",
        "replays your own sessions.",
        "",
        "The course's reservation is exempt in all columns but the last. Nobody snoozes.",
        "",
        "| | " + " | ".join(names) + " |",
        "|---|" + "---:|" * len(names),
    ]
    totals: dict[str, Callable[[list[tuple[dict[str, Any], Outcome]], Idle], int]] = {
        "sessions warned": lambda rows, _: sum(bool(outcome.warned_s) for _, outcome in rows),
        "of these, while working": lambda rows, rule: sum(
            warned_at_work(session, outcome, rule.after_minutes * 60) for session, outcome in rows
        ),
        "warnings withdrawn in time": lambda rows, _: sum(outcome.cleared for _, outcome in rows),
        "sessions ended": lambda rows, _: sum(outcome.ended_s is not None for _, outcome in rows),
        "of these, used again later": lambda rows, _: sum(outcome.worked_later_s is not None for _, outcome in rows),
        "GPU-hours given back": lambda rows, _: round(sum(outcome.gpu_hours_back for _, outcome in rows)),
    }
    hours = round(sum(outcome.seconds * outcome.session.gpus for _, outcome in results[NAIVE]) / 3600)
    for title, count in totals.items():
        cells = (f"{count(results[name], RULES.get(name, Idle(action='end'))):,}" for name in names)
        lines.append(f"| {title} | {' | '.join(cells)} |")
    lines += [
        "",
        f"Together, the sessions held their GPUs for {hours:,} GPU-hours.",
        "",
        "## Sessions ended, by situation",
        "",
        "| situation | sessions | " + " | ".join(names) + " |",
        "|---|---:|" + "---:|" * len(names),
    ]
    for kind in kinds:
        total = sum(session["kind"] == kind for session in of.sessions)
        ended = (
            sum(outcome.ended_s is not None for session, outcome in results[name] if session["kind"] == kind)
            for name in names
        )
        lines.append(f"| {kind} | {total} | {' | '.join(str(count) for count in ended)} |")
    lines += ["", "## The rules in words", ""]
    lines += [f"- **{name}**: {in_words(rule)}" for name, rule in RULES.items()]
    lines.append(
        f"- **{NAIVE}**: for comparison. A session is idle if no GPU was in use for 2 h; nothing else is considered."
    )
    return "\n".join(lines) + "\n"


def _local(at_s: float) -> datetime:
    return MONDAY + timedelta(seconds=at_s - MONDAY.timestamp())


if __name__ == "__main__":
    PAGE.write_text(page())
