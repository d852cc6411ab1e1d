"""What the Hub asks: servers attached, started and started again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from jupyterhub.slugs import is_valid_safe_slug

from portal.errors import Conflict, Forbidden, InvalidRequest, PolicyRefused
from portal.policy.request import SessionRequest
from portal.sessions.schemas import HubStart
from portal.slurm.nodes import Reservation

from .conftest import Desk
from .steps import handed, hello


@pytest.mark.parametrize("name", ["BERT fine-tune", "3D U-Net", "2026", "-x", "図", "a" * 40, "1" * 22 + " b"])
async def test_server_of_a_session_has_a_name_that_the_hub_takes(desk: Desk, name: str) -> None:
    record = await desk.service.start("alice", SessionRequest(app="jupyterlab", name=name), origin="api")
    assert is_valid_safe_slug(record.server_name), record.server_name


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


@pytest.mark.parametrize("ended", [False, True], ids=["stopping", "ended"])
async def test_start_that_carries_a_session_that_is_over_makes_no_other(desk: Desk, ended: bool) -> None:
    record = await desk.start(gpus=2)
    await desk.service.stop(record.id)
    if ended:
        await desk.reconcile()
    with pytest.raises(Conflict, match="has ended"):
        await desk.service.attach(handed(record))
    assert len(desk.slurm.found) == 1


async def test_start_at_the_hub_that_is_asked_for_again_makes_one_session(desk: Desk) -> None:
    """The Hub asks until it gets an answer, also when the session was stopped between two of its requests."""
    start = HubStart(
        username="bob",
        server_name="mine",
        session="aaaaaaaaaaaa",
        user_options={"app": "jupyterlab"},
        env={},
        api_token="t",
        base_url="/user/bob/mine/",
    )
    session_id, _ = await desk.service.attach(start)
    assert session_id == "aaaaaaaaaaaa"
    assert (await desk.service.attach(start))[0] == session_id
    await desk.service.stop(session_id)
    await desk.reconcile()
    with pytest.raises(Conflict, match="has ended"):
        await desk.service.attach(start)
    assert len(desk.slurm.found) == 1


async def test_person_starts_an_ended_session_again_as_it_was(desk: Desk) -> None:
    record = await desk.start(gpus=2)
    await desk.service.stop(record.id)
    await desk.reconcile()
    session_id, _ = await desk.service.attach(handed(record, user_options={"again": record.id}))
    again = await desk.store.get(session_id)
    assert session_id != record.id
    assert (again.gpus, again.cpus, again.server_name) == (2, 16, record.server_name)


async def test_nobody_starts_anothers_session_through_the_hub(desk: Desk) -> None:
    record = await desk.start()
    with pytest.raises(Forbidden):
        await desk.service.attach(handed(record, username="bob", server_name="x", user_options={"again": record.id}))


async def test_one_server_carries_one_session(desk: Desk) -> None:
    first, second = await desk.start(), await desk.start()
    with pytest.raises(Conflict):
        await desk.service.attach(handed(first, user_options={"session": second.id}))


async def test_check_says_the_same_as_start_without_starting(desk: Desk) -> None:
    considered = await desk.requests.check("alice", SessionRequest.model_validate({"app": "jupyterlab"}))
    assert (considered.problems, considered.starts) == ([], "now")
    assert considered.summary == "1 × V100, 8 cores, 48 GB for 8 h on sxm2"
    wrong = await desk.requests.check(
        "alice", SessionRequest.model_validate({"app": "nothing", "resources": {"gpus": 9}})
    )
    assert [problem.field for problem in wrong.problems] == ["app", "resources.gpus"]
    assert desk.slurm.found == {}


@pytest.mark.parametrize(
    ("resources", "field"),
    [
        ({"gpus": 9}, "resources.gpus"),
        ({"partition": "nowhere"}, "resources.partition"),
        ({"reservation": "scool"}, "resources.reservation"),
        ({"reservation": "school"}, "resources.reservation"),
    ],
    ids=["gpus", "partition", "unknown reservation", "another's reservation"],
)
async def test_start_refuses_what_check_refuses_in_the_same_words(
    desk: Desk, resources: dict[str, object], field: str
) -> None:
    desk.watcher.snapshot = replace(
        desk.watcher.snapshot, reservations=(Reservation("school", "ACTIVE", users=("bob",)),)
    )
    ask = SessionRequest.model_validate({"app": "jupyterlab", "resources": resources})
    checked = await desk.requests.check("alice", ask)
    assert [problem.field for problem in checked.problems] == [field]
    with pytest.raises(PolicyRefused) as refused:
        await desk.service.start("alice", ask, origin="api")
    assert refused.value.fields == checked.problems
    assert desk.slurm.found == {}
