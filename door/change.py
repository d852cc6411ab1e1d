"""Changes what a user's pending session job asks for, and takes it out of the queue if it still waits there.

Both run as the user: Slurm lets users do this with their own pending jobs, within its own limits.
"""

from __future__ import annotations

import time

from .account import closed_environment
from .command import run
from .refused import TYPE_CHECKING, Refused
from .request import USER, WORD, maybe, number, word
from .sessions import GONE, SESSION

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Config, Fields, Verbs

#: How often a pending job is cancelled before it is reported as still there.
TRIES = 3


def change(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Set the given values, each null where it stays, with one command. Slurm refuses for a job that has started."""
    argv = [f"{config['bin_dir']}/scontrol", "update", f"jobid={fields['job_id']}"]
    argv += [f"{name}={fields[name]}" for name in ("partition", "account", "qos") if fields[name] is not None]
    if fields["walltime_s"] is not None:
        argv.append(f"timelimit={-(-fields['walltime_s'] // 60)}")
    if fields["cpus"] is not None:
        argv += [f"{key}={fields['cpus']}" for key in ("numcpus", "cpuspertask", "mincpusnode")]
    if fields["memory_mib"] is not None:
        argv.append(f"minmemorynode={fields['memory_mib']}")
    if fields["gpus"] is not None:
        kind = f"{fields['gpu_type']}:" if fields["gpu_type"] else ""
        argv.append(f"gres=gpu:{kind}{fields['gpus']}")
    code, _, err = run(argv, closed_environment(entry, config), time.monotonic() + fields["deadline_s"])
    if code:
        raise Refused("slurm", err.strip()[:4000])
    return {"ok": True}


def withdraw(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Cancel the session's job if it is still pending and the one that takes over is in the queue.

    `gone`: it has left the queue without starting; `there`: the other one is in it. A slurmctld that was killed comes
    back with an older state: both are read afterwards, the cancellation is repeated if it was forgotten, and a number
    that now belongs to another job is not touched.
    """
    env, until = closed_environment(entry, config), time.monotonic() + fields["deadline_s"]
    old, new, name = str(fields["job_id"]), str(fields["successor"]), f"--name=dsp-{fields['session']}"

    def ask(*argv: str) -> str:
        code, out, err = run([f"{config['bin_dir']}/{argv[0]}", *argv[1:]], env, until)
        if code and not GONE.search(err):
            raise Refused("slurm", err.strip()[:4000])
        return out.decode(errors="replace")

    def queued() -> dict[str, str]:
        lines = ask("squeue", "--noheader", f"--user={entry.pw_name}", name, "--format=%i %T").splitlines()
        return dict(line.split() for line in lines)

    there = queued()
    for _ in range(TRIES):
        if new not in there or there.get(old) != "PENDING":
            break
        ask("scancel", "--state=PENDING", name, old)
        there = queued()
    return {"ok": True, "gone": old not in there, "there": new in there}


OF_JOB = {"user": word(USER), "job_id": number(1, (1 << 32) - 1), "deadline_s": number(1, 120)}
VERBS: Verbs = {
    "session_change": (
        OF_JOB
        | {
            "partition": word(WORD, optional=True),
            "account": word(WORD, optional=True),
            "qos": word(WORD, optional=True),
            "gpu_type": word(WORD, optional=True),
            "gpus": maybe(number(1, 1024)),
            "cpus": maybe(number(1, 65_536)),
            "memory_mib": maybe(number(1, 1 << 30)),
            "walltime_s": maybe(number(60, 366 * 86_400)),
        },
        change,
    ),
    "session_withdraw": (OF_JOB | {"session": word(SESSION), "successor": number(1, (1 << 32) - 1)}, withdraw),
}
