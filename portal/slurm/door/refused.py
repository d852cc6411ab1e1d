"""The one exception of the door, and the types its modules share."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` and `collections.abc` cost milliseconds at every start
    import pwd
    from collections.abc import Callable
    from typing import Any

    Check = Callable[[str, object], object]
    Fields = dict[str, Any]
    Config = dict[str, Any]
    Answer = dict[str, Any]
    Env = dict[str, str]
    Act = Callable[[Fields, pwd.struct_passwd, Config], Answer | None]
    Verbs = dict[str, tuple[dict[str, Check], Act]]


class Refused(Exception):
    """What was asked is not done. `code` is for the portal's program, the message for people."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.answer: Answer = {"ok": False, "error": {"code": code, "message": message, "field": field}}
