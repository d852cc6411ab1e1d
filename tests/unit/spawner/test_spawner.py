"""The spawner against a pretended portal: starts, refusals, ends, and Hub restarts at every moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from jupyterhub import orm
from jupyterhub.spawner import SpawnException
from sqlalchemy.exc import OperationalError

from spawner.spawner import SlurmSpawner
from tests.unit.spawner.conftest import FakePortal

Make = Callable[[], SlurmSpawner]
REFUSED = {"error": {"code": "policy_refused", "message": "You may use 4 GPUs at once.", "hint": "Ask for fewer."}}


def waiting(*messages: str, **more: Any) -> tuple[int, dict[str, Any]]:
    events = [{"seq": number, "message": message, "progress": 10} for number, message in enumerate(messages, 1)]
    return 200, {"state": "queued", "url": None, "ended": None, "events": events} | more


async def test_start_hands_the_hubs_environment_over_and_returns_the_url(
    portal: FakePortal, make_spawner: Make
) -> None:
    spawner = make_spawner()
    spawner.user_options = {"app": "jupyterlab", "resources": {"gpus": "2"}, "odd": [1]}
    assert await spawner.start() == "http://127.0.0.1:5000"
    request = portal.requests[0][1]
    assert request["username"] == "alice"
    assert request["server_name"] == "x"
    assert request["display_name"] == "My work"
    assert request["user_options"] == {"app": "jupyterlab", "resources": {"gpus": "2"}, "odd": [1]}
    assert request["base_url"] == "/user/alice/x/"
    assert request["api_token"] == request["env"]["JUPYTERHUB_API_TOKEN"] == "n" * 32
    assert spawner.api_token == "t" * 32
    assert await spawner.poll() is None


async def test_refusal_reaches_the_user_as_the_portals_sentence(portal: FakePortal, make_spawner: Make) -> None:
    portal.answers["start"] = [(422, REFUSED)]
    spawner = make_spawner()
    with pytest.raises(SpawnException) as refused:
        await spawner.start()
    assert refused.value.status_code == 422
    assert refused.value.reason == "policy_refused"
    assert refused.value.message == refused.value.jupyterhub_message == "You may use 4 GPUs at once. Ask for fewer."
    assert await spawner.poll() == 0


async def test_slurm_that_does_not_answer_refuses_a_start_at_once(portal: FakePortal, make_spawner: Make) -> None:
    portal.answers["start"] = [(503, {"error": {"code": "slurm_unavailable", "message": "Slurm does not answer."}})]
    with pytest.raises(SpawnException) as refused:
        await make_spawner().start()
    assert refused.value.status_code == 503
    assert portal.count("start") == 1


async def test_start_outlives_a_portal_that_is_away(portal: FakePortal, make_spawner: Make) -> None:
    portal.answers["start"] = [(502, None), (500, {"error": {"code": "internal", "message": "Oops"}}), *_started()]
    portal.answers["wait"] = [
        (503, {"error": {"code": "unavailable", "message": "The database does not answer."}}),
        FakePortal.defaults["wait"],
    ]
    assert await make_spawner().start() == "http://127.0.0.1:5000"


async def test_session_that_ends_while_starting_fails_with_its_reason(portal: FakePortal, make_spawner: Make) -> None:
    portal.answers["wait"] = [waiting(), waiting(ended={"code": "cancelled", "text": "You cancelled it."})]
    spawner = make_spawner()
    with pytest.raises(SpawnException, match="You cancelled it"):
        await spawner.start()
    assert await spawner.poll() == 1


async def test_session_the_portal_does_not_know_fails_the_start(portal: FakePortal, make_spawner: Make) -> None:
    portal.answers["wait"] = [(404, {"error": {"code": "not_found", "message": "There is no such session."}})]
    spawner = make_spawner()
    with pytest.raises(SpawnException, match="no such session"):
        await spawner.start()
    assert await spawner.poll() == 1


async def test_progress_relays_each_event_once_to_every_watcher(portal: FakePortal, make_spawner: Make) -> None:
    portal.answers["wait"] = [waiting("Submitted"), waiting("Submitted", "Queued"), FakePortal.defaults["wait"]]
    portal.answers["wait"][1][1]["events"] = portal.answers["wait"][1][1]["events"][1:]
    spawner = make_spawner()
    start = asyncio.create_task(spawner.start())
    await asyncio.sleep(0)

    async def watch() -> list[str]:
        return [event["message"] async for event in spawner.progress()]

    seen = await asyncio.gather(watch(), watch())
    await start
    assert list(seen) == [["Submitted", "Queued"], ["Submitted", "Queued"]]
    assert [asked["after"] for what, asked in portal.requests if what == "wait"] == ["0", "1", "2"]


async def test_poll_says_running_while_nobody_can_tell(portal: FakePortal, make_spawner: Make) -> None:
    spawner = make_spawner()
    await spawner.start()
    portal.answers["alive"] = [(500, None)]
    assert await spawner.poll() is None
    assert portal.server is not None
    await portal.server.close()
    assert await spawner.poll() is None


@pytest.mark.parametrize(
    ("sessions", "status"),
    [({"abc123abc123": None}, None), ({"abc123abc123": 137}, 137), ({"abc123abc123": 0}, 0), ({}, None)],
)
async def test_poll_gives_the_exit_code_of_an_ended_session(
    portal: FakePortal, make_spawner: Make, sessions: dict[str, int | None], status: int | None
) -> None:
    spawner = make_spawner()
    await spawner.start()
    portal.answers["alive"] = [(200, {"sessions": sessions})]
    assert await spawner.poll() == status


async def test_end_that_nobody_is_left_to_be_told_of_must_be_stopped(portal: FakePortal, make_spawner: Make) -> None:
    """Else the Hub takes the server for gone, and answers every DELETE that it is active and cannot be deleted."""
    spawner = make_spawner()
    await spawner.start()
    portal.answers["alive"] = [(200, {"sessions": {"abc123abc123": 1}})]
    results: list[bool] = []

    async def fails() -> None:
        results.append(True)
        raise OperationalError("COMMIT", {}, Exception("database is locked"))

    spawner.add_poll_callback(fails)
    assert await spawner.poll_and_notify() == 1
    assert await spawner.poll_and_notify() is None
    assert results == [True]


async def test_stop_that_failed_in_the_middle_is_over(make_spawner: Make) -> None:
    spawner = make_spawner()

    async def stop_with_a_locked_database() -> None:
        spawner._stop_pending = True  # noqa: SLF001  (JupyterHub's name)
        assert spawner.pending == "stop"
        raise OperationalError("COMMIT", {}, Exception("database is locked"))

    assert spawner.pending is None
    with pytest.raises(OperationalError):
        await asyncio.create_task(stop_with_a_locked_database())
    assert spawner.pending is None
    assert spawner.ready, "It is there, and can be stopped again."


async def test_stop_is_under_way_until_what_the_hub_waits_for_is_done(make_spawner: Make) -> None:
    spawner = make_spawner()

    async def begin() -> None:
        spawner._stop_pending = True  # noqa: SLF001  (JupyterHub's name)
        spawner._stop_future = asyncio.get_running_loop().create_future()  # noqa: SLF001  (JupyterHub's name)

    await asyncio.create_task(begin())
    assert spawner.pending == "stop"
    spawner._stop_future, spawner._stop_pending = None, False  # noqa: SLF001  (JupyterHub's names)
    assert spawner.pending is None


async def test_address_that_a_rollback_took_is_put_back(portal: FakePortal, make_spawner: Make) -> None:
    spawner = make_spawner()
    await spawner.start()
    spawner.orm_spawner.server.ip, spawner.orm_spawner.server.port = "127.0.0.1", 9  # what the Hub makes up at first
    assert await spawner.poll() is None
    row = spawner.orm_spawner.server
    assert (row.ip, row.port, spawner.server.host) == ("127.0.0.1", 5000, "http://127.0.0.1:5000")


async def test_spawner_that_was_never_started_is_not_running(portal: FakePortal, make_spawner: Make) -> None:
    assert await make_spawner().poll() == 0
    assert portal.requests == []


async def test_restarted_hub_finds_a_ready_server_again(portal: FakePortal, make_spawner: Make) -> None:
    first = make_spawner()
    await first.start()
    first.orm_spawner.state = first.get_state()  # what the Hub does after start
    again = make_spawner()
    assert await again.poll() is None
    assert not again.will_resume
    assert portal.count("start") == 1


async def test_restarted_hub_lets_go_of_a_start_under_way_and_takes_the_token_over_later(
    portal: FakePortal, make_spawner: Make
) -> None:
    portal.answers["wait"] = [(200, "never")]
    start = asyncio.create_task(make_spawner().start())
    while portal.count("wait") == 0:
        await asyncio.sleep(0.01)
    start.cancel()  # kill -9: all that is left is the database
    again = make_spawner()
    assert again.session_id == "abc123abc123"
    assert await again.poll() == 0
    assert again.will_resume, "the Hub would revoke the running job's token"
    assert portal.count("stop") == 0
    portal.answers.pop("wait")
    await again.start()
    assert again.api_token == "t" * 32
    assert await again.poll() is None


async def test_start_cancelled_while_the_portal_works_on_it_is_undone(portal: FakePortal, make_spawner: Make) -> None:
    portal.held["start"] = asyncio.Event()
    start = asyncio.create_task(make_spawner().start())
    while portal.count("start") == 0:
        await asyncio.sleep(0.01)
    start.cancel()
    with pytest.raises(asyncio.CancelledError):
        await start
    portal.held["start"].set()
    async with asyncio.timeout(5):
        while portal.count("stop") == 0:
            await asyncio.sleep(0.01)
    assert portal.requests[-1][1] == {"reason": "cancelled at the Hub"}
    await asyncio.gather(*SlurmSpawner.undoing)


async def test_stop_ends_the_session(portal: FakePortal, make_spawner: Make) -> None:
    spawner = make_spawner()
    await spawner.start()
    await spawner.stop()
    assert portal.requests[-1][0] == "stop"
    assert portal.requests[-1][1] == {"reason": "stopped at the Hub"}


@pytest.mark.parametrize(
    ("trouble", "proxy"), [(OperationalError("COMMIT", {}, Exception("disk full")), False), (TimeoutError(), True)]
)
async def test_hub_that_gives_up_for_trouble_of_its_own_ends_no_session(
    portal: FakePortal, make_spawner: Make, trouble: Exception, proxy: bool
) -> None:
    spawner = make_spawner()
    await spawner.start()
    spawner._proxy_pending = proxy  # noqa: SLF001  (JupyterHub's name)
    try:
        raise trouble
    except Exception:  # as the Hub does around a start
        await asyncio.sleep(0)
        await spawner.stop()
    assert portal.count("stop") == 0
    assert spawner.will_resume, "or the Hub would revoke the running job's token"


async def test_server_that_never_answers_the_hub_is_stopped(portal: FakePortal, make_spawner: Make) -> None:
    spawner = make_spawner()
    await spawner.start()
    try:
        raise TimeoutError
    except TimeoutError:
        await spawner.stop()
    assert portal.count("stop") == 1


async def test_stop_raises_nothing_when_the_portal_is_away(portal: FakePortal, make_spawner: Make) -> None:
    spawner = make_spawner()
    await spawner.start()
    portal.answers["stop"] = [(502, None)]
    await spawner.stop()
    assert portal.count("stop") == 3


async def test_cleared_state_forgets_the_session(portal: FakePortal, make_spawner: Make) -> None:
    spawner = make_spawner()
    await spawner.start()
    assert spawner.get_state() == {"session_id": "abc123abc123", "url": "http://127.0.0.1:5000"}
    spawner.clear_state()
    assert spawner.get_state() == {}


def _started() -> list[tuple[int, Any]]:
    return [FakePortal.defaults["start"]]


async def test_restarted_hub_does_not_wait_for_the_server_of_a_session_that_lives(make_spawner: Make) -> None:
    """While it waits the server cannot be stopped, and in the end the Hub stops one that is only out of its reach."""
    first = make_spawner()
    await first.start()
    first.orm_spawner.state = first.get_state()  # as the Hub does
    spawner = make_spawner()
    assert await spawner.poll() is None
    assert await spawner.get_url() == spawner.server.url
    answer = await spawner.server.wait_up(http=True, timeout=0.1, extra_path="api")  # nothing listens there
    assert answer.headers["X-JupyterHub-Version"]


@pytest.mark.parametrize(("end", "revokes"), [("stop", True), ("keep", False), ("remove", True)])
async def test_tokens_end_with_the_server_whatever_the_hub_remembers(
    make_spawner: Make, end: str, revokes: bool
) -> None:
    spawner = make_spawner()
    db, user = spawner.user.db, spawner.orm_spawner.user
    mine, others = "Server at /user/alice/x/", {"Server at /user/alice/y/", "my script"}
    for note in (mine, *others):
        db.add(orm.APIToken(user=user, note=note, hashed=note, prefix=""))
    db.add(orm.OAuthClient(identifier=spawner.oauth_client_id, secret="x", redirect_uri="/"))
    db.commit()
    spawner.will_resume = end == "keep"
    if end == "remove":
        spawner.delete_forever()
    else:
        spawner.run_post_stop_hook()
    assert {token.note for token in db.query(orm.APIToken)} == (others if revokes else others | {mine})
    assert db.query(orm.OAuthClient).count() == (0 if revokes else 1)


async def test_form_knows_what_nodes_have_and_does_without_the_portal(portal: FakePortal, make_spawner: Make) -> None:
    spawner = make_spawner()
    assert 'max="4"' in await spawner.get_options_form()
    portal.answers["node_gpus"] = [(503, {})]
    assert 'max="8"' in await spawner.get_options_form()
