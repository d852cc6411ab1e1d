"""Composes, checks and submits batch jobs, for the web app, the API and the command line alike."""

from __future__ import annotations

import asyncio
import pwd
from collections.abc import Callable
from datetime import datetime

from portal.errors import FieldProblem, NotFound, PolicyRefused, SlurmRefused
from portal.idempotency.service import Key
from portal.jobs import output_patterns, requirements, resubmit
from portal.jobs.actions import slurm_answers
from portal.jobs.models import JobRecord, SubmissionRecord
from portal.jobs.presets import presets
from portal.jobs.reconciler import JobReconciler
from portal.jobs.schemas import AgainOut, JobCheckOut, JobProblem, PresetOut
from portal.jobs.script import check
from portal.jobs.script.compose import compose
from portal.jobs.script.entry import entry_lines
from portal.jobs.script.form import JobForm
from portal.jobs.script.parse import Script, parse
from portal.jobs.store import JobStore, SubmissionStore
from portal.jobs.submissions import Submissions
from portal.owner_locks import OwnerLocks
from portal.placement.policy_views import PolicyViews
from portal.placement.view import cluster_view
from portal.policy import formatting
from portal.policy.gpu_types import allowed_pools, memory_refusal, with_memory
from portal.policy.limits import limits_for
from portal.policy.view import ClusterView, UserView
from portal.settings import Settings
from portal.slurm.batch import BatchSlurm, DryRun
from portal.slurm.door_client import DoorRefused
from portal.slurm.watcher import Watcher

#: Slurm's dry run starts a job that could run at once some seconds from now.
NOW_S = 10


