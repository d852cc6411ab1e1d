"""Notebook templates in the home: reports the state of the user's copies and places new ones without losing anything.

`.shipped.json` records what the site placed, and in which version; the agent keeps it too (`copies.py` there).
"""

from __future__ import annotations

import hashlib
import json
import os
import time

from .files import open_file
from .refused import TYPE_CHECKING, Refused
from .request import USER, number, path, text, word

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Check, Config, Fields, Verbs

FOLDER = "templates"
MANIFEST = ".shipped.json"
MOST = 1_000
#: A larger copy counts as changed.
MAX_SIZE = 64 << 20
#: A larger manifest is not ours: `MOST` names and digests are smaller.
MAX_MANIFEST = 2 << 20
PIECE = 1 << 20
HOW = ("bring", "beside", "replace", "keep")
MOST_NAMES = 100


def states(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return each copy's current digest (SHA-256; empty: not a notebook of ours) and the one it was placed with."""
    folder = f"{entry.pw_dir}/{FOLDER}"
    brought = read_manifest(folder)
    copies = [
        {"digest": digest_of(os.path.join(folder, file)), "brought": brought.get(file)} for file in fields["files"]
    ]
    return {"ok": True, "copies": copies}


def place(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Place the notebook `source` at `file` below the home's templates.

    `bring` writes if nothing is there, or the user never changed it; `beside` writes under a new name; `replace`
    renames the existing file first; `keep` only records that the user has seen this version.
    """
    folder = f"{entry.pw_dir}/{FOLDER}"
    content = content_of(fields["source"])
    new, name, how = hashlib.sha256(content).hexdigest(), fields["file"], fields["how"]
    brought = read_manifest(folder)
    there = digest_of(os.path.join(folder, name))
    untouched = there is None or there in (new, brought.get(name))
    answer: Answer = {"ok": True, "file": name, "backup": None}
    try:
        if how == "beside":
            answer["file"] = write_beside(folder, name, content, new)
        elif how == "replace" and there not in (None, new):
            answer["backup"] = exchange(folder, name, content)
        elif how in ("bring", "replace") and untouched and there != new:
            write(os.path.join(folder, name), content, fresh=there is None)
        if (how != "bring" or untouched) and brought.get(name) != new:
            write_manifest(folder, brought | {name: new})
    except OSError as error:
        if how != "bring" or digest_of(os.path.join(folder, name)) is None:
            raise Refused("home", f"~/{FOLDER}/{name} cannot be written: {error.strerror}.", "file") from None
    return answer


def content_of(source: str) -> bytes:
    with os.fdopen(open_file(source, source), "rb") as file:
        content = file.read(MAX_SIZE + 1)
    if len(content) > MAX_SIZE:
        raise Refused("file", f"{source} is too large for a template.", "source")
    return content


def digest_of(where: str) -> str | None:
    """Return the SHA-256 of a notebook; None if there is none, empty for a file that cannot be a placed copy."""
    digest = hashlib.sha256()
    try:
        with os.fdopen(open_file(where, where), "rb") as file:
            if os.fstat(file.fileno()).st_size > MAX_SIZE:
                return ""
            for _ in range(MAX_SIZE // PIECE + 1):
                piece = file.read(PIECE)
                if not piece:
                    return digest.hexdigest()
                digest.update(piece)
    except Refused:
        return "" if os.path.lexists(where) else None
    except OSError:
        return ""
    return ""  # it has grown meanwhile


def write(where: str, content: bytes, *, fresh: bool) -> None:
    """Write the whole file or nothing; with `fresh` never over an existing one, which raises FileExistsError."""
    os.makedirs(os.path.dirname(where), exist_ok=True)
    beside = f"{os.path.dirname(where)}/.{os.path.basename(where)}.{os.getpid()}.new"
    try:
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644)
        with os.fdopen(fd, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(fd)  # an NFS quota may only take effect here
        if fresh:
            put(beside, where)
        else:
            os.replace(beside, where)
    finally:
        remove(beside)


def put(new: str, where: str) -> None:
    """Give an existing file a second name or, on file systems without hard links, rename it."""
    try:
        os.link(new, where)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(where):
            raise
        os.rename(new, where)


def remove(where: str) -> None:
    try:
        os.unlink(where)
    except FileNotFoundError:
        return


def write_beside(folder: str, name: str, content: bytes, digest: str) -> str:
    """Write under the first free name, unless a file with the same content exists; return that name."""
    for other in names(name, "new"):
        text = digest_of(os.path.join(folder, other))
        if text == digest:
            return other
        if text is None:
            write(os.path.join(folder, other), content, fresh=True)
            return other
    raise Refused("home", f"There are too many copies of ~/{FOLDER}/{name}; delete some.", "file")


def exchange(folder: str, name: str, content: bytes) -> str:
    """Put `content` in a file's place; return the new name of the old file.

    The new content is written first: if there is no room for it, nothing has changed.
    """
    where = os.path.join(folder, name)
    new = os.path.join(folder, os.path.dirname(name), f".{os.path.basename(name)}.next")
    write(new, content, fresh=False)
    try:
        for other in names(name, time.strftime("mine, %Y-%m-%d")):
            backup = os.path.join(folder, other)
            if not os.path.lexists(backup):
                os.rename(where, backup)
                put(new, where)
                return other
    finally:
        remove(new)
    raise Refused("home", f"There are too many copies of ~/{FOLDER}/{name}; delete some.", "file")


def names(name: str, word: str) -> list[str]:
    """Yield the names for `a/b.ipynb`: `a/b (word).ipynb`, `a/b (word 2).ipynb`, and so on."""
    stem = name.removesuffix(".ipynb")
    return [f"{stem} ({word}{f' {number}' if number > 1 else ''}).ipynb" for number in range(1, MOST_NAMES)]


def read_manifest(folder: str) -> dict[str, str]:
    """Return what was placed; if the manifest is missing or broken, nothing is known."""
    try:
        with os.fdopen(open_file(f"{folder}/{MANIFEST}", MANIFEST), "rb") as file:
            raw = file.read(MAX_MANIFEST + 1)
        content = json.loads(raw) if len(raw) <= MAX_MANIFEST else {}
    except (Refused, OSError, ValueError, RecursionError):
        return {}
    known = content.items() if isinstance(content, dict) else ()
    return {name: digest for name, digest in known if isinstance(digest, str)}


def write_manifest(folder: str, brought: dict[str, str]) -> None:
    write(f"{folder}/{MANIFEST}", json.dumps(brought, indent=1, sort_keys=True).encode(), fresh=False)


def notebook(name: str, value: object) -> object:
    """Check the path of a notebook below the home's templates."""
    found = str(text(1_000)(name, value))
    if found.startswith("/") or not found.endswith(".ipynb") or {"", ".", ".."} & set(found.split("/")):
        raise Refused("invalid", f"The {name} must be the path of a notebook below ~/{FOLDER}.", name)
    return found


def notebooks(name: str, value: object) -> object:
    if not isinstance(value, list) or len(value) > MOST:
        raise Refused("invalid", f"The value of {name} must be a list of at most {MOST}.", name)
    return [notebook(name, value) for value in value]


def how(name: str, value: object) -> object:
    if value not in HOW:
        raise Refused("invalid", f"The value of {name} must be one of {', '.join(HOW)}.", name)
    return value


WHO: dict[str, Check] = {"user": word(USER), "deadline_s": number(2, 60)}
VERBS: Verbs = {
    "template_states": (WHO | {"files": notebooks}, states),
    "template_place": (WHO | {"source": path, "file": notebook, "how": how}, place),
}
