"""While the Hub is slow or its database locked, sessions start and stop: none starts unasked, none is left behind."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx2

from tests.demo_site import DemoSite
from tests.person import Live, Person

#: The time that a comparison takes its turn in, three times over.
HEALED_S = 60
LOCKED_S = 20


@contextmanager
def locked_hub_database(site: DemoSite) -> Iterator[None]:
    (file,) = site.folder.rglob("jupyterhub.sqlite")
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def servers(person: Person) -> dict[str, Any]:
    """Return the Hub's servers of a user, stopped ones included but for the one without a name, which always is."""
    answer = person.hub("GET", "", params={"include_stopped_servers": "1"})
    if answer.status_code != 200:
        return {"unknown": answer.status_code}
    return {name: server for name, server in answer.json()["servers"].items() if name or not server["stopped"]}


def routes(site: DemoSite, person: Person) -> dict[str, str]:
    """Return where the proxy leads for a user's servers."""
    program = (
        "import json, sys, urllib.request as u; "
        "print(u.urlopen(u.Request(sys.argv[1], headers={'Authorization': 'token ' + sys.argv[2]})).read().decode())"
    )
    address = f"http://127.0.0.1:{site.ports['proxy_api']}/api/routes"
    listed = site.run("python3", "-c", program, address, site.secret("proxy_token"))
    response = httpx2.Response(200, text=listed).json()
    return {path: value["target"] for path, value in response.items() if f"/user/{person.name}/" in path}


def agrees(site: DemoSite, person: Person) -> bool:
    """Whether sessions, jobs, the Hub's servers and the proxy's routes of a user are the same."""
    live = {session["server_name"]: session for session in person.sessions()}
    jobs = {job["name"] for job in site.jobs(f"--user={person.name}")}
    return (
        all(value["state"] == "ready" for value in live.values())
        and jobs == {f"dsp-{value['id']}" for value in live.values()}
        and set(servers(person)) == set(live)
        and len(routes(site, person)) == len(live)
    )


def test_sessions_stopped_while_the_hub_hangs_stay_stopped(site: DemoSite, person: Callable[[str], Person]) -> None:
    carol = person("carol")
    kept = carol.ready(gpus=0)
    site.pause("hub")
    sessions = [carol.start(gpus=0) for _ in range(4)]
    for session in sessions:
        session.until("allocated", "starting")
        session.stop()
    for session in sessions:
        session.ended()
    before = {session["id"] for session in carol.sessions("all")}
    site.start("hub")
    site.wait_for(lambda: agrees(site, carol), "the Hub to have only what goes on", HEALED_S, every_s=1)
    watched_until = time.monotonic() + 35  # two comparisons: what starts by itself does so by then
    site.wait_for(lambda: time.monotonic() > watched_until, "two more comparisons", 40, every_s=1)
    assert {session["id"] for session in carol.sessions("all")} == before
    assert [session["id"] for session in carol.sessions()] == [kept.id]
    assert agrees(site, carol)


def test_servers_of_sessions_that_ended_while_the_hubs_database_was_locked_are_gone_after(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    dave = person("dave")
    kept = dave.ready(gpus=0)
    doomed: list[Live] = [dave.ready(gpus=0) for _ in range(3)]
    with locked_hub_database(site):
        locked_at = time.monotonic()
        for session in doomed[:2]:
            session.stop()
        site.run("scancel", str(doomed[2].now()["job_id"]))
        began = dave.start(gpus=0)
        for session in doomed:
            session.ended()
        site.wait_for(lambda: time.monotonic() > locked_at + LOCKED_S, "the lock to last", LOCKED_S + 30)
    site.wait_for(lambda: began.now()["state"] in ("ready", "ended"), "the new session to be decided", HEALED_S)
    site.wait_for(lambda: agrees(site, dave), "sessions, jobs, servers and routes to agree", HEALED_S, every_s=1)
    assert kept.now()["state"] == "ready"
    assert kept.kernel().value("1 + 1") == 2
    for session in dave.sessions():
        address = Live(dave, session["id"]).address
        assert dave.web.get(f"{address}api/status").status_code == 200