class JobService:
    def __init__(
        self,
        *,
        settings: Settings,
        slurm: BatchSlurm,
        watcher: Watcher,
        store: JobStore,
        submissions: SubmissionStore,
        reconciler: JobReconciler,
        locks: OwnerLocks,
        views: PolicyViews,
        now: Callable[[], datetime],
        meter_key: Callable[[str, str], str],
    ) -> None:
        self._settings = settings
        self._slurm = slurm
        self._watcher = watcher
        self._store = store
        self._locks = locks
        self._views = views
        self._now = now
        self._meter_key = meter_key
        self.submissions = Submissions(
            store=submissions,
            slurm=slurm,
            watcher=watcher,
            reconciler=reconciler,
            made=self._record,
            meter=self._meter,
            now=now,
        )

    # --- composing ---

    async def presets(self) -> list[PresetOut]:
        """Return the presets, matched to the site's environments."""
        most = max((partition.nodes_total for partition in self._cluster().partitions.values()), default=0)
        return await asyncio.to_thread(presets, self._settings.environments, most)

    def compose(self, user: str, form: JobForm, kept: list[str]) -> str:
        """Return the script of a form, with `~/` expanded to the user's home: Slurm does not expand it."""
        home = home_of(user)
        paths = {
            name: home + value[1:]
            for name in ("workdir", "output", "error")
            if (value := getattr(form, name)) and value.startswith("~") and home
        }
        return compose(form.model_copy(update=paths), self._entry(form), kept)

    async def with_memory(self, user: str, form: JobForm, gpu_memory_gb: int) -> JobForm:
        """Return the form with the smallest type of GPU that has this much memory. Raises PolicyRefused."""
        limits = limits_for(await self._views.user(user), self._settings.policy)
        partitions = self._cluster().partitions
        named = form.partition or next((each.name for each in partitions.values() if each.default), "")
        if (partition := partitions.get(named)) is None:
            return form  # which the check refuses in words
        found = with_memory(gpu_memory_gb, form.gpu_type, form.gpus_per_node, allowed_pools(partition, limits))
        if found is None:
            why = memory_refusal(gpu_memory_gb, form.gpu_type, form.gpus_per_node, partition, limits)
            raise PolicyRefused(why, fields=[FieldProblem("gpu_memory_gb", why)])
        return form.model_copy(update={"gpu_type": found})

    def _entry(self, form: JobForm) -> list[str]:
        """Return the shell lines that enter the form's environment."""
        environment = self._settings.environments.get(form.environment or "")
        return entry_lines(environment, self._settings) if environment else []

    # --- checking and submitting ---

    async def check(self, user: str, text: str, workdir: str | None) -> JobCheckOut:
        """Check a script without submitting it. Raises SlurmUnavailable if Slurm does not answer."""
        script, problems, pinned = await self._checked(await self._views.user(user), text)
        dry: DryRun | None = None
        if not problems:
            try:
                dry = await self._slurm.test(user, text, workdir, pinned)
            except DoorRefused as refused:
                if refused.field is None:
                    raise
                problems = [FieldProblem(refused.field, refused.message)]
            except SlurmRefused as refused:
                problems = check.from_slurm(refused)
        return JobCheckOut(
            ok=not problems,
            problems=[JobProblem(field=problem.field, message=problem.message) for problem in problems],
            cautions=await asyncio.to_thread(requirements.cautions, script.form, self._settings.environments),
            starts_at=dry.starts_at if dry else None,
            nodes=dry.nodes if dry else None,
            text=start_in_words(dry, self._now()) if dry else " ".join(problem.message for problem in problems),
        )

    async def submit(self, user: str, text: str, workdir: str | None, key: Key | None = None) -> JobRecord:
        """Submit a script as `user` and return its row; the row has no `id` if it could not be saved yet.

        Raises PolicyRefused, SlurmRefused, InvalidRequest, or SlurmUnavailable if Slurm is known not to answer: nothing
        was submitted. Raises OutcomeUnknown if Slurm was asked and its answer is lost.
        """
        slurm_answers(self._watcher, "submitted", "Keep what you have written and submit it again in a minute.")
        async with self._locks.of(user, self._views.user) as view:
            script, problems, pinned = await self._checked(view, text)
            if problems:
                raise PolicyRefused(" ".join(problem.message for problem in problems), fields=problems)
            demand = check.wanted_of(script, self._cluster()).demand
            submission = await self.submissions.add(user, script, workdir, demand, key)
        try:
            return await self.submissions.submit(submission, script, pinned)
        except DoorRefused:
            raise
        except SlurmRefused as refused:
            fields = check.from_slurm(refused)
            raise SlurmRefused(refused.message, hint=refused.hint, fields=fields) from refused

    def _record(self, submission: SubmissionRecord, script: Script, job_id: int) -> JobRecord:
        user, workdir = submission.owner, submission.workdir
        form, options = script.form, script.options
        wanted = check.wanted_of(script, self._cluster())
        home = home_of(user) or "~"
        start = workdir or home
        start = home + start[1:] if start.startswith("~") else start
        folder = output_patterns.absolute(options["chdir"], start) if options.get("chdir") else start
        stdout = options.get("output") or (output_patterns.ARRAY if "array" in options else output_patterns.SINGLE)
        return JobRecord(
            job_id=job_id,
            owner=user,
            name=options.get("job-name") or form.name,
            partition=options.get("partition", ""),
            account=form.account or "",
            qos=form.qos or "",
            state="PENDING",
            nodes=form.nodes,
            node_list="",
            gpus=wanted.gpus or 0,
            gpu_type=form.gpu_type,
            cpus=(form.cpus_per_task or 1) * (form.tasks_per_node or 1) * form.nodes,
            memory_mib=form.memory_mib_per_node * form.nodes if form.memory_mib_per_node else None,
            walltime_s=form.walltime_s or wanted.walltime_s,
            submitted_at=submission.at,
            accounted=False,
            array_pending=0,
            array_running=0,
            array_done=0,
            array_failed=0,
            array_cancelled=0,
            array_range=form.array.range if form.array else None,
            array_at_once=wanted.at_once,
            from_portal=True,
            notify=form.notify,
            script=script.text,
            workdir=folder,
            stdout=output_patterns.absolute(stdout, folder),
            stderr=output_patterns.absolute(options.get("error") or stdout, folder),
        )

    def _meter(self, submission: SubmissionRecord) -> str | None:
        """Return the address and the key with which the job meters its GPUs; None: it does not."""
        if not self._settings.jobs.meter or not submission.gpus:
            return None
        key = self._meter_key(submission.id, submission.owner)
        return f"{self._settings.node_url} {submission.id}.{submission.owner}:{key}"

    async def _checked(self, view: UserView, text: str) -> tuple[Script, list[FieldProblem], str | None]:
        """Return the parsed script, its problems, and the partitions for argv if policy restricts them."""
        script, cluster = parse(text), await self._views.cluster()
        problems = check.problems(script, view, cluster, self._settings)
        return script, problems, check.pinned(script, view, cluster, self._settings)

    def _cluster(self) -> ClusterView:
        return cluster_view(self._watcher.snapshot)

    def again_from(self, submission: SubmissionRecord) -> AgainOut:
        """Return what a submission requested, to submit it again."""
        script = parse(submission.script)
        return AgainOut(
            form=script.form, script=script.text, kept=script.kept, workdir=submission.workdir, corrections=[]
        )

    # --- jobs that are there ---

    async def find(self, job_id: int, owner: str | None) -> JobRecord:
        """Return a job, restricted to `owner` if given. Raises NotFound."""
        record = await self._store.find(job_id, owner)
        if record is None:
            raise NotFound(f"There is no job {job_id}.", hint="Look for it in your jobs, including ended ones.")
        return record

    def again(self, record: JobRecord) -> AgainOut:
        """Return the job to submit again, with the corrections that its end suggests."""
        script = parse(record.script) if record.script else None
        form, corrections = resubmit.corrected(record, script.form if script else _form_of(record), self._cluster())
        kept = script.kept if script else []
        text = script.text if script and not corrections else compose(form, self._entry(form), kept)
        return AgainOut(form=form, script=text, kept=kept, workdir=record.workdir, corrections=corrections)


def start_in_words(dry: DryRun, now: datetime) -> str:
    """Return when a job would start. Slurm assumes that jobs run until their time limits; most end sooner."""
    if dry.starts_at is None:
        return "Slurm would accept it."
    where = f" on {dry.nodes}" if dry.nodes else ""
    wait_s = (dry.starts_at - now).total_seconds()
    if wait_s <= NOW_S:
        return f"It would start now{where}."
    wait = formatting.duration(max(60, round(wait_s / 60) * 60))
    return f"Slurm expects it to start within {wait}{where}, or sooner if running jobs end early."


def _form_of(record: JobRecord) -> JobForm:
    """Return what is known about a job submitted elsewhere; its command is not."""
    nodes = max(1, record.nodes)
    known = {
        "name": record.name,
        "partition": record.partition or None,
        "account": record.account or None,
        "nodes": nodes,
        "cpus_per_task": max(1, record.cpus // nodes) if record.cpus else None,
        "gpus_per_node": record.gpus // nodes,
        "gpu_type": record.gpu_type,
        "memory_mib_per_node": record.memory_mib // nodes if record.memory_mib else None,
        "walltime_s": record.walltime_s if record.walltime_s and record.walltime_s >= 60 else None,
    }
    form = JobForm()
    for name, value in known.items():
        try:
            form = JobForm.model_validate({**form.model_dump(), name: value})
        except ValueError:  # a name that Slurm accepts and the form does not
            continue
    return form


def home_of(user: str) -> str | None:
    try:
        return pwd.getpwnam(user).pw_dir
    except KeyError:
        return None
