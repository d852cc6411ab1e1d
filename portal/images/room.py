"""The wiring of container images."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from cryptography.fernet import Fernet

from portal.db.engine import UnitOfWork
from portal.environments.service import EnvironmentService
from portal.events.bus import Bus
from portal.files.service import FileService
from portal.images.keys import Keys
from portal.images.pulls import Pulls
from portal.images.registry import Circuits
from portal.images.service import ImageService
from portal.images.shelf import Shelf
from portal.images.store import ImageStore
from portal.settings import Settings
from portal.slurm.client import SlurmClient
from portal.slurm.watcher import Watcher


@dataclass(frozen=True)
class ImageRoom:
    service: ImageService
    keys: Keys
    pulls: Pulls
    shelf: Shelf
    registries: Circuits


def image_room(
    *,
    settings: Settings,
    work: UnitOfWork,
    bus: Bus,
    cipher: Fernet,
    slurm: SlurmClient,
    watcher: Watcher,
    files: FileService,
    environments: EnvironmentService,
    now: Callable[[], datetime],
) -> ImageRoom:
    registries = Circuits(settings.ngc.timeout_s)
    keys = Keys(work, cipher, settings.ngc, registries, now)
    store = ImageStore(work, bus, now)
    pulls = Pulls(
        settings=settings,
        store=store,
        files=files,
        keys=keys,
        slurm=slurm,
        watcher=watcher,
        circuits=registries,
    )
    service = ImageService(settings, store, files, pulls)
    return ImageRoom(
        service=service,
        keys=keys,
        pulls=pulls,
        shelf=Shelf(settings, environments, service),
        registries=registries,
    )
