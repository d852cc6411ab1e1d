"""The settings, for routes that use them."""

from __future__ import annotations

from typing import Annotated

from portal.provided import provided
from portal.settings import Settings

SiteSettings = Annotated[Settings, provided(Settings)]
