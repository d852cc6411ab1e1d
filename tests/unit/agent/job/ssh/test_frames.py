"""Websocket frames: the stream is the same whatever pieces they arrive in; violations of the protocol end it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wsproto import ConnectionType
from wsproto.connection import Connection
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage

from agent.job.ssh import frames
from agent.job.ssh.frames import BINARY, CLOSE, PING, TEXT, BrokenFrames, Frames

Told = list[tuple[int, bytes]]


def read(data: bytes, *, masked: bool, piece: int) -> Told:
    """Feed the bytes in pieces; join consecutive pieces of the stream."""
    reader, told = Frames(masked=masked), Told()
    for at in range(0, len(data), piece):
        for kind, view in reader.feed(memoryview(data)[at : at + piece]):
            if kind == BINARY and told and told[-1][0] == BINARY:
                told[-1] = (BINARY, told[-1][1] + bytes(view))
            else:
                told.append((kind, bytes(view)))
    return told


messages = st.lists(
    st.tuples(st.just(BINARY), st.binary(min_size=1, max_size=70_000))
    | st.tuples(st.just(TEXT), st.text(max_size=300).map(str.encode))
    | st.tuples(st.just(PING), st.binary(max_size=125)),
    max_size=6,
)


@given(messages, st.integers(1, 5000), st.booleans())
def test_any_pieces_give_the_same_stream(sent: Told, piece: int, masked: bool) -> None:
    wanted = Told()
    for kind, data in sent:
        if kind == BINARY and wanted and wanted[-1][0] == BINARY:
            wanted[-1] = (BINARY, wanted[-1][1] + data)
        else:
            wanted.append((kind, data))
    raw = b"".join(frames.message(kind, data, masked=masked) for kind, data in sent)
    assert read(raw, masked=masked, piece=piece) == wanted


@given(st.binary(min_size=1, max_size=70_000), st.integers(1, 5000))
def test_another_masks_frames_are_read(data: bytes, piece: int) -> None:
    """wsproto masks with real keys, as any other client or an intermediary may."""
    client = Connection(ConnectionType.CLIENT)
    raw = client.send(BytesMessage(data=data[: len(data) // 2], message_finished=False))
    raw += client.send(Ping(payload=b"between")) + client.send(BytesMessage(data=data[len(data) // 2 :]))
    told = read(raw, masked=True, piece=piece)
    assert b"".join(value for kind, value in told if kind == BINARY) == data
    assert (PING, b"between") in told


def test_wsproto_reads_what_is_sent() -> None:
    server = Connection(ConnectionType.SERVER)
    body = b"x" * 70_000
    raw = frames.message(BINARY, body, masked=True) + frames.message(TEXT, "ä".encode(), masked=True)
    server.receive_data(raw + frames.message(CLOSE, frames.closing(1001, "stopped"), masked=True))
    events = list(server.events())
    assert b"".join(event.data for event in events if isinstance(event, BytesMessage)) == body
    assert [event.data for event in events if isinstance(event, TextMessage)] == ["ä"]
    [closed] = [event for event in events if isinstance(event, CloseConnection)]
    assert (closed.code, closed.reason) == (1001, "stopped")


def test_a_long_reason_is_cut_at_a_character() -> None:
    body = frames.closing(1001, "ä" * 100)
    assert len(body) <= frames.MOST_CONTROL
    assert frames.close_reason(memoryview(body)) == "ä" * 61


@pytest.mark.parametrize(
    "raw",
    [
        frames.message(BINARY, b"not masked"),
        bytes([0xC2, 0x80]) + bytes(4),  # a bit that an extension would use
        bytes([0x83, 0x80]) + bytes(4),  # an unknown kind
        bytes([0x09, 0x80]) + bytes(4),  # a ping in parts
        frames.message(TEXT, b"x" * 5000, masked=True),
    ],
)
def test_what_was_not_agreed_on_ends_the_connection(raw: bytes) -> None:
    with pytest.raises(BrokenFrames):
        read(raw, masked=True, piece=1000)
