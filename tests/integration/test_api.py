"""The API for scripts: its description, its streams, and what stands around sessions."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

import httpx2

from tests.demo_site import API, DemoSite
from tests.fillers import fill
from tests.person import Person, frames


def test_api_describes_itself(site: DemoSite) -> None:
    description = httpx2.get(f"{site.url}{API}/openapi.json", timeout=60).json()  # put together when first asked
    assert description["openapi"].startswith("3.")
    assert {f"{API}/sessions", f"{API}/sessions/{{session_id}}", f"{API}/sessions/{{session_id}}/events"} <= set(
        description["paths"]
    )
    docs = httpx2.get(f"{site.url}{API}/docs")
    assert docs.status_code == 200
    assert "openapi.json" in docs.text


def test_events_are_told_from_the_beginning_and_end_with_the_session(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    live = person("alice").start(gpus=0)
    with live.follow() as stream:
        results = []
        for kind, data in stream:
            results.append(kind)
            if kind == "progress" and data["state"] == "ready":
                live.stop()
    assert (results[0], results[-1]) == ("progress", "end")
    assert "session" in results
    past = live.events()
    assert (past[0]["state"], past[-1]["state"]) == ("submitted", "ended")
    sequence = [event["seq"] for event in past]
    assert sequence == sorted(set(sequence))
    assert live.events(after=sequence[2]) == past[3:], "a reader that comes back misses nothing and hears nothing twice"


def test_page_of_events_tells_its_owner_of_every_change_and_nobody_else(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    heard: dict[str, list[str]] = {"alice": [], "bob": []}
    alice, bob = person("alice"), person("bob")

    def listen(who: Person, until: Callable[[str, dict], bool], connected: threading.Event) -> None:
        with who.web.stream("GET", f"{API}/events", timeout=60) as response:
            for kind, data in frames(response):
                connected.set()
                if kind == "session":
                    heard[who.name].append(data["owner"])
                    if until(kind, data):
                        return

    readers = []
    for who in (alice, bob):
        connected = threading.Event()
        arguments = (who, lambda kind, data: data["state"] == "ended", connected)
        readers.append(threading.Thread(target=listen, args=arguments))
        readers[-1].start()
        assert connected.wait(20)
    for who in (alice, bob):
        live = who.ready(gpus=0)
        live.stop()
        live.ended()
    for reader in readers:
        reader.join(timeout=30)
        assert not reader.is_alive()
    assert set(heard["alice"]) == {"alice"}
    assert set(heard["bob"]) == {"bob"}


def test_options_tell_what_is_free_right_now(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")

    def free() -> int:
        options = alice.api("GET", "/options").json()
        (partition,) = [partition for partition in options["partitions"] if partition["name"] == "sxm2"]
        (v100,) = partition["gpus"]
        assert v100["total"] == 16
        return int(v100["free"])

    site.wait_for(lambda: free() == 16, "all GPUs to be free", timeout_s=40)
    fill(site, nodes=2)
    site.wait_for(lambda: free() == 8, "half of the GPUs to be free", timeout_s=40)


def test_history_comes_in_pages(site: DemoSite, person: Callable[[str], Person]) -> None:
    carol = person("carol")
    fill(site)
    started = [carol.start(f"Page {number}", gpus=1) for number in range(3)]
    for live in started:
        live.stop()
    for live in started:
        live.ended()
    first = carol.api("GET", "/sessions", params={"state": "ended", "limit": 2}).json()
    assert [item["name"] for item in first["items"]] == ["Page 2", "Page 1"]
    second = carol.api("GET", "/sessions", params={"state": "ended", "limit": 2, "before": first["next"]}).json()
    assert second["items"][0]["name"] == "Page 0"


def test_administrator_sees_who_did_what(site: DemoSite, person: Callable[[str], Person]) -> None:
    live = person("carol").start(gpus=0)
    live.stop()
    live.ended()
    audit = person("admin").api("GET", "/audit", params={"actor": "carol"}).json()["items"]
    assert [(value["action"], value["result"]) for value in audit if value["target"] == live.id] == [
        ("session.stop", "ok"),
        ("session.start", "ok"),
    ]
    assert person("carol").api("GET", "/audit").status_code == 403


def test_metrics_count_sessions_and_calls_to_slurm(site: DemoSite, person: Callable[[str], Person]) -> None:
    person("alice").ready(gpus=1)
    site.wait_for(lambda: 'partition="sxm2",state="running"} 1.0' in site.metrics(), "the session's GPU to be counted")
    metrics = site.metrics()
    assert 'portal_sessions{state="ready"} 1.0' in metrics
    assert re.search(r'portal_session_start_seconds_count\{partition="sxm2"\} [1-9]', metrics)
    assert 'portal_slurm_calls_total{part="jobs"}' in metrics
    assert "portal_slurm_up 1.0" in metrics
