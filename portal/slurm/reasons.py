"""Slurm's reasons why a job waits or ended, in words for its owner (squeue(1), "JOB REASON CODES")."""

from __future__ import annotations

import re

from portal.slurm.jobs import Job

_WORDS = {
    "Priority": "Jobs with a higher priority are ahead of it.",
    "Resources": "Waiting for free resources.",
    "Dependency": "Waiting for a job that it depends on.",
    "DependencyNeverSatisfied": "It depends on a job that can no longer end as required: cancel it.",
    "BeginTime": "It has not reached its begin time.",
    "JobHeldUser": "It is held by its owner; release it to let it start.",
    "JobHeldAdmin": "It is held by the administrators; ask them.",
    "JobHoldMaxRequeue": "It was requeued too often and is held; ask the administrators.",
    "launch_failed_requeued_held": "It could not be launched and is held; ask the administrators.",
    "job_requeued_in_held_state": "It was requeued and is held; ask the administrators.",
    "Licenses": "Waiting for a free licence.",
    "Reservation": "Waiting for its reservation to begin.",
    "ReservationDeleted": "Its reservation no longer exists: cancel it and start without one.",
    "ReqNodeNotAvail": "The nodes it needs are down, drained or reserved.",
    "NodeDown": "A node it needs is down.",
    "FrontEndDown": "The cluster's front end is down.",
    "PartitionDown": "Its partition takes no jobs now; the administrators have closed it.",
    "PartitionInactive": "Its partition is inactive; the administrators have closed it.",
    "PartitionConfig": "It asks for more than its partition has or allows: cancel it and ask for less.",
    "PartitionNodeLimit": "It asks for more nodes than its partition allows: cancel it and ask for fewer.",
    "PartitionTimeLimit": "It asks for more time than its partition allows: cancel it and ask for less.",
    "BadConstraints": "No node can satisfy its request: cancel it and ask for less.",
    "AccountNotAllowed": "Its account may not use this partition: cancel it and choose another.",
    "AccountingPolicy": "Waiting because of the accounting policy.",
    "InvalidAccount": "Its account is not valid: cancel it and choose another.",
    "InvalidQOS": "Its QOS is not valid: cancel it and choose another.",
    "QOSNotAllowed": "Its QOS may not be used here: cancel it and choose another.",
    "JobArrayTaskLimit": "Its array is running as many tasks as it may at once.",
    "Cleaning": "It is being requeued.",
    "Prolog": "Its node is being prepared.",
    "SchedDefer": "The scheduler will look at it in a moment.",
    "None": "",
    "WaitingForScheduling": "The scheduler has not looked at it yet.",
    "NonZeroExitCode": "Its program ended with an error.",
    "JobLaunchFailure": "It could not be launched on the node.",
    "TimeLimit": "It reached its time limit.",
    "InactiveLimit": "Slurm ended it as inactive; the administrators should set InactiveLimit to 0.",
    "SystemFailure": "Slurm, the file system or the network failed.",
    "OutOfMemory": "It used more memory than it had asked for.",
    "FailedToReadResources": "Slurm could not read what was allocated to it.",
    "Deadline": "It could not end before its deadline.",
}

#: Reasons for which a job has no position in the queue: it is held, or waits for something other than its turn.
_NOT_IN_QUEUE = frozenset(
    {
        "JobHeldUser",
        "JobHeldAdmin",
        "JobHoldMaxRequeue",
        "launch_failed_requeued_held",
        "job_requeued_in_held_state",
        "Dependency",
        "DependencyNeverSatisfied",
        "BeginTime",
    }
)

#: What a limit (`AssocGrpCpuLimit`, `QOSMaxGRESPerUser`, …) counts; the first match counts.
_COUNTED = (
    ("wall", "time"),
    ("gresgpu|gres/gpu|gres", "GPUs"),
    ("cpu", "CPU cores"),
    ("mem", "memory"),
    ("node", "nodes"),
    ("submit", "jobs in the queue"),
    ("job", "jobs running at once"),
    ("billing", "billing units"),
)


def has_position(job: Job) -> bool:
    return job.reason.partition(",")[0] not in _NOT_IN_QUEUE


def explain(reason: str, job: Job | None = None) -> str:
    """Explain in one sentence why a job waits or ended; empty if Slurm gives no reason.

    Keeps what Slurm adds to a reason after a comma (the unavailable nodes).
    """
    code, _, more = reason.partition(",")
    code = code.strip()
    if code.startswith("RaisedSignal"):
        return "It was ended by a signal."
    known = _WORDS.get(code)
    if known is None:
        known = _limit(code) or (f"Slurm's reason: {code}." if code else "")
    nodes = re.search(r"UnavailableNodes:\s*([\w.,\[\]-]+)", more.replace("_", ""))
    if nodes:
        known += f" Not available: {nodes[1]}."
    if code == "Resources" and job is not None and job.gpus:
        kind = f"{job.gpu_type.upper()} " if job.gpu_type else ""
        known = (
            f"Waiting for {job.gpus} free {kind}GPU{'s' if job.gpus > 1 else ''} with the cores and memory it needs."
        )
    return known


def _limit(code: str) -> str | None:
    if not re.match(r"(Assoc|QOS|Max|Grp)", code):
        return None
    who = "its QOS" if code.startswith("QOS") else "its account"
    lower = code.lower()
    counted = next((words for pattern, words in _COUNTED if re.search(pattern, lower)), None)
    share = "all its users together" if "grp" in lower else "one user or job"
    if counted is None:
        return f"Waiting: {who} has reached a limit in Slurm ({code})."
    return f"Waiting: {who} has reached its limit on {counted} for {share}."
