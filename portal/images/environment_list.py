"""All environments that a user can choose: the site's, the user's own images, and those for everybody."""

from __future__ import annotations

from portal.environments.schemas import EnvironmentOut
from portal.environments.service import EnvironmentService
from portal.environments.store import State
from portal.images.service import ImageService
from portal.settings import Environment, Settings


class EnvironmentList:
    def __init__(self, settings: Settings, environments: EnvironmentService, images: ImageService) -> None:
        self._settings = settings
        self._environments = environments
        self._images = images

    async def of(self, username: str) -> dict[str, Environment]:
        """Return the user's environments by name, the site's first."""
        return self._settings.environments | await self._images.environments(username)

    async def missing(self, username: str, name: str, environment: Environment) -> str | None:
        """Return why the user's sessions cannot use an environment now; None if they can, or if only the nodes know."""
        if environment.kind == "image":
            return await self._images.why_not(username, environment)
        return self._environments.missing(name)

    async def overview(self, username: str) -> list[EnvironmentOut]:
        """Return the user's environments, each with its state."""
        own = await self._images.environments(username)
        return [
            *await self._environments.overview(),
            *(
                EnvironmentOut(
                    name=name,
                    title=environment.title,
                    description=environment.reference or str(environment.path),
                    version=environment.version,
                    kind="image",
                    own=True,
                    installed=True,
                    installable=False,
                    size_mb=environment.size_mb,
                    state=State.INSTALLED,
                    message="",
                    progress=100,
                )
                for name, environment in own.items()
            ),
        ]
