#!/usr/bin/python3 -IS
"""The door: the one program that acts as a user. `sudo -n portal-door`, JSON request on stdin, JSON answer on stdout.

Root only until the account is known, then that user for good. It believes nothing it is sent: every field is checked
here again, whoever checked it before. Standard library only; few imports, since it starts once per session.
Installation, configuration and what it promises: docs/explanation/door.md.
"""

from __future__ import annotations

import grp
import json
import os
import pwd
import re
import select
import signal
import stat
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` and `collections.abc` cost milliseconds at every start
    from collections.abc import Callable
    from typing import Any

    Check = Callable[[str, object], object]
    Fields = dict[str, Any]
    Config = dict[str, Any]
    Answer = dict[str, Any]
    Env = dict[str, str]

VERSION = 1
MAX_REQUEST = 65_536
MAX_OUTPUT = 65_536
MAX_PIECE = 1_048_576
#: How long a step may take to begin once its resources are held (prologs, nodes waking up).
SLOW_START_S = 900
#: How long a job is looked for when srun said nothing in time; within the request's deadline.
LOOK_S = 3

WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,99}")
USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}")
SESSION = re.compile(r"[a-z0-9]{12}")
ENV_NAME = re.compile(r"DSP_[A-Z][A-Z_]{0,30}")
NOBODY = (0xFFFE, 0xFFFF, 0xFFFFFFFE, 0xFFFFFFFF)
ENV_VALUE = re.compile(r"[\x20-\x7e]{0,4096}")
OWN_ENV = frozenset({"DSP_LOG", "DSP_PYTHON", "DSP_AGENT", "DSP_PLACED"})

#: The job, the same bytes for everybody; what differs comes in the environment. It says that it began (the door, when
#: it placed the job, waits for that line), and looks to its app like a batch job on both ways. An allocation without
#: a batch script does not end with its step: there the shell stays, to give it back. Slurm's SIGTERM then comes to the
#: shell alone, which passes it on; `set -m` keeps bash from starting the agent with SIGINT ignored, which kernels need.
SCRIPT = b"""#!/bin/bash
exec 3>&1 >>"$DSP_LOG" 2>&1 </dev/null
echo "dsp-started $SLURM_JOB_ID $SLURMD_NODENAME" >&3
exec 3>&-
SLURM_JOB_GPUS=${SLURM_JOB_GPUS-$SLURM_STEP_GPUS}
[ -z "$SLURM_JOB_GPUS" ] || export SLURM_JOB_GPUS
unset SLURM_CPU_BIND SLURM_CPU_BIND_LIST SLURM_CPU_BIND_TYPE SLURM_CPU_BIND_VERBOSE SLURM_DISTRIBUTION SRUN_DEBUG
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

CONFIG: Config = {
    "bin_dir": "/usr/bin",
    "conf": None,
    "min_uid": 1000,
    "groups": [],
    "python": "/usr/bin/python3",
    "agent": "/usr/share/portal/agent.pyz",
    "session_dir": ".portal/sessions",
    "log": "/var/log/portal-door.log",
    "path": "/usr/local/bin:/usr/bin:/bin",
    "lang": "C.UTF-8",
    "umask": "0022",
}


class Refused(Exception):
    """What was asked is not done. `code` is for the portal's program, the message for people."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.answer: Answer = {"ok": False, "error": {"code": code, "message": message, "field": field}}


# --- the request ------------------------------------------------------------------------------------------------


def word(pattern: re.Pattern[str], *, optional: bool = False) -> Check:
    def check(name: str, value: object) -> object:
        if value is None and optional:
            return None
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise Refused("invalid", f"The {name} has characters that are not allowed there.", name)
        return value

    return check


def number(low: int, high: int) -> Check:
    def check(name: str, value: object) -> object:
        if type(value) is not int or not low <= value <= high:
            raise Refused("invalid", f"The value of {name} must be a whole number from {low} to {high}.", name)
        return value

    return check


def truth(name: str, value: object) -> object:
    if type(value) is not bool:
        raise Refused("invalid", f"The value of {name} must be true or false.", name)
    return value


def variables(name: str, value: object) -> object:
    if not isinstance(value, dict) or len(value) > 16:
        raise Refused("invalid", f"{name} must be a small table.", name)
    for key, text in value.items():
        if not ENV_NAME.fullmatch(key) or key in OWN_ENV:
            raise Refused("invalid", f"{name} has a variable that is not allowed.", name)
        if not isinstance(text, str) or not ENV_VALUE.fullmatch(text):
            raise Refused("invalid", f"{name} has a value that is not allowed.", name)
    return value


VERBS: dict[str, dict[str, Check]] = {
    "version": {},
    "submit": {
        "user": word(USER),
        "session": word(SESSION),
        "partition": word(WORD, optional=True),
        "account": word(WORD, optional=True),
        "qos": word(WORD, optional=True),
        "reservation": word(WORD, optional=True),
        "gpu_type": word(WORD, optional=True),
        "nodes": number(1, 1024),
        "gpus": number(0, 1024),
        "cpus": number(1, 65_536),
        "memory_mib": number(1, 1 << 30),
        "walltime_s": number(60, 366 * 86_400),
        "immediate": truth,
        "deadline_s": number(1, 120),
        "env": variables,
    },
    "cancel": {"user": word(USER), "job_id": number(1, (1 << 32) - 1), "deadline_s": number(1, 120)},
    "read_log": {
        "user": word(USER),
        "session": word(SESSION),
        "offset": number(-(1 << 62), 1 << 62),
        "limit": number(1, MAX_PIECE),
    },
}


def parse(raw: bytes) -> tuple[str, Fields]:
    """Return (verb, fields), each field checked; exactly the verb's fields must be there."""
    if len(raw) > MAX_REQUEST:
        raise Refused("invalid", "The request is too large.")
    try:
        request = json.loads(raw)
    except (ValueError, RecursionError):
        raise Refused("invalid", "The request is not JSON.") from None
    verb = request.pop("verb", None) if isinstance(request, dict) else None
    if not isinstance(verb, str) or verb not in VERBS:
        raise Refused("invalid", "The request names no verb of this door.", "verb")
    checks = VERBS[verb]
    if request.keys() != checks.keys():
        odd = min(request.keys() ^ checks.keys())
        raise Refused("invalid", f"The request must have exactly the fields of {verb}.", odd[:40])
    return verb, {name: check(name, request[name]) for name, check in checks.items()}


def load_config(path: str) -> Config:
    """Read `path`; it decides what root does, so nobody but root may be able to write it."""
    try:
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            given = json.loads(file.read(MAX_REQUEST))
    except (OSError, ValueError) as error:
        raise Refused("configuration", f"{path} cannot be read: {error}") from None
    if found.st_uid != 0 or found.st_mode & 0o022:
        raise Refused("configuration", f"{path} must belong to root and be writable by nobody else.")
    if not isinstance(given, dict) or not given.keys() <= CONFIG.keys():
        raise Refused("configuration", f"{path} has keys that this door does not know.")
    config = CONFIG | given
    folder = config["session_dir"]
    if folder.startswith("/") or ".." in folder.split("/") or re.search(r"[^A-Za-z0-9_./-]", folder):
        raise Refused("configuration", "session_dir must be a plain folder under the home.")
    return config


# --- becoming the user --------------------------------------------------------------------------------------------


def account(name: str, config: Config) -> pwd.struct_passwd:
    """Return the account's passwd entry; system accounts and people outside the allowed groups are refused."""
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise Refused("unknown_user", "This account is not known on the portal's machine.", "user") from None
    system = entry.pw_uid < max(1, config["min_uid"]) or entry.pw_uid in NOBODY
    if entry.pw_name != name or system or entry.pw_gid == 0:
        raise Refused("user_refused", "The portal does not act for system accounts.", "user")
    if config["groups"]:
        mine = set(os.getgrouplist(entry.pw_name, entry.pw_gid))
        allowed = set()
        for group in config["groups"]:
            try:
                allowed.add(grp.getgrnam(group).gr_gid)
            except KeyError:
                continue
        if not mine & allowed:
            raise Refused("user_refused", "This account is in none of the groups the portal may act for.", "user")
    return entry


def become(entry: pwd.struct_passwd) -> None:
    """Turn this process into the user's for good, and make sure that it worked."""
    os.initgroups(entry.pw_name, entry.pw_gid)
    os.setresgid(entry.pw_gid, entry.pw_gid, entry.pw_gid)
    os.setresuid(entry.pw_uid, entry.pw_uid, entry.pw_uid)
    if os.getresuid() != (entry.pw_uid,) * 3 or os.getresgid() != (entry.pw_gid,) * 3 or 0 in os.getgroups():
        raise Refused("internal", "The privileges could not be given up.")


def closed_environment(entry: pwd.struct_passwd, config: Config) -> Env:
    """Build the whole environment of what runs as the user, from nothing."""
    env = {
        "PATH": config["path"],
        "HOME": entry.pw_dir,
        "USER": entry.pw_name,
        "LOGNAME": entry.pw_name,
        "SHELL": entry.pw_shell or "/bin/sh",
        "LANG": config["lang"],
    }
    if config["conf"]:
        env["SLURM_CONF"] = config["conf"]
    return env


# --- running Slurm's commands as the user -------------------------------------------------------------------------


class Command:
    """A program with its output read as it comes, bounded; in a session of its own, so that no signal reaches it."""

    def __init__(self, argv: list[str], env: Env, stdin: bytes = b"") -> None:
        (in_r, in_w), (out_r, out_w), (err_r, err_w) = os.pipe(), os.pipe(), os.pipe()
        self.pid = os.posix_spawn(
            argv[0],
            argv,
            env,
            file_actions=[(os.POSIX_SPAWN_DUP2, fd, at) for at, fd in enumerate((in_r, out_w, err_w))],
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE],
        )
        for fd in (in_r, out_w, err_w):
            os.close(fd)
        os.write(in_w, stdin)
        os.close(in_w)
        self._open = {out_r: bytearray(), err_r: bytearray()}
        self._fds = [out_r, err_r]
        self.out, self.err = self._open[out_r], self._open[err_r]

    def read(self, until: Callable[[], object], deadline: float) -> bool:
        """Read until `until()` holds, the output ends or the deadline passes; say whether it still goes on."""
        while self._fds and not until():
            left = deadline - time.monotonic()
            ready = select.select(self._fds, [], [], left)[0] if left > 0 else []
            if not ready:
                return True
            for fd in ready:
                piece = os.read(fd, 65_536)
                self._open[fd] += piece[: MAX_OUTPUT - len(self._open[fd])]
                if not piece:
                    self._fds.remove(fd)
                    os.close(fd)
        return bool(self._fds)

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def vanish(self) -> None:
        """End it so that it cannot tidy up after itself.

        srun leaves a shepherd that ends the job when srun dies. Once all of the group is stopped none of it runs
        another instruction, and so none sees the others die.
        """
        os.killpg(self.pid, signal.SIGSTOP)
        os.killpg(self.pid, signal.SIGKILL)

    def abort(self) -> None:
        """End it; srun's shepherd, which is spared, gives back what it may have been allocated."""
        os.kill(self.pid, signal.SIGKILL)


def run(argv: list[str], env: Env, deadline: float, stdin: bytes = b"") -> tuple[int, bytes, str]:
    """Run to the end and return (exit code, stdout, stderr); past the deadline it is killed and refused."""
    command = Command(argv, env, stdin)
    if command.read(lambda: False, deadline):
        command.vanish()
        command.wait()
        raise Refused("timeout", f"{os.path.basename(argv[0])} did not answer in time.")
    return command.wait(), bytes(command.out), command.err.decode(errors="replace")


def allocation(fields: Fields) -> list[str]:
    """The options that say what is asked for, one argv slot each, the same for srun and sbatch."""
    minutes = -(-fields["walltime_s"] // 60)
    argv = [
        f"--job-name=dsp-{fields['session']}",
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
    if fields["gpus"]:
        kind = f"{fields['gpu_type']}:" if fields["gpu_type"] else ""
        argv.append(f"--gres=gpu:{kind}{fields['gpus']}")
    argv += [f"--{name}={fields[name]}" for name in ("partition", "account", "qos", "reservation") if fields[name]]
    return argv


def place(fields: Fields, entry: pwd.struct_passwd, config: Config, env: Env, deadline: float) -> Answer | None:
    """Start the session inside this call if its resources are free now; None when they are not (or on any doubt).

    srun allocates and starts the step. Once the step runs, srun has nothing more to do for it (the step writes its
    own log on the node) and is made to vanish, so that no session depends on a process of this machine.
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
    job_id = find(fields, entry, config, env)
    if job_id is None:
        srun.abort()
        srun.wait()
        raise Refused("timeout", "srun did not answer in time.")
    if os.fork() == 0:  # the answer goes out now; a child stays with srun until the step has begun
        try:
            stay_with(srun)
        finally:
            os._exit(0)
    return {"ok": True, "job_id": job_id, "placed": False, "node": None}


def stay_with(srun: Command) -> None:
    os.setsid()
    for fd in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), fd)
    srun.read(lambda: STARTED.search(srun.out), time.monotonic() + SLOW_START_S)
    if STARTED.search(srun.out):
        srun.vanish()
    else:
        srun.abort()


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
    if fields["immediate"] and fields["nodes"] == 1:
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


# --- logs ---------------------------------------------------------------------------------------------------------


def open_log(session: str, entry: pwd.struct_passwd, config: Config) -> str:
    """Make the session's log as its user and write its first line: a full or missing home shows here, not later."""
    path = f"{entry.pw_dir}/{config['session_dir']}/{session}.log"
    try:
        os.chdir(entry.pw_dir)
        folder = ""
        for part in config["session_dir"].split("/"):
            folder += part
            if not os.path.isdir(folder):
                os.mkdir(folder, 0o700)
            folder += "/"
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise Refused("home", f"{path} is not a plain file.")
        os.write(fd, time.strftime("%Y-%m-%dT%H:%M:%SZ submitted by the portal\n", time.gmtime()).encode())
        os.close(fd)
    except OSError as error:
        raise Refused("home", f"{error.filename or path}: {error.strerror}") from None
    return path


def read_log(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return a piece of the log, cut where a character ends; a negative offset counts from the end."""
    path = f"{entry.pw_dir}/{config['session_dir']}/{fields['session']}.log"
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return {"ok": True, "text": "", "offset": 0, "next_offset": 0, "size": 0}
    except OSError as error:
        raise Refused("home", f"The session's log cannot be read: {error.strerror}.") from None
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        raise Refused("home", f"{path} is not a plain file.")
    size, offset = found.st_size, fields["offset"]
    offset = max(0, size + offset) if offset < 0 else min(offset, size)
    piece = os.pread(fd, fields["limit"], offset)
    for back in range(1, min(4, len(piece)) + 1):  # an unfinished UTF-8 character at the cut waits for the next piece
        if piece[-back] >= 0xC0:
            needed = 2 + (piece[-back] >= 0xE0) + (piece[-back] >= 0xF0)
            if back < needed and back < len(piece):
                piece = piece[:-back]
            break
    text = piece.decode(errors="replace")
    return {"ok": True, "text": text, "offset": offset, "next_offset": offset + len(piece), "size": size}


# --- one call -----------------------------------------------------------------------------------------------------


def audit(fd: int, line: str) -> None:
    by = re.sub(r"\D", "", os.environ.get("SUDO_UID", ""))[:12]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    os.write(fd, f"{stamp} pid={os.getpid()} by_uid={by} {line}\n".encode())


def serve(raw: bytes, config_path: str) -> Answer:
    if os.geteuid() != 0:
        raise Refused("configuration", "The door must be started as root, by sudo.")
    config = load_config(config_path)
    try:
        trail = os.open(config["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise Refused("configuration", f"{config['log']} cannot be written: {error.strerror}.") from None
    line = "request"
    try:
        verb, fields = parse(raw)
        if verb == "version":
            return {"ok": True, "version": VERSION, "session_dir": config["session_dir"], "agent": config["agent"]}
        names = ("user", "session", "job_id")
        line = " ".join([verb, *(f"{name}={fields[name]}" for name in names if name in fields)])
        entry = account(fields["user"], config)
        audit(trail, f"{line} uid={entry.pw_uid} begins")
        become(entry)
        answer = {"submit": submit, "cancel": cancel, "read_log": read_log}[verb](fields, entry, config)
        audit(trail, f"{line} job={answer.get('job_id', '-')} done")
        return answer
    except Refused as refused:
        audit(trail, f"{line} refused={refused.answer['error']['code']}")
        raise


def main() -> None:
    os.closerange(3, 256)
    os.umask(0o077)
    os.chdir("/")
    try:
        answer = serve(sys.stdin.buffer.read(MAX_REQUEST + 1), os.path.abspath(__file__) + ".json")
    except Refused as refused:
        answer = refused.answer
    except Exception as error:  # whatever breaks, the portal gets an answer it can read
        answer = Refused("internal", f"{type(error).__name__}: {error}"[:500]).answer
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
