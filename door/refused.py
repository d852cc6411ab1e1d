"""The door's one exception, and what its modules share."""

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
    """The request was refused or failed. `code` is for the portal, the message for the user."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        message = message.encode(errors="replace").decode()  # it may contain a name that is not UTF-8
        super().__init__(message)
        self.code = code
        self.answer: Answer = {"ok": False, "error": {"code": code, "message": message, "field": field}}


class FollowUp:
    """What an act still has to do after sending its answer, as `then` in it; it is killed after `lasts_s`."""

    def __init__(self, do: Callable[[], None], lasts_s: int) -> None:
        self.do = do
        self.lasts_s = lasts_s
