"""Structured logs: events with keys, one JSON object per line, or readable on a console."""

from __future__ import annotations

import io
import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog

from portal.settings import Settings


class LossyStream(io.TextIOBase):
    """A stream that drops what cannot be written, on a full disk or to a closed pipe: logging never fails the work."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def configure(settings: Settings) -> None:
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", LossyStream(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(
        level=max(level, logging.WARNING), stream=sys.stderr, format="%(name)s %(levelname)s %(message)s"
    )
