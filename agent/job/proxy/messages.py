"""HTTP/1.1 messages in transit. h11 parses and writes heads and chunks; bodies of known length pass beside it.

h11 repairs some messages that two programs might read differently (two lengths, folded lines, bare line feeds). Here
they are refused.
"""

from __future__ import annotations

from typing import Callable, List, NamedTuple, Tuple, cast

import h11

from .wire import Disconnected, Malformed, Wire

MAX_HEAD = 65_536

Headers = List[Tuple[str, str]]


class Request(NamedTuple):
    """The head of a request; `minor` is that of HTTP/1.x, `peer` the address that it came from."""

    method: str
    target: str
    headers: Headers
    minor: int = 1
    peer: str = ""

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


NO_BODY = Body(0, False)


def header(headers: Headers, name: str) -> str:
    """Return the values of a header joined into one, or an empty text."""
    return ", ".join(value for key, value in headers if key.lower() == name)


def words(headers: Headers, name: str) -> list[str]:
    return [word.strip().lower() for word in header(headers, name).split(",") if word.strip()]


def goes_on(message: Request | Response) -> bool:
    """Return whether the sender keeps the connection open for another message (RFC 9112, 9.3)."""
    return message.minor == 1 and "close" not in words(message.headers, "connection")


class Exchange:
    """One request and its answer on one connection."""

    def __init__(self, wire: Wire, *, serving: bool) -> None:
        self.wire = wire
        self._http = h11.Connection(h11.SERVER if serving else h11.CLIENT, max_incomplete_event_size=MAX_HEAD)
        self.body = NO_BODY  # of the message read last

    # --- heads ---

    async def read_request(self) -> Request | None:
        """Read the head of a request; None if the connection ends before one begins. Raises Malformed, Disconnected."""
        raw = await self.wire.read_head(MAX_HEAD)
        if not raw:
            return None
        request = parse_request(raw, self._http)._replace(peer=self.wire.peer)
        self.body = self._framing(request.headers)
        return request

    async def read_response(self) -> Response:
        """Read the head of an answer; skips interim ones (1xx) except 101. Raises Malformed, Disconnected."""
        while True:
            raw = await self.wire.read_head(MAX_HEAD)
            if not raw:
                raise Disconnected("no answer")
            event = cast("h11.Response | h11.InformationalResponse", _parse(self._http, raw))
            if event.status_code < 200 and event.status_code != 101:
                continue
            response = Response(event.status_code, event.reason.decode("latin-1"), _headers(event), _minor(event))
            self.body = self._framing(response.headers)
            return response

    def _framing(self, headers: Headers) -> Body:
        """Return how the body of the message just read is framed. Raises Malformed if it could be read in two ways."""
        chunked, length = header(headers, "transfer-encoding"), header(headers, "content-length")
        if chunked and length:
            raise Malformed("both Content-Length and Transfer-Encoding")
        if _next(self._http) is not h11.NEED_DATA:  # h11 knows which messages have no body, whatever their heads say
            return NO_BODY
        return Body(int(length) if length else None, bool(chunked))

    # --- writing: queued for the next flush of `wire` ---

    def go_ahead(self) -> None:
        """Tell a client that waits for it (RFC 9110, 10.1.1) to send the body."""
        if self._http.they_are_waiting_for_100_continue:
            self._send(h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue"))

    def send_request(self, request: Request) -> None:
        self._send(h11.Request(method=request.method, target=request.target, headers=_encoded(request.headers)))

    def send_response(self, response: Response) -> None:
        kind = h11.InformationalResponse if response.status == 101 else h11.Response
        headers, reason = _encoded(response.headers), response.reason.encode("latin-1")
        self._send(kind(status_code=response.status, headers=headers, reason=reason))

    def send_data(self, data: bytes) -> None:
        """Queue a piece of a body whose length the head does not say."""
        self._send(h11.Data(data=data))

    def _send(self, event: h11.Event) -> None:
        for part in self._http.send_with_data_passthrough(event) or ():
            self.wire.write(part)

    # --- bodies ---

    async def pass_body(self, target: Exchange, moved: Callable[[], None], addition: bytes = b"") -> None:
        """Copy the body of the message just read to `target`, no faster than it is taken; drop a trailer.

        Appends `addition`, which a length in the head must include. Calls `moved` for every piece. Raises Disconnected
        if the body ends too early or breaks off.
        """
        if self.body.length is not None:
            await self.wire.pour(target.wire, self.body.length, moved)
            await target.wire.flush(addition)
            return
        while True:
            try:
                event = _next(self._http)
            except Malformed as error:
                raise Disconnected(f"in the middle of a body: {error}") from error
            if isinstance(event, h11.Data):
                moved()
                target._send(event)
                await target.wire.flush()
            elif event is h11.NEED_DATA:
                piece = await self.wire.receive()
                if not piece and self.body.chunked:
                    raise Disconnected("in the middle of a body")
                self._http.receive_data(piece)
            else:
                break
        self.wire.put_back(self._http.trailing_data[0])
        if addition:
            target.send_data(addition)
        target._send(h11.EndOfMessage())
        await target.wire.flush()


def whole(status: int, reason: str, headers: Headers, content: bytes = b"") -> bytes:
    """Return a complete answer, the last one on its connection."""
    http = h11.Connection(h11.SERVER)
    headers = [*headers, ("Content-Length", str(len(content))), ("Connection", "close")]
    response = h11.Response(status_code=status, headers=_encoded(headers), reason=reason.encode())
    parts = [http.send(response), http.send(h11.Data(data=content)), http.send(h11.EndOfMessage())]
    return b"".join(part or b"" for part in parts)


def parse_request(raw: bytes, http: h11.Connection | None = None) -> Request:
    """Parse the head of a request, up to its empty line. Raises Malformed."""
    event = cast(h11.Request, _parse(http or h11.Connection(h11.SERVER), raw))
    request = Request(event.method.decode(), event.target.decode(), _headers(event), _minor(event))
    if request.method == "CONNECT" or request.target[0] != "/":
        raise Malformed("the request line")
    return request


def _parse(http: h11.Connection, raw: bytes) -> h11.Event:
    if raw.count(b"\n") != raw.count(b"\r\n") or b"\n " in raw or b"\n\t" in raw:
        raise Malformed("a folded line, or a line feed alone")
    http.receive_data(raw)
    return cast(h11.Event, _next(http))  # the head is whole, so it is not NEED_DATA


def _next(http: h11.Connection) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
    try:
        return http.next_event()
    except h11.RemoteProtocolError as error:
        raise Malformed(str(error)) from error


def _headers(event: h11.Request | h11.Response | h11.InformationalResponse) -> Headers:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in event.headers.raw_items()]


def _encoded(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def _minor(event: h11.Request | h11.Response | h11.InformationalResponse) -> int:
    """Raise Malformed for other versions than HTTP/1.0 and 1.1."""
    if event.http_version not in (b"1.0", b"1.1"):
        raise Malformed("the version of HTTP")
    return int(event.http_version[2:])
