"""Asks the door about a user's files, and turns its refusals into the portal's errors."""

from __future__ import annotations

from typing import Any

from portal.errors import (
    ChangedMeanwhile,
    ChecksumMismatch,
    Conflict,
    DiskFull,
    Exists,
    FieldProblem,
    FilesUnavailable,
    Forbidden,
    InvalidRequest,
    NotFound,
    PortalError,
    QuotaReached,
    ReadOnly,
    TooLarge,
)
from portal.errors import SlurmUnavailable as DoorUnavailable
from portal.slurm.door_client import Door, DoorRefused, DoorTimeout
from portal.slurm.door_slots import DoorBusy

DEADLINE_S = 10

_OWNER = "Ask its owner if you need it."
_ERRORS: dict[str, tuple[type[PortalError], str | None]] = {
    "not_found": (NotFound, "Check the path."),
    "forbidden": (Forbidden, _OWNER),
    "user_refused": (Forbidden, _OWNER),
    "unknown_user": (Forbidden, _OWNER),
    "link": (Forbidden, "The folder that the link leads to can be opened by its own path."),
    "exists": (Exists, None),
    "disk_full": (DiskFull, None),
    "quota": (QuotaReached, None),
    "read_only": (ReadOnly, None),
    "too_large": (TooLarge, "Or choose fewer folders."),
    "offset": (Conflict, "Ask how much has arrived, and go on from there."),
    "checksum": (ChecksumMismatch, None),
    "busy": (Conflict, "Wait a moment, then try again."),
    "unavailable": (FilesUnavailable, None),
    "changed_meanwhile": (ChangedMeanwhile, "Open the newer version, or save yours under another name."),
}


async def ask(
    door: Door, verb: str, user: str, shown: str, deadline_s: int = DEADLINE_S, **fields: Any
) -> dict[str, Any]:
    """Make one call about `shown`, a path; raises the portal's errors."""
    try:
        return await door.call(verb, user=user, deadline_s=deadline_s, **fields)
    except DoorTimeout as error:
        raise FilesUnavailable(f"{shown} could not be read in time: its file system is slow or unavailable.") from error
    except DoorUnavailable as error:
        raise unavailable(error) from error
    except DoorRefused as refused:
        raise refusal(refused) from refused


def unavailable(error: DoorUnavailable) -> FilesUnavailable:
    """Turn a failure of the door into FilesUnavailable; keep a refusal for too many requests."""
    other = FilesUnavailable(error.message, hint=error.hint, retry_after_s=error.retry_after_s)
    if isinstance(error, DoorBusy):
        other.status, other.code = error.status, error.code
    return other


def refusal(refused: DoorRefused) -> PortalError:
    error, hint = _ERRORS.get(refused.kind, (InvalidRequest, "Choose another path."))
    return error(refused.message, hint=hint, fields=[FieldProblem(refused.field or "path", refused.message)])
