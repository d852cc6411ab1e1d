"""Administrators' operations: a fixed list, run as Slurm's own user for a member of one of the configured groups.

The account named in the request must be in this machine's `admin_groups`, whatever the portal believes. Each value
becomes one argument `key=value` whose key this module writes, so no value can start another argument.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import time

from .account import NOBODY, closed_environment
from .command import run
from .refused import TYPE_CHECKING, Refused
from .request import USER, WORD, maybe, number, word
from .sessions import GONE

if TYPE_CHECKING:
    from .refused import Answer, Check, Config, Fields, Verbs

NODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")
JOB = re.compile(r"[1-9][0-9]{0,9}(_[0-9]{1,9})?")
MOMENT = re.compile(r"20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]")
#: Characters allowed in a reason; Slurm prints it on one line, and interprets quotes.
REASON = re.compile(r"[^\x00-\x1f\x7f\"'=`\\|]{1,200}")
FLAGS = re.compile(r"MAINT|IGNORE_JOBS|FLEX|DAILY|WEEKLY")
JOB_ACTIONS = re.compile(r"hold|release|requeue|cancel|time_limit|priority")
MANY = 500


def operator(actor: pwd.struct_passwd, config: Config) -> pwd.struct_passwd:
    """Return the account the operation runs as. Raises Refused unless the actor is in an administrators' group here."""
    mine = set(os.getgrouplist(actor.pw_name, actor.pw_gid))
    for group in config["admin_groups"]:
        try:
            if grp.getgrnam(group).gr_gid in mine:
                break
        except KeyError:
            continue
    else:
        text = "This account is in none of the groups whose members may operate the cluster (admin_groups of the door)."
        raise Refused("user_refused", text, "user")
    return operators_entry(config)


def operators_entry(config: Config) -> pwd.struct_passwd:
    """Return Slurm's own user. Raises Refused if it is missing, or is root."""
    try:
        entry = pwd.getpwnam(config["operator"])
    except KeyError:
        raise Refused("configuration", f"There is no account {config['operator']} here.") from None
    if entry.pw_uid in (0, *NOBODY) or entry.pw_gid == 0:
        raise Refused("configuration", "operator must be Slurm's own user, and not root.")
    return entry


def some(pattern: re.Pattern[str], *, least: int = 1) -> Check:
    """Check a list of distinct words."""
    result = word(pattern)

    def check(name: str, value: object) -> object:
        if not isinstance(value, list) or not least <= len(value) <= MANY:
            raise Refused("invalid", f"{name} must be a list of {least} to {MANY} items.", name)
        return list(dict.fromkeys(result(name, item) for item in value))

    return check


def call(argv: list[str], until: float, entry: pwd.struct_passwd, config: Config) -> str:
    """Run one command and return its error message, empty on success. Times in it are UTC."""
    env = closed_environment(entry, config) | {"TZ": "UTC"}
    code, _, err = run([f"{config['bin_dir']}/{argv[0]}", *argv[1:]], env, until)
    failed = code or GONE.search(err)
    return (err.strip()[:4000] or f"{argv[0]} ended with exit status {code}.") if failed else ""


def insist(argv: list[str], fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    if complaint := call(argv, time.monotonic() + fields["deadline_s"], entry, config):
        raise Refused("slurm", complaint)
    return {"ok": True}


def drain(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    nodes = ",".join(fields["nodes"])
    argv = ["scontrol", "update", f"nodename={nodes}", "state=drain", f"reason={fields['reason']}"]
    return insist(argv, fields, entry, config)


def resume(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    return insist(
        ["scontrol", "update", f"nodename={','.join(fields['nodes'])}", "state=resume"], fields, entry, config
    )


def reserve(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    argv = [
        "scontrol",
        "create",
        "reservation",
        f"reservationname={fields['name']}",
        f"starttime={fields['starts_at'] or 'now'}",
        f"duration={fields['minutes']}",
        f"nodes={','.join(fields['nodes']) or 'ALL'}",
    ]
    argv += [f"{key}={','.join(fields[key])}" for key in ("users", "accounts", "flags") if fields[key]]
    return insist(argv, fields, entry, config)


def update(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Change the given fields of a reservation; an empty list of users or accounts removes them all."""
    argv = ["scontrol", "update", f"reservationname={fields['name']}"]
    for key, field in (("starttime", "starts_at"), ("endtime", "ends_at")):
        argv += [f"{key}={fields[field]}"] if fields[field] is not None else []
    for key in ("nodes", "users", "accounts"):
        argv += [f"{key}={','.join(fields[key])}"] if fields[key] is not None else []
    return insist(argv, fields, entry, config)


def unreserve(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    return insist(["scontrol", "delete", f"reservationname={fields['name']}"], fields, entry, config)


def jobs(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Perform one action on each job; return each job's error message, empty on success."""
    until = time.monotonic() + fields["deadline_s"]
    results: Answer = {}
    for job in fields["jobs"]:
        if time.monotonic() > until:
            results[job] = "There was no time left for this job; try again."
            continue
        results[job] = call(of_job(fields["action"], job, fields["value"]), until, entry, config)
    return {"ok": True, "results": results}


def of_job(action: str, job: str, value: int | None) -> list[str]:
    if action == "cancel":
        return ["scancel", "--verbose", job]  # else it says nothing of a job that Slurm does not know
    if action in ("time_limit", "priority"):
        if value is None:
            raise Refused("invalid", f"{action} needs a value.", "value")
        key = "timelimit" if action == "time_limit" else "priority"
        return ["scontrol", "update", f"jobid={job}", f"{key}={value}"]
    return ["scontrol", action, job]


WHO = {"user": word(USER), "deadline_s": number(1, 120)}
VERBS: Verbs = {
    "node_drain": (WHO | {"nodes": some(NODE), "reason": word(REASON)}, drain),
    "node_resume": (WHO | {"nodes": some(NODE)}, resume),
    "reservation_create": (
        WHO
        | {
            "name": word(WORD),
            "starts_at": maybe(word(MOMENT)),
            "minutes": number(1, 366 * 1440),
            "nodes": some(NODE, least=0),
            "users": some(USER, least=0),
            "accounts": some(WORD, least=0),
            "flags": some(FLAGS, least=0),
        },
        reserve,
    ),
    "reservation_update": (
        WHO
        | {
            "name": word(WORD),
            "starts_at": maybe(word(MOMENT)),
            "ends_at": maybe(word(MOMENT)),
            "nodes": maybe(some(NODE)),
            "users": maybe(some(USER, least=0)),
            "accounts": maybe(some(WORD, least=0)),
        },
        update,
    ),
    "reservation_delete": (WHO | {"name": word(WORD)}, unreserve),
    "job_action": (
        WHO | {"jobs": some(JOB), "action": word(JOB_ACTIONS), "value": maybe(number(1, (1 << 32) - 2))},
        jobs,
    ),
}
