"""What the watcher last read from Slurm, each part with the time of its reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Literal

from portal.slurm.jobs import Job, Place, Priority
from portal.slurm.nodes import License, Node, Partition, Reservation


class Reach(StrEnum):
    """Whether Slurm answers."""

    UNKNOWN = "unknown"
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class EnforcedLimit:
    """What Slurm sets for an account, a user's association or a QOS; values by sacctmgr's names."""

    kind: Literal["account", "user", "qos"]
    name: str
    account: str
    partition: str
    limits: dict[str, str]


@dataclass(frozen=True, slots=True)
class Association:
    """A user's right to charge an account, in one partition, or in all if `partition` is empty."""

    user: str
    account: str
    partition: str = ""
    qos: tuple[str, ...] = ()
    default_qos: str = ""
    is_default: bool = False
    """Whether a job of this user that names no account is charged to `account`."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything known about Slurm at one moment, each part with the time of its reading (None: not read yet).

    While Slurm does not answer, the last parts stay and age, and `state` is DOWN: unknown does not mean ended.
    """

    serial: int = 0
    jobs: dict[int, Job] = field(default_factory=dict)
    nodes: tuple[Node, ...] = ()
    partitions: tuple[Partition, ...] = ()
    associations: tuple[Association, ...] = ()
    places: dict[int, tuple[Place, ...]] = field(default_factory=dict)
    """Which GPUs jobs hold, as of `places_as_of`; read only on demand."""
    priorities: dict[int, Priority] = field(default_factory=dict)
    """What pending jobs' priorities consist of, where Slurm computes them from several factors."""
    reservations: tuple[Reservation, ...] = ()
    """Current and future reservations."""
    licenses: tuple[License, ...] = ()
    wckeys: Mapping[str, tuple[str, ...]] | None = None
    """The WCKeys of each user; None where Slurm tracks none, or does not list them for the portal's account."""
    version: str | None = None
    private: frozenset[str] = frozenset()
    """What users may not see of each other in Slurm (slurm.conf(5), "PrivateData")."""
    jobs_as_of: datetime | None = None
    clock_set: bool = False
    """Whether the machine's clock was set recently, so that reading times mean little."""
    nodes_as_of: datetime | None = None
    partitions_as_of: datetime | None = None
    associations_as_of: datetime | None = None
    places_as_of: datetime | None = None
    priorities_as_of: datetime | None = None
    reservations_as_of: datetime | None = None
    state: Reach = Reach.UNKNOWN
    since: datetime | None = None
    message: str | None = None

    def is_after(self, moment: datetime) -> bool:
        """Whether the queue was certainly read after that time: a job that existed then is either in it or gone."""
        return self.jobs_as_of is not None and not self.clock_set and self.jobs_as_of > moment

    def without(self, node: str | None) -> Snapshot:
        """Return the snapshot as it looks to a job that must not get this node."""
        return self if node is None else replace(self, nodes=tuple(each for each in self.nodes if each.name != node))

    @property
    def knows_the_cluster(self) -> bool:
        """Whether nodes and partitions have been read at all."""
        return self.nodes_as_of is not None and self.partitions_as_of is not None

    def find(self, *, user: str, name: str) -> Job | None:
        """Return the user's newest job of this name. Anybody may use any name, so both must match.

        An attempt to place a session at once that found no room leaves a failed job that never had a node; it is
        skipped.
        """
        jobs = [job for job in self.jobs.values() if job.name == name and job.user == user and not job.never_was]
        return max(jobs, key=lambda job: job.id, default=None)
