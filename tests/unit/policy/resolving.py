from __future__ import annotations

from portal.policy.ask import ResourceAsk, Resources
from portal.policy.resolve import consider, granted
from portal.policy.view import ClusterView, UserView
from portal.settings import Policy


def resolve(ask: ResourceAsk, user: UserView, cluster: ClusterView, policy: Policy) -> Resources:
    """Return what a session that may start gets. Raises PolicyRefused."""
    return granted(*consider(ask, user, cluster, policy))
