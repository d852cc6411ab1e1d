"""What the Hub asks: servers attached, started and started again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from jupyterhub.slugs import is_valid_safe_slug

from portal.errors import Conflict, Forbidden, InvalidRequest, PolicyRefused
from portal.policy.request import SessionRequest
from portal.sessions.schemas import HubStart
from portal.slurm.nodes import Reservation

from .conftest import Harness
from .steps import handed, hello


@pytest.mark.parametrize("name", ["BERT fine-tune", "3D U-Net", "2026", "-x", "図", "a" * 40, "1" * 22 + " b"])
async def test_server_of_a_session_has_a_name_that_the_hub_takes(harness: Harness, name: str) -> None:
    record = await harness.service.start("alice", SessionRequest(app="jupyterlab", name=name), origin="api")
    assert is_valid_safe_slug(record.server_name), record.server_name


async def test_attaching_twice_keeps_the_token_of_a_running_app(harness: Harness) -> None:
    record = await harness.start()
    await harness.service.attach(handed(record))
    await harness.agents.hello(hello(harness, record.id))
    again = await harness.service.attach(handed(record, api_token="second-token"))
    assert again == (record.id, "first-token")


async def test_attaching_again_before_the_agent_spoke_takes_the_new_token(harness: Harness) -> None:
    record = await harness.start()
    await harness.service.attach(handed(record))
    assert await harness.service.attach(handed(record, api_token="second-token")) == (record.id, "second-token")


async def test_a_server_started_at_the_hub_gets_a_session_by_the_same_rules(harness: Harness) -> None:
    hub = HubStart(
        username="bob",
        server_name="mine",
        user_options={"resources": {"gpus": 1}},
        env={},
        api_token="t",
        base_url="/user/bob/mine/",
    )
    session_id, _ = await harness.service.attach(hub)
    record = await harness.store.get(session_id)
    assert (record.owner, record.server_name, record.gpus, record.origin) == ("bob", "mine", 1, "hub")
    assert harness.hub.started == []
    assert (await harness.service.attach(hub))[0] == session_id
    for hostile in ({"resources": {"gpus": 9}}, {"resources": {"partition": "a\n#SBATCH"}}, {"cmd": "id"}):
        with pytest.raises(InvalidRequest):
            await harness.service.attach(hub.model_copy(update={"server_name": "other", "user_options": hostile}))
    assert len(harness.slurm.found) == 1


@pytest.mark.parametrize("ended", [False, True], ids=["stopping", "ended"])
async def test_start_that_carries_a_session_that_is_over_makes_no_other(harness: Harness, ended: bool) -> None:
    record = await harness.start(gpus=2)
    await harness.service.stop(record.id)
    if ended:
        await harness.reconcile()
    with pytest.raises(Conflict, match="has ended"):
        await harness.service.attach(handed(record))
    assert len(harness.slurm.found) == 1


async def test_start_at_the_hub_that_is_asked_for_again_makes_one_session(harness: Harness) -> None:
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
    session_id, _ = await harness.service.attach(start)
    assert session_id == "aaaaaaaaaaaa"
    assert (await harness.service.attach(start))[0] == session_id
    await harness.service.stop(session_id)
    await harness.reconcile()
    with pytest.raises(Conflict, match="has ended"):
        await harness.service.attach(start)
    assert len(harness.slurm.found) == 1


async def test_person_starts_an_ended_session_again_as_it_was(harness: Harness) -> None:
    record = await harness.start(gpus=2)
    await harness.service.stop(record.id)
    await harness.reconcile()
    session_id, _ = await harness.service.attach(handed(record, user_options={"again": record.id}))
    again = await harness.store.get(session_id)
    assert session_id != record.id
    assert (again.gpus, again.cpus, again.server_name) == (2, 16, record.server_name)


async def test_nobody_starts_anothers_session_through_the_hub(harness: Harness) -> None:
    record = await harness.start()
    with pytest.raises(Forbidden):
        await harness.service.attach(handed(record, username="bob", server_name="x", user_options={"again": record.id}))


async def test_one_server_carries_one_session(harness: Harness) -> None:
    first, second = await harness.start(), await harness.start()
    with pytest.raises(Conflict):
        await harness.service.attach(handed(first, user_options={"session": second.id}))


async def test_check_says_the_same_as_start_without_starting(harness: Harness) -> None:
    considered = await harness.requests.check("alice", SessionRequest.model_validate({"app": "jupyterlab"}))
    assert (considered.problems, considered.starts) == ([], "now")
    assert considered.summary == "1 × V100, 8 cores, 48 GB for 8 h on sxm2"
    wrong = await harness.requests.check(
        "alice", SessionRequest.model_validate({"app": "nothing", "resources": {"gpus": 9}})
    )
    assert [problem.field for problem in wrong.problems] == ["app", "resources.gpus"]
    assert harness.slurm.found == {}


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
    harness: Harness, resources: dict[str, object], field: str
) -> None:
    harness.watcher.snapshot = replace(
        harness.watcher.snapshot, reservations=(Reservation("school", "ACTIVE", users=("bob",)),)
    )
    ask = SessionRequest.model_validate({"app": "jupyterlab", "resources": resources})
    checked = await harness.requests.check("alice", ask)
    assert [problem.field for problem in checked.problems] == [field]
    with pytest.raises(PolicyRefused) as refused:
        await harness.service.start("alice", ask, origin="api")
    assert refused.value.fields == checked.problems
    assert harness.slurm.found == {}
