"""One session from the agent's first message to its last: hello, start, ready, watch, end."""

from __future__ import annotations

import os
import secrets
import threading
import time
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple

from . import activity, copies, endings, kernels, old_logs, port_hosting, ports, processes
from .clock import Deadline, moment
from .gpus import Gpus
from .heartbeats import Heartbeats
from .hello import Job, hello, introduction
from .launch import Launch, home, make_links
from .orders import Orders
from .own_folder import OwnFolder
from .places import Place, ProxiedPlace
from .portal import AgentError, Gone, Portal, Refused, Unreachable
from .readiness import Answer, ForeignListener, NotReady
from .signals import Signals
from .ssh_hosting import Hosting
from .usage import Cgroup, Meter

if TYPE_CHECKING:
    from .proxy.guests import Guests

END_GRACE_S = 3.0  # Slurm's KillWait is 30 s by default, 5 s on some sites: everything must be reported before it ends
SIGNAL_SLACK_S = 0.3
GOODBYE_WAITS_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0)  # the allocation is held meanwhile
PORT_TRIES = 3
LOOK_EVERY_S = 0.01
LOOK_AGAIN_S = 0.1  # at an app whose users wait for it in its page: it is busy
GUEST_TIMEOUT_S = 5.0
SLOW_S = 3.0
MEMORY_LOOK_S = 1.0
MEMORY_QUIET_S = 10.0  # a program that starts its killed workers again fills no history
TOLD_LENGTH = 200
MIB = 1024 * 1024
APP_ENDED = "The session has ended, because its app has."
SSH_ENDS = {"time_limit": "The session has reached its time limit.", "stopped": "The session was stopped."}


class Reported(NamedTuple):
    """The app's output last reported, and when to look again."""

    next_at: float
    line: str


class CannotStart(Exception):
    """The app cannot be started here."""


def log(message: str) -> None:
    """Write a line to the job's log; a log that cannot be written stops nothing."""
    with suppress(OSError):
        print(f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M:%SZ} portal agent: {message}", flush=True)


def run(environ: Mapping[str, str] | None = None) -> int:
    """Run one session; return 0 if it ended as intended."""
    try:
        job = Job.here(os.environ if environ is None else environ)
        key = secrets.token_hex(32)
        portal = Portal(job.portal_url, job.session, key)
    except (KeyError, ValueError) as error:
        log(f"the job lacks something that the agent needs: {error}")
        return 2
    try:
        address = ports.own_address(portal.address)
        launch = hello(portal, job, key=key, address=address, log=log)
    except (AgentError, OSError, KeyError, TypeError, ValueError) as error:
        log(f"cannot fetch the launch: {error!r}")
        return 1
    return Session(portal, job, launch, address, introduction(job, key, address)).run()


