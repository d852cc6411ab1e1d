"""Checks the address that a session's agent names: it must be the request's own address, or the node of its job.

The proxy leads browsers to this address from this machine, so it must never point at the machine's own services.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable

from portal import addresses
from portal.addresses import Address
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import AgentReady
from portal.settings import Agent
from portal.slurm.hostlist import expand
from portal.slurm.snapshot import Snapshot

RESOLVE_S = 5.0


async def resolve(name: str) -> set[Address]:
    """Return a host's addresses; empty if the host is unknown or the resolver is too slow."""
    try:
        async with asyncio.timeout(RESOLVE_S):
            results = await asyncio.get_running_loop().getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (OSError, TimeoutError, UnicodeError):
        return set()
    return {address for value in results if (address := addresses.read(str(value[4][0]))) is not None}


def is_here(address: Address) -> bool:
    """Whether the address belongs to this machine: a socket cannot be bound to any other."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True


class AgentAddresses:
    def __init__(
        self,
        settings: Agent,
        snapshot: Callable[[], Snapshot],
        resolve: Callable[[str], Awaitable[set[Address]]] = resolve,
        is_here: Callable[[Address], bool] = is_here,
    ) -> None:
        self._settings = settings
        self._snapshot = snapshot
        self._resolve = resolve
        self._is_here = is_here

    async def refusal(self, record: SessionRecord, ready: AgentReady, peer: str | None) -> str | None:
        """Return why the agent may not name this address; None if it may. `peer` is None if a proxy came between."""
        low, high = self._settings.ports
        if not low <= ready.port <= high:
            return f"its port is not between {low} and {high} (agent.ports)"
        named = addresses.read(str(ready.ip))
        if named is None or named.is_unspecified or named.is_multicast:
            return "it is not the address of a node"
        if self._settings.bind:
            return None if named == addresses.read(self._settings.bind) else "agent.bind sets another address"
        its_own, here = peer is not None and named == addresses.read(peer), self._is_here(named)
        if its_own and not here:
            return None
        of_node = await self._of_node(record)
        if not its_own and named not in of_node:
            return f"its node is {record.node or 'unknown'}, and the request came from {peer or 'a proxy'}"
        if here and not any(self._is_here(address) for address in of_node):
            return "it is the portal's own machine, where the job does not run"
        return None

    def knows(self, node: str) -> bool:
        """Whether Slurm has a node of this name. Accepts every name until the nodes have been read."""
        nodes = self._snapshot().nodes
        return not nodes or any(value.name == node for value in nodes)

    async def _of_node(self, record: SessionRecord) -> set[Address]:
        snapshot = self._snapshot()
        job = record.job_in(snapshot)
        names = set(expand(job.nodes if job is not None and job.nodes else record.node or ""))
        hosts: Iterable[str] = {node.address or node.name for node in snapshot.nodes if node.name in names}
        return {address for host in hosts for address in await self._resolve(host)}
