"""Resolves a session request: what it would get, any problems with it, and when it could start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from portal.errors import FieldProblem, InvalidRequest
from portal.placement.alternatives import Alternative, alternatives, is_about_resources
from portal.placement.policy_views import PolicyViews
from portal.placement.reserved import refusal
from portal.placement.starts import Starts, starts
from portal.placement.waits import PastJob, Range, planned, probable, waiting
from portal.policy import formatting
from portal.policy.request import ResourceRequest, Resources, SessionRequest
from portal.policy.resolve import consider, granted
from portal.policy.view import UserView
from portal.sessions.choices import Choice, Choices, as_the_app_wants
from portal.settings import Policy
from portal.slurm.watcher import Watcher


@dataclass(frozen=True, slots=True)
class Estimate:
    """When a session that waits will probably start, by the waits of recent jobs like it, and by Slurm's plan."""

    wait: Range | None
    ahead_by: datetime | None
    """When Slurm plans to start the last of the jobs ahead."""


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """What a session would get, and the problems with it."""

    resources: Resources | None
    problems: list[FieldProblem]
    warnings: list[FieldProblem]
    summary: str
    starts: Starts
    starts_text: str
    alternatives: list[Alternative] = field(default_factory=list)
    estimate: Estimate | None = None


class SessionRequests:
    def __init__(
        self,
        *,
        policy: Policy,
        watcher: Watcher,
        views: PolicyViews,
        choices: Choices,
        waits: Callable[[str], Awaitable[Sequence[PastJob]]],
        now: Callable[[], datetime],
    ) -> None:
        """`waits` returns a partition's recent jobs."""
        self._policy = policy
        self._watcher = watcher
        self.views = views
        self.choices = choices
        self._waits = waits
        self._now = now

    async def resolve(self, choice: Choice, user: UserView) -> Resources:
        """Return what the session gets. Raises PolicyRefused."""
        return granted(*await self.consider(choice.resources, user))

    async def consider(self, wanted: ResourceRequest, user: UserView) -> tuple[Resources | None, list[FieldProblem]]:
        """Return the completed resources, and every problem that policy or a reservation has with them."""
        resources, problems = consider(wanted, user, await self.views.cluster(), self._policy)
        if resources is not None and (why := refusal(resources, self._watcher.snapshot, user)) is not None:
            problems.append(FieldProblem("resources.reservation", why))
            self._watcher.kick("reservations")  # it may just have been made or changed
        return resources, problems

    async def check(self, username: str, ask: SessionRequest) -> CheckedRequest:
        """Check a session request without starting the session."""
        problems: list[FieldProblem] = []
        warnings: list[FieldProblem] = []
        wanted = ask.resources
        choice = None
        try:
            choice = await self.choices.choose(username, ask, warn=True)
            wanted, warnings = choice.resources, choice.warnings
        except InvalidRequest as error:
            problems += error.fields
        user = await self.views.user(username)
        resources, refused = await self.consider(wanted, user)
        problems += refused
        if resources is None:
            return CheckedRequest(None, problems, warnings, "", "unknown", "")
        snapshot = self._watcher.snapshot.without(ask.avoid)
        when, text = starts(resources, snapshot, user, self._now())
        others: list[Alternative] = []
        if choice is not None and (problems or when == "later") and is_about_resources(problems):
            others = await asyncio.to_thread(
                alternatives,
                ask.resources,
                resources,
                complete=partial(as_the_app_wants, choice.app),
                user=user,
                cluster=await self.views.cluster(),
                policy=self._policy,
                snapshot=snapshot,
                now=self._now(),
            )
        estimate = await self._estimate(resources) if when == "later" and not problems else None
        return CheckedRequest(
            resources, problems, warnings, formatting.summary(resources), when, text, others, estimate
        )

    async def _estimate(self, resources: Resources) -> Estimate | None:
        """Return when it will probably start; None if there is too little to go by, or a reservation decides."""
        if resources.reservation is not None:
            return None
        snapshot, partition = self._watcher.snapshot, resources.partition
        past = await self._waits(partition)
        gpus = resources.gpus_counted
        wait = await asyncio.to_thread(probable, past, gpus, waiting(snapshot, partition))
        ahead_by = planned(snapshot, partition, self._now())
        return Estimate(wait, ahead_by) if wait or ahead_by else None
