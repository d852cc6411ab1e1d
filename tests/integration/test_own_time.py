"""Users extend and shorten their own sessions on the real Slurm; a refusal leaves Slurm's limit as it was."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import httpx2

from tests.demo_site import INSIDE, DemoSite
from tests.fillers import fill
from tests.person import Live, Person


def set_time(who: Person, live: Live, hours: float) -> httpx2.Response:
    return who.api("PUT", f"/sessions/{live.id}/time-limit", json={"walltime_s": round(hours * 3600)})


def knows(site: DemoSite, who: Person, waiting: int) -> None:
    """Wait until the portal's snapshot has the reservations, and this many waiting jobs."""

    def known() -> bool:
        asked = {"app": "jupyterlab", "resources": {"gpus": 0}}
        starts = who.api("POST", "/sessions/check", json=asked).json()["starts"]
        jobs = who.api("GET", "/cluster/jobs").json()["items"]
        return starts != "unknown" and sum(job["state"] == "PENDING" for job in jobs) == waiting

    site.wait_for(known, f"the portal to know of {waiting} waiting jobs", timeout_s=60)


def refused(who: Person, live: Live, hours: float) -> tuple[int, str]:
    """Return how it is refused; Slurm's limit stays as it was."""
    before = live.job()["TimeLimit"]
    answer = set_time(who, live, hours)
    assert live.job()["TimeLimit"] == before
    error: dict[str, Any] = answer.json()["error"]
    return answer.status_code, error["message"]


def test_a_session_is_extended_shortened_and_refused_in_words(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice, bob, admin = person("alice"), person("bob"), person("admin")
    live = alice.ready("Long training", gpus=1, partition="sxm2", walltime_s=3600)
    before = datetime.fromisoformat(live.now()["ends_at"])

    knows(site, alice, 0)
    answer = set_time(alice, live, 3)
    assert answer.status_code == 200, answer.text
    assert live.job()["TimeLimit"] == "03:00:00"
    assert abs(datetime.fromisoformat(live.now()["ends_at"]) - before - timedelta(hours=2)) < timedelta(seconds=90)
    assert any(event["message"] == "You extended it by 2 h." for event in live.events())

    assert refused(bob, live, 4)[0] == 404
    assert refused(admin, live, 4)[0] == 403
    assert refused(alice, live, 12)[1] == "You may add 8 h to one session in total; 6 h of that is left."
    fill(site, nodes=len(site.nodes) - 1)
    waiting = bob.start(gpus=4, partition="sxm2", walltime_s=600)
    waiting.until("queued")
    knows(site, alice, 1)
    assert refused(alice, live, 4)[1].startswith("1 job of other users waits")
    waiting.stop()
    waiting.ended()

    # Less time is the user's own right, whoever waits.
    assert set_time(alice, live, 2).status_code == 200
    assert live.job()["TimeLimit"] == "02:00:00"

    knows(site, alice, 0)
    assert admin.api("PUT", "/admin/limits/user/alice", json={"max_gpu_hours": 2}).is_success
    try:
        assert "may use 2 GPU-hours per month" in refused(alice, live, 4)[1]
    finally:
        assert admin.api("DELETE", "/admin/limits/user/alice").is_success

    what = ("reservationname=disks", "starttime=now+3hours", "duration=60", "nodes=ALL", "flags=maint", "users=root")
    site.run("scontrol", "create", "reservation", *what)
    try:
        assert "reserved from" in refused(alice, live, 4)[1], "though the portal had not read it yet"
    finally:
        site.run("scontrol", "delete", "reservationname=disks")

    live.stop()
    live.ended()
    assert set_time(alice, live, 4).status_code == 409
    audit = admin.api("GET", "/audit", params={"target": live.id}).json()["items"]
    results = {(value["action"], value["result"]) for value in audit if value["actor"] == "alice"}
    assert results >= {("session.extend", "ok"), ("session.shorten", "ok"), ("session.extend", "policy_refused")}


def test_a_portal_that_is_killed_on_the_way_asks_slurm_when_it_is_back(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    carol = person("carol")
    live = carol.ready(gpus=0, partition="debug", walltime_s=1200)
    assert refused(carol, live, 1)[1] == "The partition “debug” allows 30 min at most."

    site.pause("slurmctld")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(set_time, carol, live, 0.45)
        try:
            site.wait_for(
                lambda: '"walltime_s": 1620' in change_of(site, live) or asked.done(), "the intent to be written", 120
            )
            assert not asked.done(), asked.result().text
        finally:
            site.kill("portal")
            site.start("slurmctld")
            site.start("portal")
        with suppress(httpx2.TransportError):
            asked.result()
    site.wait_for(lambda: change_of(site, live) == "", "the portal to ask Slurm", 180)
    limit = live.now()["resources"]["walltime_s"]
    assert live.job()["TimeLimit"] == str(timedelta(seconds=limit)).rjust(8, "0")
    assert set_time(carol, live, 0.5).status_code == 200
    assert live.job()["TimeLimit"] == "00:30:00"


def change_of(site: DemoSite, live: Live) -> str:
    """Return the change of its time limit that the portal has begun, as the database has it; empty: none."""
    return asked_of(site, live, "limit_change")


def asked_of(site: DemoSite, live: Live, column: str) -> str:
    """Return a change that the portal has begun, as the database has it; empty: none."""
    read = (
        "import sqlite3, sys; _, file, name, id = sys.argv; base = sqlite3.connect(file);"
        " base.row_factory = sqlite3.Row;"
        " print(base.execute('select * from sessions where id = ?', [id]).fetchone()[name] or '')"
    )
    return site.run("python3", "-c", read, str(INSIDE / "portal/data/portal.sqlite"), column, live.id).strip()
