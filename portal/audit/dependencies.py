"""The audit log, for routes that write or show it."""

from __future__ import annotations

from typing import Annotated

from portal.audit.service import Audit
from portal.provided import provided

AuditLog = Annotated[Audit, provided(Audit)]
