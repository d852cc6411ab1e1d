"""The exact commands that read Slurm. `tests/recorded/record.py` runs these same lists on every version.

Users choose their jobs' names and comments freely: newlines, separators, anything. So these come last in a record,
fenced by a marker that is new for each reading, so nobody can have put it into a name.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from portal.slurm.jobs import Factor

SEPARATOR = "\x1f"


def new_mark() -> str:
    return f"\x1e{secrets.token_hex(8)}"


#: Slurm fills these itself; none is a user's free text.
JOB_FIELDS = (
    "jobid",
    "arrayjobid",
    "arraytaskid",
    "username",
    "account",
    "partition",
    "qos",
    "state",
    "reason",
    "nodelist",
    "numnodes",
    "numcpus",
    "submittime",
    "eligibletime",
    "starttime",
    "endtime",
    "timelimit",
    "prioritylong",
    "reservation",
    "exit_code",
    "tres-alloc",
    "tres-per-job",
    "tres-per-node",
)
JOB_TEXTS = ("name", "comment")

#: The weighted factors of a job's priority, by sprio's formats.
PRIORITY_FACTORS = {
    "%A": Factor.AGE,
    "%B": Factor.ASSOCIATION,
    "%F": Factor.FAIR_SHARE,
    "%J": Factor.JOB_SIZE,
    "%P": Factor.PARTITION,
    "%Q": Factor.QOS,
    "%T": Factor.TRES,
    "%S": Factor.SITE,
}

END_FIELDS = ("JobIDRaw", "State", "ExitCode", "Start", "End", "MaxRSS", "Reason")

#: A Slurm command's environment besides PATH and SLURM_CONF. Times are printed in UTC, task numbers in full.
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "SLURM_TIME_FORMAT": "standard", "SLURM_BITSTR_LEN": "0"}


def jobs(mark: str) -> list[str]:
    """Read the queue. `-O name:suffix` prints a field in full width, followed by the suffix.

    Slurm would read a suffix that starts with a digit or a full stop as a width, so a mark starts with neither.
    """
    fields = [f"{field}:{SEPARATOR}" for field in JOB_FIELDS[:-1]]
    fields.append(f"{JOB_FIELDS[-1]}:{mark}")
    fields += [f"{text}:{mark}" for text in JOB_TEXTS]
    return ["squeue", "--noheader", "--all", "--states=all", f"--Format={','.join(fields)}"]


def nodes() -> list[str]:
    return ["scontrol", "--all", "--detail", "--oneliner", "show", "node"]


def places() -> list[str]:
    """Read jobs in full detail: only there does Slurm show which of a node's GPUs a job holds."""
    return ["scontrol", "--all", "--detail", "--oneliner", "show", "job"]


def priorities() -> list[str]:
    return ["sprio", "--noheader", f"--format={'|'.join(('%i', '%Y', *PRIORITY_FACTORS))}"]


def partitions() -> list[str]:
    return ["scontrol", "--all", "--oneliner", "show", "partition"]


def licenses() -> list[str]:
    return ["scontrol", "show", "license"]


def wckeys(cluster: str) -> list[str]:
    argv = ["sacctmgr", "--noheader", "--parsable2", "--readonly", "show", "wckey", "format=User,WCKey"]
    return [*argv, f"cluster={cluster}"] if cluster else argv


def reservations() -> list[str]:
    return ["scontrol", "--all", "--oneliner", "show", "reservation"]


def config() -> list[str]:
    return ["scontrol", "show", "config"]


def associations(cluster: str = "") -> list[str]:
    """Read the associations of one cluster; without a name, of every cluster that shares the slurmdbd."""
    fields = "User,DefaultAccount,Account,Partition,QOS,DefaultQOS"
    argv = ["sacctmgr", "--noheader", "--parsable2", "--readonly", "show", "user", "withassoc", f"format={fields}"]
    return [*argv, f"cluster={cluster}"] if cluster else argv


#: What an association, and what a QOS can limit, in sacctmgr's words.
ASSOCIATION_LIMITS = (
    "GrpTRES", "GrpTRESMins", "GrpTRESRunMins", "GrpJobs", "GrpSubmit", "GrpWall",
    "MaxTRES", "MaxTRESPerNode", "MaxTRESMins", "MaxJobs", "MaxSubmit", "MaxWall",
)  # fmt: skip
QOS_LIMITS = (
    "GrpTRES", "GrpTRESMins", "GrpTRESRunMins", "GrpJobs", "GrpSubmit", "GrpWall",
    "MaxTRES", "MaxTRESPerNode", "MaxTRESMins", "MaxTRESPU", "MaxTRESPA", "MaxJobsPU", "MaxSubmitPU", "MaxWall",
)  # fmt: skip


