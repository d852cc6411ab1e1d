"""Acts on files that may take hours: copy, move between file systems, delete for good, empty the bin.

They tell how far they are. When the portal hangs up they stop: a copy that is not complete is taken away, and what is
deleted stays deleted. A copy lies as `.name.ID.part` in its target's folder and gets its name only when it is complete.
"""

from __future__ import annotations

import errno
import os
import stat

from .arrange import CONFLICT, is_below, move_one, paths
from .bin import HOME_BIN, bin_and_name, others
from .parts import tidy
from .place import AWAY, FOLDER, Place, absolute, folder_at, free_name, place, problem, rename, shown
from .refused import TYPE_CHECKING, Refused
from .request import USER, number, path, word
from .transfer import ID, LONGEST_S, part_of
from .trees import MAX_NOTES, Left, Stopped, Work, copy, count, remove, remove_only

if TYPE_CHECKING:
    import pwd
    from collections.abc import Callable

    from .refused import Answer, Check, Config, Fields, Verbs

MOST_IN_BIN = 100_000


def copy_all(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Copy into a folder."""
    work, target = Work(), folder_at(fields["target"], entry)
    return bulk(work, fields["paths"], entry, lambda old: copy_one(work, old, target, fields), target)


def move_all(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Move into a folder of any file system: copy, then delete the source once everything has arrived."""
    work, target = Work(strict=True), folder_at(fields["target"], entry)

    def move(old: Place) -> str:
        try:
            return move_one(old, target, fields["conflict"])
        except Refused as refused:
            if refused.code != "elsewhere":
                raise
        name = copy_one(work, old, target, fields)
        try:
            whole = remove(work, old.fd, old.name, old.shown, (target, name))
        except Stopped:
            message = f"The copy of {old.shown} is complete; a part of the original is still there."
            raise Refused("stopped", message, "paths") from None
        if not whole:
            message = f"The copy of {old.shown} is complete, but not all of the original could be deleted."
            raise Refused("left", message, "paths")
        return name

    return bulk(work, fields["paths"], entry, move, target)


def copy_one(work: Work, old: Place, target: int, fields: Fields) -> str:
    """Copy one thing under a hidden name, then give it its own. Whatever fails, nothing of it stays behind."""
    part, conflict = part_of(old, fields["operation"]), fields["conflict"]
    work.made = None
    try:
        here = old.stat()
        if stat.S_ISDIR(here.st_mode) and is_below(target, here):
            raise Refused("invalid", f"{old.shown} cannot be copied into itself.", "target")
        check_free(old, here, target, conflict)
        try:
            copy(work, old.fd, old.name, target, part, old.shown)
            name = free_name(target, old.name) if conflict == "rename" else old.name
            rename(target, part, target, name, replace=conflict == "replace")
        except BaseException:
            if work.made:
                remove_only(target, part, work.made)
            raise
    except Left as left:
        raise Refused("not_a_file", f"{old.shown} {left}.", "paths") from None
    except FileExistsError:
        raise Refused("exists", f"The folder already has something called “{old.name}”.", "paths") from None
    except OSError as error:  # of the target, unless the source has gone away
        raise problem(error, old.shown if error.errno in (*AWAY, errno.ENOENT) else fields["target"]) from None
    return name


def check_free(old: Place, here: os.stat_result, target: int, conflict: str) -> None:
    """Refuse what the last step would refuse, before hours of copying."""
    try:
        there = os.stat(old.name, dir_fd=target, follow_symlinks=False)
    except FileNotFoundError:
        return
    if conflict == "refuse":
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    if conflict == "replace" and os.path.samestat(here, there):
        raise Refused("exists", f"{old.shown} cannot be replaced by itself.", "paths")
    if conflict == "replace" and (stat.S_ISDIR(here.st_mode) or stat.S_ISDIR(there.st_mode)):
        raise Refused("exists", f"“{old.name}” cannot be replaced: one of the two is a folder.", "paths")


def delete_all(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Delete for good."""
    work = Work()
    return bulk(work, fields["paths"], entry, lambda old: delete_one(work, old, entry))


def delete_one(work: Work, old: Place, entry: pwd.struct_passwd) -> None:
    try:
        here = old.stat()
        home = os.open(entry.pw_dir, FOLDER & ~os.O_NOFOLLOW)
        try:
            if stat.S_ISDIR(here.st_mode) and is_below(home, here):
                raise Refused("invalid", f"{old.shown} is your home, or your home lies in it.", "paths")
        finally:
            os.close(home)
    except OSError as error:
        raise problem(error, old.shown) from None
    if not remove(work, old.fd, old.name, old.shown):
        raise Refused("left", f"Not all of {old.shown} could be deleted.", "paths")


def empty(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Delete what is in the user's bins for good: the ids, or everything."""
    work = Work()
    wheres = fields["ids"] or everything(entry)

    def delete(old: Place) -> None:
        _, info, _ = bin_and_name(absolute(old.shown, entry))
        delete_one(work, old, entry)
        try:
            os.unlink(info)
        except OSError as error:
            if error.errno != errno.ENOENT:
                raise problem(error, old.shown) from None

    return bulk(work, wheres, entry, delete)


def everything(entry: pwd.struct_passwd) -> list[str]:
    found: list[str] = []
    for top in (os.path.join(entry.pw_dir, HOME_BIN), *others(entry)):
        try:
            files = os.path.join(top, "files")
            found += [os.path.join(files, name) for name in os.listdir(files)[: MOST_IN_BIN - len(found)]]
        except OSError:
            continue
    return found


def bulk(
    work: Work,
    wheres: list[str],
    entry: pwd.struct_passwd,
    act: Callable[[Place], object],
    target: int | None = None,
) -> Answer:
    """Do the act for each path: first count them all, then go on after a failure, until the portal hangs up."""
    done = failed = 0
    try:
        for where in wheres:
            try:
                at(where, entry, lambda old: count(work, old.fd, old.name))
            except (OSError, Refused):
                continue  # the act itself will say why
        check_space(work, target)
        for where in wheres:
            if work.stopped:
                break
            try:
                at(where, entry, act)
                done += 1
            except Refused as refused:
                failed += 1
                error = refused.answer["error"]
                if failed <= MAX_NOTES:
                    work.tell({"failure": {"path": shown(where), "code": error["code"], "message": error["message"]}})
    except Stopped:
        work.stopped = True
    counts = {"done": done, "failed": failed, "left": work.left, "stopped": work.stopped}
    return {"ok": True, "bytes": 0} | counts | work.progress()


def at(where: str, entry: pwd.struct_passwd, act: Callable[[Place], object]) -> None:
    """Do the act at a path, holding its folder open."""
    there = place(where, entry)
    try:
        act(there)
    finally:
        os.close(there.fd)


def check_space(work: Work, target: int | None) -> None:
    if target is None:
        return
    tidy(target, remove_only)
    space = os.statvfs(f"/proc/self/fd/{target}")
    free = space.f_bavail * space.f_frsize
    if work.needed > free:
        raise Refused("disk_full", f"{work.needed} B are needed, and {free} B are free in the target.", "target")


FIELDS: dict[str, Check] = {"user": word(USER), "life_s": number(1, LONGEST_S), "operation": word(ID)}
INTO: dict[str, Check] = {"paths": paths, "target": path, "conflict": word(CONFLICT)}


def ids(name: str, value: object) -> object:
    return [] if value == [] else paths(name, value)


VERBS: Verbs = {
    "bulk_copy": (FIELDS | INTO, copy_all),
    "bulk_move": (FIELDS | INTO, move_all),
    "bulk_delete": (FIELDS | {"paths": paths}, delete_all),
    "bulk_empty": (FIELDS | {"ids": ids}, empty),
}
