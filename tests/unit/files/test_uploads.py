"""The headers of tus 1.0 and the URLs of uploads, as tables."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import AsyncMock

import pytest
from cryptography.fernet import Fernet

from portal.errors import InvalidRequest, NotFound
from portal.files.types import Conflict
from portal.files.uploads import Metadata, Uploads, checksum_of, metadata_of, whole

NOW = datetime(2026, 1, 1, tzinfo=UTC)
META = Metadata("~/a", Conflict.REFUSE, None, None)


def header(**values: str) -> str:
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())


def test_metadata() -> None:
    assert metadata_of(header(path="~/ä b", conflict="rename", mtime="12", sha256="0" * 64, filetype="x")) == Metadata(
        "~/ä b", Conflict.RENAME, 12, "0" * 64
    )
    assert metadata_of(header(path="/x") + ", empty") == Metadata("/x", Conflict.REFUSE, None, None)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "path",
        "path !",
        "path /w==",
        header(path="a"),
        header(path="~"),
        header(path="~/a\0b"),
        header(path="~/" + "a" * 2048),
        header(path="~/a", conflict="merge"),
        header(path="~/a", mtime="-1"),
        header(path="~/a", sha256="AB"),
    ],
)
def test_wrong_metadata_is_refused(value: str) -> None:
    with pytest.raises(InvalidRequest):
        metadata_of(value)


@pytest.mark.parametrize("value", [None, "", "-1", "1.5", "1e3", "²", "9" * 17, str((1 << 50) + 1)])
def test_length_is_a_whole_number(value: str | None) -> None:
    with pytest.raises(InvalidRequest):
        whole(value, "Upload-Length")


def test_checksum() -> None:
    assert checksum_of(None) is None
    assert checksum_of(f"sha256 {base64.b64encode(bytes(32)).decode()}") == "00" * 32
    for wrong in ("md5 AAAA", "sha256 AAAA", "sha256", "sha256 é"):
        with pytest.raises(InvalidRequest):
            checksum_of(wrong)


def uploads(door: Any, now: datetime = NOW, key: bytes | None = None) -> Uploads:
    return Uploads(door, AsyncMock(), Fernet(key or KEY), lambda: now)


KEY = Fernet.generate_key()


async def test_url_is_the_whole_state_and_one_users_own() -> None:
    door = AsyncMock()
    door.call.return_value = {"inode": 7}
    token, upload = await uploads(door).create("alice", 10, META)
    after_a_restart = uploads(door)
    assert after_a_restart.named("alice", token) == upload
    assert "~/a" not in token
    for other in (
        lambda: after_a_restart.named("bob", token),
        lambda: after_a_restart.named("alice", token[:-3]),
        lambda: after_a_restart.named("alice", "x"),
        lambda: uploads(door, key=Fernet.generate_key()).named("alice", token),
        lambda: uploads(door, NOW + timedelta(days=8)).named("alice", token),
    ):
        with pytest.raises(NotFound):
            other()


async def test_complete_part_gets_its_name_before_the_client_is_told() -> None:
    door, transfers = AsyncMock(), AsyncMock()
    door.call.return_value = {"inode": 7}
    transfers.store.return_value = {"offset": 10}
    service = Uploads(door, transfers, Fernet(KEY), lambda: NOW)
    _, upload = await service.create("alice", 10, META)
    for offset, done, stores in ((4, False, 0), (10, True, 0), (10, False, 1)):
        door.call.return_value = {"offset": offset, "done": done}
        transfers.store.reset_mock()
        assert await service.offset(upload) == offset
        assert transfers.store.call_count == stores
