"""Makes `week.json.gz`: a week of 200 sessions with GPUs, minute by minute, from recorded loads and a seed.

The GPU figures of working minutes are cut from what a real H100 reported (`nvml/h100-580.json`); the working hours
and the sessions' other measurements are generated from the seed below: no site's users were recorded. `truth` says when
a session really worked, which the idle policy does not see.

Run: .venv/bin/python tests/recorded/idle/make.py
"""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LOADS = json.loads((HERE.parent / "nvml" / "h100-580.json").read_text())["loads"]
SEED = 20261125
SESSIONS = 200
WEEK = 7 * 24 * 60
#: Of a session's minute: GPU mean and peak, CPU, kernel busy (percent), programs, quiet seconds, disk, network (KiB/s).
AT_REST = [0, 0, 1, 0, 0, None, 0, 1]
SHARES = {
    "trains in a notebook": 34,
    "explores, with pauses": 38,
    "loads data first": 12,
    "downloads over a slow line": 6,
    "stands at a breakpoint": 8,
    "trains in a terminal": 14,
    "serves a model, asked now and then": 8,
    "is edited in VS Code": 12,
    "long lunch, then work": 12,
    "left overnight, used next morning": 10,
    "forgotten after work": 26,
    "never used": 12,
    "an older agent": 4,
    "a course's reservation": 4,
}


