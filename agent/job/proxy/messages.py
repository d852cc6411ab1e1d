"""HTTP/1.1 messages in transit: heads parsed strictly, bodies copied piece by piece (RFC 9112).

Refuses whatever two programs might read differently: two lengths, folded lines, a bare carriage return.
"""

from __future__ import annotations

import asyncio
import re
from typing import Callable, List, NamedTuple, Tuple

from .wire import Cut, Wire

MAX_HEAD = 65_536
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
REQUEST_LINE = re.compile(r"([A-Z]{1,20}) (/[\x21-\x7e]*) HTTP/1\.([01])")
STATUS_LINE = re.compile(r"HTTP/1\.([01]) (\d{3})(?: (.*))?")
VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")

Headers = List[Tuple[str, str]]


class Malformed(Exception):
    """The other side does not speak HTTP/1.1 as we understand it."""


class Request(NamedTuple):
    """The head of a request; `minor` is that of HTTP/1.x."""

    method: str
    target: str
    headers: Headers
    minor: int = 1

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    def get(self, name: str) -> str:
        return header(self.headers, name)

    @property
    def wants_websocket(self) -> bool:
        return self.get("upgrade").lower() == "websocket" and "upgrade" in words(self.headers, "connection")


class Response(NamedTuple):
    status: int
    reason: str
    headers: Headers
    minor: int = 1


class Body(NamedTuple):
    """How a body is framed: a known length, chunks, or (None, False) until the connection ends."""

    length: int | None
    chunked: bool

    @property
    def has_end(self) -> bool:
        """Return whether something else may follow it on its connection."""
        return self.chunked or self.length is not None


NO_BODY = Body(0, False)


def header(headers: Headers, name: str) -> str:
    """Return the values of a header joined into one, or an empty text."""
    return ", ".join(value for key, value in headers if key.lower() == name)


def words(headers: Headers, name: str) -> list[str]:
    return [word.strip().lower() for word in header(headers, name).split(",") if word.strip()]


async def read_request(reader: asyncio.StreamReader | Wire) -> Request | None:
    """Read the head of a request; None if the connection ends before one begins. Raises Malformed, Cut."""
    first, headers = await _read_head(reader)
    if first is None:
        return None
    line = REQUEST_LINE.fullmatch(first)
    if line is None:
        raise Malformed("the request line")
    if sum(name.lower() == "host" for name, _ in headers) > 1:
        raise Malformed("more than one Host")
    return Request(line[1], line[2], headers, int(line[3]))


async def read_response(reader: Wire) -> Response:
    """Read the head of an answer; skips interim ones (1xx) except 101. Raises Malformed, Cut."""
    while True:
        first, headers = await _read_head(reader)
        if first is None:
            raise Cut("no answer")
        line = STATUS_LINE.fullmatch(first)
        if line is None:
            raise Malformed("the status line")
        response = Response(int(line[2]), line[3] or "", headers, int(line[1]))
        if response.status >= 200 or response.status == 101:
            return response


async def _read_head(reader: asyncio.StreamReader | Wire) -> tuple[str | None, Headers]:
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise Cut("in the middle of a head") from error
        return None, []
    except asyncio.LimitOverrunError as error:
        raise Malformed("a head longer than 64 KiB") from error
    if len(raw) > MAX_HEAD:
        raise Malformed("a head longer than 64 KiB")
    first, *lines = raw[:-4].decode("latin-1").split("\r\n")
    headers = []
    for line in lines:
        name, colon, value = line.partition(":")
        value = value.strip(" \t")
        if not colon or not TOKEN.fullmatch(name) or not VALUE.fullmatch(value):
            raise Malformed("a header line")
        headers.append((name, value))
    return first, headers


def request_body(request: Request) -> Body:
    """Return the request's framing. Raises Malformed if it could be read in two ways."""
    return _framing(request.headers) or NO_BODY


def response_body(response: Response, method: str) -> Body:
    if method == "HEAD" or response.status in (204, 304) or response.status < 200:
        return NO_BODY
    return _framing(response.headers) or Body(None, False)


def _framing(headers: Headers) -> Body | None:
    lengths = {value for name, value in headers if name.lower() == "content-length"}
    codings = words(headers, "transfer-encoding")
    if codings:
        if lengths or codings != ["chunked"]:
            raise Malformed("Transfer-Encoding")
        return Body(None, True)
    if not lengths:
        return None
    if len(lengths) > 1 or not re.fullmatch(r"\d{1,18}", next(iter(lengths))):
        raise Malformed("Content-Length")
    return Body(int(lengths.pop()), False)


def goes_on(message: Request | Response) -> bool:
    """Return whether the sender keeps the connection open for another message (RFC 9112, 9.3)."""
    return message.minor == 1 and "close" not in words(message.headers, "connection")


async def copy(body: Body, source: Wire, target: Wire, moved: Callable[[], None]) -> None:
    """Copy a body as it is framed; see `Wire.pour`. Raises Malformed, and Cut if the body ends too early."""
    if body.chunked:
        await _copy_chunks(source, target, moved)
    else:
        await source.pour(target, body.length, moved)


async def _copy_chunks(source: Wire, target: Wire, moved: Callable[[], None]) -> None:
    """Copy the chunks but drop the trailer, which has not been checked."""
    while True:
        line = await _line(source)
        size = re.match(rb"([0-9A-Fa-f]{1,15})(?:[ \t]*;[^\r\n]*)?\r\n$", line)
        if size is None:
            raise Malformed("the size of a chunk")
        length = int(size[1], 16)
        if length == 0:
            break
        target.write(size[1] + b"\r\n")
        await source.pour(target, length, moved)
        if await _line(source) != b"\r\n":
            raise Malformed("the end of a chunk")
        target.write(b"\r\n")
    while await _line(source) != b"\r\n":
        pass
    target.write(b"0\r\n\r\n")
    await target.flush()


async def _line(reader: Wire) -> bytes:
    try:
        return await reader.readuntil(b"\r\n")
    except asyncio.IncompleteReadError as error:
        raise Cut("in the middle of a body") from error
    except asyncio.LimitOverrunError as error:
        raise Malformed("an endless line") from error


def head(first: str, headers: Headers) -> bytes:
    """Return the bytes of a head."""
    lines = [first, *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1")


def request_head(request: Request) -> bytes:
    return head(f"{request.method} {request.target} HTTP/1.1", request.headers)


def response_head(response: Response) -> bytes:
    return head(f"HTTP/1.1 {response.status} {response.reason}", response.headers)
