"""A generated corpus: with any value in any field, the door answers with a message, logs it, and gives Slurm slots.

Only what becomes a user is left out here; the rest is the door as it is. `DSP_HYPOTHESIS=long` looks for much longer.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from door import __main__ as door
from door import command, conditions, guard
from door.audit import MAX_LINE, AuditLog
from door.config import CONFIG
from door.wire import LOOKS
from tests.unit.door.asking import SUBMIT, entry

WHERE = {"user": "alice", "path": "~/a", "deadline_s": 10}
SCRIPT = {"user": "alice", "script": "#!/bin/sh\n", "workdir": None, "partition": None, "deadline_s": 5}
WHO = {"user": "alice", "deadline_s": 5}
#: A request of each verb that does something; what streams is fuzzed up to where it would begin.
GOOD: dict[str, dict[str, Any]] = {
    "submit": {name: value for name, value in SUBMIT.items() if name != "verb"} | {"immediate": False},
    "cancel": {"user": "alice", "job_id": 7, "deadline_s": 5},
    "read_log": {"user": "alice", "session": "abcdefghijkl", "offset": 0, "limit": 100},
    "look": WHERE,
    "list": WHERE | {"limit": 10},
    "read": WHERE | {"offset": 0, "limit": 100},
    "find": WHERE | {"glob": "*", "depth": 2, "limit": 10},
    "room": WHERE,
    "folder": WHERE | {"q": "a", "sort": "name", "order": "asc", "hidden": True, "offset": 0, "limit": 10},
    "folder_make": WHERE,
    "file_rename": WHERE | {"name": "b"},
    "file_move": WHO | {"paths": ["~/a"], "target": "~", "conflict": "rename"},
    "file_mode": WHERE | {"mode": "640"},
    "bin_put": WHO | {"paths": ["~/a"]},
    "bin_list": WHO | {"limit": 10},
    "bin_restore": WHO | {"paths": ["~/.local/share/Trash/files/a"]},
    "save": WHERE | {"version": None, "content": "YQ=="},
    "part_make": WHERE | {"upload": "a" * 24, "length": 10, "conflict": "refuse"},
    "part_look": WHERE | {"upload": "a" * 24, "inode": 7},
    "part_drop": WHERE | {"upload": "a" * 24},
    "template_states": WHO | {"files": ["a/b.ipynb"]},
    "template_place": WHO | {"source": "~/a", "file": "a/b.ipynb", "how": "bring"},
    "job_test": SCRIPT,
    "job_submit": SCRIPT | {"token": "abcdefghijkl", "meter": "http://portal:8001/x abcdefghijkl.alice:" + "0" * 64},
    "job_act": WHO | {"ids": ["7", "8_1", "9_[1-3]"], "action": "hold", "walltime_s": None},
    "node_drain": WHO | {"nodes": ["node001"], "reason": "broken fan"},
    "node_resume": WHO | {"nodes": ["node001"]},
    "reservation_create": WHO
    | {
        "name": "course",
        "starts_at": "2026-12-01T08:00:00",
        "minutes": 60,
        "nodes": [],
        "users": ["alice"],
        "accounts": [],
        "flags": [],
    },
    "reservation_update": WHO
    | {
        "name": "course",
        "starts_at": "2026-12-01T08:00:00",
        "ends_at": "2026-12-01T10:00:00",
        "nodes": ["node001"],
        "users": ["alice"],
        "accounts": [],
    },
    "reservation_delete": WHO | {"name": "course"},
    "job_action": WHO | {"jobs": ["7"], "action": "priority", "value": 5},
    "session_change": WHO
    | {
        "job_id": 7,
        "partition": "debug",
        "account": None,
        "qos": None,
        "gpu_type": None,
        "gpus": 1,
        "cpus": None,
        "memory_mib": None,
        "walltime_s": 3600,
    },
    "session_withdraw": WHO | {"session": "abcdefghijkm", "job_id": 7, "successor": 8},
    "session_extend": WHO | {"session": "abcdefghijkl", "job_id": 7, "minutes": 300},
}
#: What changes any file that it is asked to, here with the rights of whoever runs the tests: checked and logged alone.
NEVER_HERE = [
    verb
    for verb, module in door.MODULES.items()
    if module in ("arrange", "bin", "bulk", "save", "transfer", "tree") and verb not in LOOKS
]
#: What shells, Slurm, JSON readers, logs and file systems take for something else than text.
PARTS = [
    "-", "--uid=0", "-w", "a b", "a\nb", "\r", "\0", "\x1b[2J", "'", '"', "`id`", "$(id)", ";", "|", "&", "=", ",",
    "x=y", "%A", "*", "..", "/./", "//", "~", "~root/", "/etc/passwd", "/proc/self/fd/0", "/dev/full", "é", "²", "٣",
    "\ud800", "\udcff", "\u202e", "\u2028", "\u0085", "node001", "alice", "root", "7", "123_7", "[1-3]", "None", "true",
    "a" * 300, ".ipynb", "a/b.ipynb", "hold", "cancel",
]  # fmt: skip
TEXT = st.lists(st.sampled_from(PARTS) | st.text(max_size=4), min_size=0, max_size=5).map("".join)
NUMBER = st.sampled_from([-(2**63), -1, 0, 1, 2**31, 2**32, 2**63, 2**64, 10**19, 10**30]) | st.integers()
VALUE = st.recursive(
    TEXT | NUMBER | st.none() | st.booleans() | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
LONG = os.environ.get("DSP_HYPOTHESIS") == "long"
PROFILE = settings(
    max_examples=settings.get_profile("long").max_examples if LONG else 60,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
#: How an option looks that the door writes: no value begins one.
OPTION = re.compile(r"--(?:[a-z-]+)(?:=.*)?|-[a-zA-Z]", re.DOTALL)


class Rig:
    """The door with its log, and with true(1) for every command of Slurm's."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.log, self.home = folder / "log", folder / "home"
        self.home.mkdir()
        self.argvs: list[list[str]] = []
        spawn = os.posix_spawn

        def run_nothing(program: str, argv: list[str], env: dict[str, str], **more: Any) -> int:
            for slot in argv:
                os.fsencode(slot)
            self.argvs.append(argv)
            return spawn("/bin/true", ["true"], env, **more)

        patch.setattr(command.os, "posix_spawn", run_nothing)
        patch.setattr(door, "load_config", lambda _: CONFIG | {"log": str(self.log), "admin_groups": ["root"]})
        patch.setattr(door, "account", lambda name, _: entry(self.home))
        patch.setattr("door.operate.operator", lambda actor, _: actor)
        patch.setattr(door, "become", lambda _: None)
        patch.setattr(conditions, "confine", lambda *_, **__: None)
        patch.setattr(os, "geteuid", lambda: 0)
        for verb in NEVER_HERE:
            verbs = import_module(f"door.{door.MODULES[verb]}").VERBS
            patch.setitem(verbs, verb, (verbs[verb][0], lambda *_: {"ok": True}))
        patch.setattr(AuditLog, "close", lambda _: None)  # it is the other half that closes its own
        patch.setattr(door, "AuditLog", self.open)
        patch.setattr(guard, "start", self.start)
        patch.setattr(guard, "watch", lambda *_, **__: self.report)

    def open(self, path: str) -> AuditLog:
        self.audit = AuditLog(path)
        return self.audit

    def start(self, act: Any, *, streams: bool) -> tuple[int, int]:
        """Have it done here: a process for each case would take most of the time."""
        here, mask = os.getcwd(), os.umask(0o077)
        with tempfile.TemporaryFile() as file:
            try:
                act(os.dup(file.fileno()))
            finally:
                os.chdir(here)
                os.umask(mask)
            file.seek(0)
            first, _, answer = file.read().partition(b"\n")
        self.report = guard.Report(first.decode().partition(" ")[2], answer)
        return 0, 0

    def ask(self, raw: bytes) -> dict[str, Any]:
        self.argvs.clear()
        self.log.write_bytes(b"")
        try:
            answer = door.serve(raw, "").answer
        except door.Refused as refused:
            answer = door.encoded(refused.answer)
        finally:
            os.close(self.audit.fd)
        return dict(json.loads(answer))

    def lines(self) -> list[str]:
        text = self.log.read_text("ascii")
        assert text.endswith("\n")
        return text.removesuffix("\n").split("\n")


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with pytest.MonkeyPatch.context() as patch:
        yield Rig(tmp_path_factory.mktemp("fuzz"), patch)


