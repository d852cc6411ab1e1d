"""Arrays and what is done to jobs: cancelled, held, released, put back, shortened; many at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.integration.jobs.batch import act, job, output, script, submit
from tests.person import Person


def test_array_of_a_thousand_tasks_is_one_row_and_half_of_it_can_be_cancelled(alice: Person) -> None:
    text = script('echo "task $SLURM_ARRAY_TASK_ID"; sleep 30', "--array=0-999%4", "--output=task-%A-%3a.out")
    job_id = submit(alice, text)

    def array() -> dict[str, Any]:
        return dict(job(alice, job_id)["array"] or {})

    alice.site.wait_for(lambda: array().get("running") == 4, "four tasks to run")
    assert array() == {
        "total": 1000, "pending": 996, "running": 4, "done": 0, "failed": 0, "cancelled": 0, "range": "0-999",
    }  # fmt: skip
    rows = alice.api("GET", "/jobs", params={"state": "active"}).json()["items"]
    assert [row["id"] for row in rows] == [job_id]
    page = alice.api("GET", f"/jobs/{job_id}/tasks", params={"limit": 3, "after": 2}).json()
    assert ([item["id"] for item in page["items"]], page["next"]) == ([f"{job_id}_{n}" for n in (3, 4, 5)], 5)
    assert [item["state"] for item in page["items"]] == ["RUNNING", "PENDING", "PENDING"]
    alice.site.wait_for(lambda: output(alice, job_id, task=2)["text"] == "task 2\n", "the task's output")
    assert output(alice, job_id, task=2)["path"].endswith(f"/task-{job_id}-002.out")
    assert output(alice, job_id, task=900)["size"] == 0
    assert act(alice, "cancel", f"{job_id}_[500-999]")[0]["ok"]
    alice.site.wait_for(lambda: array()["cancelled"] == 500, "half of it to be cancelled")
    assert array()["pending"] == 496
    assert act(alice, "cancel", job_id)[0]["ok"]
    alice.site.wait_for(lambda: job(alice, job_id)["end"], "the rest to end")
    assert job(alice, job_id)["end"]["code"] == "cancelled"


def test_held_jobs_wait_until_they_are_released_and_limits_go_down_only(alice: Person) -> None:
    job_id = submit(alice, script("sleep 60", "--hold"))
    alice.site.wait_for(lambda: job(alice, job_id)["reason_code"] == "JobHeldUser", "the job to be held")
    assert job(alice, job_id)["actions"] == ["cancel", "release", "time_limit"]
    assert act(alice, "time_limit", job_id, walltime_s=120)[0]["ok"]
    assert act(alice, "release", job_id)[0]["ok"]
    alice.site.wait_for(lambda: job(alice, job_id)["state"] == "RUNNING", "the job to run")
    refused = act(alice, "time_limit", job_id, walltime_s=7200)[0]
    assert (refused["ok"], "shorten" in refused["message"]) == (False, True), refused
    gone = act(alice, "cancel", job_id, "999999")[1]
    assert (gone["ok"], "You have no job 999999" in gone["message"]) == (False, True), gone
    done = alice.site.wait_for(lambda: (results := job(alice, job_id))["end"] and results, "the job to end")
    assert done
    assert done["end"]["code"] == "cancelled"
    late = act(alice, "cancel", job_id)[0]
    assert (late["ok"], late["changed"], late["message"]) == (True, False, "It had already ended.")


def test_limit_of_a_job_that_waits_is_raised_by_administrators_alone(
    alice: Person, person: Callable[[str], Person]
) -> None:
    """Slurm itself would let its owner."""
    job_id = submit(alice, script("true", "--begin=now+1hour", "--time=10"))
    session = alice.ready(gpus=0, cpus=1, memory_mib=1024, walltime_s=1800).job()["JobId"]

    def limit() -> str:
        return next(
            word for word in alice.site.run("scontrol", "-o", "show", "job", job_id).split() if "TimeLimit" in word
        )

    for asked_s in (660, 7200):
        refused = act(alice, "time_limit", job_id, walltime_s=asked_s)[0]
        assert (refused["ok"], refused["changed"]) == (False, False)
        assert refused["message"].startswith("Its time limit is 10 min: you can shorten it, but not extend it.")
    assert limit() == "TimeLimit=00:10:00"
    assert "You have no job" in act(alice, "time_limit", session, walltime_s=600)[0]["message"], "a session's"
    assert "You have no job" in act(person("bob"), "time_limit", job_id, walltime_s=60)[0]["message"], "another's"
    assert act(alice, "time_limit", job_id, walltime_s=300)[0]["changed"]
    assert limit() == "TimeLimit=00:05:00"
    asked = {"jobs": [job_id], "action": "time_limit", "walltime_s": 7200}
    (done,) = person("admin").api("POST", "/admin/jobs/actions", json=asked).json()["results"]
    assert done["ok"], done
    assert limit() == "TimeLimit=02:00:00"


def test_many_jobs_are_held_released_shortened_and_cancelled_at_once(alice: Person) -> None:
    ids = [submit(alice, script("true", "--begin=now+1hour", f"--job-name=many-{number}")) for number in range(3)]

    def all_are(reason: str) -> bool:
        rows = alice.api("GET", "/jobs", params={"state": "active", "query": "many-"}).json()["items"]
        return [row["reason_code"] for row in rows if row["id"] in ids] == [reason] * 3

    assert all(value["ok"] for value in act(alice, "hold", *ids))
    alice.site.wait_for(lambda: all_are("JobHeldUser"), "all of them to be held")
    assert all(value["ok"] for value in act(alice, "release", *ids))
    alice.site.wait_for(lambda: all_are("BeginTime"), "all of them to be released")
    assert all(value["ok"] for value in act(alice, "time_limit", *ids, walltime_s=120))
    alice.site.wait_for(lambda: {job(alice, name)["walltime_s"] for name in ids} == {120}, "the shorter limit")
    assert all(value["ok"] for value in act(alice, "cancel", *ids))
    alice.site.wait_for(lambda: all(job(alice, name)["end"] for name in ids), "all of them to end")


def test_job_put_back_in_the_queue_stays_one_job_with_its_script(alice: Person) -> None:
    text = script("sleep 300", "--job-name=put-back")
    job_id = submit(alice, text)
    alice.site.wait_for(lambda: job(alice, job_id)["state"] == "RUNNING", "the job to run")
    assert act(alice, "requeue", job_id)[0]["ok"]
    waits = alice.site.wait_for(
        lambda: (results := job(alice, job_id))["state"] == "PENDING" and results, "the job to wait again"
    )
    assert waits
    assert (waits["script"], waits["ended_at"], waits["started_at"]) == (text, None, None)
    listed = alice.api("GET", "/jobs", params={"state": "all", "query": "put-back"}).json()["items"]
    assert [value["id"] for value in listed].count(job_id) == 1
    act(alice, "cancel", job_id)
