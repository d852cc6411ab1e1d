"""The Hub, for routes that call it."""

from __future__ import annotations

from typing import Annotated

from portal.hub.client import HubClient
from portal.provided import provided

HubApi = Annotated[HubClient, provided(HubClient)]