def check(rig: Rig, answer: dict[str, Any]) -> None:
    code = None if answer["ok"] else answer["error"]["code"]
    assert code != "internal", answer
    lines = rig.lines()
    assert lines
    for line in lines:
        assert line.isprintable()
        assert len(line) < MAX_LINE
    assert lines[-1].endswith(f"refused={code}" if code else " done")
    if code != "invalid":
        assert lines[-2].endswith(" begins")
    for argv in rig.argvs:
        for slot in argv[1:]:
            assert slot
            assert "\0" not in slot
            assert not slot.startswith("-") or OPTION.fullmatch(slot), slot


def test_every_verb_that_answers_is_here() -> None:
    assert GOOD.keys() == door.MODULES.keys() - door.STREAMS


@pytest.mark.parametrize("verb", GOOD)
def test_any_value_of_any_field_is_taken_or_refused_in_words_and_logged(verb: str, rig: Rig) -> None:
    check(rig, rig.ask(json.dumps({"verb": verb, **GOOD[verb]}).encode()))

    @PROFILE
    @given(st.dictionaries(st.sampled_from(sorted(GOOD[verb])), VALUE | TEXT, min_size=1, max_size=3))
    def fuzz(changes: dict[str, Any]) -> None:
        fields = GOOD[verb] | changes
        for name in {"deadline_s", "depth"} & changes.keys():  # waiting is not what is looked at
            fields[name] = min(3, changes[name]) if type(changes[name]) is int else changes[name]
        check(rig, rig.ask(json.dumps({"verb": verb, **fields}).encode()))

    fuzz()


