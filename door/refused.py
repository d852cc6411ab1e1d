"""The one exception of the door, and what its modules share."""

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
        self.code = code
        self.answer: Answer = {"ok": False, "error": {"code": code, "message": message, "field": field}}


class Then:
    """What an act still has to do when its answer is out, as `then` in it; it is ended after `lasts_s`."""

    def __init__(self, do: Callable[[], None], lasts_s: int) -> None:
        self.do = do
        self.lasts_s = lasts_s
