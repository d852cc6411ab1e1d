"""The shipped files of `files/`, filled with a site's values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_NAME = re.compile(r"\{\{(\w+)\}\}")
_PATTERNS = Path(__file__).with_name("files")


def fill(pattern: str, values: Mapping[str, str]) -> str:
    """Fill values into a file of `files/`; raises KeyError for a placeholder without a value."""
    return _NAME.sub(lambda match: values[match[1]], (_PATTERNS / pattern).read_text())
