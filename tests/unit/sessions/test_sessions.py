"""A session's way from start to end: the good one, and every way it can go wrong that Slurm can be steered into."""

from __future__ import annotations

import asyncio

import pytest

from portal.errors import Conflict, Forbidden, Gone, InvalidRequest, PolicyRefused, SlurmRefused, SlurmUnavailable
from portal.policy.ask import Ask
from portal.sessions.schemas import AgentEnded, AgentHello, AgentReady, HubStart
from portal.slurm.types import Job, JobEnd, JobState, Reach

from .conftest import Desk

KEY = "ab" * 32
OTHER_KEY = "cd" * 32


def hello(desk: Desk, session_id: str, key: str = KEY) -> AgentHello:
    return AgentHello(session=session_id, secret=desk.slurm.secrets[session_id], key=key, job_id=100, node="node001")


def handed(record, **changes: object) -> HubStart:
    values = {
        "username": record.owner,
        "server_name": record.server_name,
        "user_options": {"session": record.id},
        "env": {"JUPYTERHUB_USER": record.owner},
        "api_token": "first-token",
        "base_url": f"/user/{record.owner}/{record.server_name}/",
    }
    return HubStart.model_validate(values | changes)


async def until(desk: Desk, record, state: str) -> None:
    with desk.bus.reader(lambda event: event.kind == "session") as reader:
        while await desk.state(record) != state:
            await reader.next(5)


async def ready(desk: Desk, record) -> None:
    await desk.service.attach(handed(record))
    await desk.agents.hello(hello(desk, record.id))
    await desk.agents.ready(record.id, AgentReady(ip="127.0.0.1", port=20001))
    await until(desk, record, "ready")


# --- the good way ---


async def test_a_session_goes_from_submitted_to_ready_and_ends_when_stopped(desk: Desk) -> None:
    record = await desk.start(gpus=2)
    assert (record.state, record.job_id, record.node) == ("allocated", 100, "node001")
    await ready(desk, record)
    assert desk.hub.started == [("alice", record.server_name, record.id)]
    await desk.service.stop(record.id)
    assert await desk.state(record) == "stopping"
    await desk.reconcile()
    ended = await desk.store.get(record.id)
    assert (ended.state, ended.end_code) == ("ended", "stopped")
    stages = [event.stage for event in await desk.store.events(record.id)]
    assert stages == ["submitted", "allocated", "starting", "starting", "ready", "stopping", "ended"]


async def test_a_queued_session_says_why_it_waits_and_starts_when_slurm_starts_it(desk: Desk) -> None:
    desk.slurm.full = True
    record = await desk.start()
    await desk.reconcile()
    queued = await desk.store.get(record.id)
    assert (queued.state, queued.reason_code) == ("queued", "Resources")
    assert queued.reason
    desk.slurm.becomes(100, JobState.RUNNING, nodes="node002")
    await desk.reconcile()
    running = await desk.store.get(record.id)
    assert (running.state, running.node, running.reason) == ("allocated", "node002", None)


async def test_an_ended_session_keeps_no_secret(desk: Desk) -> None:
    record = await desk.start()
    await ready(desk, record)
    await desk.service.stop(record.id)
    await desk.reconcile()
    ended = await desk.store.get(record.id)
    assert (ended.secret_hash, ended.agent_key_hash, ended.launch_sealed) == ("", None, None)


async def test_readers_are_told_of_every_step(desk: Desk) -> None:
    with (
        desk.bus.reader(lambda event: event.owner == "alice") as alices,
        desk.bus.reader(lambda event: event.owner == "bob") as bobs,
    ):
        await desk.start()
        assert [(await alices.next(1)).kind for _ in range(2)] == ["progress", "session"]
        with pytest.raises(TimeoutError):
            await bobs.next(0.01)


# --- refusals ---


async def test_a_refused_submission_leaves_no_row(desk: Desk) -> None:
    desk.slurm.error = SlurmRefused("The QOS is not yours.")
    with desk.bus.reader(lambda event: True) as pages:
        with pytest.raises(SlurmRefused):
            await desk.start()
        with pytest.raises(TimeoutError):
            await pages.next(0.01)
    assert await desk.store.page("alice", states="all", limit=10, before=None) == []


async def test_policy_refuses_before_anything_is_submitted(desk: Desk) -> None:
    with pytest.raises(PolicyRefused):
        await desk.start(gpus=9)
    assert desk.slurm.found == {}


async def test_two_starts_at_once_do_not_slip_under_a_limit(desk: Desk) -> None:
    results = await asyncio.gather(*(desk.start(gpus=4) for _ in range(4)), return_exceptions=True)
    assert sum(isinstance(one, PolicyRefused) for one in results) == 2
    assert len(desk.slurm.found) == 2


