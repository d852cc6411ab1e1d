"""How many doors run at once, in all and for one user. A call beyond that waits for a while, then is refused.

Each door is a few processes as root or as a user, so their number must not grow with demand. Free slots go to waiting
users in turn: a user with hundreds of calls gets no more of them than a user with one.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable

from portal.errors import SlurmUnavailable, TooManyRequests
from portal.plurals import plural

#: How many calls one user may have waiting.
MOST_WAITING = 500
RETRY_AFTER_S = 5.0


class DoorBusy(SlurmUnavailable):
    """No slot became free in time, and nothing was done: 503, or 429 if the user's own calls fill them."""

    def __init__(self, own: int) -> None:
        if own:
            self.status, self.code = TooManyRequests.status, TooManyRequests.code
        super().__init__(
            f"You have {plural(own, 'request')} of this kind running, and more waiting."
            if own
            else "The portal has too many requests of this kind at once.",
            hint="Nothing was done. Try again in a few seconds.",
            retry_after_s=RETRY_AFTER_S,
        )


class Slots:
    """The slots of one kind of call."""

    def __init__(self, most: int, most_per_user: int, *, wait_s: float) -> None:
        self._most = most
        self._most_per_user = most_per_user
        self._wait_s = wait_s
        self._taken: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @property
    def taken(self) -> int:
        return self._taken.total()

    async def take(self, user: str) -> Callable[[], None]:
        """Wait for a slot and return the function that releases it. Raises DoorBusy."""
        queue = self._waiting.setdefault(user, deque())
        if len(queue) >= MOST_WAITING:
            raise self._refusal(user)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        self._hand_out()
        try:
            async with asyncio.timeout(self._wait_s):
                await turn
        except TimeoutError:
            self._abandon(user, turn)
            raise self._refusal(user) from None
        except asyncio.CancelledError:
            self._abandon(user, turn)
            raise
        return self._returner(user)

    def _refusal(self, user: str) -> DoorBusy:
        own = self._taken[user]
        return DoorBusy(own if own >= self._most_per_user else 0)

    def _returner(self, user: str) -> Callable[[], None]:
        given_back = False

        def give_back() -> None:
            nonlocal given_back
            if not given_back:
                given_back = True
                self._give_back(user)

        return give_back

    def _give_back(self, user: str) -> None:
        self._taken[user] -= 1
        if not self._taken[user]:
            del self._taken[user]
        self._hand_out()

    def _hand_out(self) -> None:
        """Give free slots to waiting users; a user who gets one goes to the end of the round."""
        for user in list(self._waiting):
            if self.taken >= self._most:
                return
            if self._taken[user] < self._most_per_user:
                queue = deque(future for future in self._waiting.pop(user) if not future.done())
                if queue:
                    self._taken[user] += 1
                    queue.popleft().set_result(None)
                if queue:
                    self._waiting[user] = queue

    def _abandon(self, user: str, turn: asyncio.Future[None]) -> None:
        """Give up a wait. Its slot may have come at the same moment."""
        if not turn.cancelled():
            self._give_back(user)
        elif turn in (queue := self._waiting.get(user, deque())):
            queue.remove(turn)
            if not queue:
                del self._waiting[user]
