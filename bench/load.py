"""What many sessions and open pages cost: Slurm programs started per minute, and memory of Hub and portal.

Every session is a real Slurm job of its own user and goes through every step (POST, policy, door, agent, Hub, proxy
route); only the app in it is a light one instead of JupyterLab, so that hundreds fit on one machine. Every page is a
stream of server-sent events through the proxy. Measured in the steady state: all sessions ready, all pages open.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from bench.testbed import crowd, light_server, report, slurm_calls
from bench.testbed.memory import Memory
from bench.testbed.pages import open_pages
from bench.testbed.site import FOLDER, run_inside, testbed, warn_of_load
from demo.site import INSIDE
from tests.demo_site import API, Account, DemoSite

LIGHT = FOLDER / "light"
RESOURCES = {"gpus": 0, "cpus": 1, "memory_mib": 512, "walltime_s": 7200}
SHARERS = 4
"""How many sessions a core of the demo's nodes takes: they have 160 cores."""
AT_ONCE = 4
READY_WITHIN_S = 900
SETTLE_S = 30.0
"""From the last session's start until counting begins: what was asked for at once is read by then."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench load", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--sessions", type=int, default=200, help="sessions and pages, after one (default: 200)")
    parser.add_argument("--minutes", type=float, default=2.0, help="how long each state is counted (default: 2)")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(None) as site:
        result = Bench(site, options.sessions, options.minutes).run()
    report.write(options.json, result | {"machine": report.machine(load)})
    return 0


@dataclass(frozen=True)
class Steady:
    """Counts taken while no session started or ended."""

    calls_per_min: float
    programs_per_min: dict[str, float]
    requests_per_min: float
    memory: Memory


class Bench:
    def __init__(self, site: DemoSite, sessions: int, minutes: float) -> None:
        self._count = sessions
        self._minutes = minutes
        _install_light_environment(site)
        run_inside(site, "scontrol", "update", "PartitionName=sxm2", f"OverSubscribe=FORCE:{SHARERS}")
        print(f"Adding {sessions} people …", flush=True)
        accounts = crowd.add(site, sessions)
        self._site = DemoSite(site.folder)  # a new one: the old one knows only the earlier accounts
        self._calls = slurm_calls.install(self._site)
        self._users = [User(self._site, account) for account in accounts]

    def run(self) -> dict[str, Any]:
        first, rest = self._users[0], self._users[1:]
        fresh = self._say("at rest, fresh", Memory.now(self._site))
        first.start()
        first.stop()
        time.sleep(SETTLE_S)
        resting = self._say("at rest, after a first session", Memory.now(self._site))

        first.start()
        steady = self._steady(self._users[:1])

        began = time.monotonic()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for number, _ in enumerate(pool.map(User.start, rest), 2):
                if number % 20 == 0:
                    print(f"{number} sessions are ready ({time.monotonic() - began:.0f} s)", flush=True)
        time.sleep(SETTLE_S)
        sessions_only = self._say(f"with {self._count} sessions", Memory.now(self._site))
        many = self._steady(self._users)
        running = run_inside(self._site, "squeue", "--noheader", "--states=RUNNING", "--format=%A").split()
        if len(running) != self._count:
            raise RuntimeError(f"{len(running)} jobs run at the end, not {self._count}.")
        return {
            "sessions": self._count,
            "minutes": self._minutes,
            "calls_per_min_1": steady.calls_per_min,
            f"calls_per_min_{self._count}": many.calls_per_min,
            "programs_per_min_1": steady.programs_per_min,
            f"programs_per_min_{self._count}": many.programs_per_min,
            "requests_per_min_1": steady.requests_per_min,
            f"requests_per_min_{self._count}": many.requests_per_min,
            "memory_rest_mib": round(max(fresh.rss_mib, resting.rss_mib), 1),
            "memory_rest_pss_mib": round(max(fresh.pss_mib, resting.pss_mib), 1),
            "memory_per_session_mib": round((sessions_only.rss_mib - resting.rss_mib) / self._count, 3),
            "memory_per_session_and_page_mib": round((many.memory.rss_mib - resting.rss_mib) / self._count, 3),
        }

    def _steady(self, users: Sequence[User]) -> Steady:
        """Hold one page open for each of these users, and count."""
        many = f"{len(users)} sessions and pages" if len(users) > 1 else "one session and page"
        with open_pages(self._site.url, [user.token for user in users]) as pages:
            time.sleep(SETTLE_S)
            programs, requests, began = self._calls.programs(), self._calls.requests(), time.monotonic()
            time.sleep(self._minutes * 60)
            minutes = (time.monotonic() - began) / 60
            programs, requests = self._calls.programs() - programs, self._calls.requests() - requests
            memory = self._say(f"with {many}", Memory.now(self._site))
            if pages.reconnects or pages.open != len(users):
                raise RuntimeError(f"{pages.reconnects} event streams were lost meanwhile.")
            events = sum(pages.events.values())
        steady = Steady(
            calls_per_min=round(programs.total() / minutes, 1),
            programs_per_min={name: round(count / minutes, 1) for name, count in sorted(programs.items())},
            requests_per_min=round(requests / minutes, 1),
            memory=memory,
        )
        print(f"with {many}: {steady.calls_per_min} Slurm calls a minute {steady.programs_per_min},", end=" ")
        print(f"{steady.requests_per_min} requests at slurmctld; the pages got {events} events", flush=True)
        return steady

    @staticmethod
    def _say(when: str, memory: Memory) -> Memory:
        print(f"{when}: {memory}", flush=True)
        return memory


class User:
    """One user with one session."""

    def __init__(self, site: DemoSite, account: Account) -> None:
        self._site = site
        self.token = site.token(account.username)
        self._http = httpx2.Client(
            base_url=f"{site.url}{API}",
            headers={"Authorization": f"token {self.token}"},
            timeout=120,
            trust_env=False,
        )
        self._session = ""

    def start(self) -> None:
        """Start the session and wait until it is ready."""
        body = {"app": "jupyterlab", "environment": "light", "resources": RESOURCES}
        response = self._http.post("/sessions", json=body)
        if not response.is_success:
            raise RuntimeError(f"The portal refused: {response.status_code} {response.text}")
        self._session = response.json()["id"]
        self._await("ready")

    def stop(self) -> None:
        self._http.delete(f"/sessions/{self._session}").raise_for_status()
        self._await("ended")

    def _await(self, state: str) -> None:
        def look() -> bool:
            session = self._http.get(f"/sessions/{self._session}").raise_for_status().json()
            if session["state"] == "ended" != state:
                raise RuntimeError(f"A session ended before it was {state}: {session['end']}")
            return bool(session["state"] == state)

        self._site.wait_for(look, f"a session to be {state}", timeout_s=READY_WITHIN_S, every_s=0.3)


def _install_light_environment(site: DemoSite) -> None:
    """Add an environment whose Python is the light server, whatever it is asked to run."""
    source = Path(light_server.__file__).read_text()
    run_inside(site, "mkdir", "-p", LIGHT / "bin")
    run_inside(
        site, "install", "-m", "755", "/dev/stdin", LIGHT / "bin" / "python", stdin=f"#!/usr/bin/python3 -IS\n{source}"
    )
    run_inside(
        site, "ln", "-sf", "python", LIGHT / "bin" / "jupyterhub-singleuser"
    )  # the portal takes this as proof that it can serve
    environment = f'\n[environments.light]\ntitle = "Light"\npath = "{LIGHT}"\n'
    run_inside(site, "tee", "-a", INSIDE / "portal" / "portal.toml", stdin=environment)


if __name__ == "__main__":
    sys.exit(main())
