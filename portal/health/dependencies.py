"""The portal's health, for routes that report it."""

from __future__ import annotations

from typing import Annotated

from portal.health.view import HealthView
from portal.provided import provided

Health = Annotated[HealthView, provided(HealthView)]
