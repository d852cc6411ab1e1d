"""An agent's word: which addresses it may name, and which numbers and texts it may tell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import BaseModel, ValidationError

from portal import addresses
from portal.addresses import Address
from portal.errors import Forbidden
from portal.images.schemas import PullEnded, PullProgress
from portal.sessions.addresses import AgentAddresses, is_here
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import AgentEnded, AgentHello, AgentProgress, AgentReady, AgentReport
from portal.settings import Agent
from portal.slurm.jobs import Job, JobState
from portal.slurm.nodes import Node, NodeState
from portal.slurm.snapshot import Snapshot

from .conftest import Harness
from .steps import KEY, NODE, handed, hello

RECORD = SessionRecord(id="abcdefghijkm", owner="alice")
HOSTS = {"10.0.0.1": "10.0.0.1", "node002": "10.0.0.2", "head": "10.0.0.9"}
HERE = {"10.0.0.9", "127.0.0.1", "::1"}
JOB = Job(
    id=7, name="dsp-abcdefghijkm", user="alice", account="", partition="", qos="", state=JobState.RUNNING,
    nodes="node001",
)  # fmt: skip
NODES = (
    Node("node001", NodeState.IDLE, address="10.0.0.1"),
    Node("node002", NodeState.IDLE),
    Node("head", NodeState.IDLE),
)


def judge(*, bind: str = "", nodes: str = "node001", known: bool = True) -> AgentAddresses:
    snapshot = Snapshot(nodes=NODES, jobs={7: replace(JOB, nodes=nodes)} if known else {})

    async def resolve(name: str) -> set[Address]:
        return {data for name in (HOSTS.get(name),) if name and (data := addresses.read(name)) is not None}

    return AgentAddresses(Agent(bind=bind), lambda: snapshot, resolve, lambda address: str(address) in HERE)


async def refused(judge: AgentAddresses, ip: str, peer: str | None, *, port: int = 20001) -> bool:
    why = await judge.refusal(RECORD, AgentReady(ip=ip, port=port), peer)  # type: ignore[arg-type]  # as text
    return why is not None


@pytest.mark.parametrize(
    ("ip", "peer"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("10.7.0.1", "10.7.0.1"),  # a node with several networks: the one on the way to the portal
        ("10.0.0.1", "10.7.0.1"),
        ("10.0.0.1", None),  # node_url leads through a web server: Slurm's word alone
        ("fd00::7", "fd00::7"),
        ("10.0.0.1", "::ffff:10.0.0.1"),
    ],
)
async def test_agent_may_name_where_it_speaks_from_or_its_node(ip: str, peer: str | None) -> None:
    assert not await refused(judge(), ip, peer)


@pytest.mark.parametrize(
    ("ip", "peer"),
    [
        ("127.0.0.1", "10.0.0.1"),
        ("::1", "10.0.0.1"),
        ("::ffff:127.0.0.1", "10.0.0.1"),
        ("0.0.0.0", "10.0.0.1"),  # noqa: S104 - to be refused
        ("::", "10.0.0.1"),
        ("10.0.0.9", "10.0.0.1"),  # the head node
        ("10.0.0.2", "10.0.0.1"),  # another node
        ("169.254.169.254", "10.0.0.1"),
        ("224.0.0.1", "224.0.0.1"),
        ("127.0.0.1", "127.0.0.1"),  # somebody on the head node: the job does not run there
        ("10.0.0.9", "10.0.0.9"),
        ("127.0.0.1", None),  # through the proxy, whose own address is the head node's
    ],
)
async def test_agent_may_name_no_other_address(ip: str, peer: str | None) -> None:
    assert await refused(judge(), ip, peer)
    assert await refused(judge(known=False), ip, peer)


async def test_job_on_the_portals_own_machine_may_name_its_loopback() -> None:
    assert not await refused(judge(nodes="head"), "127.0.0.1", "127.0.0.1")
    assert not await refused(judge(nodes="head"), "10.0.0.9", "127.0.0.1")


async def test_with_agent_bind_that_address_alone_is_named() -> None:
    assert not await refused(judge(bind="127.0.0.1"), "127.0.0.1", "10.0.0.1")
    assert await refused(judge(bind="127.0.0.1"), "10.0.0.1", "10.0.0.1")


@pytest.mark.parametrize("port", [22, 8001, 19_999, 32_001])
async def test_port_is_one_of_the_agents(port: int) -> None:
    assert await refused(judge(), "10.0.0.1", "10.0.0.1", port=port)


def test_own_addresses_are_known_by_binding_to_them() -> None:
    assert is_here(addresses.read("127.0.0.1"))  # type: ignore[arg-type]
    assert not is_here(addresses.read("192.0.2.1"))  # type: ignore[arg-type]


async def test_session_whose_address_is_refused_ends_and_says_why(harness: Harness) -> None:
    record = await harness.start()
    await harness.service.attach(handed(record))
    await harness.agents.hello(hello(harness, record.id))
    for ip, port in (("127.0.0.1", 20001), (NODE, 8001)):
        with pytest.raises(Forbidden):
            await harness.agents.ready(record, AgentReady(ip=ip, port=port), peer=NODE)  # type: ignore[arg-type]
    record = await harness.store.get(record.id)
    assert (record.state, record.end_code, record.server_url) == ("stopping", "app_failed", None)
    assert "does not connect to 127.0.0.1, port 20001" in (record.end_text or "")


async def test_address_that_is_refused_later_harms_no_session_that_is_ready(harness: Harness) -> None:
    record = await harness.start()
    await harness.service.attach(handed(record))
    await harness.agents.hello(hello(harness, record.id))
    await harness.agents.ready(record, AgentReady(ip=NODE, port=20001), peer=NODE)  # type: ignore[arg-type]
    record = await harness.store.get(record.id)
    with pytest.raises(Forbidden):
        await harness.agents.ready(record, AgentReady(ip="127.0.0.1", port=20001), peer=NODE)  # type: ignore[arg-type]
    record = await harness.store.get(record.id)
    assert (record.server_url, record.end_code) == (f"http://{NODE}:20001", None)


async def test_agent_of_another_job_is_refused_and_its_number_and_node_are_not_taken(harness: Harness) -> None:
    harness.slurm.full = True
    record = await harness.start()
    with pytest.raises(Forbidden):
        await harness.agents.hello(hello(harness, record.id).model_copy(update={"job_id": 4711}))
    await harness.service.attach(handed(record))
    await harness.agents.hello(
        hello(harness, record.id).model_copy(update={"job_id": record.job_id, "node": "elsewhere.example.org"})
    )
    record = await harness.store.get(record.id)
    assert (record.job_id, record.node) == (100, None)


HELLO = {"session": "abcdefghijkm", "secret": "s", "key": KEY}
GPU = {"index": 0, "utilization": 50.0}


@pytest.mark.parametrize(
    ("wire", "body"),
    [
        (AgentReport, {"memory_mib": 10**30}),
        (AgentReport, {"memory_mib": -1}),
        (AgentReport, {"cpu_percent": 1e300}),
        (AgentReport, {"cpu_percent": float("inf")}),
        (AgentReport, {"cpu_percent": float("nan")}),
        (AgentReport, {"connections": 10**30}),
        (AgentReport, {"connections": -1}),
        (AgentReport, {"memory_kills": -1}),
        (AgentReport, {"memory_killed_at": 10**30}),
        (AgentReport, {"gpus": [GPU] * 65}),
        (AgentReport, {"gpus": [GPU | {"utilization": float("nan")}]}),
        (AgentReport, {"gpus": [GPU | {"memory_used_mib": 10**30}]}),
        (AgentReport, {"gpus": [GPU | {"memory_total_mib": 10**30}]}),
        (AgentReady, {"ip": "localhost", "port": 20001}),
        (AgentReady, {"ip": "10.0.0.1@127.0.0.1", "port": 20001}),
        (AgentReady, {"ip": "10.0.0.1", "port": 0}),
        (AgentEnded, {"code": "finished", "exit_code": 10**30}),
        (AgentEnded, {"code": "finished", "signal": 10**30}),
        (AgentHello, HELLO | {"job_id": 10**30}),
        (AgentHello, HELLO | {"job_id": 0}),
        (AgentHello, HELLO | {"pid": 10**30}),
        (AgentHello, HELLO | {"node": "node001\nnode002"}),
        (PullEnded, {"ok": True, "size_mb": 10**30}),
        (PullProgress, {"message": "m", "progress": 10**30}),
    ],
)
def test_what_is_out_of_bounds_is_refused(wire: type[BaseModel], body: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        wire.model_validate(body)


@pytest.mark.parametrize("text", ["one\ntwo", "one\r\n two", "one\x1b[2J two", "one\u2028two", "one \u202etwo"])
def test_text_is_one_line_of_what_can_be_printed(text: str) -> None:
    for name in (
        AgentProgress(message=text).message,
        AgentEnded(code="finished", text=text).text,
        PullProgress(message=text, progress=1).message,
        PullEnded(ok=False, message=text).message,
    ):
        assert name in ("one two", "one [2J two")
