"""What users may request, and the defaults for what they leave out."""

from __future__ import annotations

from collections.abc import Collection

from pydantic import Field

from portal.settings.base import Section


class GroupLimit(Section):
    group: str = Field(description="A group of the directory.")
    max_gpus: int | None = Field(None, ge=0, description="GPUs that each member may hold at once.")
    max_sessions: int | None = Field(None, ge=0, description="Sessions that each member may have at once.")
    max_walltime_s: int | None = Field(None, ge=60, description="Longest time limit of a session or batch job.")
    partitions: list[str] | None = Field(None, description="Partitions that members may use; None: all.")
    group_max_gpus: int | None = Field(
        None, ge=0, description="GPUs that all members together may hold at once, whatever their own limits are."
    )
    group_max_gpu_hours: int | None = Field(
        None, ge=0, description="GPU-hours that all members together may use per month (UTC)."
    )


class Extension(Section):
    """Whether users may give their own running sessions more time. Everything else that limits a session applies."""

    most_s: int = Field(
        0,
        ge=0,
        description="How much time users may add to one session in total; 0: none. The door's `extend_minutes` must "
        "allow it, too.",
    )
    times: int = Field(3, ge=1, description="How often users may extend one session.")
    groups: list[str] = Field(default_factory=list, description="Groups whose members may; empty: everybody.")
    while_others_wait: bool = Field(
        False, description="Whether they may while other users' jobs wait for the same GPUs, or for the same nodes."
    )


class Ssh(Section):
    """Whether users may connect to their own sessions with SSH (`portal ssh`, editors on their own machine)."""

    enabled: bool = Field(True, description="False: nobody may use SSH.")
    groups: list[str] = Field(default_factory=list, description="Groups whose members may; empty: everybody.")

    def allows(self, groups: Collection[str]) -> bool:
        """Return whether a user in these groups may use SSH."""
        return self.enabled and (not self.groups or not set(self.groups).isdisjoint(groups))


class Policy(Section):
    cpus_per_gpu: int = Field(8, ge=1, description="Default cores per GPU.")
    memory_mib_per_gpu: int = Field(49_152, ge=1, description="Default memory per GPU (48 GB).")
    cpu_only_cpus: int = Field(2, ge=1, description="Default cores of a session without GPUs.")
    cpu_only_memory_mib: int = Field(8_192, ge=1, description="Default memory of a session without GPUs.")
    default_gpus: int = Field(1, ge=0, description="Default GPUs of a session.")
    default_walltime_s: int = Field(28_800, ge=60, description="Default time limit of a session (8 hours).")
    max_walltime_s: int = Field(172_800, ge=60, description="Longest time limit that users may request for a session.")
    max_job_walltime_s: int | None = Field(
        None, ge=60, description="Longest time limit of a batch job; None: what the partition allows."
    )
    max_gpus: int = Field(
        8, ge=0, description="GPUs that one user may hold at once: of sessions and batch jobs, running or queued."
    )
    max_sessions: int = Field(10, ge=0, description="Sessions that one user may have at once.")
    max_nodes: int = Field(1, ge=1, description="Nodes that one session may span.")
    default_partition: str = Field("", description="Empty: Slurm's default partition.")
    extension: Extension = Extension()
    ssh: Ssh = Ssh()
    limits: list[GroupLimit] = Field(
        default_factory=list, description="Limits by group; the most generous of a user's groups applies."
    )
