"""Batch jobs: checks and submits a user's script, and acts on existing jobs.

The script is data on sbatch's standard input; the user's own `#SBATCH` lines apply as they would at a terminal. What
the portal adds goes into argv, one value per slot.
"""

from __future__ import annotations

import os
import re
import time

from .account import closed_environment
from .command import run
from .meter import METER, metered
from .refused import TYPE_CHECKING, Refused
from .request import USER, WORD, number, path, text, word

if TYPE_CHECKING:
    import pwd
    from collections.abc import Callable

    from .refused import Answer, Check, Config, Fields, Verbs

MAX_SCRIPT = 262_144
MAX_IDS = 500
#: A job id as Slurm's commands take it: 123, 123_7, or tasks of an array, 123_[0-9,12].
JOB = re.compile(r"[1-9]\d{0,9}(_(\d{1,9}|\[\d[\d,-]{0,999}\]))?", re.ASCII)
#: One partition, or several for Slurm to choose from.
PARTITIONS = re.compile(rf"{WORD.pattern}(,{WORD.pattern}){{0,9}}")
TOKEN = re.compile(r"[a-z0-9]{12}")
ACTION = re.compile(r"cancel|hold|release|requeue|time_limit")


def optional(check: Check) -> Check:
    def checked(name: str, value: object) -> object:
        return None if value is None else check(name, value)

    return checked


def jobs(name: str, value: object) -> object:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_IDS:
        raise Refused("invalid", f"The {name} must be a list of 1 to {MAX_IDS} jobs.", name)
    check: Callable[[str, object], object] = word(JOB)
    return [check(name, item) for item in value]


def enter(fields: Fields, entry: pwd.struct_passwd) -> None:
    """Change to the folder the job is to run in, with the user's rights; sbatch takes it from there."""
    where = fields["workdir"] or "~"
    where = entry.pw_dir + where[1:] if where.startswith("~") else where
    try:
        os.chdir(where)
    except OSError as error:
        raise Refused("workdir", f"{fields['workdir'] or 'Your home'}: {error.strerror}.", "workdir") from None


def sbatch(fields: Fields, entry: pwd.struct_passwd, config: Config, *more: str, **env: str) -> tuple[bytes, str]:
    """Run sbatch with the script and return its output; a refusal carries Slurm's own message."""
    enter(fields, entry)
    os.umask(int(config["umask"], 8))
    argv = [f"{config['bin_dir']}/sbatch", "--propagate=NONE", *more]
    if fields["partition"]:
        argv.append(f"--partition={fields['partition']}")
    deadline = time.monotonic() + fields["deadline_s"]
    code, out, err = run(argv, closed_environment(entry, config) | env, deadline, fields["script"].encode())
    if code:
        raise Refused("slurm", err.strip()[:4000])
    return out, err


def job_test(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Ask Slurm whether it would accept the job, and when and where it would start; submit nothing."""
    _, err = sbatch(fields, entry, config, "--test-only", TZ="UTC", SLURM_TIME_FORMAT="standard")
    return {"ok": True, "said": err.strip()[:4000]}


def job_submit(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Submit the script. A token becomes the job's comment, so that the job can be found again.

    With `meter`, the address and key of the portal for it, the job starts the meter of its GPUs.
    """
    comment = [f"--comment=portal:{fields['token']}"] if fields["token"] else []
    if fields["meter"]:
        fields = {**fields, "script": metered(fields["script"], fields["meter"], config)}
    out, err = sbatch(fields, entry, config, "--parsable", *comment)
    job_id = out.split(b";")[0].strip()
    if not job_id.isdigit():
        raise Refused("slurm", err.strip()[:4000])
    return {"ok": True, "job_id": int(job_id), "said": err.strip()[:4000]}


def job_act(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Apply one action to each job; return for each whether Slurm did it, with Slurm's message if not."""
    if (fields["action"] == "time_limit") != (fields["walltime_s"] is not None):
        raise Refused("invalid", "Only time_limit takes a time.", "walltime_s")
    env = closed_environment(entry, config)
    deadline = time.monotonic() + fields["deadline_s"]
    results = []
    for job in fields["ids"]:
        code, _, err = run(argv_of(fields, job, config), env, deadline)
        results.append({"id": job, "ok": not code, "said": err.strip()[-400:]})
    return {"ok": True, "results": results}


def argv_of(fields: Fields, job: str, config: Config) -> list[str]:
    scontrol = f"{config['bin_dir']}/scontrol"
    action = fields["action"]
    if action == "cancel":
        return [f"{config['bin_dir']}/scancel", job]
    if action == "time_limit":
        return [scontrol, "update", f"JobId={job}", f"TimeLimit={-(-fields['walltime_s'] // 60)}"]
    return [scontrol, action, job]


SCRIPT = {
    "user": word(USER),
    "script": text(MAX_SCRIPT),
    "workdir": optional(path),
    "partition": word(PARTITIONS, optional=True),
    "deadline_s": number(1, 120),
}
VERBS: Verbs = {
    "job_test": (SCRIPT, job_test),
    "job_submit": (SCRIPT | {"token": word(TOKEN, optional=True), "meter": word(METER, optional=True)}, job_submit),
    "job_act": (
        {
            "user": word(USER),
            "ids": jobs,
            "action": word(ACTION),
            "walltime_s": optional(number(60, 366 * 86_400)),
            "deadline_s": number(1, 120),
        },
        job_act,
    ),
}
