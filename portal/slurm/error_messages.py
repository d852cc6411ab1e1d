"""Classifies Slurm's error messages: no answer, or a refusal with a sentence and the field."""

from __future__ import annotations

import re

from portal.errors import FieldProblem, PortalError, SlurmRefused, SlurmUnavailable

DENIED = "Slurm does not allow you to do this."
#: A message that matches was not a decision of Slurm.
_NO_ANSWER = re.compile(
    r"unable to contact slurm controller|socket timed out|connection (refused|timed out|reset)|zero bytes were"
    r"|transport endpoint|standby mode|not responding|problem talking to the database|persist"
    r"|could not establish a configuration|unable to process configuration|munge|protocol authentication"
    r"|communication connection failure|message (send|receive) failure|temporarily unable to accept job"
    r"|unexpected message received|incompatible|insane message|name or service not known",
    re.I,
)

#: Slurm's message → field of the request, and the sentence for the user. The first match counts.
_REFUSALS: tuple[tuple[str, str, str], ...] = (
    ("dos line breaks", "script", "The script has Windows line endings; save it with Unix ones."),
    (
        "does not look like a batch script|empty batch script",
        "script",
        "The first line must be #!/bin/bash or similar.",
    ),
    ("dependenc", "dependencies", "A job that it depends on no longer exists, or the dependency is not valid."),
    (
        "job array|--array",
        "array",
        "Slurm does not accept this array: its indices are not valid, or there are too many.",
    ),
    ("invalid partition", "partition", "Slurm has no partition of this name; choose one from the list."),
    ("group not permitted to use this partition", "partition", "Your groups may not use this partition."),
    ("account .*not permitted to use this partition", "account", "This account may not use this partition."),
    ("qos not permitted|invalid qos", "qos", "This QOS does not exist, or your account may not use it."),
    ("invalid account", "account", "You may not charge this account in this partition; choose another account."),
    ("user.* not found|invalid user id", "account", "Slurm does not know your account; ask the administrators."),
    ("duplicate reservation name", "name", "A reservation with this name already exists; choose another name."),
    (
        "reservation overlaps",
        "nodes",
        "Another reservation has these nodes at that time; choose other nodes, or another time.",
    ),
    (
        "reservation already started",
        "starts_at",
        "This reservation has started, so its start can no longer be changed; change its end, or make a new one.",
    ),
    ("invalid feature", "constraint", "No node has these features together; ask for fewer, or for others."),
    ("licen[cs]e", "licenses", "Slurm has no such licences, or not that many; check their names."),
    ("wckey", "wckey", "This WCKey is not yours; leave it out, or ask the administrators for it."),
    ("reservation", "reservation", "There is no such reservation, or it is not for you."),
    ("cpu count per node", "cpus", "No node of this partition has that many CPU cores; ask for fewer."),
    ("memory", "memory_mib", "No node of this partition has that much memory; ask for less."),
    ("invalid generic resource", "gpu_type", "This cluster has no GPUs of this type; choose another."),
    ("node count", "nodes", "This partition does not have that many nodes; ask for fewer."),
    (
        r"--time|time specification",
        "walltime_s",
        "This is not a time limit. Use minutes, hours:minutes:seconds, or days-hours:minutes:seconds.",
    ),
    (
        "time ?limit",
        "walltime_s",
        "This partition does not allow that much time; ask for less.",
    ),
    (
        "requested node configuration is not available",
        "gpus",
        "No node of this partition has these GPUs, cores and memory together; "
        "ask for less, or choose another partition.",
    ),
    (
        "requested partition configuration not available",
        "walltime_s",
        "This partition does not allow that much time or that many nodes, or takes no jobs now; ask for less.",
    ),
    (
        "violates accounting/qos policy|job submit limit",
        "gpus",
        "This is more than your account's limits in Slurm allow, with what you already have; ask for less, "
        "or end another job.",
    ),
    ("permission denied", "", DENIED),
)


#: The line with which sbatch and srun end, if slurmctld refused the job.
_VERDICT = re.compile(r"(?:Batch job submission failed|Unable to allocate resources|Job submit/allocate failed): (.*)")
#: Lines before it that are Slurm's own; any other is the site's, from a job_submit or cli_filter plugin.
_OWN = re.compile(
    r".* can ?not be satisfied.*|invalid (partition|account|qos)\b.*|(QOS|Assoc)[A-Za-z]+|slurm_\w+.*", re.I
)
_ERROR = re.compile(r"(?:\w+: )?(?:error|fatal): ")
MOST_OF_SITE = 1000


def error_for(complaint: str) -> PortalError:
    """Return the error to raise for a command's stderr. A site's own words are kept as they are, and come first."""
    complaint, site = _apart(complaint)
    message = _cleaned(complaint)
    if not complaint.strip() or _NO_ANSWER.search(complaint):
        return SlurmUnavailable(f"Slurm does not answer: {sentence(message)}" if message else "Slurm does not answer.")
    for pattern, field, words in _REFUSALS:
        if re.search(pattern, complaint, re.I):
            message = f"{site} {words}".lstrip()
            fields = [FieldProblem(f"resources.{field}", message)] if field else []
            return SlurmRefused(message, fields=fields)
    if site and message.casefold().startswith("unspecified error"):
        return SlurmRefused(site)
    return SlurmRefused(f"{site} Slurm refused it: {sentence(message)}".lstrip())


def _apart(complaint: str) -> tuple[str, str]:
    """Return Slurm's own lines and the site's words. Without a verdict, all lines are Slurm's."""
    lines = [line for line in complaint.splitlines() if line.strip()]
    texts = [_ERROR.sub("", line, count=1) for line in lines]
    verdicts = [at for at, text in enumerate(texts) if _VERDICT.match(text)]
    if not verdicts:
        return complaint, ""
    last = verdicts[-1]
    before = [at for at in range(last) if _ERROR.match(lines[at])]
    own = [lines[at] for at in before if _OWN.fullmatch(texts[at])]
    site = " ".join(_printable(texts[at].strip()) for at in before if not _OWN.fullmatch(texts[at]))
    return "\n".join([*own, lines[last]]), sentence(site[:MOST_OF_SITE])


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)


def sentence(message: str) -> str:
    """Return a program's message, with a full stop unless it ends with punctuation."""
    return message if not message or message[-1] in ".!?…" else f"{message.rstrip(' :;,')}."


def is_gone(complaint: str) -> bool:
    """Whether a cancel failed only because the job had already ended."""
    return bool(re.search(r"invalid job id|already completing or completed", complaint, re.I))


def is_unknown(complaint: str) -> bool:
    """Whether Slurm has no record of the job: it never existed, or its record has been purged."""
    return "invalid job id" in complaint.casefold()


def has_ended(complaint: str) -> bool:
    """Whether a step ended, or could not begin, because its job has ended."""
    return is_gone(complaint) or bool(re.search(r"tasks? [\d,-]+: (terminated|killed)", complaint, re.I))


def _cleaned(complaint: str) -> str:
    """Return the last line, without program names, prefixes and control characters, shortened."""
    lines = [line for line in complaint.splitlines() if line.strip()]
    last = _ERROR.sub("", lines[-1], count=1) if lines else ""
    verdict = _VERDICT.match(last)
    return _printable(verdict[1] if verdict else last)[:200]
