"""The server side of one websocket (RFC 6455), without extensions; wsproto speaks the protocol."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Event, Ping, TextMessage
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from .proxy.messages import Request

MAX_MESSAGE = 1 << 20
PIECE = 65_536


class Closed(Exception):
    """The other side has closed, or broken the protocol."""


class Message(NamedTuple):
    text: bool
    data: bytes


class WebSocket:
    def __init__(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Accept the request. Raises Closed if it is not a proper handshake."""
        self._reader = reader
        self._writer = writer
        self._protocol = WSConnection(ConnectionType.SERVER)
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in request.headers]
        try:
            self._protocol.initiate_upgrade_connection(headers, request.target)
            self._write(AcceptConnection())
        except (RemoteProtocolError, UnicodeError) as error:
            raise Closed from error

    async def receive(self) -> Message:
        """Return the next message; answers pings on the way. Raises Closed."""
        whole = bytearray()
        while True:
            for event in self._protocol.events():
                if isinstance(event, (TextMessage, BytesMessage)):
                    text = isinstance(event, TextMessage)
                    whole += event.data.encode() if isinstance(event, TextMessage) else event.data
                    if len(whole) > MAX_MESSAGE:
                        raise Closed
                    if event.message_finished:
                        return Message(text, bytes(whole))
                elif isinstance(event, Ping):
                    await self._send(event.response())
                elif isinstance(event, CloseConnection):
                    await self._send(event.response())
                    raise Closed
            try:
                piece = await self._reader.read(PIECE)
            except OSError as error:
                raise Closed from error
            if not piece:
                raise Closed
            self._protocol.receive_data(piece)

    async def send(self, data: bytes) -> None:
        """Send bytes, and wait until the other side takes them. Raises Closed."""
        await self._send(BytesMessage(data=data))

    async def send_text(self, text: str) -> None:
        await self._send(TextMessage(data=text))

    async def _send(self, event: Event) -> None:
        try:
            self._write(event)
            await self._writer.drain()
        except (OSError, LocalProtocolError) as error:
            raise Closed from error

    def _write(self, event: Event) -> None:
        self._writer.write(self._protocol.send(event))
