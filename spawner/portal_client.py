"""The Hub's client of the portal's internal API: one HTTP client and one list of live sessions for all spawners.

PortalProblem
├── PortalAway      no answer: nothing is known, ask again
└── PortalRefused   the portal understood and refused, in a sentence for the user
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp

MAX_ALIVE_AGE_S = 3.0
START_TIMEOUT_S = 60.0
CALL_TIMEOUT_S = 10.0
#: A person waits for the form, which can do without.
FORM_TIMEOUT_S = 2.0


class PortalProblem(Exception):
    """A failed call to the portal."""


class PortalAway(PortalProblem):
    pass


class PortalRefused(PortalProblem):
    """`message` is for the user, `code` for metrics and `status` for the Hub's own answer."""

    def __init__(self, message: str, *, code: str, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status


@dataclass(frozen=True, slots=True)
class Started:
    session_id: str
    api_token: str


@dataclass(frozen=True, slots=True)
class Step:
    """An event of a session's start; `progress` 0 to 100."""

    seq: int
    message: str
    progress: int


@dataclass(frozen=True, slots=True)
class Update:
    """What is new about a session. `ended`: why it ended, in words, and its code."""

    url: str | None
    ended: tuple[str, str] | None
    steps: tuple[Step, ...]


class PortalClient:
    def __init__(self, url: str, key: str, monotonic: Callable[[], float] = time.monotonic) -> None:
        """`url` is the internal API's, such as http://127.0.0.1:8001/services/portal/internal."""
        self._url = url
        self._headers = {"Authorization": f"Bearer {key}"}
        self._monotonic = monotonic
        self._session: aiohttp.ClientSession | None = None
        self._alive: Mapping[str, int | None] | None = None
        self._alive_asked = float("-inf")
        self._asking: asyncio.Task[None] | None = None

    async def start(self, request: Mapping[str, Any]) -> Started:
        """Hand over the Hub's environment of a server; the same server gets the same session until it ends."""
        answer = await self._call("POST", "/start", json=request, timeout_s=START_TIMEOUT_S)
        return Started(session_id=str(answer["session_id"]), api_token=str(answer["api_token"]))

    async def wait(self, session_id: str, *, after: int, timeout_s: float) -> Update:
        """Return what is new after event `after`, after at most `timeout_s`."""
        answer = await self._call(
            "GET",
            f"/sessions/{session_id}/wait",
            params={"after": str(after), "timeout": f"{timeout_s:g}"},
            timeout_s=timeout_s + CALL_TIMEOUT_S,
            unavailable_refuses=False,
        )
        ended = answer.get("ended")
        return Update(
            url=answer.get("url") or None,
            ended=(str(ended.get("code")), str(ended.get("text"))) if ended else None,
            steps=tuple(
                Step(seq=int(step["seq"]), message=str(step["message"]), progress=int(step["progress"]))
                for step in answer.get("events") or ()
            ),
        )

    async def stop(self, session_id: str, *, reason: str, wait_s: float) -> None:
        """End a session, and wait a while for its job to end."""
        await self._call(
            "POST",
            f"/sessions/{session_id}/stop",
            params={"wait": f"{wait_s:g}"},
            json={"reason": reason},
            timeout_s=wait_s + CALL_TIMEOUT_S,
        )

    async def exit_code(self, session_id: str, *, known_at: float) -> int | None:
        """Return None while the session lives, or until the portal says that it has ended; else its exit code.

        The portal itself removes the servers of unknown sessions, once it is sure that they have no job. One request
        every few seconds answers for all sessions. `known_at` (monotonic) is when the caller learned of the session: an
        older answer cannot include it. Raises PortalAway.
        """
        oldest = max(known_at, self._monotonic() - MAX_ALIVE_AGE_S)
        while self._alive_asked < oldest:
            if self._asking is None:
                self._asking = asyncio.create_task(self._ask_who_lives())
            await asyncio.shield(self._asking)
        if self._alive is None:
            raise PortalAway("The portal does not answer.")
        return self._alive.get(session_id)

    async def announcements(self, *, timeout_s: float) -> list[dict[str, Any]]:
        """Return the login page's current announcements."""
        items = (await self._call("GET", "/announcements", timeout_s=timeout_s)).get("items")
        return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []

    async def node_gpus(self) -> int | None:
        """Return how many GPUs the node with the most has; None if the portal does not know. Raises PortalProblem."""
        most = (await self._call("GET", "/node-gpus", timeout_s=FORM_TIMEOUT_S)).get("most")
        return most if isinstance(most, int) else None

    async def report_logins(self, reports: Sequence[Mapping[str, Any]]) -> None:
        """Add logins (username, address, result, target, count) to the audit log."""
        await self._call("POST", "/login-reports", json={"items": reports}, timeout_s=CALL_TIMEOUT_S)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _ask_who_lives(self) -> None:
        """Cache the answer, or the lack of one: both hold for a few seconds."""
        asked = self._monotonic()
        try:
            sessions = (await self._call("GET", "/alive", timeout_s=CALL_TIMEOUT_S)).get("sessions")
            self._alive = sessions if isinstance(sessions, dict) else None
        except PortalProblem:
            self._alive = None
        finally:
            self._alive_asked = asked
            self._asking = None

    async def _call(
        self, method: str, path: str, *, timeout_s: float, unavailable_refuses: bool = True, **arguments: Any
    ) -> dict[str, Any]:
        """`unavailable_refuses`: a status of 500 and above is a refusal, not PortalAway."""
        if self._session is None:
            # Each start in progress holds one long poll: the default limit of 100 would block them.
            self._session = aiohttp.ClientSession(
                headers=self._headers, connector=aiohttp.TCPConnector(limit=0), raise_for_status=False
            )
        try:
            async with self._session.request(
                method, self._url + path, timeout=aiohttp.ClientTimeout(total=timeout_s), **arguments
            ) as response:
                answer = await _json(response)
                if response.status < 400 and answer is not None:
                    return answer
                problem = _problem(response.status, answer)
                if response.status >= 500 and not unavailable_refuses:
                    raise PortalAway(str(problem))
                raise problem
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise PortalAway(f"The portal does not answer ({type(error).__name__}).") from error


async def _json(response: aiohttp.ClientResponse) -> dict[str, Any] | None:
    try:
        answer = await response.json(content_type=None)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _problem(status: int, answer: dict[str, Any] | None) -> PortalProblem:
    """An error in the portal's own format is a refusal with its sentence, even a 503; anything else is no answer."""
    error = (answer or {}).get("error")
    if not isinstance(error, dict) or not error.get("message"):
        return PortalAway(f"The portal answers HTTP {status}.")
    details = [
        f"{problem['field']}: {problem['message']}"
        for problem in error.get("fields") or ()
        if isinstance(problem, dict) and problem.get("message") and problem["message"] not in error["message"]
    ]
    hint = "" if details else str(error.get("hint") or "")
    message = " ".join([str(error["message"]), *details, hint]).strip()
    if status >= 500 and error.get("code") == "internal":
        return PortalAway(message)
    return PortalRefused(message, code=str(error.get("code") or status), status=status)
