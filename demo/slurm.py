"""The demo's Slurm: munge, accounting in its own MariaDB, one controller, four nodes with fake GPUs."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import stat

from demo import cgroups, people
from demo.namespace import AGENT, HOSTNAME
from demo.processes import Processes, ids_of_programs
from demo.service import Check, Service, accepting, folder, listening, until, write
from demo.site import GPUS_PER_NODE, INSIDE, Site, SiteError

B = INSIDE / "slurm"
MUNGE_SOCKET = INSIDE / "munge" / "munge.socket"
MYSQL = INSIDE / "mysql"
MYSQL_OWN = MYSQL / "temporary"
MYSQL_SOCKET = MYSQL / "mysql.socket"
UP_STATES = {"idle", "mix", "alloc"}
ACCOUNTS = ("physics", "vision")
QOS = ("normal", "low")
#: Features that only some nodes have, and what else users can ask for besides sizes.
NVME_NODES = 2
SHARDS_PER_GPU = 2
MPS_PER_GPU = 100
LICENSES = "matlab:2"
WCKEYS = ("course", "thesis")
NVIDIA_MAJOR = 195  # Linux's device numbers; no driver is behind them here


class Slurm:
    def __init__(self, site: Site, processes: Processes) -> None:
        self.site = site
        self.processes = processes
        self.env = {"SLURM_CONF": site.slurm_conf}

    def services(self) -> list[Service]:
        site, plugin = self.site, cgroups.usable()
        services = [
            Service(
                "munge",
                "munge",
                prepare=self._prepare_munge,
                argv=[
                    *("munged", "--foreground", f"--key-file={INSIDE}/munge/munge.key"),
                    *(f"--socket={MUNGE_SOCKET}", f"--pid-file={INSIDE}/munge/munged.pid"),
                    *(f"--log-file={INSIDE}/munge/munged.log", f"--seed-file={INSIDE}/munge/munged.seed"),
                ],
                user="munge",
                ready=accepting(MUNGE_SOCKET),
            ),
            Service(
                "mariadb",
                "MariaDB for Slurm's accounting",
                prepare=self._prepare_mariadb,
                argv=[
                    *("mariadbd", "--no-defaults", f"--datadir={MYSQL}/data", f"--socket={MYSQL_SOCKET}"),
                    f"--tmpdir={MYSQL_OWN}",
                    *("--skip-networking", f"--pid-file={MYSQL}/mariadbd.pid", f"--init-file={MYSQL}/init.sql"),
                    *(
                        "--innodb-buffer-pool-size=32M",
                        "--innodb-log-file-size=8M",
                        "--innodb-flush-log-at-trx-commit=2",
                    ),
                    *("--innodb-lock-wait-timeout=900", "--performance-schema=OFF"),
                ],
                user="mysql",
                ready=accepting(MYSQL_SOCKET),
            ),
            Service(
                "slurmdbd",
                "slurmdbd",
                after=("munge", "mariadb"),
                prepare=self._prepare_slurm,
                argv=["slurmdbd", "-D"],
                user="slurm",
                env={**self.env, "MARIADB_UNIX_PORT": MYSQL_SOCKET, "MYSQL_UNIX_PORT": MYSQL_SOCKET},
                ready=listening(site.ports["slurmdbd"]),
                settle=self._seed_accounting,
                grace_s=15,
            ),
            Service(
                "slurmctld",
                "slurmctld",
                after=("slurmdbd",),
                # -i: if killed in its first minutes its state is incomplete, and newer versions would refuse to start.
                argv=["slurmctld", "-D", "-i"],
                user="slurm",
                env=self.env,
                ready=self._controller_is_up,
                grace_s=20,
            ),
        ]
        services += [
            Service(
                node,
                f"slurmd of {node}",
                after=("slurmctld",),
                argv=cgroups.slurmd_argv(node, plugin),
                env=self.env,
                ready=self._node_is_up(node),
            )
            for node in site.nodes
        ]
        return services

    async def end_jobs(self) -> None:
        """Cancel every job and wait until none is left. Raises TimeoutError."""

        async def cancel(state: str) -> None:
            command = ["scancel", "--quiet", f"--state={state}"]
            await self.processes.run(command, log=self.site.log("stop"), env=self.env, check=False)

        async def sessions_ended() -> bool:
            return not ids_of_programs(AGENT)

        async def none_left() -> bool:
            return not await self._output("squeue", "-h", "-o", "%A")

        await cancel("PENDING")
        # Sessions end at once through their agents; Slurm's own signal takes seconds to reach them.
        for pid in ids_of_programs(AGENT):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await until(sessions_ended, within_s=8)
        await cancel("RUNNING")
        await until(none_left, within_s=20)

    async def _prepare_munge(self) -> None:
        home = folder(INSIDE / "munge", "munge")
        key = home / "munge.key"
        if not key.exists():
            write(key, secrets.token_hex(64), "munge", 0o400)
        for left in (MUNGE_SOCKET, MUNGE_SOCKET.with_name("munge.socket.lock")):
            left.unlink(missing_ok=True)

    async def _prepare_mariadb(self) -> None:
        folder(MYSQL, "mysql")
        # It names its temporary files by its process id, which is the same on every site that starts at this moment.
        folder(MYSQL_OWN, "mysql")
        MYSQL_SOCKET.unlink(missing_ok=True)
        write(
            MYSQL / "init.sql",
            "CREATE DATABASE IF NOT EXISTS slurm_acct_db;\n"
            "CREATE USER IF NOT EXISTS slurm@localhost IDENTIFIED VIA unix_socket;\n"
            "GRANT ALL ON slurm_acct_db.* TO slurm@localhost;\n",
        )
        if (MYSQL / "data").exists():
            return
        new = MYSQL / "data.new"
        shutil.rmtree(new, ignore_errors=True)
        await self.processes.run(
            [
                *("mariadb-install-db", "--no-defaults", "--user=mysql", f"--datadir={new}"),
                f"--tmpdir={MYSQL_OWN}",
                *("--auth-root-authentication-method=socket", "--skip-test-db", "--force"),
            ],
            log=self.site.log("mariadb"),
        )
        new.rename(MYSQL / "data")

    async def _prepare_slurm(self) -> None:
        etc = folder(B / "etc")
        for name in ("state", "run"):
            folder(B / name, "slurm")
        for node in self.site.nodes:
            folder(B / "spool" / node)
        for number in range(GPUS_PER_NODE):
            device = folder(B / "dev") / f"nvidia{number}"
            if not device.exists():
                os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(NVIDIA_MAJOR, number))
                device.chmod(0o666)
        version = await self._version()
        plugin = cgroups.usable()
        write(etc / "slurm.conf", slurm_conf(self.site, confined=plugin is not None))
        write(etc / "gres.conf", gres_conf(self.site))
        write(etc / "cgroup.conf", cgroups.cgroup_conf(plugin, version))
        write(etc / "slurmdbd.conf", slurmdbd_conf(self.site), "slurm", 0o600)

    async def _seed_accounting(self) -> None:
        """Add the cluster, its accounts and the directory's users, once."""
        done = B / "accounting-seeded"
        if done.exists():
            return

        async def add(*words: str) -> None:
            """Add an entry that may already exist, which sacctmgr reports as an error."""
            command = ["sacctmgr", "-i", "add", *words]
            await self.processes.run(command, log=self.site.log("slurmdbd"), env=self.env, check=False)

        await add("cluster", "portal")
        await add("qos", ",".join(QOS))
        await add("account", ",".join(ACCOUNTS), "Cluster=portal", "Organization=example")
        for groups in {person.groups for person in people.PEOPLE if person.groups}:
            members = ",".join(person.username for person in people.PEOPLE if person.groups == groups)
            await add(
                "user", members, f"Account={','.join(groups)}", f"DefaultAccount={groups[0]}", f"QOS={','.join(QOS)}"
            )
        everybody = ",".join(person.username for person in people.PEOPLE if person.groups)
        await add("user", everybody, f"WCKey={','.join(WCKEYS)}", "Cluster=portal")
        output = await self._output("sacctmgr", "-nP", "show", "associations", "format=User,Account")
        wanted = {f"{person.username}|{account}" for person in people.PEOPLE for account in person.groups}
        if missing := wanted - set(output.split()):
            raise SiteError(
                f"Slurm's accounting did not take {', '.join(sorted(missing))}.", log=self.site.log("slurmdbd")
            )
        done.touch()

    async def _controller_is_up(self) -> bool:
        return await listening(self.site.ports["slurmctld"])() and "is UP" in await self._output("scontrol", "ping")

    def _node_is_up(self, node: str) -> Check:
        async def check() -> bool:
            states = await self._output("sinfo", "-h", "-N", "-n", node, "-o", "%t")
            return set(states.split()) <= UP_STATES and bool(states)

        return check

    async def _version(self) -> tuple[int, int]:
        words = (await self._output("slurmctld", "-V")).split()  # "slurm-wlm 22.05.8"
        major, minor, *_ = words[-1].split(".")
        return int(major), int(minor)

    async def _output(self, *argv: str) -> str:
        """Return a command's output; empty if it fails."""
        log = INSIDE / "run" / f"output.{secrets.token_hex(4)}"
        try:
            status = await self.processes.run(argv, log=log, env=self.env, check=False, timeout_s=15)
            return log.read_text() if status == 0 else ""
        finally:
            log.unlink(missing_ok=True)