async def test_an_environment_that_is_not_installed_is_refused_at_its_field(desk: Desk) -> None:
    desk.missing["base"] = "Base is not installed yet."
    with pytest.raises(InvalidRequest) as caught:
        await desk.start()
    assert [one.field for one in caught.value.fields] == ["environment"]


async def test_someone_the_directory_does_not_know_is_refused(desk: Desk) -> None:
    with pytest.raises(Forbidden):
        await desk.start("mallory")


# --- Slurm does not answer ---


async def test_a_start_is_refused_with_the_reason_while_slurm_is_down(desk: Desk) -> None:
    desk.watcher.picture = desk.watcher.picture.__class__(state=Reach.DOWN, message="No controller.")
    with pytest.raises(SlurmUnavailable, match="No controller"):
        await desk.start()


async def test_a_submission_without_an_answer_ends_the_row_and_its_job_when_it_appears(desk: Desk) -> None:
    desk.slurm.down = True
    with pytest.raises(SlurmUnavailable):
        await desk.start()
    [row] = await desk.store.page("alice", states="all", limit=10, before=None)
    assert (row.state, row.end_code) == ("ended", "slurm_unavailable")
    desk.slurm.down = False
    desk.slurm.found[7] = Job(7, f"dsp-{row.id}", "alice", "", "sxm2", "", JobState.PENDING)
    await desk.reconcile()
    assert desk.slurm.cancelled == [("alice", 7)]


async def test_a_stop_while_slurm_is_down_is_done_when_it_is_back(desk: Desk) -> None:
    record = await desk.start()
    desk.slurm.down = True
    await desk.service.stop(record.id)
    assert await desk.state(record) == "stopping"
    desk.slurm.down = False
    await desk.reconcile(after_s=30)
    assert desk.slurm.cancelled == [("alice", 100)]
    await desk.reconcile()
    assert await desk.state(record) == "ended"


# --- crashes ---


async def test_a_job_whose_submission_was_never_committed_is_found_by_its_name(desk: Desk) -> None:
    desk.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await desk.start()
    [row] = await desk.store.active()
    assert (row.state, row.job_id) == ("submitted", None)
    await desk.reconcile()
    found = await desk.store.get(row.id)
    assert (found.state, found.job_id) == ("allocated", 100)
    assert desk.slurm.cancelled == []


async def test_a_row_whose_job_never_came_is_closed_but_not_too_soon(desk: Desk) -> None:
    desk.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await desk.start()
    desk.slurm.found.clear()
    [row] = await desk.store.active()
    await desk.reconcile(after_s=5)
    assert await desk.state(row) == "submitted"
    await desk.reconcile(after_s=60)
    assert (await desk.store.get(row.id)).end_code == "submit_lost"


async def test_a_job_of_ours_without_a_session_is_ended_and_others_are_left_alone(desk: Desk) -> None:
    desk.slurm.found[7] = Job(7, "dsp-abcdefghijkm", "bob", "", "sxm2", "", JobState.RUNNING)
    desk.slurm.found[8] = Job(8, "dsp-not-an-id", "bob", "", "sxm2", "", JobState.RUNNING)
    desk.slurm.found[9] = Job(9, "train", "bob", "", "sxm2", "", JobState.RUNNING)
    await desk.reconcile()
    assert desk.slurm.cancelled == [("bob", 7)]


async def test_another_users_job_with_the_sessions_name_is_not_taken_for_it(desk: Desk) -> None:
    desk.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await desk.start()
    [row] = await desk.store.active()
    desk.slurm.found = {5: Job(5, f"dsp-{row.id}", "bob", "", "sxm2", "", JobState.RUNNING)}
    await desk.reconcile()
    assert (await desk.store.get(row.id)).job_id is None


async def test_a_session_the_hub_has_forgotten_is_handed_back(desk: Desk) -> None:
    desk.slurm.full = True
    record = await desk.start()
    await asyncio.sleep(0)
    desk.hub.started.clear()
    desk.hub.servers.clear()
    await desk.reconciler._hub.tend(await desk.store.get(record.id))
    await asyncio.sleep(0)
    assert desk.hub.started == [("alice", record.server_name, record.id)]


