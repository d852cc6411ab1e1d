"""The protocol between portal and door; the portal imports it as `portal/slurm/door_wire.py`, a link to this file.

A request is one line of JSON: `verb` and exactly that verb's fields. The answer is one JSON object: `{"ok": true, …}`
or `{"ok": false, "error": {"code", "message", "field"}}`. A verb that streams answers in frames instead: a line of
JSON, then as many bytes as its `bytes` says.
"""

from __future__ import annotations

#: Incremented with every change that the previous version of either side would not understand.
VERSION = 9
#: The verbs that change nothing, whether or not they were carried out.
LOOKS = frozenset(
    {
        "job_test",
        "look",
        "list",
        "read",
        "find",
        "file_send",
        "archive_send",
        "folder",
        "part_look",
        "bin_list",
        "room",
        "read_log",
        "template_states",
        "version",
    }
)


def whole_characters(piece: bytes) -> bytes:
    """Return `piece` without an unfinished UTF-8 character at its end, which is left for the next piece.

    A piece that consists only of such a beginning is returned as it is, so that reading always makes progress.
    """
    for back in range(1, min(4, len(piece)) + 1):
        if piece[-back] >= 0xC0:
            needed = 2 + (piece[-back] >= 0xE0) + (piece[-back] >= 0xF0)
            if back < needed and back < len(piece):
                return piece[:-back]
            break
    return piece
