"""The services of batch jobs, for routes."""

from __future__ import annotations

from typing import Annotated

from portal.jobs.actions import JobActions
from portal.jobs.output import OutputReader
from portal.jobs.service import JobService
from portal.jobs.store import JobStore
from portal.jobs.tasks import Tasks
from portal.jobs.use import LiveUse
from portal.provided import provided

Jobs = Annotated[JobService, provided(JobService)]
JobActs = Annotated[JobActions, provided(JobActions)]
JobRecords = Annotated[JobStore, provided(JobStore)]
ArrayTasks = Annotated[Tasks, provided(Tasks)]
JobOutputs = Annotated[OutputReader, provided(OutputReader)]
LiveJobUse = Annotated[LiveUse, provided(LiveUse)]