# --- how jobs end ---


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (JobState.TIMEOUT, "time_limit"),
        (JobState.OUT_OF_MEMORY, "oom"),
        (JobState.NODE_FAIL, "node_failed"),
        (JobState.PREEMPTED, "preempted"),
        (JobState.CANCELLED, "slurm_cancelled"),
        (JobState.COMPLETED, "finished"),
        (JobState.FAILED, "app_failed"),
    ],
)
async def test_the_end_of_the_job_is_told_in_words(desk: Desk, state: JobState, code: str) -> None:
    record = await desk.start()
    await ready(desk, record)
    desk.slurm.becomes(100, state, exit_code=1)
    await desk.reconcile()
    ended = await desk.store.get(record.id)
    assert (ended.state, ended.end_code) == ("ended", code)
    assert ended.end_text
    await asyncio.sleep(0.05)
    assert desk.hub.stopped == [("alice", record.server_name)]


async def test_a_job_slurm_has_dropped_is_looked_up_in_accounting(desk: Desk) -> None:
    record = await desk.start()
    desk.slurm.found.clear()
    desk.slurm.ends[100] = JobEnd(100, JobState.OUT_OF_MEMORY)
    await desk.reconcile()
    assert (await desk.store.get(record.id)).end_code == "oom"


@pytest.mark.parametrize("name", ["nobody", "1000"])
async def test_session_whose_user_the_system_cannot_name_for_a_while_goes_on(desk: Desk, name: str) -> None:
    """squeue says `nobody` while a directory does not answer, pyslurm the account's number."""
    record = await desk.start()
    await ready(desk, record)
    desk.slurm.becomes(100, JobState.RUNNING, user=name)
    await desk.reconcile()
    assert await desk.state(record) == "ready"
    assert desk.slurm.asked_for_ends == []
    desk.slurm.becomes(100, JobState.RUNNING, user="bob")
    await desk.reconcile()
    assert await desk.state(record) == "ended", "Slurm's numbers began anew, and this one is another's."


async def test_many_jobs_that_slurm_has_dropped_are_one_question_to_accounting(desk: Desk) -> None:
    records = [await desk.start() for _ in range(3)]
    desk.slurm.found.clear()
    desk.slurm.ends[100] = JobEnd(100, JobState.OUT_OF_MEMORY)
    desk.slurm.ends[102] = JobEnd(102, JobState.TIMEOUT)
    await desk.reconcile()
    assert [(await desk.store.get(record.id)).end_code for record in records] == ["oom", "job_gone", "time_limit"]
    assert [sorted(asked) for asked in desk.slurm.asked_for_ends] == [[100, 101, 102]]
    assert desk.watcher.turns == 1, "within the budget of readings"
    await desk.reconcile()
    assert len(desk.slurm.asked_for_ends) == 1, "who has ended is asked for no more"


async def test_nothing_is_concluded_while_accounting_is_down_and_it_is_not_asked_all_the_time(desk: Desk) -> None:
    record = await desk.start()
    desk.slurm.found.clear()
    desk.slurm.accounting_down = True
    desk.slurm.ends[100] = JobEnd(100, JobState.OUT_OF_MEMORY)
    for _ in range(3):
        await desk.reconcile(after_s=5)
    assert await desk.state(record) != "ended"
    assert len(desk.slurm.asked_for_ends) == 1
    desk.slurm.accounting_down = False
    await desk.reconcile(after_s=30)
    assert (await desk.store.get(record.id)).end_code == "oom"


async def test_an_app_that_ends_gives_its_allocation_back(desk: Desk) -> None:
    record = await desk.start()
    await ready(desk, record)
    await desk.agents.ended(record.id, AgentEnded(exit_code=3, code="app_failed", text="ImportError."))
    await asyncio.sleep(0.01)
    assert desk.slurm.cancelled == [("alice", 100)]
    await desk.reconcile()
    ended = await desk.store.get(record.id)
    assert (ended.end_code, ended.exit_code) == ("app_failed", 3)
    assert "ImportError" in ended.end_text


async def test_a_job_whose_agent_never_speaks_is_ended(desk: Desk) -> None:
    record = await desk.start()
    await desk.reconcile(after_s=60)
    assert await desk.state(record) == "allocated"
    await desk.reconcile(after_s=180)
    await desk.reconcile()
    assert (await desk.store.get(record.id)).end_code == "agent_silent"


async def test_cancelling_a_queued_session_says_so(desk: Desk) -> None:
    desk.slurm.full = True
    record = await desk.start()
    await desk.service.stop(record.id)
    await desk.reconcile()
    assert (await desk.store.get(record.id)).end_code == "cancelled"


# --- the agent ---


