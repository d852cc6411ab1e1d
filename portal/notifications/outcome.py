"""How an attempt to deliver a message went."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from portal.one_line import one_line

RESULT_LENGTH = 200


class Outcome(Enum):
    SENT = auto()
    REFUSED = auto()
    """For good: the same message would be refused again."""
    LATER = auto()
    """Not taken; another attempt may succeed."""
    UNSURE = auto()
    """It may have arrived: the receiver had it, and its answer never came."""
    UNTRIED = auto()
    """Not attempted, because another message's failure showed that nobody answers."""


@dataclass(frozen=True, slots=True)
class Attempt:
    outcome: Outcome
    result: str
    """In words, for the user's log: never a URL, a password, or an address inside the network."""

    @classmethod
    def of(cls, outcome: Outcome, result: str) -> Attempt:
        return cls(outcome, one_line(result)[:RESULT_LENGTH])
