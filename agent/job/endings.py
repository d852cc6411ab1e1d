"""How a session ended, as the portal's code and a sentence for the user."""

from __future__ import annotations

import re
import signal
from typing import NamedTuple

from .enter import LACKS, NO_JUPYTER, NO_PROGRAM
from .processes import Exit

#: What Apptainer and Singularity write if an image lacks the program that they are to run.
NOT_IN_IMAGE = re.compile(r'FATAL:\s+"([^"]+)": executable file not found in \$PATH')
NOT_IN_MODULES = re.compile(rf"(\S+){re.escape(LACKS)}")
IMAGE_FAILED = 255


class Ending(NamedTuple):
    code: str
    text: str
    lacks: str = ""
    """The program that the environment does not have, for `no_program`."""


def describe(
    *,
    cause: str | None,
    ended: Exit | None,
    ready: bool,
    oom: bool,
    memory_limit_mib: int | None,
    start_timeout_s: float,
    not_yet: str,
    last_words: str,
    jupyter: bool,
) -> Ending:
    """Return the end code and the sentence.

    `cause`: why the agent ended the app (stopped, time_limit, start_timeout), or None if it ended by itself.
    `not_yet`: what it last answered instead of being ready. `last_words`: the last line of its output.
    `jupyter`: whether the app is Jupyter's own server.
    """
    wrote = f" Its last output: {last_words}" if last_words else ""
    if cause == "stopped":
        return Ending("stopped", "The session was stopped.")
    if cause == "time_limit":
        return Ending("time_limit", "The session reached its time limit.")
    if oom:
        limit = f" The session had {memory_limit_mib / 1024:.3g} GB." if memory_limit_mib else ""
        return Ending("oom", f"Memory ran out.{limit}")
    if cause == "start_timeout":
        answered = f"was not ready within {start_timeout_s:.0f} s after its start. {not_yet}"
        silent = f"did not answer within {start_timeout_s:.0f} s after its start."
        return Ending("start_timeout", f"The app {answered if not_yet else silent}{wrote}")
    if ready and ended and ended.code == 0:
        return Ending("finished", "The app was shut down from within.")
    if not ready and ended:
        lacks = _lacks(ended.code, last_words)
        if jupyter and (lacks or ended.code == NO_JUPYTER):
            return Ending("no_jupyter", last_words)
        if lacks:
            return Ending("no_program", last_words, lacks)
    return Ending("app_failed", f"The app ended {'' if ready else 'before it was ready, '}{_how(ended)}.{wrote}")


def _lacks(code: int | None, last_words: str) -> str:
    """Return the program that whatever entered the environment did not find there; empty if it found it."""
    pattern = {IMAGE_FAILED: NOT_IN_IMAGE, NO_PROGRAM: NOT_IN_MODULES}.get(code or 0)
    found = pattern.fullmatch(last_words) if pattern else None
    return found[1] if found else ""


def _how(ended: Exit | None) -> str:
    if ended is None:
        return "for an unknown reason"
    if ended.signal is not None:
        try:
            name = signal.Signals(ended.signal).name
        except ValueError:
            name = str(ended.signal)
        return f"by signal {name}"
    return f"with exit code {ended.code}"
