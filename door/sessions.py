"""Sessions: places or queues the session's job, cancels it, reads its log."""

from __future__ import annotations

import os
import re
import time

from .account import closed_environment
from .command import Command, run
from .log import open_log, read_log
from .refused import TYPE_CHECKING, FollowUp, Refused
from .request import FEATURES, LICENSES, USER, WORD, maybe, number, truth, word

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Config, Env, Fields, Verbs

#: Seconds a step may take to start once its resources are allocated (prologs, nodes waking up).
SLOW_START_S = 900
#: Seconds to look for a job when srun reported nothing in time; within the request's deadline.
LOOK_S = 3
#: Seconds to try to release an allocation without a step, and between tries; the portal waits as long for an agent.
RELEASE_S = 180
AGAIN_S = 5
MAX_PIECE = 1 << 20

SESSION = re.compile(r"[a-z0-9]{12}")
#: What Slurm says of a job that has ended.
GONE = re.compile(r"invalid job id|already completing or completed", re.I)
ENV_NAME = re.compile(r"DSP_[A-Z][A-Z_]{0,30}")
ENV_VALUE = re.compile(r"[\x20-\x7e]{0,4096}")
#: What a user calls the session; it becomes one argument.
TITLE = re.compile(r"[^\x00-\x1f\x7f]{1,60}")
OWN_ENV = frozenset({"DSP_LOG", "DSP_PYTHON", "DSP_AGENT", "DSP_PLACED"})

#: The job script, the same bytes for everybody; what differs comes in the environment. It prints that it has started
#: (the door waits for that line when it placed the job), and looks like a batch job to its app either way. An
#: allocation without a batch script does not end with its step: there the shell stays, to release it. Slurm's SIGTERM
#: then reaches only the shell, which passes it on; `set -m` keeps bash from starting the agent with SIGINT ignored,
#: which kernels need.
SCRIPT = b"""#!/bin/bash
exec 3>&1 >>"$DSP_LOG" 2>&1 </dev/null
echo "dsp-started $SLURM_JOB_ID $SLURMD_NODENAME" >&3
exec 3>&-
SLURM_JOB_GPUS=${SLURM_JOB_GPUS-$SLURM_STEP_GPUS}
[ -z "$SLURM_JOB_GPUS" ] || export SLURM_JOB_GPUS
unset SLURM_CPU_BIND SLURM_CPU_BIND_LIST SLURM_CPU_BIND_TYPE SLURM_CPU_BIND_VERBOSE SLURM_DISTRIBUTION
unset SRUN_DEBUG SLURMD_DEBUG
unset SLURM_SRUN_COMM_HOST SLURM_SRUN_COMM_PORT SLURM_STEP_LAUNCHER_PORT SLURM_LAUNCH_NODE_IPADDR SLURM_OVERLAP
[ -n "$DSP_PLACED" ] || exec "$DSP_PYTHON" -I "$DSP_AGENT"
set -m
"$DSP_PYTHON" -I "$DSP_AGENT" &
set +m
trap 'kill -TERM $!' TERM
wait $!
code=$?
while kill -0 $! 2>/dev/null; do
    wait $!
    code=$?
done
scancel --quiet "$SLURM_JOB_ID"
exit $code
"""
STARTED = re.compile(rb"^dsp-started (\d+) ([A-Za-z0-9_.-]*)$", re.M)


def variables(name: str, value: object) -> object:
    if not isinstance(value, dict) or len(value) > 16:
        raise Refused("invalid", f"{name} must be an object with at most 16 entries.", name)
    for key, text in value.items():
        if not ENV_NAME.fullmatch(key) or key in OWN_ENV:
            raise Refused("invalid", f"{name} has a variable that is not allowed.", name)
        if not isinstance(text, str) or not ENV_VALUE.fullmatch(text):
            raise Refused("invalid", f"{name} has a value that is not allowed.", name)
    return value


