"""What policy sees, for routes."""

from __future__ import annotations

from typing import Annotated

from portal.placement.policy_views import PolicyViews
from portal.provided import provided

Views = Annotated[PolicyViews, provided(PolicyViews)]