@pytest.mark.parametrize("verb", GOOD)
def test_each_hostile_word_in_each_text_stays_in_one_slot(verb: str, rig: Rig) -> None:
    """What is taken as text adds no slot to a command, and none that says something else."""
    rig.ask(json.dumps({"verb": verb, **GOOD[verb]}).encode())
    slots = sorted(len(argv) for argv in rig.argvs)
    for name, good in GOOD[verb].items():
        if not isinstance(good, str | list) or name in ("action", "how"):
            continue
        for word in (*PARTS, *(f"x{part}" for part in PARTS)):
            value = [word] if isinstance(good, list) else word
            answer = rig.ask(json.dumps({"verb": verb, **GOOD[verb], name: value}).encode())
            check(rig, answer)
            if isinstance(good, str) and rig.argvs:
                assert sorted(len(argv) for argv in rig.argvs) == slots


NO_REQUESTS = (
    st.binary(max_size=300)
    | st.dictionaries(st.just("verb") | TEXT, VALUE | st.sampled_from(sorted(GOOD)), max_size=4).map(json.dumps)
    | st.tuples(st.sampled_from(['{"a":', "[", '"', "9", " "]), st.integers(1, 20_000)).map(
        lambda value: value[0] * value[1]
    )
)


@settings(PROFILE, max_examples=PROFILE.max_examples * 5)
@given(NO_REQUESTS)
def test_anything_that_is_no_request_is_refused_and_logged(rig: Rig, raw: str | bytes) -> None:
    answer = rig.ask(raw if isinstance(raw, bytes) else raw.encode())
    assert not answer["ok"]
    check(rig, answer)