class Life:
    """A session's minutes as they are made."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.rows: list[list[float | None]] = []
        self.truth: list[list[int]] = []
        self.quiet = 0

    def rest(self, minutes: int, **signs: float | None) -> None:
        for _ in range(minutes):
            self.quiet += 60
            self._add(signs, self.quiet)

    def work(self, minutes: int, *, by_hand: bool = False, **signs: float | None) -> None:
        """Work: by a program, or `by_hand`, with keys and cells, which ends the quiet time."""
        self.truth.append([len(self.rows), len(self.rows) + minutes])
        for _ in range(minutes):
            self.quiet = self.dice.randrange(50) if by_hand else self.quiet + 60
            self._add(signs, self.quiet)

    def gpu(self, minutes: int, load: str, **signs: float | None) -> None:
        self.truth.append([len(self.rows), len(self.rows) + minutes])
        for _ in range(minutes):
            self.quiet = 0
            mean, peak = gpu_minute(load, self.dice)
            self._add({"gpu": mean, "peak": peak, "cpu": self.dice.randrange(60, 320), **signs}, self.quiet)

    def explore(self, minutes: int) -> None:
        """Cells of seconds to minutes, and thought in between."""
        end = len(self.rows) + minutes
        while len(self.rows) < end:
            self.gpu(self.dice.choice((1, 1, 2, 4)), "notebook", kernel=self.dice.randrange(10, 100))
            self.rest(min(self.dice.choice((2, 3, 5, 9, 14, 25, 44)), max(0, end - len(self.rows))))

    def _add(self, signs: dict[str, float | None], quiet: int) -> None:
        names = ("gpu", "peak", "cpu", "kernel", "programs", "quiet", "disk", "network")
        self.rows.append([signs.get(name, rest) for name, rest in zip(names, AT_REST, strict=True)])
        if "quiet" not in signs:
            self.rows[-1][5] = quiet


def gpu_minute(load: str, dice: random.Random) -> tuple[int, int]:
    """Return mean and peak of a minute cut from the recorded seconds."""
    seconds = [row[1] for row in LOADS[load]["seconds"]][1:]
    at = dice.randrange(len(seconds))
    minute = [seconds[(at + second) % len(seconds)] for second in range(60)]
    return round(sum(minute) / 60), max(minute)


def life(kind: str, dice: random.Random) -> Life:
    life = Life(dice)
    hours = 60
    life.rest(dice.randrange(1, 6))
    if kind == "trains in a notebook":
        life.explore(dice.randrange(20, 90))
        life.gpu(dice.randrange(2, 16) * hours, dice.choice(("full", "duty")), kernel=100)
        life.rest(dice.randrange(0, 8 * hours))
    elif kind == "explores, with pauses":
        for _ in range(dice.randrange(1, 4)):
            life.explore(dice.randrange(60, 240))
            life.rest(dice.randrange(10, 100))
    elif kind == "loads data first":
        life.work(dice.randrange(3, 6) * hours, kernel=100, cpu=90, disk=40_000)
        life.gpu(dice.randrange(1, 6) * hours, "full", kernel=100)
    elif kind == "downloads over a slow line":
        life.work(dice.randrange(4, 9) * hours, cpu=4, network=900, disk=850)
        life.gpu(dice.randrange(1, 3) * hours, "duty", kernel=100)
    elif kind == "stands at a breakpoint":
        life.explore(60)
        life.work(dice.randrange(2, 6) * hours, kernel=100, cpu=0)
        life.explore(60)
        life.rest(dice.randrange(0, 3 * hours))
    elif kind == "trains in a terminal":
        life.gpu(dice.randrange(3, 20) * hours, "full", programs=1)
        life.rest(dice.randrange(0, 6 * hours))
    elif kind == "serves a model, asked now and then":
        for _ in range(dice.randrange(8, 24)):
            life.gpu(1, "notebook", programs=1)
            life.work(dice.randrange(20, 110), programs=1)
    elif kind == "is edited in VS Code":
        for _ in range(dice.randrange(3, 9)):
            life.work(dice.randrange(10, 60), by_hand=True, cpu=8, network=6)
            life.rest(dice.randrange(5, 80))
    elif kind == "long lunch, then work":
        life.explore(2 * hours)
        life.rest(dice.randrange(70, 115))
        life.explore(3 * hours)
    elif kind == "left overnight, used next morning":
        life.explore(4 * hours)
        life.rest(dice.randrange(12, 16) * hours)
        life.explore(2 * hours)
    elif kind == "forgotten after work":
        life.explore(dice.randrange(1, 4) * hours)
        life.rest(dice.randrange(4, 44) * hours)
    elif kind == "never used":
        life.rest(dice.randrange(3, 46) * hours)
    elif kind == "an older agent":
        life.rest(dice.randrange(3, 12) * hours, kernel=None, programs=None, quiet=None, disk=None, network=None)
    else:  # a course's reservation: the room is quiet between two lessons
        life.explore(90)
        life.rest(3 * hours)
        life.explore(90)
    return life


def packed(rows: list[list[float | None]]) -> list[list[Any]]:
    """Merge equal minutes: `[minutes, row]`; the quiet grows by 60 s a minute within one."""
    runs: list[list[Any]] = []
    for row in rows:
        if runs:
            count, first = runs[-1]
            grown = None if first[5] is None else first[5] + 60 * count
            if [*first[:5], grown, *first[6:]] == row:
                runs[-1][0] += 1
                continue
        runs.append([1, row])
    return runs


def sessions() -> list[dict[str, Any]]:
    dice = random.Random(SEED)  # noqa: S311 - the same week each time
    kinds = [kind for kind, count in SHARES.items() for _ in range(count)]
    dice.shuffle(kinds)
    made = []
    for number, kind in enumerate(kinds):
        one = life(kind, dice)
        rows = one.rows[: 48 * 60]  # the longest session
        # Most start in the morning or after lunch of a working day.
        start = dice.randrange(5) * 1440 + dice.choice((8, 9, 9, 10, 13, 14, 16)) * 60 + dice.randrange(60)
        made.append(
            {
                "id": f"week{number:08}",
                "owner": f"user{dice.randrange(40):02}",
                "kind": kind,
                "reservation": "course" if kind.startswith("a course") else None,
                "gpus": dice.choice((1, 1, 1, 2, 4)),
                "start_minute": start,
                "truth": [[begin, min(end, len(rows))] for begin, end in one.truth if begin < len(rows)],
                "minutes": packed(rows),
            }
        )
    return made


def waits() -> list[list[int]]:
    """Minutes of the week in which other users' jobs wait for GPUs: the afternoons of working days."""
    dice = random.Random(SEED + 1)  # noqa: S311
    return [[day * 1440 + 780 + dice.randrange(60), day * 1440 + 1140 + dice.randrange(90)] for day in range(5)]


if __name__ == "__main__":
    week = {"made_by": "tests/recorded/idle/make.py", "seed": SEED, "waits": waits(), "sessions": sessions()}
    text = json.dumps(week, separators=(",", ":"))
    (HERE / "week.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