async def test_the_first_agent_binds_the_secret_and_another_is_refused(desk: Desk) -> None:
    record = await desk.start()
    await desk.service.attach(handed(record))
    first = await desk.agents.hello(hello(desk, record.id))
    assert first is not None
    assert await desk.agents.hello(hello(desk, record.id)) == first
    with pytest.raises(Forbidden):
        await desk.agents.hello(hello(desk, record.id, OTHER_KEY))
    with pytest.raises(Forbidden):
        await desk.agents.authenticate(record.id, OTHER_KEY)
    assert (await desk.agents.authenticate(record.id, KEY)).id == record.id


async def test_a_wrong_secret_is_refused(desk: Desk) -> None:
    record = await desk.start()
    wrong = hello(desk, record.id).model_copy(update={"secret": "0" * 64})
    with pytest.raises(Forbidden):
        await desk.agents.hello(wrong)


async def test_the_agent_waits_for_the_hub_and_gets_its_token(desk: Desk) -> None:
    record = await desk.start()
    asking = asyncio.create_task(desk.agents.hello(hello(desk, record.id)))
    await asyncio.sleep(0.05)
    assert not asking.done()
    await desk.service.attach(handed(record))
    launch = await asyncio.wait_for(asking, 5)
    assert launch["env"]["JUPYTERHUB_API_TOKEN"] == "first-token"
    assert launch["ready_path"] == f"/user/alice/{record.server_name}/api"
    assert "first-token" not in " ".join(launch["command"])


async def test_an_agent_of_an_ended_session_is_sent_away(desk: Desk) -> None:
    record = await desk.start()
    asked = hello(desk, record.id)
    await desk.service.stop(record.id)
    with pytest.raises(Gone):
        await desk.agents.hello(asked)


# --- the Hub ---


async def test_attaching_twice_keeps_the_token_of_a_running_app(desk: Desk) -> None:
    record = await desk.start()
    await desk.service.attach(handed(record))
    await desk.agents.hello(hello(desk, record.id))
    again = await desk.service.attach(handed(record, api_token="second-token"))
    assert again == (record.id, "first-token")


async def test_attaching_again_before_the_agent_spoke_takes_the_new_token(desk: Desk) -> None:
    record = await desk.start()
    await desk.service.attach(handed(record))
    assert await desk.service.attach(handed(record, api_token="second-token")) == (record.id, "second-token")


async def test_a_server_started_at_the_hub_gets_a_session_by_the_same_rules(desk: Desk) -> None:
    hub = HubStart(
        username="bob",
        server_name="mine",
        user_options={"resources": {"gpus": 1}},
        env={},
        api_token="t",
        base_url="/user/bob/mine/",
    )
    session_id, _ = await desk.service.attach(hub)
    record = await desk.store.get(session_id)
    assert (record.owner, record.server_name, record.gpus, record.origin) == ("bob", "mine", 1, "hub")
    assert desk.hub.started == []
    assert (await desk.service.attach(hub))[0] == session_id
    for hostile in ({"resources": {"gpus": 9}}, {"resources": {"partition": "a\n#SBATCH"}}, {"cmd": "id"}):
        with pytest.raises(InvalidRequest):
            await desk.service.attach(hub.model_copy(update={"server_name": "other", "user_options": hostile}))
    assert len(desk.slurm.found) == 1


async def test_a_server_of_an_ended_session_starts_it_again_as_it_was(desk: Desk) -> None:
    record = await desk.start(gpus=2)
    await desk.service.stop(record.id)
    await desk.reconcile()
    session_id, _ = await desk.service.attach(handed(record))
    again = await desk.store.get(session_id)
    assert session_id != record.id
    assert (again.gpus, again.cpus, again.server_name) == (2, 16, record.server_name)


async def test_nobody_starts_anothers_session_through_the_hub(desk: Desk) -> None:
    record = await desk.start()
    with pytest.raises(Forbidden):
        await desk.service.attach(handed(record, username="bob", server_name="x"))


async def test_one_server_carries_one_session(desk: Desk) -> None:
    first, second = await desk.start(), await desk.start()
    with pytest.raises(Conflict):
        await desk.service.attach(handed(first, user_options={"session": second.id}))


async def test_check_says_the_same_as_start_without_starting(desk: Desk) -> None:
    considered = await desk.asks.check("alice", Ask.model_validate({"app": "jupyterlab"}))
    assert (considered.problems, considered.starts) == ([], "now")
    assert considered.summary == "1 × V100, 8 cores, 48 GB for 8 h on sxm2"
    wrong = await desk.asks.check("alice", Ask.model_validate({"app": "nothing", "resources": {"gpus": 9}}))
    assert [one.field for one in wrong.problems] == ["app", "resources.gpus"]
    assert desk.slurm.found == {}
