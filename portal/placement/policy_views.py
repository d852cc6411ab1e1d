"""What policy sees at this moment: a user with their limits, and the cluster with its maintenance."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from portal.auth.people import People
from portal.directory import DirectoryUser
from portal.errors import Forbidden
from portal.placement.view import cluster_view
from portal.policy.closures import Closure, with_closures
from portal.policy.limits import of_groups
from portal.policy.view import ClusterView, LimitRule, Pool, UserView
from portal.settings import Policy
from portal.slurm.watcher import Watcher


class Holding(Protocol):
    """What a user holds in sessions and batch jobs, and this month's GPU-hours."""

    sessions: int
    gpus: int
    used: float
    promised: float


class LimitRules(Protocol):
    """The limits that administrators set for users, and what users have used of them."""

    async def rules(self, username: str, groups: Iterable[str]) -> tuple[LimitRule, ...]: ...

    async def held(self, username: str) -> Holding: ...

    async def pools(self, rules: Sequence[LimitRule]) -> tuple[Pool, ...]: ...


class PolicyViews:
    def __init__(
        self,
        *,
        policy: Policy,
        watcher: Watcher,
        people: People,
        limits: LimitRules,
        closures: Callable[[], Awaitable[Sequence[Closure]]],
        now: Callable[[], datetime],
    ) -> None:
        """`closures` returns the planned and current maintenance."""
        self._policy = policy
        self._watcher = watcher
        self._people = people
        self._limits = limits
        self._closures = closures
        self._now = now

    async def user(self, username: str) -> UserView:
        """Return the user as policy sees them. Raises Forbidden if the directory does not let them in."""
        account = await self._people.account(username)
        if account is None or not account.allowed:
            raise Forbidden(f"The user “{username}” may not use this portal.")
        return await self.of_account(account)

    async def of_account(self, account: DirectoryUser) -> UserView:
        """Return a user as policy sees them, with their limits, whether or not they may log in."""
        username = account.username
        held = await self._limits.held(username)
        mine = [association for association in self._watcher.snapshot.associations if association.user == username]
        user = UserView(
            username=username,
            groups=frozenset(account.groups),
            accounts=tuple(dict.fromkeys(association.account for association in mine)),
            default_account=next((association.account for association in mine if association.is_default), None),
            gpus_in_use=held.gpus,
            sessions_in_use=held.sessions,
            admin=account.admin,
            rules=await self._limits.rules(username, account.groups),
            gpu_hours_used=held.used,
            gpu_hours_promised=held.promised,
            wckeys=self._wckeys(username),
        )
        pooled = [rule for rule in of_groups(user, self._policy) if rule.is_pooled]
        return replace(user, pools=await self._limits.pools(pooled)) if pooled else user

    def _wckeys(self, username: str) -> tuple[str, ...] | None:
        snapshot = self._watcher.snapshot
        return None if snapshot.wckeys is None else snapshot.wckeys.get(username, ())

    async def may_ssh(self, username: str) -> bool:
        """Return whether the user may connect to their sessions with SSH. Raises DirectoryUnavailable."""
        ssh = self._policy.ssh
        return ssh.allows(await self._people.groups(username) if ssh.groups else ())

    async def cluster(self) -> ClusterView:
        """Return the cluster as policy sees it, with planned and current maintenance."""
        return with_closures(cluster_view(self._watcher.snapshot), await self._closures(), self._now())
