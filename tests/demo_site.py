"""A demo site for tests: started by ./dev in its own folder and on its own ports, with what tests do to it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import httpx2

from demo import commands, control
from demo.site import SiteError
from tests.loopback import know_localhost

know_localhost()

CLONE = Path(__file__).resolve().parents[1]
RESULTS = CLONE / "test-results"
INSIDE = Path("/run/portal-demo")
API = "/services/portal/api"
UP_TIMEOUT_S = 600
SELDOM_S = 0.5
#: Longer than from one reading of the nodes to the next: until then, the portal shows what was free before.
PATIENCE_S = 45

T = TypeVar("T")


@dataclass(frozen=True)
class Account:
    username: str
    password: str
    admin: bool


def log_in(browser: httpx2.Client, username: str, password: str) -> httpx2.Response:
    """Send the Hub's login form as a browser does; return the page that it leads to."""
    browser.get("/hub/login").raise_for_status()
    form = {"username": username, "password": password, "_xsrf": browser.cookies["_xsrf"]}
    return browser.post("/hub/login", data=form)


@dataclass(frozen=True)
class DemoSite:
    """A running demo site. Programs run inside it as any of its accounts; services can be stopped and restored."""

    folder: Path
    hosts: str = field(default="each", kw_only=True)

    # --- what it is ---

    @cached_property
    def _status(self) -> dict[str, Any]:
        return self.status()

    @property
    def url(self) -> str:
        return str(self._status["url"])

    @property
    def hub_url(self) -> str:
        """The address for logins and the Hub's API."""
        return str(self._status["hub_url"])

    def sessions_url(self, username: str) -> str:
        """The part of the address before a session's path."""
        if self.hub_url == self.url:
            return self.url
        scheme, _, netloc = self.hub_url.partition("://")
        return f"{scheme}://{username}.{netloc}"

    def at(self, path: str) -> str:
        """Return the full URL of a path on the host that serves it: Hub, a session or portal."""
        if not path.startswith("/"):
            return path
        if path.startswith("/user/"):
            return self.sessions_url(path.split("/")[2]) + path
        return (self.hub_url if path.startswith("/hub/") else self.url) + path

    @property
    def tls(self) -> ssl.SSLContext | bool:
        """What verifies certificates; True: the system's store."""
        return True

    @property
    def nodes(self) -> list[str]:
        return list(self._status["nodes"])

    @property
    def ports(self) -> dict[str, int]:
        return dict(self._status["ports"])

    @cached_property
    def accounts(self) -> dict[str, Account]:
        """The users who may use the portal, and eve, who is in the directory and may not."""
        return {
            entry["username"]: Account(**entry)
            for name in ("accounts.json", "outsiders.json")
            for entry in json.loads((self.folder / name).read_text())
        }

    def secret(self, name: str) -> str:
        return self.run("cat", str(INSIDE / "portal" / "secrets" / name)).strip()

    def log(self, service: str) -> str:
        return (self.folder / "log" / f"{service}.log").read_text(errors="replace")

    def metrics(self) -> str:
        """Return what Prometheus reads, from the portal's own port because the proxy does not expose it."""
        return httpx2.get(f"http://127.0.0.1:{self.ports['portal']}/services/portal/metrics").text

    def reads_as_chosen(self) -> None:
        """Wait until the portal reads Slurm through pyslurm, if DSP_DEMO_CLIENT (./dev test --client) says so."""
        if os.environ.get("DSP_DEMO_CLIENT") == "pyslurm":
            self.wait_for(lambda: "slurm.pyslurm.started" in self.log("portal"), "the portal to read by pyslurm")

    # --- its services ---

    def status(self) -> dict[str, Any]:
        return dict(self._ask(do="status"))

    def service(self, name: str) -> dict[str, Any]:
        return next(service for service in self.status()["services"] if service["name"] == name)

    def start(self, service: str) -> None:
        """Start a service, or resume it, and wait until it is ready."""
        self._ask(do="start", name=service)

    def restart(self, service: str) -> None:
        self._ask(do="restart", name=service)

    def kill(self, service: str) -> None:
        """Kill a service with SIGKILL; it stays down until `start`."""
        self._ask(do="kill", name=service)

    def pause(self, service: str) -> None:
        """Freeze a service with SIGSTOP until `start`."""
        self._ask(do="pause", name=service)

    def _ask(self, **request: Any) -> Any:
        """Ask the site's supervisor directly: ./dev says the same and costs a sixth of a second of a core."""
        try:
            return control.result(self.folder, **request)
        except SiteError as error:
            raise AssertionError(f"{request}: {error.what} {error.advice}") from None

    # --- inside it ---

    def run(
        self, *argv: str, user: str = "root", stdin: str | None = None, check: bool = True, timeout_s: float = 60
    ) -> str:
        """Run a program inside the site as one of its accounts; return its output."""
        return self.process(*argv, user=user, stdin=stdin, check=check, timeout_s=timeout_s).stdout

    def process(
        self, *argv: str, user: str = "root", stdin: str | None = None, check: bool = False, timeout_s: float = 60
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self._inside(*argv, user=user),
            env=self._environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"{' '.join(argv)} ended with {done.returncode}: {done.stderr or done.stdout}")
        return done

    def _inside(self, *argv: str, user: str) -> list[str]:
        """Return the argv that enters the site: what ./dev exec becomes; without root, ./dev exec itself."""
        if os.geteuid() == 0:
            return commands.inside(self.folder, list(argv), user=user)
        return [str(CLONE / "dev"), "exec", "--user", user, *argv]

    def jobs(self, *options: str) -> list[dict[str, str]]:
        """Return Slurm's queue: id, name, user, account, state, node, filtered by squeue options."""
        fields = {"id": "%A", "name": "%j", "user": "%u", "account": "%a", "state": "%T", "node": "%N"}
        lines = self.run("squeue", "--noheader", *options, "--format", "|".join(fields.values())).splitlines()
        return [dict(zip(fields, line.split("|"), strict=True)) for line in lines]

    # --- through the front door ---

    @contextmanager
    def browser(self, username: str) -> Iterator[httpx2.Client]:
        """Return a client that has logged in at the Hub's login page, as a browser does."""
        account = self.accounts[username]
        with Front(self, follow_redirects=True, timeout=60, verify=self.tls) as browser:
            log_in(browser, username, account.password).raise_for_status()
            yield browser

    def token(self, username: str) -> str:
        """Return a new Hub token of this user."""
        with self.browser(username) as browser:
            response = browser.post(
                f"/hub/api/users/{username}/tokens",
                json={"note": "tests", "expires_in": 3600},
                headers={"X-XSRFToken": browser.cookies.get("_xsrf", path="/hub/")},
            )
            response.raise_for_status()
            return str(response.json()["token"])

    @contextmanager
    def client(self, username: str | None) -> Iterator[httpx2.Client]:
        """Return a client of the portal's API with this user's token (None: without any)."""
        headers = {"Authorization": f"token {self.token(username)}"} if username else {}
        with httpx2.Client(base_url=self.url + API, headers=headers, timeout=60) as client:
            yield client

    def tidy(self) -> None:
        """Restore every service and end every job, so that the next test finds a clean site."""
        away = [
            service["name"]
            for service in self.status()["services"]
            if service["state"] in ("paused", "stopped", "failed")
        ]
        for name in away:
            self.start(name)
        if away:
            self.wait_for(self._leads_everywhere, "the proxy to lead to Hub and portal", timeout_s=90)
        stopped: set[str] = set()
        with suppress(httpx2.TransportError):
            stopped = self._stop_sessions()
        self._cancel(job["id"] for job in self.jobs() if job["name"] not in stopped)
        try:
            self.wait_for(lambda: not self.jobs(), "all jobs to end")
        except AssertionError:  # whatever went wrong is the last test's fault; the next one starts clean
            self._cancel(job["id"] for job in self.jobs())
            self.wait_for(lambda: not self.jobs(), "all cancelled jobs to end", timeout_s=60)

    def _leads_everywhere(self) -> bool:
        """Return whether the proxy has its routes: after a restart it gets them from the Hub some seconds later."""
        try:
            ways = [httpx2.get(self.at(path)).status_code for path in ("/hub/api/", f"{API}/openapi.json")]
        except httpx2.TransportError:
            return False
        return ways == [200, 200]

    def _cancel(self, jobs: Iterable[str]) -> None:
        if ids := list(jobs):
            self.run("scancel", "--quiet", *ids, check=False)

    def _stop_sessions(self) -> set[str]:
        """Stop every session as the Hub does, which reaches its agent at once; Slurm's own signal takes seconds.

        Return the names of their jobs.
        """
        portal = f"http://127.0.0.1:{self.ports['portal']}/services/portal/internal"
        with httpx2.Client(headers={"Authorization": f"Bearer {self.secret('hub_key')}"}, timeout=60) as hub:
            alive = hub.get(f"{portal}/alive").json()["sessions"]
            for session_id in (value for value, exit_code in alive.items() if exit_code is None):
                hub.post(f"{portal}/sessions/{session_id}/stop", json={"reason": "the next test"})
        return {f"dsp-{session_id}" for session_id in alive}

    def wait_for(self, condition: Callable[[], T], what: str, timeout_s: float = PATIENCE_S, every_s: float = 0.1) -> T:
        """Return the first true value of `condition`; fail, naming what was awaited, if none comes in time.

        Looks every `every_s` at first and less often the longer it takes: each look is work for the site.
        """
        began = time.monotonic()
        while not (value := condition()):
            if (waited := time.monotonic() - began) > timeout_s:
                raise AssertionError(f"Waited {timeout_s:.0f} s in vain for {what}.")
            time.sleep(max(every_s, min(waited / 20, SELDOM_S)))
        return value

    def dev(self, *arguments: str, timeout_s: float = 120) -> str:
        # As root, what ./dev becomes: before that it looks for what it may have to install, half a second of a core.
        dev = ["/usr/bin/python3", "-m", "demo"] if os.geteuid() == 0 else ["./dev"]
        done = subprocess.run(
            [*dev, *arguments],
            cwd=CLONE,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"./dev {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    @property
    def _environment(self) -> Mapping[str, str]:
        return {**os.environ, "DSP_DEMO_DIR": str(self.folder), "DSP_DEMO_HOSTS": self.hosts}


class Front(httpx2.Client):
    """A client of a site's proxy; paths go to the host that serves them."""

    def __init__(self, site: DemoSite, **options: Any) -> None:
        super().__init__(**options)
        self._site = site

    def build_request(self, method: str, url: httpx2.URL | str, **options: Any) -> httpx2.Request:
        return super().build_request(method, self._site.at(url) if isinstance(url, str) else url, **options)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def demo_site(*options: str, hosts: str = "each") -> Iterator[DemoSite]:
    """Start a site in its own folder; take it down and remove the folder at the end.

    `hosts` is its DSP_DEMO_HOSTS. DSP_TEST_SITE names the folder of a running site to use instead, which saves the
    start.
    """
    if (running := os.environ.get("DSP_TEST_SITE")) and hosts == "each":
        yield DemoSite(Path(running).resolve())
        return
    folder = Path(tempfile.mkdtemp(prefix="portal-demo-"))
    site = DemoSite(folder, hosts=hosts)
    try:
        site.dev("run", "--background", "--port", "0", *options, timeout_s=UP_TIMEOUT_S)
        yield site
    finally:
        site.dev("stop")
        remove(folder)


def keep_logs(site: DemoSite) -> Path:
    """Copy the site's logs to test-results for diagnosis."""
    kept = RESULTS / "site-log"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(site.folder / "log", kept)
    return kept


def remove(folder: Path) -> None:
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    subprocess.run([*sudo, "rm", "-rf", "--one-file-system", "--", folder], check=True)


@contextmanager
def setting(site: DemoSite, text: str, *, replace: tuple[str, str] = ("", "")) -> Iterator[None]:
    """Run the portal with additions to its portal.toml, or with something replaced in it."""
    file = INSIDE / "portal" / "portal.toml"
    before = site.run("cat", str(file))
    site.run("tee", str(file), stdin=f"{before.replace(*replace) if replace[0] else before}\n{text}\n")
    site.restart("portal")
    try:
        yield
    finally:
        site.run("tee", str(file), stdin=before)
        site.restart("portal")
