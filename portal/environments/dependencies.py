"""The environments, for routes that use them."""

from __future__ import annotations

from typing import Annotated

from portal.environments.lab_files import LabFiles
from portal.environments.service import EnvironmentService
from portal.provided import provided

Environments = Annotated[EnvironmentService, provided(EnvironmentService)]
SharedLabFiles = Annotated[LabFiles, provided(LabFiles)]