class Session:
    def __init__(self, portal: Portal, job: Job, launch: Launch, address: str, introduction: dict[str, Any]) -> None:
        self._portal = portal
        self._introduction = introduction
        portal.introduce = self._introduce
        self._launch = launch
        self._deadline = Deadline(launch.ends_at, launch.warn_before_s)
        self._cgroup = Cgroup.of_job(job.job_id)
        self._oom_before = self._oom_seen = self._cgroup.oom_kills()
        self._oom_at: str | None = None
        self._memory_quiet_until = 0.0
        self._gpus = Gpus(job.gpus)
        self._meter = Meter(self._cgroup, self._gpus)
        self._signals = Signals()
        self._folder = OwnFolder(job.session)
        self._place = _place(launch, ip=launch.ip or address, folder=self._folder.path)
        jupyter = None if launch.proxy is not None else Path(self._folder.path) / activity.KERNELS_FILE
        self._ssh = self._place.ssh = Hosting(launch.ssh, self._place, log)
        self._ports = self._place.ports = port_hosting.PortHosting(
            launch.open_ports, self._folder.path, self._pids, log, self._guests
        )
        self._place.guests = self._guests
        self._ports.own.reserved = lambda: self._place.port
        self._activity = activity.Activity(jupyter, self._last_used)
        self._app: processes.App | None = None
        self._open = False
        self._ready = False
        self._not_yet = ""
        self._cause: str | None = None
        self._gone = False
        self._talker = Heartbeats(
            portal,
            measure=self._measure,
            interval_s=launch.report_interval_s,
            heard=self._heard,
            gone=self._session_gone,
            log=log,
        )
        self._kernels = threading.Thread(target=self._offer_kernels, name="kernels", daemon=True)
        self._orders = Orders(portal, heard=self._heard, gone=self._session_gone, log=log)

    def run(self) -> int:
        processes.adopt_orphans()
        self._signals.install()
        self._talker.start()
        self._orders.start()
        self._ssh.start()
        if self._launch.proxy is None:
            self._ports.start()
        failure = ""
        try:
            self._kernels.start()
            app = self._start()
            threading.Thread(target=self._furnish, name="furnish", daemon=True).start()
            app = self._await_ready(app)
            if self._ready:
                self._watch(app)
            self._await_own_signal()
        except CannotStart as error:
            failure = str(error)
        finally:
            self._ssh.close(SSH_ENDS.get(self._cause or "", APP_ENDED))
            if self._app is not None:
                self._app.end(END_GRACE_S)
            self._ports.close()
            self._place.close()
            self._signals.close()
            self._folder.remove()
        return self._report_end(failure)

    def _introduce(self) -> None:
        """Repeat hello and ready, because the portal has lost them. Raises Unreachable, Gone or Refused."""
        log("the portal does not recognize this agent; sending hello again")
        self._portal.post("hello", {**self._introduction, "again": True})
        if self._open:
            self._portal.post("ready", {"ip": self._place.ip, "port": self._place.port})

    def _start(self) -> processes.App:
        """Start the app. Raises CannotStart."""
        where = home()
        if not os.path.isdir(where):
            raise CannotStart(f"The home folder {where} does not exist on this node.")
        try:
            self._app = self._place.start()
        except (OSError, ValueError, KeyError) as error:
            raise CannotStart(f"The app cannot be started on this node: {error}.") from error
        return self._app

    def _furnish(self) -> None:
        """Make links and copy templates in the home while the app starts; failures are reported and stop nothing."""
        where = Path(home())
        for note in [*make_links(self._launch.links, where), *copies.bring(self._launch.copies, where)]:
            self._tell(note)
        if gone := old_logs.remove(os.environ.get("DSP_LOG", ""), self._launch.log_days):
            log(f"deleted logs of earlier sessions, older than {self._launch.log_days} d: {gone}")
        if gone := self._folder.remove_abandoned():
            log(f"deleted folders that killed sessions had left on this node: {gone}")

    def _offer_kernels(self) -> None:
        """Offer the kernels of the session's image while the app starts; failures are reported and stop nothing."""
        if self._launch.image is not None:
            try:
                kernels.offer(self._launch.image, Path(self._folder.path) / "jupyter")
            except (kernels.NoKernels, OSError) as error:
                self._tell(str(error))

    def _await_ready(self, app: processes.App) -> processes.App:
        """Wait until the app answers; if somebody else took its port, start it again on another.

        Return the app that was started last, ready or not. Raises CannotStart.
        """
        self._talker.say("progress", {"message": "Starting the app"})
        deadline = time.monotonic() + self._launch.start_timeout_s
        reported = Reported(time.monotonic() + SLOW_S, "")
        tries = 1
        while self._cause is None:
            try:
                if app.reap() is not None:
                    if not self._open:
                        self._place.check_port()
                    break
                answer = self._place.answer(app)
                if answer is not Answer.NOTHING and not self._open:
                    self._kernels.join(max(0.0, deadline - time.monotonic()))
                    self._open = True
                    self._talker.say("ready", {"ip": self._place.ip, "port": self._place.port})
                if answer is Answer.APP:
                    self._ready = True
                    log(f"the app answers on {self._place.ip}:{self._place.port}")
                    break
            except NotReady as error:
                self._not_yet = str(error)
            except ForeignListener as error:
                log(str(error))
                if tries == PORT_TRIES:
                    raise CannotStart("Every port tried on this node was already in use.") from error
                tries += 1
                app.end(END_GRACE_S)
                app = self._start()
            if time.monotonic() > deadline:
                self._cause = "start_timeout"
            reported = self._tell_what_it_writes(app, reported)
            self._signals.wait(LOOK_AGAIN_S if self._open else LOOK_EVERY_S)
            self._obey()
        return app

    def _tell_what_it_writes(self, app: processes.App, reported: Reported) -> Reported:
        """Report the app's output now and then during a long start."""
        now = time.monotonic()
        if now < reported.next_at:
            return reported
        line = app.output.last_line()[:TOLD_LENGTH]
        if line and line != reported.line:
            self._talker.say("progress", {"message": f"The app writes: {line}"})
        return Reported(now + SLOW_S, line)

    def _watch(self, app: processes.App) -> None:
        """Watch until the app ends or must end."""
        self._talker.start_reports()
        while self._cause is None and app.reap() is None:
            warning = self._deadline.warning()
            if warning:
                self._tell(warning)
            self._look_at_memory()
            if self._ports.changed():
                self._talker.report_now()
            wait = min(self._deadline.until_next(), port_hosting.LOOK_EVERY_S)
            self._signals.wait(wait if self._cgroup.memory is None else min(wait, MEMORY_LOOK_S))
            self._obey()

    def _look_at_memory(self) -> None:
        """Report at once that the kernel has killed processes for lack of memory."""
        kills = self._cgroup.oom_kills()
        if kills <= self._oom_seen or time.monotonic() < self._memory_quiet_until:
            return
        self._memory_quiet_until = time.monotonic() + MEMORY_QUIET_S
        self._oom_seen = kills
        self._oom_at = datetime.now(timezone.utc).isoformat()
        self._tell("A process of this session was killed because the session ran out of memory.")
        self._talker.report_now()

    def _await_own_signal(self) -> None:
        """Slurm signals the app and the agent at the same moment; the app may exit before we receive ours."""
        deadline = time.monotonic() + SIGNAL_SLACK_S
        while self._cause is None and time.monotonic() < deadline:
            self._signals.wait(0.05)
            self._obey()

    def _obey(self) -> None:
        if self._cause is None and (self._signals.told_to_end or self._deadline.is_over()):
            self._cause = self._deadline.cause()
            log("stop requested" if self._signals.told_to_end else "time limit reached")

    def _report_end(self, failure: str) -> int:
        app = self._app
        ended = app.ended if app else None
        limit = self._cgroup.limit_bytes()
        ending = endings.describe(
            cause=self._cause,
            ended=ended,
            ready=self._ready,
            oom=self._cgroup.oom_kills() > self._oom_before and (ended is None or ended.code != 0),
            memory_limit_mib=limit // MIB if limit else None,
            start_timeout_s=self._launch.start_timeout_s,
            not_yet=self._not_yet,
            last_words=app.output.last_line()[:TOLD_LENGTH] if app else "",
            jupyter=self._launch.proxy is None,
        )
        if failure:
            ending = endings.Ending("app_failed", failure)
        log(ending.text)
        self._talker.close()
        self._orders.close()
        if not self._gone:
            self._say_goodbye(
                {
                    "exit_code": ended.code if ended else None,
                    "signal": ended.signal if ended else None,
                    "code": ending.code,
                    "text": ending.text,
                    **({"lacks": ending.lacks} if ending.lacks else {}),
                    "log_tail": app.output.tail() if app else "",
                }
            )
        return 0 if ending.code in ("finished", "stopped") else 1

    def _say_goodbye(self, body: dict[str, Any]) -> None:
        """Report the end: once only if Slurm is about to kill us, else until a portal that restarts has had time to."""
        if self._signals.told_to_end:
            self._said(body, timeout_s=1.0)
            return
        for wait in GOODBYE_WAITS_S:
            if self._said(body, timeout_s=5.0):
                return
            time.sleep(wait)

    def _said(self, body: dict[str, Any], *, timeout_s: float) -> bool:
        try:
            self._portal.call("ended", body, timeout_s=timeout_s)
        except Unreachable:
            return False
        except (Gone, Refused) as error:
            log(f"ended: {error}")
        return True

    def _measure(self) -> dict[str, Any]:
        """Return the body of a report; called by the talker."""
        return {
            **self._meter.read(),
            "activity": self._activity.read(),
            "ports": self._ports.listed(),
            "connections": self._place.connections(),
            "memory_kills": None if self._cgroup.memory is None else self._oom_seen - self._oom_before,
            "memory_killed_at": self._oom_at,
        }

    def _pids(self) -> set[int]:
        """Return the processes of this session, without this one."""
        return (processes.descendants() | self._cgroup.pids()) - {os.getpid()}

    def _guests(self) -> Guests | None:
        """Make what knows the session's guests; None if the site has none."""
        if self._launch.guests is None:
            return None
        from .proxy.guests import Guests, PortalAway, TooManyKeys  # pulls in asyncio

        def ask(question: Mapping[str, str]) -> Mapping[str, Any] | None:
            try:
                answer = self._portal.call("guest", dict(question), timeout_s=GUEST_TIMEOUT_S)[1]
            except Unreachable as error:
                raise PortalAway from error
            except AgentError:
                return None
            if answer.get("wait_s"):
                raise TooManyKeys(float(answer["wait_s"]))
            guest = answer.get("guest")
            return guest if isinstance(guest, dict) else None

        return Guests(self._launch.guests, ask)

    def _last_used(self) -> float | None:
        """Return when a person last used the app through the proxy, a port, or SSH; None if nobody has."""
        used = [at for at in (self._place.last_used(), self._ports.last_used, self._ssh.last_used()) if at is not None]
        return max(used, default=None)

    def _heard(self, answer: Mapping[str, Any]) -> None:
        self._deadline.move(answer.get("ends_at"))
        self._ssh.ends_if_idle(moment(answer.get("idle_ends_at")))
        if answer.get("stop"):
            self._cause = self._cause or "stopped"
        self._signals.wake()

    def _session_gone(self) -> None:
        self._gone = True
        self._cause = self._cause or "stopped"
        self._signals.wake()

    def _tell(self, message: str) -> None:
        log(message)
        self._ssh.say(message)
        self._talker.say("progress", {"message": message})


def _place(launch: Launch, *, ip: str, folder: str) -> Place:
    if launch.proxy is None:
        return Place(launch, ip=ip, folder=folder)
    return ProxiedPlace(launch, launch.proxy, ip=ip, folder=folder, log=log)
