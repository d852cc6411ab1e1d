"""The services of sessions, for routes."""

from __future__ import annotations

from typing import Annotated

from portal.provided import provided
from portal.sessions.agents import AgentService
from portal.sessions.changes import Changes
from portal.sessions.choices import Choices
from portal.sessions.last_use import LastUse
from portal.sessions.own_time import OwnTime
from portal.sessions.requests import SessionRequests
from portal.sessions.service import SessionService
from portal.sessions.store import SessionStore
from portal.sessions.view import Render

Sessions = Annotated[SessionService, provided(SessionService)]
SessionChanges = Annotated[Changes, provided(Changes)]
SessionTime = Annotated[OwnTime, provided(OwnTime)]
SessionChoices = Annotated[Choices, provided(Choices)]
Requests = Annotated[SessionRequests, provided(SessionRequests)]
SessionRecords = Annotated[SessionStore, provided(SessionStore)]
RenderSession = Annotated[Render, provided(Render)]
SessionLastUse = Annotated[LastUse, provided(LastUse)]
Agents = Annotated[AgentService, provided(AgentService)]
