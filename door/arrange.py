"""Makes, renames and moves files and folders and changes their mode, as the user; never replaces anything unasked."""

from __future__ import annotations

import errno
import os
import re
import stat

from .place import Place, folder_at, free_name, place, problem, rename, shown
from .refused import TYPE_CHECKING, Refused
from .request import USER, number, path, text, word

if TYPE_CHECKING:
    import pwd
    from collections.abc import Callable

    from .refused import Answer, Check, Config, Fields, Verbs

MAX_PATHS = 500
CONFLICT = re.compile("refuse|rename|replace")
MODE = re.compile("[0-7]{3}")


def paths(name: str, value: object) -> object:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_PATHS:
        raise Refused("invalid", f"The {name} must be a list of 1 to {MAX_PATHS} paths.", name)
    return [path(name, item) for item in value]


def own_name(name: str, value: object) -> object:
    """Check the name of a file: any but `.`, `..` and what has a slash."""
    found = str(text(255)(name, value))
    if found in ("", ".", "..") or "/" in found:
        raise Refused("invalid", "A name must not be empty, “.” or “..”, and must not contain a slash.", name)
    return found


def make(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Make a folder; its parent must exist."""
    new = place(fields["path"], entry)
    os.umask(int(config["umask"], 8))
    try:
        os.mkdir(new.name, 0o777, dir_fd=new.fd)
    except OSError as error:
        raise problem(error, fields["path"]) from None
    return {"ok": True}


def rename_one(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Give a file or folder another name in its folder."""
    old = place(fields["path"], entry)
    try:
        old.stat()
        rename(old.fd, old.name, old.fd, fields["name"])
    except FileExistsError:
        raise Refused("exists", f"There is already something called “{fields['name']}”.", "name") from None
    except OSError as error:
        raise problem(error, fields["path"]) from None
    return {"ok": True}


def move(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Move into a folder; tell what is done, what failed, and what is on another file system and must be copied."""
    target = folder_at(fields["target"], entry)
    return each(fields["paths"], lambda where: move_one(place(where, entry), target, fields["conflict"]))


def move_one(old: Place, target: int, conflict: str) -> str:
    try:
        here = old.stat()
        if stat.S_ISDIR(here.st_mode) and is_below(target, here):
            raise Refused("invalid", f"{old.shown} cannot be moved into itself.", "target")
        if os.path.samestat(os.fstat(old.fd), os.fstat(target)):
            return old.name
        name = free_name(target, old.name) if conflict == "rename" else old.name
        rename(old.fd, old.name, target, name, replace=conflict == "replace")
    except FileExistsError:
        raise Refused("exists", f"The folder already has something called “{old.name}”.", "paths") from None
    except OSError as error:
        if error.errno == errno.EXDEV:
            raise Refused("elsewhere", f"{old.shown} is on another file system and must be copied.") from None
        if error.errno in (errno.ENOTEMPTY, errno.EISDIR, errno.ENOTDIR):
            message = f"“{old.name}” cannot be replaced: one is a folder, or the folder is not empty."
            raise Refused("exists", message, "paths") from None
        raise problem(error, old.shown) from None
    return name


def is_below(fd: int, status: os.stat_result) -> bool:
    """Return whether a folder is `status`, or lies below it."""
    fd = os.dup(fd)
    try:
        while True:
            here = os.fstat(fd)
            if os.path.samestat(here, status):
                return True
            above = os.open("..", os.O_PATH | os.O_DIRECTORY, dir_fd=fd)
            os.close(fd)
            fd = above
            if os.path.samestat(os.fstat(fd), here):
                return False
    finally:
        os.close(fd)


def each(wheres: list[str], act: Callable[[str], object]) -> Answer:
    """Do the act for each path; one that fails does not keep the others from being done."""
    done: list[Answer] = []
    failed: list[Answer] = []
    for where in wheres:
        try:
            done.append({"path": shown(where), "now": shown(str(act(where)))})
        except Refused as refused:
            error = refused.answer["error"]
            failed.append({"path": shown(where), "code": error["code"], "message": error["message"]})
    return {"ok": True, "done": done, "failed": failed}


def mode(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Set the permissions of a file or folder of the user's own; its special bits stay."""
    here = place(fields["path"], entry)
    try:
        fd = os.open(here.name, os.O_PATH | os.O_NOFOLLOW, dir_fd=here.fd)
        status = os.fstat(fd)
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise Refused("not_a_file", f"{fields['path']} is neither a file nor a folder.", "path")
        special = status.st_mode & (0o7000 if stat.S_ISDIR(status.st_mode) else 0)
        os.chmod(f"/proc/self/fd/{fd}", special | int(fields["mode"], 8))
    except PermissionError:
        raise Refused("forbidden", f"Only the owner of {fields['path']} can change its permissions.", "path") from None
    except OSError as error:
        raise problem(error, fields["path"]) from None
    return {"ok": True}


USER_S: dict[str, Check] = {"user": word(USER), "deadline_s": number(2, 60)}
VERBS: Verbs = {
    "folder_make": (USER_S | {"path": path}, make),
    "file_rename": (USER_S | {"path": path, "name": own_name}, rename_one),
    "file_move": (USER_S | {"paths": paths, "target": path, "conflict": word(CONFLICT)}, move),
    "file_mode": (USER_S | {"path": path, "mode": word(MODE)}, mode),
}
