"""The services of sessions, for routes."""

from __future__ import annotations

from typing import Annotated

from portal.provided import provided
from portal.sessions.agents import AgentDesk
from portal.sessions.asks import Asks
from portal.sessions.last_use import LastUse
from portal.sessions.service import SessionService
from portal.sessions.store import SessionStore
from portal.sessions.view import Render

Sessions = Annotated[SessionService, provided(SessionService)]
SessionAsks = Annotated[Asks, provided(Asks)]
SessionRecords = Annotated[SessionStore, provided(SessionStore)]
RenderSession = Annotated[Render, provided(Render)]
SessionLastUse = Annotated[LastUse, provided(LastUse)]
Agents = Annotated[AgentDesk, provided(AgentDesk)]
