"""One call: read the request, become the user, act, answer; write an audit log line before and after."""

from __future__ import annotations

import json
import os
import signal
import sys
from importlib import import_module

from . import conditions, guard
from .account import account, become
from .audit import AuditLog, digest, line_of
from .config import load_config
from .refused import TYPE_CHECKING, Refused
from .request import MAX_REQUEST, checked, loads
from .wire import VERSION

if TYPE_CHECKING:
    from .refused import Act, Answer, Check, Config, Fields

#: The module of each verb; only that one is loaded.
MODULES = {
    "submit": "sessions",
    "cancel": "sessions",
    "read_log": "sessions",
    "session_change": "change",
    "session_withdraw": "change",
    "look": "files",
    "list": "files",
    "read": "files",
    "find": "files",
    "follow": "follow",
    "folder": "folder",
    "folder_make": "arrange",
    "file_rename": "arrange",
    "file_move": "arrange",
    "file_mode": "arrange",
    "bin_put": "bin",
    "bin_list": "bin",
    "bin_restore": "bin",
    "save": "save",
    "file_send": "transfer",
    "part_make": "transfer",
    "part_look": "transfer",
    "part_drop": "transfer",
    "part_store": "transfer",
    "archive_send": "archive",
    "bulk_copy": "bulk",
    "bulk_move": "bulk",
    "bulk_delete": "bulk",
    "bulk_empty": "bulk",
    "room": "quota",
    "template_states": "templates",
    "template_place": "templates",
    "job_test": "batch",
    "job_submit": "batch",
    "job_act": "batch",
    "use": "use",
    "node_drain": "operate",
    "node_resume": "operate",
    "reservation_create": "operate",
    "reservation_update": "operate",
    "reservation_delete": "operate",
    "job_action": "operate",
    "session_extend": "extend",
}
#: The acts that keep running and write their answers themselves.
STREAMS = frozenset(
    {
        "follow",
        "use",
        "file_send",
        "archive_send",
        "part_store",
        "bulk_copy",
        "bulk_move",
        "bulk_delete",
        "bulk_empty",
    }
)
#: The modules whose acts run as Slurm's own user.
OPERATING = frozenset({"operate", "extend"})
#: The modules whose acts write files of any size.
LARGE_FILES = frozenset({"transfer", "bulk"})
#: The memory limit of an act; higher for those that start Slurm's commands, which inherit the limit.
MEMORY_MIB = dict.fromkeys(
    ("files", "follow", "templates", "arrange", "bin", "save", "transfer", "archive", "bulk"), 256
)
MOST_MEMORY_MIB = 1024
#: Seconds the portal may take to send its request, and to read its answer.
TALK_S = 10
#: The default time limit of an act.
LASTS_S = 10


def parse(raw: bytes) -> tuple[str, Fields, Act | None]:
    """Return the verb, the checked fields, and the act to perform as the user (None for `version`)."""
    request = loads(raw)
    verb = request.get("verb")
    if verb == "version":
        return verb, checked(request, {}), None
    if not isinstance(verb, str) or verb not in MODULES:
        raise Refused("invalid", "The door has no such verb.", "verb")
    checks: dict[str, Check]
    checks, act = import_module(f"{__package__}.{MODULES[verb]}").VERBS[verb]
    return verb, checked(request, checks), act


def serve(raw: bytes, config_path: str) -> guard.Report:
    """Do what is asked, and log the outcome."""
    if os.geteuid() != 0:
        raise Refused("configuration", "The door must be started as root, by sudo.")
    config = load_config(config_path)
    log = AuditLog(config["log"])
    try:
        verb, fields, act = parse(raw)
    except Refused as refused:
        log.write(f"request={digest(raw)} refused={refused.code}")
        raise
    if act is None:
        answer = {"ok": True, "version": VERSION, "session_dir": config["session_dir"], "agent": config["agent"]}
        return guard.Report("", json.dumps(answer).encode())
    line = line_of(verb, fields)
    report = guarded(verb, fields, act, config, log, line)
    try:
        log.write(f"{line} {report.outcome}")
    except Refused:  # the act is done all the same: return its answer, with a note that it is not in the log
        report.answer = report.answer.replace(b"{", b'{"unlogged": true, ', 1)
    return report


def guarded(verb: str, fields: Fields, act: Act, config: Config, log: AuditLog, line: str) -> guard.Report:
    """Run the act in a process that becomes the user and is killed at its deadline."""
    streams = verb in STREAMS
    lasts_s = int(fields.get("deadline_s") or fields.get("life_s") or LASTS_S)

    def perform(writing: int) -> None:
        then = None
        try:
            entry = account(fields["user"], config)
            log.write(f"{line} uid={entry.pw_uid} begins", sync=MODULES[verb] in OPERATING)
            log.close()
            if MODULES[verb] == "operate":
                from .operate import operator

                entry = operator(entry, config)
            elif MODULES[verb] == "extend":
                from .extend import extender

                entry = extender(config)
            memory_mib = MEMORY_MIB.get(MODULES[verb], MOST_MEMORY_MIB)
            conditions.confine(memory_mib, lasts_s + 60, large_files=MODULES[verb] in LARGE_FILES)
            become(entry)
            answer = act(fields, entry, config)
            then = answer.pop("then", None) if answer else None
            report = guard.Report(f"job={(answer or {}).get('job_id', '-')} done", encoded(answer))
        except Refused as refused:
            report = refused_report(refused)
        except MemoryError:
            report = refused_report(Refused("internal", "There was not enough memory."))
        except Exception as error:  # whatever fails, the portal gets an answer it can read
            report = refused_report(Refused("internal", f"{type(error).__name__}: {error}"[:500]))
        report.stays_s = then.lasts_s if then else 0
        report.write(writing)
        if then:
            then.do()

    pid, reading = guard.start(perform, streams=streams)
    try:
        report = guard.watch(pid, reading, lasts_s, streams=streams)
    except guard.DeadlineExceeded:
        return refused_report(Refused("timeout", "It did not finish in time."))
    if report is None:
        return refused_report(Refused("ended", "The act was killed before it could report its outcome."))
    if report.stays_s:
        guard.stay(pid, report.stays_s)
    return report


def refused_report(refused: Refused) -> guard.Report:
    return guard.Report(f"refused={refused.code}", encoded(refused.answer))


def encoded(answer: Answer | None) -> bytes:
    return b"" if answer is None else json.dumps(answer).encode() + b"\n"


def main() -> None:
    config = os.path.abspath(sys.argv[0]) + ".json"
    try:
        conditions.reset()
        signal.alarm(TALK_S)
        raw = sys.stdin.buffer.readline(MAX_REQUEST + 1)
        signal.alarm(0)
        answer = serve(raw, config).answer
    except Refused as refused:
        answer = encoded(refused.answer)
    except Exception as error:  # whatever fails, the portal gets an answer it can read
        answer = encoded(Refused("internal", f"{type(error).__name__}: {error}"[:500]).answer)
    signal.alarm(TALK_S)
    while answer:
        answer = answer[os.write(1, answer) :]
    os._exit(0)  # there is nothing to clean up, and interpreter shutdown takes longer than most acts


if __name__ == "__main__":
    main()
