"""Pulls images from registries: one Slurm job per pull, as the user, by the agent with its task `pull`.

The tag, the key and the folder are checked in advance. The agent's hello is answered with what to pull and, if the
user stored a key, with which key.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import PurePosixPath

import structlog

from portal import sealing
from portal.agent_jobs import Hello
from portal.errors import Conflict, FieldProblem, InvalidRequest, NotFound, PortalError
from portal.files.service import FileService
from portal.files.types import FileKind
from portal.idempotency.service import Key
from portal.images.keys import Keys
from portal.images.models import ImageRecord, ImageState, Scope
from portal.images.reference import Reference
from portal.images.registry import Circuits, Manifest, Registry, RegistryUnavailable
from portal.images.schemas import ImageIn, PullEnded, PullOrder, PullProgress
from portal.images.store import ImageStore
from portal.loops import turn
from portal.settings import Settings
from portal.slurm.client import SlurmClient
from portal.slurm.jobs import SessionSpec
from portal.slurm.reasons import explain
from portal.slurm.snapshot import Snapshot
from portal.slurm.watcher import Watcher

log = structlog.get_logger()

MIB = 1 << 20
#: A pull needs the layers, their unpacked files and the image file side by side.
ROOM_FACTOR = 4


class Pulls:
    def __init__(
        self,
        *,
        settings: Settings,
        store: ImageStore,
        files: FileService,
        keys: Keys,
        slurm: SlurmClient,
        watcher: Watcher,
        circuits: Circuits,
    ) -> None:
        self._settings = settings
        self._store = store
        self._files = files
        self._keys = keys
        self._slurm = slurm
        self._watcher = watcher
        self._circuits = circuits
        self._manifests: dict[str, Manifest] = {}

    # --- beginning and ending ---

    async def begin(self, username: str, text: str, asked: ImageIn, key: Key | None = None) -> ImageRecord:
        """Submit the job that pulls `text`. A pull that failed before continues where it stopped.

        Raises KeyRefused, NoSuchImage, InvalidRequest if the folder cannot be written, Conflict, SlurmRefused,
        SlurmUnavailable.
        """
        reference = Reference.parse(text)
        known = [
            record
            for record in await self._store.seen_by(username)
            if record.reference == text and record.scope == asked.scope
        ]
        if any(record.state in (ImageState.PULLING, ImageState.READY) for record in known):
            raise Conflict(f"{reference.name} is already on the list.", hint="Look for it there.")
        manifest = await self._manifest(username, reference)
        folder = await self._folder(username, asked.scope, manifest)
        again = next((record for record in known if record.owner == username), None)
        record = again or ImageRecord(
            id=sealing.new_id(),
            owner=username,
            scope=asked.scope,
            title=(asked.title or "").strip() or reference.name[:100],
            reference=text,
            path=str(PurePosixPath(folder, reference.file_name)),
        )
        if again is None:
            await self._require_free(username, record.path)
        return await asyncio.shield(asyncio.ensure_future(self._submit(record, manifest, key)))

    async def _submit(self, record: ImageRecord, manifest: Manifest, key: Key | None) -> ImageRecord:
        secret = sealing.new_secret()
        record.state, record.progress, record.message = ImageState.PULLING, 0, "Waiting in Slurm's queue."
        record.digest, record.secret_hash, record.agent_key_hash = manifest.digest, sealing.digest(secret), None
        record.created_at, record.job_id, record.submitted_at = self._store.now(), None, None
        await self._store.put(record, key)
        self._manifests[record.id] = manifest
        images = self._settings.images
        spec = SessionSpec(
            session_id=record.id,
            walltime_s=images.pull_walltime_s,
            cpus=images.pull_cpus,
            memory_mib=images.pull_memory_mib,
            partition=images.pull_partition or self._settings.policy.default_partition or None,
            immediate=self._settings.slurm.immediate,
        )
        env = {**record.env(self._settings.node_url, secret), "DSP_TASK": "pull"}
        try:
            submitted = await self._slurm.submit(record.owner, spec, env)
        except PortalError as error:
            await self._fail(record.id, error.message)
            raise
        async with self._store.change(record.id) as row:
            row.job_id, row.submitted_at = submitted.job_id, self._store.now()
        self._watcher.kick()
        return row

    async def cancel(self, record: ImageRecord) -> None:
        """Cancel the job of a pull; what it has downloaded stays in its folder for another try."""
        await record.cancel(self._slurm)

    # --- what can be known beforehand ---

    async def _manifest(self, username: str, reference: Reference) -> Manifest:
        """Look up the tag in the registry. A registry that is unreachable from here may be reachable from the nodes."""
        key = await self._key(username, reference)
        try:
            settings = self._settings
            async with Registry(reference.host, settings.ngc, key, settings.images, self._circuits) as registry:
                return await registry.manifest(reference)
        except RegistryUnavailable as error:
            log.info("image.registry_unknown", reference=str(reference), error=error.message)
            return Manifest(None, None)

    async def _key(self, username: str, reference: Reference) -> str | None:
        return await self._keys.of(username) if reference.host == self._settings.ngc.host else None

    async def _folder(self, username: str, scope: str, manifest: Manifest) -> str:
        folder: str = self._settings.images.user_folder
        if scope == Scope.SITE:
            if self._settings.images.site_folder is None:
                raise InvalidRequest(
                    "This site has no folder for images for all users.", hint="Set images.site_folder."
                )
            folder = str(self._settings.images.site_folder)
        look = await self._files.look(username, folder)
        if not look.writable or look.kind not in (FileKind.FOLDER, FileKind.MISSING):
            message = f"Images cannot be stored in {folder}: you do not have permission to write there."
            raise InvalidRequest(message, fields=[FieldProblem("reference", message)])
        needed = ROOM_FACTOR * (manifest.size_bytes or 0)
        room = await self._files.room(username, folder)
        if room is not None and room.free_bytes < needed:
            message = (
                f"There is not enough disk space in {folder}: unpacking and packing it take about {needed // MIB:,} MB,"
                f" {room.free_bytes // MIB:,} MB are free{' in your quota' if room.quota else ''}."
            )
            raise InvalidRequest(
                message, hint="Free some space and try again.", fields=[FieldProblem("reference", message)]
            )
        return look.path

    async def _require_free(self, username: str, path: str) -> None:
        if (await self._files.look(username, path)).kind is not FileKind.MISSING:
            raise Conflict(f"{path} already exists.", hint="Register it as an image, or move it away.")

    # --- what the job says ---

    async def hello(self, hello: Hello) -> PullOrder:
        """Bind the agent's key and return what to pull. Raises as `AgentJob.bind`."""
        async with self._store.change(hello.session) as row:
            row.bind(hello)
            row.message = "Pulling the image."
        reference = Reference.parse(row.reference or "")
        key = await self._key(row.owner, reference)
        manifest = self._manifests.get(row.id, Manifest(row.digest, None))
        return PullOrder(
            reference=reference.pinned(manifest.digest or reference.digest),
            apptainer=str(self._settings.images.apptainer),
            target=row.path,
            work=str(PurePosixPath(row.path).with_name(f".pull-{row.id}")),
            username=self._settings.ngc.username if key else None,
            password=key,
            plain_http=self._settings.ngc.plain_http and reference.host == self._settings.ngc.host,
            size_bytes=manifest.size_bytes,
            digest=manifest.digest or reference.digest,
        )

    async def authenticate(self, image_id: str, key: str) -> ImageRecord:
        record = await self._store.get(image_id)
        record.authenticate(key)
        return record

    async def progress(self, image_id: str, report: PullProgress) -> None:
        async with self._store.change(image_id) as row:
            row.message, row.progress = report.message, max(row.progress, min(report.progress, 99))

    async def ended(self, image_id: str, report: PullEnded) -> None:
        self._manifests.pop(image_id, None)
        if not report.ok:
            await self._fail(image_id, report.message or "The image could not be pulled; see its job's log.")
        else:
            async with self._store.change(image_id) as row:
                row.state, row.progress, row.message = ImageState.READY, 100, ""
                row.size_mb, row.digest = report.size_mb, row.digest or report.digest
                row.secret_hash = row.agent_key_hash = None
        record = await self._store.get(image_id)
        log.info("image.pulled", image=image_id, owner=record.owner, state=record.state, job=record.job_id)
        await self.cancel(record)  # an allocation placed at once outlives its agent

    async def _fail(self, image_id: str, message: str) -> None:
        async with self._store.change(image_id) as row:
            row.state, row.message = ImageState.FAILED, message
            row.secret_hash = row.agent_key_hash = None

    # --- what Slurm says ---

    async def run(self) -> None:
        """Follow the watcher forever: fail a pull whose job is gone, and show why a pending one waits."""
        await self._watcher.follow(self.reconcile, failure="image.reconcile_failed")

    async def reconcile(self, snapshot: Snapshot) -> None:
        for record in await self._store.pulling():
            with turn("image.reconcile_failed", image=record.id), suppress(NotFound):  # removed from the list meanwhile
                await self._one(record, snapshot)

    async def _one(self, record: ImageRecord, snapshot: Snapshot) -> None:
        job = record.job_in(snapshot)
        if job is None or job.state.is_over:
            if record.was_submitted_before(snapshot):
                await self._fail(
                    record.id,
                    "Its job ended before the image was complete. Pull the image again: it continues where it stopped.",
                )
        elif job.state.waits and record.message != (why := explain(job.reason, job)):
            async with self._store.change(record.id) as row:
                row.message = why
