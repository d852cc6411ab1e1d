"""When a session with GPUs counts as idle, and what then happens. Off until the site sets `action`."""

from __future__ import annotations

import re
from datetime import time
from typing import Annotated, Literal

from pydantic import Field, field_validator

from portal.settings.base import Section

Action = Literal["off", "tell", "end"]
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOURS = re.compile(r"^(?:(?P<days>[a-z]{3}(?:-[a-z]{3})?) )?(?P<first>\d\d:\d\d)-(?P<last>\d\d:\d\d)$")
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Hours(tuple[frozenset[int], time, time]):
    """Weekdays (0 is Monday), and the time of day from which and until which."""

    @classmethod
    def parse(cls, text: str) -> Hours:
        """Parse `08:00-20:00` or `mon-fri 08:00-20:00`. Raises ValueError."""
        found = _HOURS.match(text)
        if found is None:
            raise ValueError(f"hours: {text!r} is not like 08:00-20:00 or mon-fri 08:00-20:00")
        first_day, _, last_day = (found["days"] or "mon-sun").partition("-")
        if {first_day, last_day or first_day} - set(DAYS):
            raise ValueError(f"hours: {text!r}: days are {', '.join(DAYS)}")
        first, last = DAYS.index(first_day), DAYS.index(last_day or first_day)
        days = range(first, last + 1) if first <= last else (*range(first, 7), *range(last + 1))
        begins, ends = (time.fromisoformat(found[name]) for name in ("first", "last"))
        if begins >= ends:
            raise ValueError(
                f"hours: {text!r}: the second time must be later; for hours across midnight, give two entries"
            )
        return cls((frozenset(days), begins, ends))


class Idle(Section):
    action: Action = Field(
        "off",
        description="What happens to an idle session with GPUs: nothing (`off`), a warning to its owner (`tell`), or a "
        "warning and, after `grace_minutes`, the session's end (`end`).",
    )
    after_minutes: int = Field(
        120, ge=10, le=10_080, description="How long a session must have been idle without interruption."
    )
    grace_minutes: int = Field(30, ge=5, le=1440, description="Minutes between the warning and the end.")
    snooze_minutes: int = Field(120, ge=10, le=10_080, description="How long one snooze puts a warning off.")
    snoozes: int = Field(3, ge=0, le=100, description="How often the owner may snooze during one session.")
    gpu_percent: Amount = Field(1.0, description="A GPU with any reading above this percentage is in use.")
    cpu_percent: Amount = Field(
        10.0, description="Mean CPU use, in percent of one core, above which a session is working."
    )
    disk_kib_s: Amount = Field(
        256.0, description="Reading and writing by a session's processes, in KiB/s, above which it is working."
    )
    network_kib_s: Amount = Field(
        64.0, description="Traffic on the user's connections on the node, in KiB/s, above which a session is working."
    )
    while_others_wait: bool = Field(
        False, description="Warn and end sessions only while another user's job waits for their GPUs."
    )
    hours: list[str] = Field(
        default_factory=list,
        description="When sessions may be warned and ended, in the head node's time zone: `mon-fri 08:00-20:00`. "
        "Empty: always.",
    )
    exempt_groups: list[str] = Field(default_factory=list, description="Groups whose members' sessions are left alone.")
    exempt_reservations: list[str] = Field(
        default_factory=list,
        description="Reservations whose sessions are left alone, such as those for courses; `*`: all reservations.",
    )
    exempt_partitions: list[str] = Field(default_factory=list, description="Partitions whose sessions are left alone.")

    @field_validator("hours")
    @classmethod
    def _are_hours(cls, value: list[str]) -> list[str]:
        for text in value:
            Hours.parse(text)
        return value
