"""The user's bins, in the layout of the freedesktop.org trash specification 1.0, as the user.

What lies in the home's file system goes to `~/.local/share/Trash`; anything else to `.Trash-UID` in the highest folder
of its file system that the user may write to, since moving to the home would mean copying. The home's bin remembers the
others (`portal-bins`).
"""

from __future__ import annotations

import errno
import json
import os
import stat
import time
from urllib.parse import quote, unquote

from .arrange import USER_S, each, paths
from .place import Place, absolute, free_name, open_folder, place, problem, rename, shown
from .refused import TYPE_CHECKING, Refused
from .request import number

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Config, Fields, Verbs

HOME_BIN = ".local/share/Trash"
OTHERS = "portal-bins"
INFO_BYTES = 16_384
MAX_OTHERS = 100


def remove(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Move each path to the bin of its file system; the answer has the ids to restore them with."""
    return each(fields["paths"], lambda where: remove_one(place(where, entry), where, entry))


def remove_one(old: Place, where: str, entry: pwd.struct_passwd) -> str:
    real = os.path.join(os.path.realpath(f"/proc/self/fd/{old.fd}"), old.name)
    if f"{absolute(where, entry)}/".startswith(f"{entry.pw_dir}/{HOME_BIN}/") or real == entry.pw_dir:
        raise Refused("invalid", f"{where} cannot be moved to the bin.", "path")
    try:
        old.stat()
        top = bin_for(old, real, entry)
        files, info = sub(top, "files"), sub(top, "info")
        name = new_info(info, files, old.name, real)
        try:
            rename(old.fd, old.name, files, name)
        except OSError:
            os.unlink(f"{name}.trashinfo", dir_fd=info)
            raise
        return os.path.join(os.path.realpath(f"/proc/self/fd/{files}"), name)
    except OSError as error:
        raise problem(error, where) from None


def bin_for(old: Place, real: str, entry: pwd.struct_passwd) -> int:
    """Return the bin of a place's file system, opened; it is made if it is missing."""
    device = os.fstat(old.fd).st_dev
    if os.stat(entry.pw_dir).st_dev == device:
        return home_bin(entry)
    above = os.path.dirname(real)
    highest = above
    while above != "/" and os.stat(above).st_dev == device:
        if os.access(above, os.W_OK | os.X_OK):
            highest = above
        above = os.path.dirname(above)
    name = f".Trash-{entry.pw_uid}"
    made = own_folder(open_folder(highest, entry.pw_uid), name, entry)
    remember(os.path.join(highest, name), entry)
    return made


def home_bin(entry: pwd.struct_passwd) -> int:
    fd = open_folder(entry.pw_dir, entry.pw_uid)
    for name in HOME_BIN.split("/"):
        fd = own_folder(fd, name, entry)
    return fd


def own_folder(fd: int, name: str, entry: pwd.struct_passwd) -> int:
    """Open a folder of the user's own below `fd`, made if missing. Raises Refused for a link or another's folder."""
    make(fd, name)
    try:
        own = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=fd)
    except OSError as error:  # perhaps a link of the user's own, for example of ~/.local
        if error.errno not in (errno.ENOTDIR, errno.ELOOP):
            raise
        status = os.stat(name, dir_fd=fd, follow_symlinks=False)
        if not stat.S_ISLNK(status.st_mode) or status.st_uid != entry.pw_uid:
            raise
        own = os.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=fd)
    if os.fstat(own).st_uid != entry.pw_uid:
        raise Refused("forbidden", f"The bin's folder “{name}” belongs to another user. Delete for good instead.")
    return own


def sub(top: int, name: str) -> int:
    make(top, name)
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)


def make(fd: int, name: str) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=fd)
    except FileExistsError:
        return


def new_info(info: int, files: int, name: str, real: str) -> str:
    """Reserve a name in the bin by its info file, as the specification wants: created exclusively, before the move."""
    text = f"[Trash Info]\nPath={quote(os.fsencode(real))}\nDeletionDate={time.strftime('%Y-%m-%dT%H:%M:%S')}\n"
    for _ in range(100):
        free = free_name(files, name)
        try:
            write(info, f"{free}.trashinfo", text)
        except FileExistsError:
            name = f"{name} {os.getpid()}"
            continue
        return free
    raise Refused("exists", f"The bin has too many files called {name}.")


