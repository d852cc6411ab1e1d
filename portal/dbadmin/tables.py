"""Imports every table, so that migrations and tests see the whole schema."""

from portal.announcements.models import Announcement
from portal.audit.models import AuditRecord
from portal.cluster.models import TotalsRecord
from portal.db.base import Base
from portal.idempotency.models import KeyRecord
from portal.idle.models import IdleWarning
from portal.images.models import ImageRecord, RegistryKey
from portal.jobs.models import JobRecord, SubmissionRecord
from portal.limits.models import LimitRecord
from portal.messages.models import Message
from portal.notifications.models import ChannelRecord, Delivery
from portal.operate.models import NodeStateRecord
from portal.presets.models import PresetRecord
from portal.sessions.models import SessionEvent, SessionRecord
from portal.sharing.models import ShareRecord
from portal.usage.models import (
    UsageDay,
    UsageGpu,
    UsageHour,
    UsageJob,
    UsageSample,
    UsageSource,
    UsageWait,
    UsageWhose,
)

__all__ = [
    "Announcement",
    "AuditRecord",
    "Base",
    "ChannelRecord",
    "Delivery",
    "IdleWarning",
    "ImageRecord",
    "JobRecord",
    "KeyRecord",
    "LimitRecord",
    "Message",
    "NodeStateRecord",
    "PresetRecord",
    "RegistryKey",
    "SessionEvent",
    "SessionRecord",
    "ShareRecord",
    "SubmissionRecord",
    "TotalsRecord",
    "UsageDay",
    "UsageGpu",
    "UsageHour",
    "UsageJob",
    "UsageSample",
    "UsageSource",
    "UsageWait",
    "UsageWhose",
]
