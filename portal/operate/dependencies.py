"""The services of administrators' operations, for routes."""

from __future__ import annotations

from typing import Annotated

from portal.operate.node_history import NodeHistory
from portal.operate.service import Operations
from portal.operate.sessions import SessionOperations
from portal.provided import provided
from portal.slurm.nodes import Reservation
from portal.slurm.shared import Shared

ClusterOperations = Annotated[Operations, provided(Operations)]
OperateSessions = Annotated[SessionOperations, provided(SessionOperations)]
NodeStates = Annotated[NodeHistory, provided(NodeHistory)]
Reservations = Annotated[Shared[list[Reservation]], provided(Shared[list[Reservation]])]
