from __future__ import annotations

from portal.policy.request import ResourceRequest, Resources
from portal.policy.resolve import consider, granted
from portal.policy.view import ClusterView, UserView
from portal.settings import Policy


def resolve(ask: ResourceRequest, user: UserView, cluster: ClusterView, policy: Policy) -> Resources:
    """Return what a session that may start gets. Raises PolicyRefused."""
    return granted(*consider(ask, user, cluster, policy))
