"""Users who keep starting and stopping sessions and submitting jobs, and record the portal's answers."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field

import httpx2

from tests.demo_site import API
from tests.person import Person

PAUSE_S = (0.3, 1.5)
SESSIONS_EACH = 2
SCRIPT = "#!/bin/bash\n#SBATCH --job-name={name}\n#SBATCH --output=/dev/null\n#SBATCH --mem=50M\nsleep 20\n"


@dataclass
class Told:
    """The answers that one user got. Each list only grows, and only in that user's thread."""

    started: dict[str, float] = field(default_factory=dict)  # the session → when, monotonic
    stopped: list[str] = field(default_factory=list)
    asked_to_stop: list[str] = field(default_factory=list)  # the answer may have been lost: either outcome is possible
    submitted: dict[str, str] = field(default_factory=dict)  # the job's name → its id
    not_submitted: list[str] = field(default_factory=list)  # names whose refusal said that nothing happened
    requests: int = 0
    refusals: int = 0


class User(threading.Thread):
    """One user, working until `over`; pauses while `calm` is set, and signals it by `resting`."""

    def __init__(self, person: Person, seed: int) -> None:
        super().__init__(name=f"chaos-{person.name}", daemon=True)
        self.person = person
        self.told = Told()
        self.calm, self.resting, self.over = threading.Event(), threading.Event(), threading.Event()
        self.failure: Exception | None = None
        self._random = random.Random(seed)  # noqa: S311 - for variety, not for security
        self._number = 0

    def run(self) -> None:
        try:
            while not self.over.is_set():
                if self.calm.is_set():
                    self.resting.set()
                else:
                    self.resting.clear()
                    self._act()
                time.sleep(self._random.uniform(*PAUSE_S))
        except Exception as error:  # the test reports it
            self.failure = error
        finally:
            self.resting.set()

    def _act(self) -> None:
        mine = [name for name in self.told.started if name not in self.told.stopped]
        choices = [self._submit, self._look]
        choices.append(self._begin if len(mine) < SESSIONS_EACH else lambda: self._end(mine[0]))
        try:
            self._random.choice(choices)()
        except httpx2.TransportError:
            self.told.refusals += 1  # no answer: nothing is known, and nothing was promised

    def _ask(self, method: str, path: str, **options: object) -> httpx2.Response:
        self.told.requests += 1
        response = self.person.web.request(method, API + path, timeout=40, **options)  # type: ignore[arg-type]
        self.told.refusals += response.status_code >= 500
        return response

    def _begin(self) -> None:
        answer = self._ask("POST", "/sessions", json={"app": "jupyterlab", "resources": {"gpus": 1}})
        if answer.status_code == 202:
            self.told.started[answer.json()["id"]] = time.monotonic()

    def _end(self, session_id: str) -> None:
        self.told.asked_to_stop.append(session_id)
        answer = self._ask("DELETE", f"/sessions/{session_id}")
        if answer.status_code == 202:
            self.told.stopped.append(session_id)
        elif answer.status_code == 503 and "othing was done" in answer.text:
            self.told.asked_to_stop.remove(session_id)

    def _submit(self) -> None:
        self._number += 1
        name = f"chaos-{self.person.name}-{self._number}"
        answer = self._ask("POST", "/jobs", json={"script": SCRIPT.format(name=name)})
        if answer.status_code == 202:
            self.told.submitted[name] = answer.json()["id"]
        elif answer.status_code == 503 and "othing was done" in answer.text:
            self.told.not_submitted.append(name)

    def _look(self) -> None:
        self._ask("GET", self._random.choice(["/sessions", "/jobs", "/cluster", "/usage"]))
