"""The services of images, for routes."""

from __future__ import annotations

from typing import Annotated

from portal.images.environment_list import EnvironmentList
from portal.images.keys import Keys
from portal.images.pulls import Pulls
from portal.images.service import ImageService
from portal.provided import provided

Images = Annotated[ImageService, provided(ImageService)]
RegistryKeys = Annotated[Keys, provided(Keys)]
ImagePulls = Annotated[Pulls, provided(Pulls)]
EnvironmentChoices = Annotated[EnvironmentList, provided(EnvironmentList)]
