"""Which session a name means, and the message if there is none to connect to."""

from __future__ import annotations

from typing import Any

import pytest

from agent.laptop import sessions
from agent.laptop.device import Device
from agent.laptop.errors import Failure, NoAnswer

DEVICE = Device("https://portal.example.org", "alice", "secret")


def session(name: str, state: str = "ready", **more: Any) -> dict[str, Any]:
    whole = {"id": f"id-{name}-{state}", "name": name, "server_name": f"{name.lower()}-k3f9", "state": state}
    return {**whole, "reason": None, "url": f"/user/alice/{name.lower()}-k3f9/lab", **more}


@pytest.fixture(autouse=True)
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The portal's list, newest first."""
    listed: list[Any] = []
    monkeypatch.setattr(sessions, "call", lambda device, path: {"items": listed})
    return listed


@pytest.mark.parametrize("name", ["bert", "bert.portal", "id-Bert-ready", "bert-k3f9", "Bert"])
def test_a_session_has_several_names(answers: list[Any], name: str) -> None:
    answers += [session("other"), session("Bert")]
    assert sessions.find(DEVICE, name)["id"] == "id-Bert-ready"


def test_of_two_the_newest_that_is_ready_is_meant(answers: list[Any]) -> None:
    answers += [session("bert", "queued"), session("bert", id="newer"), session("bert", id="older")]
    assert sessions.find(DEVICE, "bert")["id"] == "newer"


@pytest.mark.parametrize(
    ("state", "said"),
    [("queued", "waiting in the queue (no free GPU)"), ("stopping", "ending"), ("starting", "starting")],
)
def test_what_is_not_ready_says_so(answers: list[Any], state: str, said: str) -> None:
    answers.append(session("bert", state, reason="no free GPU" if state == "queued" else None))
    with pytest.raises(Failure) as failed:
        sessions.find(DEVICE, "bert")
    assert f"The session bert is {said}." in str(failed.value)


def test_an_unknown_name_lists_the_others(answers: list[Any]) -> None:
    with pytest.raises(Failure, match="You have no active sessions"):
        sessions.find(DEVICE, "bert")
    answers.append(session("Other one"))
    with pytest.raises(Failure, match="Your sessions: other-one"):
        sessions.find(DEVICE, "bert")


@pytest.mark.parametrize(
    ("url", "server", "base"),
    [
        ("/user/alice/bert-k3f9/lab", "bert-k3f9", "https://portal.example.org/user/alice/bert-k3f9/"),
        ("https://alice.hub.org/user/alice/x/lab?a=b", "x", "https://alice.hub.org/user/alice/x/"),
        ("/user/alice/lab", "", "https://portal.example.org/user/alice/"),
    ],
)
def test_the_address_ends_at_the_session(url: str, server: str, base: str) -> None:
    assert sessions.base_url(DEVICE, session("bert", url=url, server_name=server)) == base


def test_a_start_without_an_answer_is_sent_again_with_the_same_key(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []

    def lose_the_first(device: Device, path: str, method: str, body: Any, key: str) -> Any:
        sent.append((path, method, body, key))
        if len(sent) == 1:
            raise NoAnswer("The portal does not answer.")
        return {"id": "k3f9"}

    monkeypatch.setattr(sessions, "call", lose_the_first)
    assert sessions.start(DEVICE, {"app": "jupyterlab"}) == {"id": "k3f9"}
    assert len(sent) == 2
    assert sent[0] == sent[1]


def test_stop_ends_a_session_that_still_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []

    def answer(device: Device, path: str, *more: str) -> Any:
        sent.append((path, *more))
        return {"items": [session("bert", "queued")]}

    monkeypatch.setattr(sessions, "call", answer)
    sessions.stop(DEVICE, "bert.portal")
    assert sent[1:] == [("/sessions/id-bert-queued", "DELETE")]


def test_stop_does_not_choose_between_two(answers: list[Any]) -> None:
    answers += [session("bert", id="newer"), session("bert", id="older")]
    with pytest.raises(Failure, match=r"Several sessions are called bert\. Stop one by its id: newer, older"):
        sessions.stop(DEVICE, "bert")
