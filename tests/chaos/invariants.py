"""What holds whatever broke: sessions, jobs, servers and routes agree, and acknowledgements are true."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.chaos.faults import HUB_DATABASE
from tests.chaos.users import User
from tests.demo_site import DemoSite

OURS = re.compile(r"(dsp-[a-z0-9]{12}|chaos-\w+-\d+)$")


@dataclass(frozen=True)
class Seen:
    """One reading of everything, from each owner itself."""

    sessions: dict[str, dict[str, Any]]  # by id, of all users, including ended ones that a user started
    jobs: list[dict[str, str]]  # Slurm's, pending or running
    servers: set[tuple[str, str]]  # the Hub's, as (user, server name)
    routes: dict[tuple[str, str], str]  # the proxy's, with their targets
    tokens: set[tuple[str, str]]  # servers whose token the Hub accepts, running or not


def look(site: DemoSite, users: list[User]) -> Seen:
    """Query portal, Slurm, Hub and proxy. Raises httpx2.HTTPError, sqlite3.Error or AssertionError if one is away."""
    sessions = {}
    for user in users:
        for session_id in user.told.started:
            answer = user.person.api("GET", f"/sessions/{session_id}")
            answer.raise_for_status()
            sessions[session_id] = answer.json()
        for session in user.person.sessions():
            sessions[session["id"]] = session
    return Seen(sessions, site.jobs(), *_hub(site), _tokens(site))


def _tokens(site: DemoSite) -> set[tuple[str, str]]:
    query = "SELECT note FROM api_tokens WHERE note LIKE 'Server at %'"
    with closing(sqlite3.connect(f"file:{site.folder / HUB_DATABASE}?mode=ro", uri=True, timeout=5)) as database:
        notes = [note for (note,) in database.execute(query)]
    return {(user, server) for note in notes for user, server in [note.rstrip("/").split("/")[-2:]]}


def _hub(site: DemoSite) -> tuple[set[tuple[str, str]], dict[tuple[str, str], str]]:
    with httpx2.Client(timeout=30) as client:
        hub = client.get(
            f"http://127.0.0.1:{site.ports['hub']}/hub/api/users",
            params={"include_stopped_servers": "1"},
            headers={"Authorization": f"token {site.secret('service_token')}"},
        )
        hub.raise_for_status()
        routes = client.get(
            f"http://127.0.0.1:{site.ports['proxy_api']}/api/routes",
            headers={"Authorization": f"token {site.secret('proxy_token')}"},
        )
        routes.raise_for_status()
    servers = {(user["name"], name) for user in hub.json() for name in user.get("servers") or {} if name}
    ways = {}
    for path, route in routes.json().items():
        if match := re.search(r"/user/([^/]+)/([^/]+)/?$", path):
            ways[match[1], match[2]] = str(route["target"])
    return servers, ways


def broken(seen: Seen, users: list[User], site: DemoSite, lost: set[str]) -> Iterator[str]:
    """Yield a sentence for each broken invariant.

    `lost`: sessions so new at a fault of Slurm that their jobs may have been lost with it.
    """
    active = {session["id"]: session for session in seen.sessions.values() if session["state"] != "ended"}
    yield from _told(seen, users, lost)
    yield from _jobs(seen, active)
    names = {(value["owner"], value["server_name"]) for value in active.values()}
    if seen.servers != names:
        yield f"The Hub has {sorted(seen.servers - names)} too many and lacks {sorted(names - seen.servers)}."
    if extra := seen.tokens - names:
        yield f"The Hub still takes the tokens of {sorted(extra)}."
    ready = {(value["owner"], value["server_name"]) for value in active.values() if value["state"] == "ready"}
    if set(seen.routes) != ready:
        yield f"The proxy has routes for {sorted(set(seen.routes) ^ ready)} that no ready session has, or the reverse."
    yield from _gpus(site, users)


def _told(seen: Seen, users: list[User], lost: set[str]) -> Iterator[str]:
    """What was acknowledged exists, and what was refused does not."""
    names = Counter(job["name"] for job in seen.jobs)
    for user in users:
        stopped = set(user.told.stopped)
        for session_id in stopped:
            if seen.sessions[session_id]["state"] != "ended":
                yield f"{session_id} was stopped and is {seen.sessions[session_id]['state']}."
        for session_id in user.told.started.keys() - stopped:
            session = seen.sessions[session_id]
            if session["state"] == "ended":
                if session_id in lost or session_id in user.told.asked_to_stop:
                    continue
                yield f"{session_id}, which nobody stopped, ended: {session['end']['code']}."
            elif session["state"] not in ("ready", "queued"):
                yield f"{session_id} is still {session['state']}."
        extra = {session for session, s in seen.sessions.items() if s["state"] != "ended"} & stopped
        if extra:
            yield f"{sorted(extra)} live again."
        for name in user.told.not_submitted:
            if names[name]:
                yield f"{name} runs, and its owner was told that nothing was done."


def _jobs(seen: Seen, active: dict[str, Any]) -> Iterator[str]:
    """Each session has one job and each job of ours a session."""
    jobs = Counter(job["name"] for job in seen.jobs if OURS.match(job["name"]))
    if twice := [name for name, count in jobs.items() if count > 1]:
        yield f"Slurm has {twice} twice."
    sessions = {f"dsp-{name}" for name in active}
    if (name := {name for name in jobs if name.startswith("dsp-")}) != sessions:
        yield f"Jobs without session: {sorted(name - sessions)}; sessions without job: {sorted(sessions - name)}."


def _gpus(site: DemoSite, users: list[User]) -> Iterator[str]:
    """The portal counts as many GPUs in use as Slurm has allocated."""
    listed = site.run("scontrol", "show", "node", "--oneliner")
    used = sum(int(count) for count in re.findall(r"AllocTRES=\S*gres/gpu=(\d+)", listed))
    cluster = users[0].person.api("GET", "/cluster").json()
    drawn = sum(len(re.sub(r"[.]", "", node["gpus"])) for node in cluster["nodes"])
    if drawn != used:
        yield f"The portal draws {drawn} GPUs in use, Slurm has given away {used}."
