"""Lets a batch job start the meter of its GPUs: a subshell before the first command of its script.

It is on that command's own line, so that line numbers in messages stay as the user knows them; it is not a child of the
script's shell, so that `wait`, `$!` and `jobs` do not see it; and whatever happens to it, the script continues.
"""

from __future__ import annotations

import re
import shlex

from .refused import TYPE_CHECKING
from .request import USER

if TYPE_CHECKING:
    from .refused import Config

#: The portal's address for nodes, and who meters which submission, with the key for it.
METER = re.compile(rf"https?://[\w.:\[\]/-]{{1,300}} [a-z0-9]{{12}}\.{USER.pattern}:[0-9a-f]{{64}}", re.ASCII)
#: Shells that take the line, unless they print their commands (-x, -v): the key would stand in the job's output.
_SHELL = re.compile(r"#!\s*\S*/(env\s+)?(sh|bash|dash|ksh|zsh)(\s+[-+][^\sxv]*)*\s*")


def metered(script: str, meter: str, config: Config) -> str:
    """Return the script with the meter; unchanged if another program than a shell runs it, or it has no command."""
    lines = script.split("\n")
    if not _SHELL.fullmatch(lines[0]):
        return script
    at = next((at for at, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if at is None:
        return script
    words = [config["python"], "-I", config["agent"], "ride", config["python"], config["bin_dir"]]
    command = f"DSP_METER={shlex.quote(meter)} {shlex.join(words)}"
    lines[at] = f"({command} </dev/null >/dev/null 2>&1 &); {lines[at]}"
    return "\n".join(lines)
