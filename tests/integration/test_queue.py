"""Sessions that must wait: why and where in line, cancelled meanwhile, started when room comes; suspended ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.demo_site import DemoSite
from tests.fillers import FILLER, fill
from tests.person import Live, Person


def in_line(live: Live) -> tuple[int, int] | None:
    line = live.now()["queue"]
    return (line["position"], line["of"]) if line else None


def test_queued_sessions_say_why_and_their_place_leave_when_cancelled_and_start_when_room_comes(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    fillers = fill(site)
    alice, bob, carol = (person(name).start(f"Waiting {name}", gpus=1) for name in ("alice", "bob", "carol"))
    for live in (alice, bob, carol):
        session = live.until("queued")
        assert session["url"] is None
        assert session["job_id"]
    site.wait_for(
        lambda: [in_line(live) for live in (alice, bob, carol)] == [(1, 3), (2, 3), (3, 3)],
        "everybody's position in the queue",
    )
    site.wait_for(lambda: alice.now()["reason_code"] == "Resources", "Slurm's reason")  # its scheduler's next turn
    first, second = alice.now(), bob.now()
    assert second["reason_code"] in ("Priority", "Resources")
    assert first["reason"].endswith(".")
    assert "Resources" not in first["reason"], "in words, not in Slurm's code"
    assert alice.job()["Requeue"] == "0"

    bob.stop()
    cancelled = bob.ended(timeout_s=15)
    assert cancelled["end"]["code"] == "cancelled"
    assert cancelled["started_at"] is None
    assert str(cancelled["job_id"]) not in [job["id"] for job in site.jobs()]
    site.wait_for(lambda: in_line(carol) == (2, 2), "carol to move up")

    with alice.follow() as frames:
        site.run("scancel", fillers[0])
        stages = []
        for kind, data in frames:
            if kind == "progress":
                stages.append(data["state"])
                if data["state"] == "ready":
                    break
    assert sorted(stages, key=["submitted", "queued", "allocated", "starting", "ready"].index) == stages
    assert set(stages) == {"submitted", "queued", "allocated", "starting", "ready"}
    session = carol.until("ready")
    assert session["queue"] is None
    assert session["queued_at"] < session["started_at"] <= session["ready_at"]
    assert carol.kernel().value("__import__('os').environ['CUDA_VISIBLE_DEVICES'].count(',')") == 0


def test_check_tells_beforehand_that_a_session_would_wait(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    body = {"app": "jupyterlab", "resources": {"gpus": 2}}

    def check() -> dict[str, Any]:
        return dict(alice.api("POST", "/sessions/check", json=body).json())

    site.wait_for(lambda: check()["starts"] == "now", "an empty cluster to be known")
    fill(site)
    # The queue is read more often than the nodes: for a moment the jobs that fill it wait before nodes that seem free.
    site.wait_for(lambda: "2 free V100" in check()["starts_text"], "a full cluster to be known")
    answer = check()
    assert (answer["ok"], answer["starts"]) == (True, "later")
    assert site.jobs("--user=alice") == []


def test_session_that_must_wait_leaves_one_job_in_accounting(site: DemoSite, person: Callable[[str], Person]) -> None:
    """Nothing is tried at once where the snapshot shows no room: each attempt would leave a failed job for ever."""
    carol = person("carol")
    fill(site)
    full = {"app": "jupyterlab", "resources": {"gpus": 1}}
    site.wait_for(
        lambda: "free V100" in carol.api("POST", "/sessions/check", json=full).json()["starts_text"],
        "a full cluster to be known",
    )
    live = carol.start(gpus=1)
    live.until("queued")
    live.stop()
    live.ended()
    command = ("sacct", "--allocations", "--noheader", "--parsable2", "--allusers", f"--name=dsp-{live.id}")
    jobs = site.wait_for(
        lambda: site.run(*command, "--format=JobID,State").split("\n")[:-1], "accounting to know the job"
    )
    assert len(jobs) == 1, jobs


def test_session_that_slurm_suspends_says_so_until_it_goes_on(site: DemoSite, person: Callable[[str], Person]) -> None:
    live = person("bob").start("Paused", gpus=1, cpus=1, memory_mib=1024)
    session = live.until("ready")
    assert session["suspended"] is False
    site.run("scontrol", "suspend", str(session["job_id"]))
    site.wait_for(lambda: live.now()["suspended"], "the suspension to be known", 60)
    assert live.now()["state"] == "ready"
    site.run("scontrol", "resume", str(session["job_id"]))
    site.wait_for(lambda: not live.now()["suspended"], "the session to go on", 60)
    live.stop()
    assert live.ended()["end"]["code"] == "stopped"


@contextmanager
def multifactor(site: DemoSite, *weights: str) -> Iterator[None]:
    """Let Slurm compute priorities from factors."""
    conf = "/run/portal-demo/slurm/etc/slurm.conf"
    before = site.run("cat", conf)
    lines = "\n".join(("PriorityType=priority/multifactor", *weights, ""))
    site.run("tee", conf, stdin=before + lines)
    for service in ("slurmctld", "portal"):
        site.restart(service)
    try:
        yield
    finally:
        site.run("tee", conf, stdin=before)
        for service in ("slurmctld", "portal"):
            site.restart(service)


def test_priority_is_said_in_words_with_what_it_consists_of(site: DemoSite, person: Callable[[str], Person]) -> None:
    with multifactor(site, "PriorityWeightPartition=500", "PriorityWeightAge=100"):
        fill(site)
        alice = person("alice").start("Behind", gpus=1, partition="sxm2")
        alice.until("queued")
        ahead = site.run("sbatch", "--parsable", "--gres=gpu:1", "--wrap=sleep 900", "--chdir=/", "--output=/dev/null",
                         user="bob").strip()  # fmt: skip
        site.run("scontrol", "update", f"jobid={ahead}", "sitefactor=1000")

        def order() -> str:
            return str((alice.now()["queue"] or {}).get("order", ""))

        said = "The job ahead came later but has a higher priority in Slurm, through the site's own factor."
        site.wait_for(lambda: order().startswith(said) and "Its priority is" in order(), "the factors in words", 120)
        assert "partition 500" in order()
        alice.stop()
        alice.ended()


@pytest.mark.slow  # Slurm counts use for fair share once a minute
def test_fair_share_is_named_where_it_decides_who_is_ahead(site: DemoSite, person: Callable[[str], Person]) -> None:
    with multifactor(site, "PriorityWeightFairshare=10000", "PriorityCalcPeriod=00:01:00"):
        fill(site)  # which counts as dave's use
        behind = person(FILLER).start("Behind", gpus=1)
        behind.until("queued")
        sleeper = ("--wrap=sleep 900", "--chdir=/", "--output=/dev/null")
        site.run("sbatch", "--gres=gpu:1", *sleeper, user="alice")

        def order() -> str:
            return str((behind.now()["queue"] or {}).get("order", ""))

        said = "The job ahead came later but has a higher priority in Slurm, through fair share."
        site.wait_for(lambda: order().startswith(said), "fair share to be named", timeout_s=240)
        behind.stop()
        behind.ended()
