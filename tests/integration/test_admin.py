"""What administrators do on a real Slurm happens, is reported to the users it affects, and is audited."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.demo_site import DemoSite
from tests.person import Person


@pytest.fixture
def admin(person: Callable[[str], Person]) -> Person:
    return person("admin")


@pytest.fixture(autouse=True)
def clean(site: DemoSite) -> Iterator[None]:
    """Whatever a test leaves: nodes back in service, no reservation, no maintenance, nothing unread."""
    yield
    site.run("scontrol", "update", "nodename=ALL", "state=resume", check=False)
    for line in site.run("scontrol", "-o", "show", "reservation", check=False).splitlines():
        if line.startswith("ReservationName="):
            site.run("scontrol", "delete", line.split()[0], check=False)


def did(admin: Person, method: str, path: str, **body: Any) -> dict[str, Any]:
    answer = admin.api(method, f"/admin{path}", **({"json": body} if body else {}))
    assert answer.status_code in (200, 201), answer.text
    return dict(answer.json())


def last(admin: Person, action: str) -> dict[str, Any]:
    return dict(admin.api("GET", "/audit", params={"action": action, "limit": 1}).json()["items"][0])


def row_of(admin: Person, node: str) -> dict[str, Any]:
    return next(item for item in did(admin, "GET", "/nodes")["items"] if item["name"] == node)


def state_of(site: DemoSite, node: str) -> str:
    return site.run("sinfo", "--noheader", "-n", node, "-o", "%T").split()[0]


def test_a_drained_node_is_told_to_who_runs_there_and_comes_back(
    site: DemoSite, admin: Person, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    live = alice.ready("My training", gpus=1)
    node = live.now()["node"]
    rows = {item["name"]: item for item in did(admin, "GET", "/nodes")["items"]}
    batch = site.run(
        *("sbatch", "--parsable", "--gres=gpu:1", "--mem=1G", f"--nodelist={node}", "--chdir=/", "--output=/dev/null"),
        "--wrap=exec sleep 300",
        user="alice",
    ).strip()

    def jobs_there() -> set[tuple[str, str]]:
        rows = {row["name"]: row for row in did(admin, "GET", "/nodes")["items"]}
        return {(job["user"], job["name"]) for job in rows[node]["jobs"]}

    site.wait_for(
        lambda: jobs_there() == {("alice", "My training"), ("alice", "wrap")}, "the node's row to say what runs there"
    )
    (listed,) = did(admin, "GET", "/jobs?query=my%20training")["items"]
    assert (listed["name"], listed["session_id"]) == ("My training", live.id)
    assert rows[node]["gpus_total"] > 0
    acted = did(admin, "POST", "/nodes/drain", nodes=[node], reason="New fans", message="Ask Ada.")
    assert acted["told"] == ["alice"]
    assert state_of(site, node).startswith("drain")
    assert row_of(admin, node)["reason"] == "New fans"
    (message,) = alice.api("GET", "/messages").json()["items"]
    assert message["session_id"] == live.id
    goes_on = f"What you run there continues: My training, {batch} on {node}."
    assert message["text"] == f"{node} is being drained: New fans. {goes_on} Ask Ada."
    assert any("New fans" in event["message"] for event in live.events()), "the session's own page says it, too"
    assert person("bob").api("GET", "/messages").json()["items"] == []
    did(admin, "POST", "/nodes/resume", nodes=[node])
    assert alice.api("GET", "/messages").json()["items"] == [], "what it says is no longer so"
    assert not state_of(site, node).startswith("drain")
    assert (last(admin, "node.drain")["target"], last(admin, "node.drain")["detail"]["told"]) == (node, ["alice"])
    assert last(admin, "node.resume")["result"] == "ok"


def test_jobs_of_anybody_are_held_and_given_more_time(
    site: DemoSite, admin: Person, person: Callable[[str], Person]
) -> None:
    command = ("sbatch", "--parsable", "--hold", "--begin=now+1hour", "--time=5", "--wrap", "sleep 300")
    job = site.run(*command, user="bob").strip()
    for action, value in (
        ("release", {}),
        ("priority", {"priority": 4711}),
        ("hold", {}),
        ("time_limit", {"walltime_s": 600}),
    ):
        answer = did(admin, "POST", "/jobs/actions", jobs=[job], action=action, **value)
        assert answer["results"] == [{"id": job, "ok": True, "message": ""}], (action, answer)
        if action == "priority":
            assert "Priority=4711 " in site.run("scontrol", "show", "job", job)
    shown = site.run("scontrol", "show", "job", job)
    assert "TimeLimit=00:10:00" in shown
    for action in ("hold", "cancel"):
        (unknown,) = did(admin, "POST", "/jobs/actions", jobs=["999999"], action=action)["results"]
        assert not unknown["ok"]
        assert unknown["message"].startswith("Slurm knows no job 999999")
    did(admin, "POST", "/jobs/actions", jobs=[job], action="cancel")
    assert last(admin, "job.cancel")["target"] == job
    # Bob may not write where the tests were started.
    command = ("sbatch", "--parsable", "--requeue", "--mem=50M", "--output=/dev/null", "--wrap", "sleep 300")
    running = site.run(*command, user="bob").strip()
    site.wait_for(lambda: site.jobs("--states=RUNNING", f"--jobs={running}"), "the job to run")
    assert did(admin, "POST", "/jobs/actions", jobs=[running], action="requeue")["results"][0]["ok"]
    site.wait_for(lambda: "Restarts=1" in site.run("scontrol", "show", "job", running), "the job to be requeued")


def test_maintenance_refuses_at_form_api_and_hub(
    site: DemoSite, admin: Person, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    row = did(
        admin, "POST", "/announcements", kind="maintenance", text="New switches", starts_at="2031-01-01T00:00Z",
        ends_at="2031-01-01T04:00Z", partitions=["sxm2"],
    )  # fmt: skip
    try:
        assert alice.ask(gpus=0, partition="sxm2", walltime_s=600).status_code == 202
        did(
            admin, "PUT", f"/announcements/{row['id']}", kind="maintenance", text="New switches",
            starts_at="2026-01-01T00:00Z", ends_at="2031-01-01T04:00Z", partitions=["sxm2"],
        )  # fmt: skip
        checked = alice.api("POST", "/sessions/check", json={"app": "jupyterlab", "resources": {"partition": "sxm2"}})
        assert "New switches" in checked.json()["problems"][0]["message"]
        assert alice.ask(gpus=0, partition="sxm2", walltime_s=600).status_code == 422
        hub = alice.hub(
            "POST", "/servers/during-maintenance",
            json={"user_options": {"app": "jupyterlab", "resources": {"partition": "sxm2", "walltime_s": 600}}},
        )  # fmt: skip
        assert "New switches" in hub.text
        script = "#!/bin/bash\n#SBATCH --partition=sxm2 --time=10\ntrue\n"
        batch = alice.api("POST", "/jobs/check", json={"script": script}).json()
        assert (batch["ok"], batch["problems"][0]["field"]) == (False, "partition")
        assert "New switches" in batch["problems"][0]["message"]
        submitted = alice.api("POST", "/jobs", json={"script": script})
        assert (submitted.status_code, submitted.json()["error"]["code"]) == (422, "policy_refused")
        site.wait_for(  # the page fetches the announcements every five seconds at most
            lambda: "New switches" in alice.web.get("/hub/login", headers={"Authorization": ""}).text,
            "the login page to show the maintenance",
        )
    finally:
        admin.api("DELETE", f"/admin/announcements/{row['id']}")


def test_a_hostile_reason_is_refused_and_text_is_only_text(admin: Person) -> None:
    for reason in ("x\nstate=resume", 'a"b', "a=b"):
        answer = admin.api("POST", "/admin/nodes/drain", json={"nodes": ["node001"], "reason": reason})
        assert answer.status_code == 422


def test_health_of_a_node_and_what_became_of_it(site: DemoSite, admin: Person) -> None:
    node = site.nodes[-1]

    def health() -> dict[str, Any]:
        return did(admin, "GET", f"/nodes/{node}")

    before = health()
    assert (before["gpus_total"], before["gpus_found"]) == (4, None)
    assert before["slurmd_since"]
    did(admin, "POST", "/nodes/drain", nodes=[node], reason="<b>New</b> fans")
    site.wait_for(lambda: health()["history"][0]["state"] == "drained", "the drain to stand in its history", 60)
    assert health()["history"][0]["reason"] == "<b>New</b> fans"
    (finding,) = (finding for finding in health()["findings"] if "takes no new jobs" in finding["text"])
    assert finding["text"].endswith("by admin: <b>New</b> fans"), "Slurm itself knows only its own user"
    assert health()["history"][0]["actor"] == "admin"
    did(admin, "POST", "/nodes/resume", nodes=[node])
    site.wait_for(lambda: health()["history"][0]["state"] == "up", "its return to stand in its history", 60)
    assert admin.api("GET", "/admin/nodes/nosuch").status_code == 404


def test_reservation_of_gpus_takes_whole_nodes(site: DemoSite, admin: Person) -> None:
    made = did(admin, "POST", "/reservations", name="lecture", minutes=60, users=["bob"], gpus=5, gpu_type="v100")
    assert (made["items"][0]["node_count"], made["items"][0]["users"]) == (2, ["bob"])
    assert len(last(admin, "reservation.create")["detail"]["nodes"]) == 2
    taken = {"name": "lecture", "minutes": 60, "users": ["bob"], "gpus": 1}
    again = admin.api("POST", "/admin/reservations", json=taken)
    assert again.json()["error"]["message"] == "A reservation with this name already exists; choose another name."
    most = admin.api("POST", "/admin/reservations", json={"name": "all", "minutes": 60, "users": ["bob"], "gpus": 99})
    assert most.json()["error"]["fields"][0]["field"] == "gpus"


def test_reservation_is_changed_in_place(site: DemoSite, admin: Person) -> None:
    first, second = site.nodes[:2]
    url = "/admin/reservations/course"
    nobody = admin.api("POST", "/admin/reservations", json={"name": "course", "minutes": 60, "users": ["bob"]})
    assert (nobody.status_code, site.run("scontrol", "-o", "show", "reservation").count("Name=course")) == (422, 0)
    did(admin, "POST", "/reservations", name="course", minutes=60, users=["bob"], nodes=[first])
    changed = did(
        admin, "PATCH", "/reservations/course", users=[], accounts=["vision"], nodes=[first, second],
        ends_at="2031-01-01T08:00:00Z",
    )["items"][0]  # fmt: skip
    assert (changed["users"], changed["accounts"], changed["node_names"]) == ([], ["vision"], [first, second])
    assert changed["ends_at"].startswith("2031-01-01T08:00:00")
    assert last(admin, "reservation.change")["detail"]["accounts"] == ["vision"]
    begun = admin.api("PATCH", url, json={"starts_at": "2030-01-01T08:00:00Z"}).json()["error"]["message"]
    assert begun.startswith("This reservation has started")
    both = admin.api("PATCH", url, json={"users": ["bob"]}).json()["error"]
    assert "each user must be in one" in both["message"], "bob is not in vision"
    assert admin.api("PATCH", url, json={"accounts": []}).status_code == 422
    assert admin.api("PATCH", "/admin/reservations/nosuch", json={"users": ["bob"]}).status_code == 404


def free_gpus(person: Person) -> dict[str, tuple[int, int]]:
    """Free and reserved GPUs, as New session shows them: in all, and of the partition."""
    options = person.api("GET", "/options").json()
    (sxm2,) = (partition for partition in options["partitions"] if partition["name"] == "sxm2")
    pools = {"all": options["gpus"], "sxm2": sxm2["gpus"]}
    return {name: (pool["free"], pool["reserved"]) for name, (pool,) in pools.items()}


def starts(person: Person, **resources: Any) -> str:
    body = {"app": "jupyterlab", "resources": {"partition": "sxm2", **resources}}
    return str(person.api("POST", "/sessions/check", json=body).json()["starts"])


def test_gpus_of_a_reservation_are_free_for_nobody_else_until_it_ends(
    site: DemoSite, admin: Person, person: Callable[[str], Person]
) -> None:
    alice, bob = person("alice"), person("bob")
    node, everywhere = site.nodes[0], {"gpus": 1, "nodes": len(site.nodes)}
    every = 4 * len(site.nodes)

    def shown() -> dict[str, Any]:
        return dict(alice.api("GET", f"/cluster/nodes/{node}").json())

    def all_free() -> bool:
        return free_gpus(alice) == {"all": (every, 0), "sxm2": (every, 0)} and starts(alice, **everywhere) == "now"

    site.wait_for(all_free, "all GPUs to be free")
    did(admin, "POST", "/reservations", name="class", minutes=60, users=["bob"], nodes=[node])
    site.wait_for(lambda: shown()["state"] == "reserved", "the node to be shown as reserved", 60)
    assert free_gpus(alice) == {"all": (every - 4, 4), "sxm2": (every - 4, 4)}
    assert starts(alice, **everywhere) == "later"
    site.wait_for(lambda: shown()["reservation"] == "class", "the reservation's name to be shown", 60)
    assert starts(bob, gpus=4, reservation="class") == "now"
    common = ("--parsable", "--gres=gpu:1", "--mem=1G", f"--nodelist={node}", "--chdir=/", "--output=/dev/null")
    outside = site.run("sbatch", *common, "--wrap=exec sleep 300", user="alice").strip()
    inside = site.run("sbatch", *common, "--reservation=class", "--wrap=exec sleep 300", user="bob").strip()
    site.wait_for(lambda: site.jobs("--states=RUNNING", f"--jobs={inside}"), "the job within to run")
    refused = site.process("sbatch", *common, "--reservation=class", "--wrap=true", user="alice")
    assert "Access denied to requested reservation" in refused.stderr
    assert site.jobs("--states=PENDING", f"--jobs={outside}")
    site.wait_for(lambda: free_gpus(alice)["all"] == (every - 4, 3), "the job's GPU to be in use", 60)
    site.wait_for(lambda: 'portal_gpus{state="reserved"} 3' in site.metrics(), "the totals to count the rest", 90)
    site.run("scancel", inside)
    site.run("scontrol", "update", "ReservationName=class", "EndTime=now+2")
    site.wait_for(lambda: site.jobs("--states=RUNNING", f"--jobs={outside}"), "the job that waited to run", 60)
    site.run("scancel", outside)
    site.wait_for(all_free, "the node's GPUs to be free again", 90)


#: For each reservation of one node: what stands in it, and who asks for what there.
PROMISED = [
    ("Users=bob Duration=60 StartTime=now", [("alice", "class"), ("bob", "class"), ("bob", None)]),
    ("Users=-bob Duration=60 StartTime=now", [("alice", "class"), ("bob", "class")]),
    ("Groups=vision Duration=60 StartTime=now", [("carol", "class"), ("bob", "class")]),
    ("Accounts=physics Duration=60 StartTime=now", [("alice", "class"), ("bob", "class")]),
    ("Accounts=-vision Duration=60 StartTime=now", [("alice", "class"), ("carol", "class")]),
    ("Users=bob Duration=60 StartTime=now Flags=MAINT,IGNORE_JOBS", [("alice", None), ("bob", "class")]),
    ("Users=bob Duration=60 StartTime=now Flags=MAGNETIC", [("alice", None), ("bob", None)]),
    ("Users=bob Duration=60 StartTime=now+20minutes", [("alice", None), ("bob", "class")]),
    ("Users=bob Duration=60 StartTime=now+20minutes Flags=FLEX", [("alice", None), ("bob", "class")]),
]


@pytest.mark.parametrize(("made", "asked"), PROMISED)
def test_what_the_form_says_of_a_reservation_is_what_slurm_does(
    site: DemoSite, person: Callable[[str], Person], made: str, asked: list[tuple[str, str | None]]
) -> None:
    def said(username: str, reservation: str | None) -> bool:
        """Whether the form says that it starts now. Asking for one that is not there has them all read again."""
        everywhere = {"nodes": 1 if reservation else len(site.nodes), "cpus": 1, "memory_mib": 1024, "gpus": 1}
        resources = {"partition": "sxm2", "walltime_s": 1800, "reservation": reservation, **everywhere}
        body = {"app": "jupyterlab", "resources": resources}
        answer = person(username).api("POST", "/sessions/check", json=body).json()
        return answer["starts"] == "now" and "reservation" not in {problem["field"] for problem in answer["problems"]}

    def done(username: str, reservation: str | None) -> bool:
        argv = ["srun", "--immediate=2", "--partition=sxm2", "--mem=1G", "--gres=gpu:1", "--chdir=/", "--time=30"]
        argv += [f"--reservation={reservation}"] if reservation else [f"--nodes={len(site.nodes)}"]
        return site.process(*argv, "true", user=username).returncode == 0

    site.wait_for(
        lambda: not said("alice", "nosuch") and said("alice", None), "all nodes to be free and unreserved", 150
    )
    site.run("scontrol", "create", "reservation", "ReservationName=class", f"Nodes={site.nodes[0]}", *made.split())
    happened = {value: done(*value) for value in asked}
    site.wait_for(
        lambda: not said("alice", "nosuch") and {value: said(*value) for value in asked} == happened,
        f"the form to say what Slurm does: {happened}",
        150,
    )


def test_people_and_groups_of_the_directory_are_listed(admin: Person) -> None:
    page = did(admin, "GET", "/people")
    rows = {item["username"]: item for item in page["items"]}
    assert set(rows) >= {"alice", "bob", "carol", "dave", "admin", "eve"}
    assert (rows["admin"]["admin"], rows["alice"]["admin"], rows["eve"]["allowed"]) == (True, False, False)
    assert "vision" in rows["alice"]["groups"]
    assert rows["carol"]["display_name"] == "Carol Lindqvist"
    answer = admin.api("GET", "/admin/people", params={"query": "lindq"}).json()
    assert [item["username"] for item in answer["items"]] == ["carol"]
    groups = {item["name"]: item for item in did(admin, "GET", "/groups")["items"]}
    assert (groups["portal-admins"]["admin"], groups["portal-users"]["login"]) == (True, True)
    assert groups["physics"]["members"] == 3