def remember(where: str, entry: pwd.struct_passwd) -> None:
    known = others(entry)
    if where not in known:
        text = "".join(f"{json.dumps(item)}\n" for item in [*known, where][-MAX_OTHERS:])
        home, new = home_bin(entry), f".{OTHERS}.{os.getpid()}"
        write(home, new, text)
        os.replace(new, OTHERS, src_dir_fd=home, dst_dir_fd=home)


def write(folder: int, name: str, text: str) -> None:
    """Write a new file, or nothing if the disk is full."""
    fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(text.encode())
    except OSError:
        os.unlink(name, dir_fd=folder)
        raise


def others(entry: pwd.struct_passwd) -> list[str]:
    try:
        fd = os.open(os.path.join(entry.pw_dir, HOME_BIN, OTHERS), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return []
    raw = os.read(fd, MAX_OTHERS * 8192)
    os.close(fd)
    found = []
    for line in raw.decode(errors="replace").splitlines():
        try:
            found.append(str(json.loads(line)))
        except ValueError:
            continue
    return found


def listing(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return what is in the user's bins, newest first."""
    items: list[Answer] = []
    for top in (os.path.join(entry.pw_dir, HOME_BIN), *others(entry)):
        try:
            with os.scandir(os.path.join(top, "files")) as inside:
                for node in inside:
                    items.append(item_of(top, node, entry))
                    if len(items) > 20_000:
                        break
        except OSError:
            continue
    items.sort(key=lambda item: item["removed"] or "", reverse=True)
    limit = fields["limit"]
    return {"ok": True, "items": items[:limit], "truncated": len(items) > limit}


def item_of(top: str, node: os.DirEntry[str], entry: pwd.struct_passwd) -> Answer:
    was, removed = read_info(top, node.name)
    status = node.stat(follow_symlinks=False)
    folder = stat.S_ISDIR(status.st_mode)
    return {
        "id": shown(node.path),
        "name": shown(os.path.basename(was) or node.name),
        "path": shown(was),
        "removed": removed,
        "kind": "folder" if folder else "file" if stat.S_ISREG(status.st_mode) else "other",
        "size": 0 if folder else status.st_size,
    }


def read_info(top: str, name: str) -> tuple[str, str | None]:
    """Return where something in the bin was, and when it was removed; an unreadable info file says neither."""
    try:
        fd = os.open(os.path.join(top, "info", f"{name}.trashinfo"), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return "", None
    text = os.read(fd, INFO_BYTES).decode(errors="replace")
    os.close(fd)
    values = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    was = unquote(values.get("Path", ""), errors="surrogateescape")
    if was and not was.startswith("/"):
        was = os.path.join(os.path.dirname(top), was)
    return was, values.get("DeletionDate")


def restore(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Move each id back to where it was; under another name if that is taken."""
    return each(fields["paths"], lambda where: restore_one(where, entry))


def restore_one(where: str, entry: pwd.struct_passwd) -> str:
    top, info, name = bin_and_name(absolute(where, entry))
    was = read_info(top, name)[0]
    if not was:
        raise Refused(
            "not_found", f"It is not known where {name} was deleted from. Move it out of {top}/files yourself."
        )
    old, back = place(where, entry), place(was, entry)
    try:
        free = free_name(back.fd, back.name)
        rename(old.fd, old.name, back.fd, free)
        os.unlink(info)
    except OSError as error:
        raise problem(error, was) from None
    return os.path.join(os.path.dirname(was), free)


def bin_and_name(where: str) -> tuple[str, str, str]:
    files, name = os.path.split(where)
    top, last = os.path.split(files)
    if last != "files" or not name:
        raise Refused("invalid", "This is not the id of something in the bin.", "ids")
    return top, os.path.join(top, "info", f"{name}.trashinfo"), name


VERBS: Verbs = {
    "bin_put": (USER_S | {"paths": paths}, remove),
    "bin_list": (USER_S | {"limit": number(1, 2000)}, listing),
    "bin_restore": (USER_S | {"paths": paths}, restore),
}
