"""A pull's way from the request to the image, with a Slurm and files that the test steers by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from portal.agent_jobs import Hello
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.errors import Conflict, Forbidden, Gone, SlurmUnavailable
from portal.events.bus import Bus
from portal.files.types import FileKind, PathInfo
from portal.idempotency.models import KeyRecord
from portal.idempotency.service import Key
from portal.images.models import ImageRecord
from portal.images.pulls import Pulls
from portal.images.registry import Manifest
from portal.images.schemas import ImageIn, PullEnded, PullOrder, PullProgress
from portal.images.store import ImageStore
from portal.settings import Database, Settings
from portal.slurm.jobs import Job, JobState
from tests.unit.sessions.conftest import Clock, FakeSlurm, FakeWatcher

REFERENCE = "docker://nvcr.io/nvidia/tiny:1.0"
DIGEST = "sha256:" + "1" * 64
KEY, OTHER_KEY = "ab" * 32, "cd" * 32


class FakeFiles:
    """A home with room, in which nothing is yet."""

    async def look(self, user: str, path: str) -> PathInfo:
        return PathInfo(path, FileKind.MISSING, 0, None, True, True, b"")

    async def room(self, user: str, path: str) -> None:
        return None


class FakeKeys:
    async def of(self, owner: str) -> str:
        return f"key of {owner}"


class KnownPulls(Pulls):
    """Pulls from a registry that has everything, with one digest."""

    async def _manifest(self, username: str, reference: object) -> Manifest:
        return Manifest(DIGEST, 1 << 20)


@dataclass
class Harness:
    clock: Clock
    slurm: FakeSlurm
    watcher: FakeWatcher
    work: UnitOfWork
    store: ImageStore
    pulls: KnownPulls

    async def begin(self, key: Key | None = None) -> ImageRecord:
        return await self.pulls.begin("alice", REFERENCE, ImageIn(reference=REFERENCE), key)

    async def reconcile(self, after_s: float = 5.0) -> None:
        self.clock.pass_(after_s)
        await self.pulls.reconcile(self.watcher.look())

    async def hello(self, record: ImageRecord, key: str = KEY, **changes: str) -> PullOrder:
        results = {"session": record.id, "secret": self.slurm.secrets[record.id], "key": key}
        return await self.pulls.hello(Hello.model_validate(results | changes))

    async def state(self, record: ImageRecord) -> tuple[str, str]:
        row = await self.store.get(record.id)
        return row.state, row.message


@pytest.fixture
async def harness(tmp_path: Path, database: str) -> AsyncIterator[Harness]:
    settings = Settings(data_dir=tmp_path, database=Database(url=database))
    engine = make_engine(settings.database_url)
    clock = Clock()
    slurm = FakeSlurm(clock)
    watcher, work = FakeWatcher(slurm, clock), unit_of_work(engine)
    store = ImageStore(work, Bus(), clock)
    pulls = KnownPulls(
        settings=settings,
        store=store,
        files=FakeFiles(),  # type: ignore[arg-type]  # what pulls use
        keys=FakeKeys(),  # type: ignore[arg-type]  # what pulls use
        slurm=slurm,  # type: ignore[arg-type]  # what pulls use
        watcher=watcher,  # type: ignore[arg-type]  # steered by hand
        circuits=SimpleNamespace(),  # type: ignore[arg-type]  # no registry is asked
    )
    yield Harness(clock, slurm, watcher, work, store, pulls)
    await engine.dispose()


async def test_job_learns_what_to_pull_and_the_image_is_ready_when_it_says_so(harness: Harness) -> None:
    record = await harness.begin()
    order = await harness.hello(record)
    assert (order.reference, order.password) == (f"docker://nvcr.io/nvidia/tiny@{DIGEST}", "key of alice")
    agent = await harness.pulls.authenticate(record.id, KEY)
    await harness.pulls.progress(agent.id, PullProgress(message="Fetching", progress=40))
    await harness.reconcile()
    assert await harness.state(record) == ("pulling", "Fetching")
    await harness.pulls.ended(agent.id, PullEnded(ok=True, size_mb=7))
    row = await harness.store.get(record.id)
    assert (row.state, row.size_mb, row.digest) == ("ready", 7, DIGEST)
    assert harness.slurm.cancelled == [("alice", 100)], "A job that was placed at once outlives its agent."


async def test_job_that_cannot_prove_itself_is_refused(harness: Harness) -> None:
    record = await harness.begin()
    with pytest.raises(Forbidden):
        await harness.hello(record, secret="0" * 64)
    await harness.hello(record)
    with pytest.raises(Forbidden):
        await harness.hello(record, OTHER_KEY)
    with pytest.raises(Forbidden):
        await harness.pulls.authenticate(record.id, OTHER_KEY)
    await harness.pulls.ended(record.id, PullEnded(ok=False, message="The disk is full."))
    assert await harness.state(record) == ("failed", "The disk is full.")
    with pytest.raises(Gone):
        await harness.pulls.authenticate(record.id, KEY)
    with pytest.raises(Gone):
        await harness.hello(record)


async def test_pull_fails_once_its_job_has_ended(harness: Harness) -> None:
    record = await harness.begin()
    harness.slurm.becomes(100, JobState.FAILED)
    await harness.reconcile()
    state, message = await harness.state(record)
    assert (state, message.partition(".")[0]) == ("failed", "Its job ended before the image was complete")


async def test_pull_that_waits_says_why(harness: Harness) -> None:
    harness.slurm.full = True
    record = await harness.begin()
    await harness.reconcile()
    state, message = await harness.state(record)
    assert (state, message) != ("pulling", record.message)
    assert "free" in message


async def test_pull_goes_on_while_slurm_does_not_know_its_users_name(harness: Harness) -> None:
    """While the directory is down, squeue prints `nobody`."""
    record = await harness.begin()
    harness.slurm.becomes(100, JobState.RUNNING, user="nobody")
    await harness.reconcile()
    assert (await harness.state(record))[0] == "pulling"


async def test_pull_whose_submission_failed_says_so(harness: Harness) -> None:
    harness.slurm.down = True
    with pytest.raises(SlurmUnavailable):
        await harness.begin()
    [row] = await harness.store.seen_by("alice")
    assert (row.state, row.message) == ("failed", "Slurm does not answer.")


async def failed(harness: Harness) -> ImageRecord:
    record = await harness.begin()
    await harness.pulls.ended(record.id, PullEnded(ok=False, message="The line broke."))
    harness.clock.pass_(3600)
    return record


async def test_failed_pull_is_tried_again_in_its_own_row_with_another_secret(harness: Harness) -> None:
    record = await failed(harness)
    before = harness.slurm.secrets[record.id]
    again = await harness.begin()
    assert (again.id, again.job_id) == (record.id, 101)
    with pytest.raises(Forbidden):
        await harness.hello(record, secret=before)
    await harness.hello(record)
    with pytest.raises(Conflict):
        await harness.begin()


async def test_pull_tried_again_does_not_fail_while_its_job_is_being_submitted(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await failed(harness)
    submit = harness.slurm.submit

    async def slowly(*arguments: Any) -> object:
        await harness.reconcile()
        return await submit(*arguments)

    monkeypatch.setattr(harness.slurm, "submit", slowly)
    assert (await harness.begin()).state == "pulling"
    await harness.hello(record)


async def test_request_that_tries_again_is_known_by_its_idempotency_key(harness: Harness) -> None:
    record = await failed(harness)
    await harness.begin(Key("key-of-the-request", "digest"))
    async with harness.work() as db:
        row = await db.get(KeyRecord, ("alice", "key-of-the-request"))
    assert row is not None
    assert row.made == record.id


async def test_pull_whose_job_is_another_users_is_not_taken_for_its_own(harness: Harness) -> None:
    record = await harness.begin()
    harness.slurm.found[100] = Job(100, f"dsp-{record.id}", "bob", "", "sxm2", "", JobState.RUNNING)
    await harness.reconcile()
    assert (await harness.state(record))[0] == "failed"