def association_limits(cluster: str) -> list[str]:
    fields = ",".join(("Account", "User", "Partition", *ASSOCIATION_LIMITS))
    argv = ["sacctmgr", "--noheader", "--parsable2", "--readonly", "show", "association", f"format={fields}"]
    return [*argv, f"cluster={cluster}"]


def qos_limits() -> list[str]:
    fields = ",".join(("Name", *QOS_LIMITS))
    return ["sacctmgr", "--noheader", "--parsable2", "--readonly", "show", "qos", f"format={fields}"]


def clusters() -> list[str]:
    """Ask slurmdbd alone; slurmctld is not involved."""
    return ["sacctmgr", "--noheader", "--parsable2", "--readonly", "show", "cluster", "format=cluster"]


SACCT = ("sacct", "--noheader", "--parsable2", f"--delimiter={SEPARATOR}")


def job_ends(job_ids: Iterable[int]) -> list[str]:
    """Ask accounting for jobs and their steps, including the earlier runs of requeued jobs (`--duplicates`)."""
    fields = ",".join(END_FIELDS)
    return [
        *SACCT,
        "--duplicates",
        "--allusers",
        f"--jobs={','.join(map(str, job_ids))}",
        f"--format={fields}",
    ]


def steps(job_ids: Iterable[int]) -> list[str]:
    """Read the steps of these jobs on their nodes; an ended or unknown job has none."""
    jobs = ",".join(map(str, job_ids))
    return ["squeue", "--noheader", "--all", "--steps", f"--jobs={jobs}", f"--Format=stepid:{SEPARATOR}"]


def find(user: str, name: str) -> list[str]:
    """Find pending, running and completing jobs of this name, only the user's own, since anybody may use any name."""
    fields = ",".join(f"{field}:{SEPARATOR}" for field in ("jobid", "state", "nodelist"))
    return ["squeue", "--noheader", "--all", f"--user={user}", f"--name={name}", f"--Format={fields}"]


#: Fields of jobs and their steps in accounting; none is a user's free text.
ACCOUNT_FIELDS = (
    "JobID",
    "JobIDRaw",
    "State",
    "ExitCode",
    "Start",
    "End",
    "CPUTimeRAW",
    "TotalCPU",
    "MaxRSS",
    "NodeList",
    "TRESUsageInAve",
)


def accounts(job_ids: Iterable[int]) -> list[str]:
    """Ask accounting for many jobs at once: arrays with their tasks, all with their steps."""
    return [
        *SACCT,
        "--allusers",
        f"--jobs={','.join(map(str, job_ids))}",
        f"--format={','.join(ACCOUNT_FIELDS)}",
    ]


def submitted(user: str, since: str) -> list[str]:
    """Ask accounting how a user's jobs were submitted since then. The command line is free text and comes last."""
    return [
        *SACCT,
        "--allocations",
        f"--user={user}",
        f"--starttime={since}",
        "--format=JobID,SubmitLine",
    ]


#: What jobs held and how much of it they used; none is a user's free text.
SPENT_FIELDS = (
    "JobIDRaw",
    "User",
    "Account",
    "Partition",
    "Submit",
    "Eligible",
    "Start",
    "End",
    "AllocTRES",
    "TotalCPU",
    "TRESUsageInAve",
    "NodeList",
)


def job_runs(since: str, until: str) -> list[str]:
    """Ask accounting for everything that ran within a window, including each run of a requeued job (`--duplicates`)."""
    return [
        *SACCT,
        "--duplicates",
        "--allusers",
        f"--starttime={since}",
        f"--endtime={until}",
        f"--format={','.join(SPENT_FIELDS)}",
    ]


def outputs(job_id: int, mark: str) -> list[str]:
    """Read where a job writes and its working folder: a user's free text, each field fenced by the mark."""
    fields = ",".join(f"{field}:{mark}" for field in ("stdout", "stderr", "workdir", "dependency"))
    return ["squeue", "--noheader", "--all", "--states=all", f"--jobs={job_id}", f"--Format={fields}"]
