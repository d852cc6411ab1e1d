"""A service is started, awaited, watched and brought back; its failures name it and its log."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from demo import site as site_module
from demo.processes import Processes
from demo.running_service import RunningService, State
from demo.service import Service
from demo.site import FIRST_PORTS, Site, SiteError

SLEEPER = ["/bin/sleep", "600"]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(site_module, "INSIDE", tmp_path)
    return Site(folder=tmp_path, port=8000, slot=0, ports=dict(FIRST_PORTS))


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def keep(site: Site, said: list[str]) -> Callable[[Service], RunningService]:
    return lambda service: RunningService(service, Processes(), site, said.append)


async def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


async def test_a_service_is_ready_only_when_its_check_says_so(
    keep: Callable[[Service], RunningService], tmp_path: Path
) -> None:
    async def ready() -> bool:
        return (tmp_path / "ready").exists()

    running = keep(Service("s", "S", argv=["/bin/sh", "-c", f"touch {tmp_path}/ready; sleep 600"], ready=ready))
    await running.prepare()
    assert running.state is State.READY
    await running.stop()
    assert running.process is not None
    assert not running.process.alive


async def test_a_service_that_ends_at_once_is_told_with_its_status_and_log(
    keep: Callable[[Service], RunningService],
) -> None:
    async def never() -> bool:
        return False

    running = keep(Service("s", "S", argv=["/bin/sh", "-c", "echo no such file; exit 3"], ready=never))
    with pytest.raises(SiteError, match="s ended at once, with status 3") as caught:
        await running.prepare()
    assert caught.value.log is not None
    assert "no such file" in caught.value.log.read_text()


async def test_a_service_that_is_never_ready_is_given_up(keep: Callable[[Service], RunningService]) -> None:
    async def never() -> bool:
        return False

    running = keep(Service("s", "S", argv=SLEEPER, ready=never, ready_within_s=0.2))
    with pytest.raises(SiteError, match="was not ready"):
        await running.prepare()
    assert running.process is not None
    assert not running.process.alive


async def test_a_killed_service_comes_back_by_itself_when_it_is_to(
    keep: Callable[[Service], RunningService], said: list[str]
) -> None:
    running = keep(Service("s", "S", argv=SLEEPER, restart=True))
    await running.prepare()
    assert running.process is not None
    first = running.process
    first.send(signal.SIGKILL)
    await until(lambda: running.process is not first and running.state is State.READY)
    assert any("is back" in line for line in said)
    await running.stop()


async def test_a_service_killed_on_request_stays_down(keep: Callable[[Service], RunningService]) -> None:
    running = keep(Service("s", "S", argv=SLEEPER, restart=True))
    await running.prepare()
    await running.kill()
    assert running.state is State.STOPPED
    await running.start()
    assert running.state is State.READY
    await running.stop()


async def test_a_paused_service_is_woken_and_not_started_twice(keep: Callable[[Service], RunningService]) -> None:
    running = keep(Service("s", "S", argv=SLEEPER))
    await running.prepare()
    assert running.process is not None
    pid = running.process.pid
    running.pause()
    await until(lambda: Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].startswith("T"))
    await running.start()
    await until(lambda: not Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].startswith("T"))
    assert running.process.pid == pid
    await running.stop()


async def test_a_command_that_fails_is_told(site: Site) -> None:
    with pytest.raises(SiteError, match="failed with status 1"):
        await Processes().run(["/bin/false"], log=site.log("x"))


async def test_a_command_without_end_is_killed(site: Site) -> None:
    with pytest.raises(SiteError, match="did not end within"):
        await Processes().run(SLEEPER, log=site.log("x"), timeout_s=0.1)
