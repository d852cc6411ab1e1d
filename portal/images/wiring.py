"""The wiring of container images."""

from __future__ import annotations

from dataclasses import dataclass

from cryptography.fernet import Fernet

from portal.base import Base
from portal.environments.service import EnvironmentService
from portal.files.service import FileService
from portal.images.environment_list import EnvironmentList
from portal.images.keys import Keys
from portal.images.pulls import Pulls
from portal.images.registry import Circuits
from portal.images.service import ImageService
from portal.images.store import ImageStore


@dataclass(frozen=True)
class ImageServices:
    service: ImageService
    keys: Keys
    pulls: Pulls
    environment_list: EnvironmentList
    registries: Circuits


def wire_images(base: Base, *, cipher: Fernet, files: FileService, environments: EnvironmentService) -> ImageServices:
    settings = base.settings
    registries = Circuits(settings.ngc.timeout_s)
    keys = Keys(base.work, cipher, settings.ngc, registries, base.now)
    store = ImageStore(base.work, base.bus, base.now)
    pulls = Pulls(
        settings=settings,
        store=store,
        files=files,
        keys=keys,
        slurm=base.slurm,
        watcher=base.watcher,
        circuits=registries,
    )
    service = ImageService(settings, store, files, pulls)
    return ImageServices(
        service=service,
        keys=keys,
        pulls=pulls,
        environment_list=EnvironmentList(settings, environments, service),
        registries=registries,
    )