def slurm_conf(site: Site, *, confined: bool) -> str:
    nodes = ",".join(site.nodes)
    return (
        f"""\
ClusterName=portal
SlurmctldHost={HOSTNAME}(127.0.0.1)
SlurmctldPort={site.ports["slurmctld"]}
SlurmUser=slurm
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={MUNGE_SOCKET}
CredType=cred/munge
StateSaveLocation={B}/state
SlurmdSpoolDir={B}/spool/%n
SlurmctldPidFile={B}/run/slurmctld.pid
SlurmdPidFile={B}/run/slurmd.%n.pid
LogTimeFormat=iso8601_ms,format_stderr
ProctrackType=proctrack/{"cgroup" if confined else "linuxproc"}
TaskPlugin=task/{"cgroup" if confined else "none"}
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
PropagateResourceLimits=NONE
JobAcctGatherType=jobacct_gather/linux
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={site.ports["slurmdbd"]}
# The link to slurmdbd ignores AuthInfo.
AccountingStoragePass={MUNGE_SOCKET}
AccountingStorageTRES=gres/gpu,gres/shard,gres/mps
AccountingStorageEnforce=associations,qos
AccountingStoreFlags=job_comment
TrackWCKey=yes
Licenses={LICENSES}
ReturnToService=2
SlurmdTimeout=20
SlurmctldTimeout=30
# Else it listens on every address of the machine.
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
InactiveLimit=0
KillWait=5
MinJobAge=300
Waittime=0
EnforcePartLimits=ALL
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=5,bf_interval=5
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
# The nodes pretend to be larger than this machine is.
SlurmdParameters=config_overrides
# In the other order, Slurm tells jobs by MPS that they may use 0 percent of a GPU.
GresTypes=gpu,mps,shard
DefMemPerCPU=4000
"""
        + "".join(
            f"NodeName={node} NodeHostname=localhost NodeAddr=127.0.0.1 Port={site.ports[f'node{number}']}"
            " CPUs=40 Boards=1 SocketsPerBoard=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=384000"
            f" Gres={_gres(site, node)} Feature=v100,sxm2{',nvme' if number <= NVME_NODES else ''} State=UNKNOWN\n"
            for number, node in enumerate(site.nodes, 1)
        )
        + f"""\
PartitionName=sxm2 Nodes={nodes} Default=YES MaxTime=2-00:00:00 DefaultTime=01:00:00 PriorityTier=1 State=UP
PartitionName=debug Nodes={nodes} MaxTime=00:30:00 DefaultTime=00:10:00 PriorityTier=10 State=UP
"""
    )


