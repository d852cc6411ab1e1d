"""One cluster read twice at one moment: by Slurm's commands and by pyslurm, as recordings hold it."""

from __future__ import annotations

from portal.slurm import parse_jobs
from portal.slurm.jobs import Job
from portal.slurm.library.rows import Phase, QueueReading
from tests.unit.slurm.recordings import Recording


def by_commands(recording: Recording) -> dict[int, Job]:
    jobs = parse_jobs.JobReader().read(recording.out("jobs"), recording.mark)
    return {job.id: job for job in jobs}


def by_pyslurm(recording: Recording) -> tuple[dict[int, Job], set[Phase]]:
    """Return the jobs, and which of them squeue was asked about."""
    jobs = by_commands(recording)
    first = _read(recording, {})
    second = _read(recording, {phase: jobs[phase[0]] for phase in first.asked})
    assert not second.asked, "once is enough"
    return {job.id: job for job in second.jobs.values()}, first.asked


def _read(recording: Recording, answers: dict[Phase, Job]) -> QueueReading:
    reading = QueueReading({}, answers)
    for line in recording.lines("jobs"):
        reading.take(line)
    return reading
