"""What a user may see of other users' jobs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from portal.settings.cluster import Cluster
from portal.slurm.jobs import Job
from portal.slurm.snapshot import Snapshot


class Visibility(IntEnum):
    """How much of another user's job is shown; each level includes those before it."""

    NOTHING = 0
    USERS = 1
    JOBS = 2


@dataclass(frozen=True, slots=True)
class Viewer:
    """One user, and how much they see of others."""

    username: str
    visibility: Visibility
    reservations: bool = False
    """Whether they see the names of reservations."""

    def sees(self, job: Job, needed: Visibility) -> bool:
        return self.visibility >= needed or job.user == self.username


def viewer_of(username: str, *, admin: bool, settings: Cluster, snapshot: Snapshot) -> Viewer:
    """Return what the user may see. Until Slurm's PrivateData is known, nothing of other users is shown."""
    if admin:
        return Viewer(username, Visibility.JOBS, reservations=True)
    named = snapshot.version is not None and "reservations" not in snapshot.private
    if settings.others != "slurm":
        return Viewer(username, Visibility[settings.others.upper()], named)
    hidden = snapshot.version is None or snapshot.private & {"jobs", "users"}
    return Viewer(username, Visibility.NOTHING if hidden else Visibility.JOBS, named)