def _gres(site: Site, node: str) -> str:
    whole = f"gpu:v100:{GPUS_PER_NODE}"
    return ",".join((whole, *(f"{name}:{count}" for name, count in _shared(site, node))))


def _shared(site: Site, node: str) -> list[tuple[str, int]]:
    """Return what jobs can share the node's GPUs by: shards on the last node, MPS on the one before."""
    parts = {site.nodes[-1]: ("shard", GPUS_PER_NODE * SHARDS_PER_GPU)}
    if len(site.nodes) > 1:
        parts[site.nodes[-2]] = ("mps", GPUS_PER_NODE * MPS_PER_GPU)
    return [parts[node]] if node in parts else []


def gres_conf(site: Site) -> str:
    devices = f"{B}/dev/nvidia[0-{GPUS_PER_NODE - 1}]"
    lines = [f"NodeName={node} Name=gpu Type=v100 File={devices}" for node in site.nodes]
    lines += [
        f"NodeName={node} Name={name} Count={count}" for node in site.nodes for name, count in _shared(site, node)
    ]
    return "\n".join(("AutoDetect=off", *lines, ""))


def slurmdbd_conf(site: Site) -> str:
    return f"""\
AuthType=auth/munge
AuthInfo=socket={MUNGE_SOCKET}
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={site.ports["slurmdbd"]}
SlurmUser=slurm
PidFile={B}/run/slurmdbd.pid
LogTimeFormat=iso8601_ms,format_stderr
CommunicationParameters=NoInAddrAny
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StorageLoc=slurm_acct_db
TrackWCKey=yes
"""
