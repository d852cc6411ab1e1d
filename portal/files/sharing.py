"""Says in words who else may read or change a file or folder, from its mode, owner and group."""

from __future__ import annotations


def shared_with(mode: str, owner: str, group: str, *, acl: bool, user: str) -> str:
    """`mode`: as in `rwxr-x---`. Folders above may close what this one opens, which the sentence says."""
    if len(mode) != 9:
        return ""
    whose = "you" if owner == user else owner
    people = [
        words
        for who, rights in ((f"the group {group}", mode[3:6]), ("everybody on the cluster", mode[6:9]))
        if (words := _may(who, rights))
    ]
    alone = f"Nobody but {whose} can open this." if owner == user else f"This belongs to {owner}."
    said = f"{_capital(', and '.join(people))}, if the folders above allow it." if people else alone
    if people and owner != user:
        said = f"This belongs to {owner}. {said}"
    return f"{said} An access list (ACL) may grant more: see getfacl." if acl else said


def _may(who: str, rights: str) -> str:
    can = [word for letter, word in (("r", "read"), ("w", "change")) if letter in rights]
    return f"{who} can {' and '.join(can)} this" if can else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
