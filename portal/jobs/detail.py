"""One job in full: its row, script, files, events, and the actions it allows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from portal.jobs import endings, rows
from portal.jobs.actions import actions
from portal.jobs.models import JobRecord, SubmissionRecord, SubmissionState
from portal.jobs.schemas import JobDetail, JobEventOut, SubmissionOut
from portal.jobs.script.parse import Script, parse


def detail(record: JobRecord, stdout: str | None, stderr: str | None) -> JobDetail:
    """Return the job. `stdout` and `stderr` are the resolved paths; where unknown, the patterns are shown."""
    script = parse(record.script) if record.script else None
    return JobDetail(
        **rows.render(record).model_dump(),
        script=record.script,
        script_missing=_script_missing(record),
        workdir=record.workdir,
        stdout=stdout or record.stdout,
        stderr=stderr or record.stderr,
        dependencies=_dependencies(script),
        **_site_options(script),
        events=_events(record),
        actions=actions(record),
        recorded=record.id is not None,
    )


def _script_missing(record: JobRecord) -> str | None:
    if record.script is not None:
        return None
    if record.ended_at is not None:
        return "The job was not submitted through the portal, and Slurm drops the script of a job that has ended."
    return (
        "The job was not submitted through the portal. Slurm shows its script only to its owner:"
        f" scontrol write batch_script {record.job_id} -"
    )


WORDS = {
    SubmissionState.OPEN: "It may have been submitted; the portal is looking for its job.",
    SubmissionState.SUBMITTED: "Submitted.",
    SubmissionState.NOT_SUBMITTED: "It was not submitted. Its script is kept, so you can submit it again.",
    SubmissionState.UNKNOWN: "It is unknown whether it was submitted: check your jobs from that time.",
}


def submission_out(record: SubmissionRecord) -> SubmissionOut:
    state = SubmissionState(record.state)
    return SubmissionOut(
        id=record.id,
        name=(parse(record.script).options.get("job-name") if record.script else None) or None,
        state=state,
        at=record.at,
        job_id=str(record.job_id) if record.job_id is not None else None,
        script=record.script,
        workdir=record.workdir,
        text=f"Submitted as job {record.job_id}." if record.job_id is not None else WORDS[state],
    )


def _dependencies(script: Script | None) -> list[str]:
    return [part for part in script.options.get("dependency", "").split(",") if part] if script else []


def _site_options(script: Script | None) -> dict[str, Any]:
    """Return what the script asks for besides sizes, also what the form has no field for."""
    if script is None:
        return {}
    named = {name: script.options.get(name) or None for name in ("constraint", "licenses", "wckey")}
    return named | script.form.model_dump(include={"shards_per_node", "mps_per_node", "exclusive"})


def _events(record: JobRecord) -> list[JobEventOut]:
    ending = endings.ending(record)
    events: list[tuple[datetime | None, str]] = [
        (record.submitted_at, "Submitted from the portal." if record.from_portal else "Submitted.")
    ]
    for run in rows.runs(record):
        events += [(run.started_at, _started(run.nodes)), (run.ended_at, "Put back in the queue.")]
    events += [
        (record.started_at, _started(record.node_list)),
        (record.ended_at, ending.text if ending else ""),
    ]
    return [JobEventOut(at=at, text=text) for at, text in events if at is not None]


def _started(nodes: str) -> str:
    return f"Started on {nodes}." if nodes else "Started."
