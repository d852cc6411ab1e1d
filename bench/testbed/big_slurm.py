"""Slurms for the dashboard benchmark, queried through programs that count their starts.

One is a real controller with thousands of nodes without a slurmd. The other only prints what a simulated cluster
(tests/snapshots.py) would.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.demo_site import free_port
from tests.snapshots import Cluster

READY_WITHIN_S = 120
SETTLED_WITHIN_S = 60
#: Longer than Slurm's pause between two rounds of placing jobs (sched_interval below).
LOOK_EVERY_S = 7
BEGIN_AT_ONCE = 500
SCRIPT = "#!/bin/sh\nsleep 86400\n"
PROGRAMS = ("squeue", "scontrol", "sacctmgr", "sinfo", "sacct")
SPEAKER = """\
import re, sys
folder, arguments = {folder!r}, sys.argv[1:]
words = " ".join(arguments)
if {program!r} == "squeue":
    mark = re.search("exit_code:(\\x1e[0-9a-f]+)|:(\\x1e[0-9a-f]{{16}})", words)
    sys.stdout.write(open(folder + "/queue").read().replace("@MARK@", (mark[1] or mark[2])))
elif {program!r} == "scontrol":
    for kind in ("node", "partition", "job", "config"):
        if words.endswith("show " + kind):
            sys.stdout.write(open(folder + "/" + kind).read())
"""
CONFIG = "SLURM_VERSION = 22.05.8\nPrivateData = none\nAccountingStorageType = accounting_storage/none\n"


class Counted:
    """A folder of programs that record their names when they start."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self._started = folder / "started"
        self.bin.mkdir(parents=True)
        self._started.touch()

    def add(self, program: str, *command: str | Path) -> None:
        line = " ".join(f"'{word}'" for word in command)
        file = self.bin / program
        file.write_text(f'#!/bin/sh\necho {program} >>"{self._started}"\nexec {line} "$@"\n')
        file.chmod(0o755)

    def calls(self) -> Counter[str]:
        return Counter(self._started.read_text().split())


class FakeSlurm:
    """Answers as a cluster of any size would. Its changes are prepared in advance, and happen on command."""

    conf = None

    def __init__(self, folder: Path, cluster: Cluster) -> None:
        self.programs = Counted(folder)
        self._folder = folder
        self._cluster = cluster
        for program in PROGRAMS:
            speaker = folder / f"{program}.py"
            speaker.write_text(SPEAKER.format(folder=str(folder), program=program))
            self.programs.add(program, sys.executable, "-S", speaker)
        (folder / "config").write_text(CONFIG)
        (folder / "partition").write_text(cluster.partition_lines())
        self._next = 0
        self._write(0)
        self.go_on()

    def prepare(self, steps: int, share: float) -> None:
        """Prepare this many further readings, with this share of the running jobs changed between each two."""
        for step in range(self._next, self._next + steps):
            self._cluster.change(share)
            self._write(step)

    def go_on(self) -> None:
        """Make the next prepared reading current."""
        for name in ("queue", "node", "job"):
            (self._folder / f"{name}.{self._next}").replace(self._folder / name)
        self._next += 1

    def _write(self, step: int) -> None:
        for name, text in (
            ("queue", self._cluster.queue("@MARK@")),
            ("node", self._cluster.node_lines()),
            ("job", self._cluster.places()),
        ):
            (self._folder / f"{name}.{step}").write_text(text)


