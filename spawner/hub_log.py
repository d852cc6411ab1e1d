"""The Hub's log: one JSON object per line, or JupyterHub's own format, with messages that cannot forge a line."""

from __future__ import annotations

import copy
import json
import logging
from datetime import UTC, datetime
from typing import Any

from jupyterhub.log import CoroutineLogFormatter


class JsonFormatter(logging.Formatter):
    """Uses the same keys as the portal's own log (portal/logs.py)."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "event": record.getMessage(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class OneLineFormatter(CoroutineLogFormatter):  # type: ignore[misc]
    """Keeps a message on one line, whatever a request has put into it; a traceback keeps its lines, indented."""

    def format(self, record: logging.LogRecord) -> str:
        shown = copy.copy(record)
        shown.msg, shown.args = escaped(record.getMessage()), None
        return str(super().format(shown))

    def formatException(self, exc_info: Any) -> str:  # noqa: N802 - logging's name
        return "\n".join(escaped(line) for line in str(super().formatException(exc_info)).split("\n"))


def escaped(text: str) -> str:
    """Return the text with everything that a terminal or pager would not print as it is escaped."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
