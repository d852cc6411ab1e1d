"""Who else may read or change a file, in words."""

from __future__ import annotations

import pytest

from portal.files.sharing import shared_with

GROUP = "The group lab can read this, if the folders above allow it."


@pytest.mark.parametrize(
    ("mode", "owner", "acl", "words"),
    [
        ("rwx------", "alice", False, "Nobody but you can open this."),
        ("rwxr-x---", "alice", False, GROUP),
        (
            "rwxrwxr-x",
            "alice",
            False,
            "The group lab can read and change this, and everybody on the cluster can read this, if the folders above "
            "allow it.",
        ),
        ("rwx------", "bob", False, "This belongs to bob."),
        ("rwxr-x---", "bob", False, f"This belongs to bob. {GROUP}"),
        ("rwxr-x---", "alice", True, f"{GROUP} An access list (ACL) may grant more: see getfacl."),
    ],
)
def test_sentence(mode: str, owner: str, acl: bool, words: str) -> None:
    assert shared_with(mode, owner, "lab", acl=acl, user="alice") == words