class RealSlurm:
    """Its own munged and slurmctld; CLOUD nodes take jobs though no slurmd runs (slurm.conf(5), "CLOUD")."""

    scheduler = "default_queue_depth=20000,sched_interval=5,bf_interval=30"

    def __init__(self, folder: Path, nodes: int) -> None:
        self.programs = Counted(folder)
        self.conf = folder / "slurm.conf"
        self._folder = folder
        self._nodes = nodes
        self.env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SLURM_CONF": str(self.conf), "LC_ALL": "C.UTF-8"}
        for program in PROGRAMS:
            self.programs.add(program, shutil.which(program) or program)

    def run(self, *argv: str, stdin: str = "") -> str:
        done = subprocess.run(argv, env=self.env, input=stdin, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{argv[0]} ended with {done.returncode}: {done.stderr[-500:]}")
        return done.stdout

    @contextmanager
    def running(self) -> Iterator[RealSlurm]:
        self._configure()
        key, sock = self._folder / "munge.key", self._folder / "munge.socket"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        options = [f"--key-file={key}", f"--socket={sock}", f"--pid-file={self._folder}/munged.pid"]
        options += [f"--log-file={self._folder}/munged.log", f"--seed-file={self._folder}/munged.seed"]
        daemons = [self._daemon("munged", "--foreground", "--force", *options)]
        try:
            self._until(sock.exists)
            daemons.append(self._daemon("slurmctld", "-D", "-c"))
            self._until(self._is_up)
            yield self
        finally:
            for daemon in reversed(daemons):
                daemon.terminate()
                with suppress(subprocess.TimeoutExpired):
                    daemon.wait(20)
                daemon.kill()

    def submit(self, jobs: int) -> None:
        """Queue jobs of four GPUs each. Some may start at once, the others tomorrow.

        A controller that places thousands of jobs answers nobody for seconds, which is not measured here.
        """
        size = BEGIN_AT_ONCE
        for number in range(0, jobs, size):
            self.run(
                *("sbatch", f"--array=1-{min(size, jobs - number)}", "--gpus-per-node=4", "--cpus-per-task=4"),
                f"--begin={'now' if number == 0 else 'now+1days'}",
                *(
                    "--mem=4000",
                    "--time=1-00:00:00",
                    f"--job-name=train-{number}",
                    "--chdir=/",
                    "--output=/dev/null",
                ),
                stdin=SCRIPT,
            )

    def submit_waiting(self, jobs: int) -> list[str]:
        """Submit held jobs, one by one, and return their ids."""
        return [
            self.run("sbatch", "--parsable", "--hold", "--chdir=/", "--output=/dev/null", stdin=SCRIPT).strip()
            for _ in range(jobs)
        ]

    def settle(self) -> int:
        """Wait until the number of allocated jobs stops growing, or for a long time; return it.

        On a busy machine slurmctld goes on for minutes; measurements then include its changes.
        """
        before, count = -1, 0
        deadline = time.monotonic() + SETTLED_WITHIN_S
        while time.monotonic() < deadline and (count == 0 or count != before):
            time.sleep(LOOK_EVERY_S)
            before, count = count, self.run("squeue", "-h", "-r", "-t", "CF,R", "-o", "%i").count("\n")
        return count

    def _daemon(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{program}.out").open("wb") as log:
            return subprocess.Popen([program, *options], env=self.env, stdout=log, stderr=log)

    def _is_up(self) -> bool:
        return (
            "is UP"
            in subprocess.run(["scontrol", "ping"], env=self.env, capture_output=True, text=True, check=False).stdout
        )

    def _until(self, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + READY_WITHIN_S
        while not ready():
            if time.monotonic() > deadline:
                raise RuntimeError(f"The benchmark's Slurm did not come up: {self._said()}")
            time.sleep(0.1)

    def _said(self) -> str:
        """Return the end of the daemons' logs."""
        return "".join(file.read_text(errors="replace")[-1500:] for file in sorted(self._folder.glob("*.out")))

    def _configure(self) -> None:
        folder = self._folder
        (folder / "state").mkdir()
        for number in range(4):
            with suppress(PermissionError):
                os.mknod(folder / f"nvidia{number}", 0o600 | 0o020000, os.makedev(195, number))
        (folder / "gres.conf").write_text(f"AutoDetect=off\n{self.gres(folder)}")
        self.conf.write_text(
            f"ClusterName=big\nSlurmctldHost={socket.gethostname()}(127.0.0.1)\nSlurmctldPort={free_port()}\n"
            f"SlurmUser=root\nAuthType=auth/munge\nAuthInfo=socket={folder}/munge.socket\nCredType=cred/munge\n"
            f"StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool.%n\n"
            f"SlurmctldPidFile={folder}/slurmctld.pid\nSlurmctldLogFile={folder}/slurmctld.log\n"
            "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\n"
            "AccountingStorageType=accounting_storage/none\nMailProg=/bin/true\nReturnToService=2\n"
            "CommunicationParameters=NoInAddrAny,NoCtldInAddrAny\nSchedulerType=sched/backfill\n"
            f"SchedulerParameters={self.scheduler}\n"
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\nDefMemPerCPU=1000\n"
            "MaxArraySize=20001\nMaxJobCount=50000\nMinJobAge=60\nSlurmdTimeout=0\nPrivateData=cloud\nTreeWidth=65533\n"
            "ResumeProgram=/bin/true\nSuspendProgram=/bin/true\nSuspendTime=INFINITE\nResumeTimeout=65000\n"
            f"{self.cluster()}"
        )

    def gres(self, folder: Path) -> str:
        """The lines of gres.conf; slurmctld wants files even of nodes that do not exist."""
        return f"Name=gpu Type=v100 File={folder}/nvidia[0-3]\n"

    def cluster(self) -> str:
        """The lines of slurm.conf that name nodes and partitions."""
        last = f"{self._nodes:05d}"
        return (
            f"NodeName=node[00001-{last}] CPUs=64 RealMemory=512000 Gres=gpu:v100:4 Feature=v100 State=CLOUD\n"
            f"PartitionName=big Nodes=node[00001-{last}] Default=YES MaxTime=2-00:00:00 State=UP\n"
        )
