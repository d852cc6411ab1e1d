"""Fills in the placeholders of a launch's command and environment on the node.

One pass over each text: what a user typed is inserted literally, whatever it looks like.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

PLACEHOLDER = re.compile(r"(://)?\{([a-z_]+(?::[a-z0-9_]+)?)\}")
OPTION = re.compile(r"\{(option:[a-z0-9_]+)\}")


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders that have a value; an IPv6 address in a URL gets its brackets."""

    def value(match: re.Match[str]) -> str:
        before, name = match[1] or "", match[2]
        if name not in values:
            return match[0]
        filled = values[name]
        return f"{before}[{filled}]" if before and name == "ip" and ":" in filled else before + filled

    return PLACEHOLDER.sub(value, text)


def fill_words(words: Iterable[str], values: Mapping[str, str]) -> list[str]:
    """Fill each word; drop a word that holds an option without a value."""
    return [fill(word, values) for word in words if all(name in values for name in OPTION.findall(word))]


def in_home(path: str, home: str) -> str:
    """Expand `~/x` to an absolute path."""
    return os.path.join(home, path[2:]) if path.startswith("~/") else home if path == "~" else path