def allocation(fields: Fields) -> list[str]:
    """Return the options for the requested resources, one argv slot each, the same for srun and sbatch."""
    minutes = -(-fields["walltime_s"] // 60)
    argv = [
        f"--job-name=dsp-{fields['session']}",
        *([f"--comment={fields['title']}"] if fields["title"] else []),
        f"--nodes={fields['nodes']}",
        f"--ntasks={fields['nodes']}",
        f"--cpus-per-task={fields['cpus']}",
        f"--mem={fields['memory_mib']}M",
        f"--time={minutes}",
        "--export=ALL",
        "--propagate=NONE",
    ]
    if fields["nodes"] > 1:
        argv.append("--ntasks-per-node=1")
    if fields["gpus"] or fields["shards"] or fields["mps_percent"]:
        argv.append(f"--gres={gres(fields)}")
    if fields["exclusive"]:
        argv.append("--exclusive")
    names = ("partition", "account", "qos", "reservation", "exclude", "constraint", "licenses", "wckey")
    argv += [f"--{name}={fields[name]}" for name in names if fields[name]]
    return argv


def gres(fields: Fields) -> str:
    """Return the GPUs, or the part of one, as Slurm writes GRES."""
    kind = f"{fields['gpu_type']}:" if fields["gpu_type"] else ""
    counts = (("shard", fields["shards"]), ("mps", fields["mps_percent"]), ("gpu", fields["gpus"]))
    return next(f"{name}:{kind}{count}" for name, count in counts if count)


def place(fields: Fields, entry: pwd.struct_passwd, config: Config, env: Env, deadline: float) -> Answer | None:
    """Start the session inside this call if its resources are free now; None if they are not, or in any doubt.

    srun allocates and starts the step. Once the step runs, srun is not needed any more (the step writes its own log on
    the node) and is killed, so that no session depends on a process of this machine.
    """
    argv = [
        f"{config['bin_dir']}/srun",
        "--immediate",
        *allocation(fields),
        f"--chdir={entry.pw_dir}",
        "--overlap",
        "--cpu-bind=none",
        "--input=none",
        "/bin/bash",
        "-c",
        SCRIPT.decode(),
    ]
    srun = Command(argv, {**env, "DSP_PLACED": "1"})
    slow = srun.read(lambda: STARTED.search(srun.out), deadline)
    started = STARTED.search(srun.out)
    if started:
        srun.vanish()
        srun.wait()
        return {"ok": True, "job_id": int(started[1]), "placed": True, "node": started[2].decode() or None}
    if not slow:
        srun.wait()
        if b"Unable to contact slurm controller" in srun.err:
            raise Refused("slurm", srun.err.decode(errors="replace").strip()[:4000])
        return None
    try:
        job_id = find(fields, entry, config, env)
    except Refused:
        job_id = None
    if job_id is None:  # if Slurm still allocates the job, it ends it: its srun is gone
        srun.abort()
        srun.wait()
        raise Refused("aborted", "srun did not answer in time.")
    then = FollowUp(lambda: stay_with(srun, job_id, env, config), SLOW_START_S + RELEASE_S)  # send the answer now
    return {"ok": True, "job_id": job_id, "placed": False, "node": None, "then": then}


def stay_with(srun: Command, job_id: int, env: Env, config: Config) -> None:
    """Stay with srun until the step has started. If none starts, release the allocation: srun may not know about it."""
    srun.read(lambda: STARTED.search(srun.out), time.monotonic() + SLOW_START_S)
    if STARTED.search(srun.out):
        srun.vanish()
        return
    srun.abort()
    until = time.monotonic() + RELEASE_S - LOOK_S
    while not released(job_id, env, config) and time.monotonic() < until:
        time.sleep(AGAIN_S)


def released(job_id: int, env: Env, config: Config) -> bool:
    """Cancel the job; return whether Slurm has done it or no longer knows the job. Slurm may be away."""
    try:
        code, _, err = run([f"{config['bin_dir']}/scancel", str(job_id)], env, time.monotonic() + LOOK_S)
    except Refused:
        return False
    return not code or GONE.search(err) is not None


def find(fields: Fields, entry: pwd.struct_passwd, config: Config, env: Env) -> int | None:
    argv = [f"{config['bin_dir']}/squeue", "-h", f"--user={entry.pw_name}", f"--name=dsp-{fields['session']}"]
    out = run([*argv, "--format=%i"], env, time.monotonic() + LOOK_S)[1]
    ids = [int(line) for line in out.split() if line.isdigit()]
    return max(ids, default=None)


def submit(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    log = open_log(fields["session"], entry, config)
    env = closed_environment(entry, config) | fields["env"]
    env |= {"DSP_LOG": log, "DSP_PYTHON": config["python"], "DSP_AGENT": config["agent"]}
    os.umask(int(config["umask"], 8))
    deadline = time.monotonic() + fields["deadline_s"]
    # Slurm 22.05 creates no step with parts of a GPU of a type, and srun reads --exclusive as the step's.
    asked_beside = fields["shards"] or fields["mps_percent"] or fields["exclusive"]
    if fields["immediate"] and fields["nodes"] == 1 and not asked_beside:
        placed = place(fields, entry, config, env, deadline - LOOK_S)
        if placed:
            return placed
    argv = [
        f"{config['bin_dir']}/sbatch",
        "--parsable",
        "--no-requeue",
        *allocation(fields),
        f"--chdir={entry.pw_dir}",
        f"--output={log}",
        "--open-mode=append",
    ]
    if fields["after"]:  # it takes over from that job: Slurm keeps it waiting while an older one of its name is there
        argv.append("--dependency=singleton")
    code, out, err = run(argv, env, deadline, SCRIPT)
    job_id = out.split(b";")[0].strip()
    if code or not job_id.isdigit():
        raise Refused("slurm", err.strip()[:4000])
    return {"ok": True, "job_id": int(job_id), "placed": False, "node": None}


def cancel(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    argv = [f"{config['bin_dir']}/scancel", str(fields["job_id"])]
    code, _, err = run(argv, closed_environment(entry, config), time.monotonic() + fields["deadline_s"])
    if code:
        raise Refused("slurm", err.strip()[:4000])
    return {"ok": True}


VERBS: Verbs = {
    "submit": (
        {
            "user": word(USER),
            "session": word(SESSION),
            "title": word(TITLE, optional=True),
            "partition": word(WORD, optional=True),
            "account": word(WORD, optional=True),
            "qos": word(WORD, optional=True),
            "reservation": word(WORD, optional=True),
            "exclude": word(WORD, optional=True),
            "gpu_type": word(WORD, optional=True),
            "constraint": word(FEATURES, optional=True),
            "licenses": word(LICENSES, optional=True),
            "wckey": word(WORD, optional=True),
            "exclusive": truth,
            "shards": number(0, 1024),
            "mps_percent": number(0, 100),
            "nodes": number(1, 1024),
            "gpus": number(0, 1024),
            "cpus": number(1, 65_536),
            "memory_mib": number(1, 1 << 30),
            "walltime_s": number(60, 366 * 86_400),
            "immediate": truth,
            "after": maybe(number(1, (1 << 32) - 1)),
            "deadline_s": number(1, 120),
            "env": variables,
        },
        submit,
    ),
    "cancel": (
        {"user": word(USER), "job_id": number(1, (1 << 32) - 1), "deadline_s": number(1, 120)},
        cancel,
    ),
    "read_log": (
        {
            "user": word(USER),
            "session": word(SESSION),
            "offset": number(-(1 << 62), 1 << 62),
            "limit": number(1, MAX_PIECE),
        },
        read_log,
    ),
}
