"""Process 1 of a site: starts its services in order, watches them, obeys ./dev, and takes them down again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import time
from typing import Any, Protocol

from demo import cgroups, control
from demo.directory import Directory
from demo.environment import BaseEnvironment
from demo.postgresql import Postgresql
from demo.processes import Processes
from demo.running_service import RunningService, State
from demo.service import Service, until
from demo.site import INSIDE, Site, SiteError
from demo.slurm import Slurm
from demo.web import Web

TAIL_LINES = 15


class Room(Protocol):
    def services(self) -> list[Service]: ...


class Supervisor:
    def __init__(self, site: Site, *, with_web: bool) -> None:
        self.site = site
        self.ended_well = True
        self._slurm = Slurm(site, processes := Processes())
        rooms: list[Room] = [self._slurm, Directory(site, processes)]
        if with_web:
            rooms += [BaseEnvironment(site, processes), Web(site, processes)]
            if site.database == "postgresql":
                rooms.append(Postgresql(site, processes))
        self._services = {
            service.name: RunningService(service, processes, site, self.say)
            for room in rooms
            for service in room.services()
        }
        self._stopping = asyncio.Event()
        self._up = False
        self._answers: list[dict[str, Any]] = []
        self._followers: set[asyncio.StreamWriter] = set()
        self._steps = 0

    async def run(self) -> None:
        """Bring the site up, keep it until it is told to stop, take it down."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self._stopping.set)
        server = await self._listen()
        bringing_up = asyncio.create_task(self._bring_up())
        stopping = asyncio.create_task(self._stopping.wait())
        await asyncio.wait([bringing_up, stopping], return_when=asyncio.FIRST_COMPLETED)
        if not bringing_up.done():
            bringing_up.cancel()
        elif (error := bringing_up.exception()) is not None:
            self._report(error)
            self.ended_well = False
            self._stopping.set()
        else:
            self._up = True
            self._publish({"started": self.site.as_json()})
        await asyncio.gather(bringing_up, return_exceptions=True)
        await stopping
        await self._take_down()
        self._publish({"done": self.ended_well} if self.ended_well else {"failed": "The site did not come up."})
        server.close()
        for follower in [*self._followers]:
            follower.close()

    def say(self, line: str) -> None:
        self._publish({"say": line})

    def _publish(self, answer: dict[str, Any]) -> None:
        print(answer.get("say", answer), flush=True)
        self._answers.append(answer)
        for follower in self._followers:
            follower.write(_line(answer))

    async def _bring_up(self) -> None:
        ready = {name: asyncio.Event() for name in self._services}

        async def one(running: RunningService) -> None:
            for name in running.service.after:
                await ready[name].wait()
            began = time.monotonic()
            await running.prepare()
            self._steps += 1
            self.say(
                f"[{self._steps:2}/{len(self._services)}] {running.service.title} ({time.monotonic() - began:.1f} s)"
            )
            ready[running.service.name].set()

        tasks = [asyncio.create_task(one(running)) for running in self._services.values()]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _report(self, error: BaseException) -> None:
        if not isinstance(error, SiteError):
            self.say(f"✗ {type(error).__name__}: {error}")
            return
        self.say(f"✗ {error.what}")
        if error.log is not None and error.log.exists():
            shown = self.site.folder / error.log.relative_to(INSIDE)
            self.say(f"  The end of {shown}:")
            for line in error.log.read_text(errors="replace").splitlines()[-TAIL_LINES:]:
                self.say(f"    {line}")
        self.say(f"  {error.advice or 'Fix that and run it again; ./dev run --fresh starts from scratch.'}")

    async def _take_down(self) -> None:
        """End the jobs, then each service once no other needs it, then whatever remains."""
        if self._services["slurmctld"].state is State.READY:
            self.say("Ending the sessions' jobs …")
            try:
                await self._slurm.end_jobs()
            except (SiteError, TimeoutError):
                self.say("! Slurm did not end all jobs in time; killing them")
        self.say("Stopping the services …")

        async def one(running: RunningService) -> None:
            for other in self._services.values():
                if running.service.name in other.service.after:
                    await other.gone.wait()
            await running.stop()
            running.gone.set()

        await asyncio.gather(*(one(running) for running in self._services.values()))
        await _end_everything()
        cgroups.remove_left(self.site.nodes)

    async def _listen(self) -> asyncio.Server:
        path = INSIDE / "run" / control.NAME
        path.unlink(missing_ok=True)
        before = os.umask(0o177)
        try:
            server = await asyncio.start_unix_server(self._serve, path)
        finally:
            os.umask(before)
        os.chown(path, self.site.owner, -1)
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if line := await reader.readline():
                await self._obey(json.loads(line), reader, writer)
            await writer.drain()
        except ConnectionError:
            return  # the client has disconnected; the work continues
        finally:
            self._followers.discard(writer)
            writer.close()

    async def _obey(self, request: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        match request:
            case {"do": "follow", "owner": owner}:
                writer.write(b"".join(_line(answer) for answer in self._answers))
                self._followers.add(writer)
                await reader.read()
                if owner:
                    self._stopping.set()
            case {"do": "stop"}:
                self._followers.add(writer)
                self._stopping.set()
                await reader.read()
            case {"do": "status"}:
                services = [running.status() for running in self._services.values()]
                writer.write(_line({"done": {**self.site.as_json(), "up": self._up, "services": services}}))
            case {"do": ("start" | "restart" | "kill" | "pause") as verb, "name": name}:
                writer.write(_line(await self._act(verb, name)))
            case _:
                writer.write(_line({"failed": "The site does not know this request."}))

    async def _act(self, verb: str, name: str) -> dict[str, Any]:
        running = self._services.get(name)
        if running is None:
            return {"failed": f"There is no service {name!r}.", "advice": f"There are: {', '.join(self._services)}"}
        try:
            if verb == "pause":
                running.pause()
            elif verb == "kill":
                await running.kill()
            elif verb == "restart":
                await running.restart()
            else:
                await running.start()
        except SiteError as error:
            advice = error.advice or f"See: ./dev logs {name}"
            return {"failed": error.what, "advice": advice}
        return {"done": running.status()}


def _line(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer).encode() + b"\n"


async def _end_everything() -> None:
    """End all other processes of the PID namespace: leftover jobs, developers' shells."""
    for number, seconds in ((signal.SIGTERM, 2.0), (signal.SIGKILL, 5.0)):
        try:
            os.kill(-1, number)
        except ProcessLookupError:
            return
        with contextlib.suppress(TimeoutError):
            await until(_alone, within_s=seconds)


async def _alone() -> bool:
    return not any(entry.isdigit() and entry != "1" for entry in os.listdir("/proc"))
