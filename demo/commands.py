"""What ./dev does with a demo site from outside: start it, follow it, query it, enter it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from demo import control
from demo.claims import Claims, require_free
from demo.namespace import BIN
from demo.processes import PATH
from demo.site import CLONE, INSIDE, Site, SiteError, chosen

SUPERVISOR_WITHIN_S = 60  # on a busy machine; usually a third of a second
ENDING_WITHIN_S = 30  # from the last message to the end of the last process
UNSHARE = (
    *("unshare", "--mount", "--propagation", "private", "--uts"),
    *("--pid", "--fork", "--kill-child=KILL", "--mount-proc"),
)


def preflight(folder: Path, port: int) -> None:
    """Raise SiteError if a site cannot start here: one is already running, the port is taken, or there is no root."""
    running = is_running(folder)
    if running:
        raise SiteError(f"The site is already running at {running['url']}.", advice="./dev stop ends it.")
    if port and not 1024 <= port <= 65535:
        raise SiteError(f"{port} is not a usable port.", advice="Take one from 1024 to 65535, or 0 for any free one.")
    require_free(port)
    chosen()


def is_running(folder: Path) -> dict[str, Any] | None:
    try:
        status: dict[str, Any] = control.result(folder, do="status")
    except control.NotRunning:
        return None
    return status


def run(folder: Path, port: int, *, background: bool, fresh: bool, with_web: bool) -> int:
    preflight(folder, port)
    if os.geteuid() != 0:
        raise SiteError("A demo site needs root.", advice="Run it as root, or as a user who may use sudo.")
    claims = Claims()
    port = claims.front_port(port)
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    (folder / "run").mkdir(exist_ok=True)
    shutil.rmtree(folder / "log.before", ignore_errors=True)
    if (folder / "log").exists():
        (folder / "log").rename(folder / "log.before")
    (folder / "log").mkdir(mode=0o700)
    shutil.chown(folder / "log", CLONE.stat().st_uid)
    slot = claims.slot()
    site = Site(
        folder=folder,
        clone=CLONE,
        port=port,
        slot=slot,
        ports=claims.inner_ports(slot),
        **chosen(),
    )
    order = json.dumps({**site.as_json(), "with_web": with_web})
    with (folder / "log" / "supervisor.log").open("ab") as log:
        supervisor = subprocess.Popen(
            [*UNSHARE, "/usr/bin/python3", "-m", "demo.supervise", order],
            cwd=CLONE,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=claims.files,
        )
    claims.close()
    return _follow(folder, supervisor, background=background, with_web=with_web)


def _follow(folder: Path, supervisor: subprocess.Popen[bytes], *, background: bool, with_web: bool) -> int:
    """Show the site's messages until it is up (in the background) or has ended."""
    _await_socket(folder, supervisor)
    interrupts = 0

    def interrupted(*_: object) -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts == 1:
            print("\nStopping (once more: at once) …", flush=True)
            os.kill(control.first_process(folder), signal.SIGTERM)
        else:
            supervisor.kill()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    with control.connect(folder) as connection:
        connection.sendall(json.dumps({"do": "follow", "owner": not background}).encode() + b"\n")
        for line in connection.makefile():
            answer = json.loads(line)
            if "say" in answer:
                print(answer["say"], flush=True)
            elif "started" in answer:
                _greet(folder, answer["started"]["url"] if with_web else "Slurm and directory are up.")
                if background:
                    return 0
    try:
        supervisor.wait(ENDING_WITHIN_S)
    except subprocess.TimeoutExpired:
        raise SiteError(
            "The site has stopped reporting its progress.", advice="See ./dev status, or end it: ./dev stop"
        ) from None
    if supervisor.returncode not in (0, -signal.SIGKILL):
        return 1
    print("Everything is stopped.")
    return 0


def _await_socket(folder: Path, supervisor: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + SUPERVISOR_WITHIN_S
    while True:
        try:
            with control.connect(folder):
                return
        except control.NotRunning:
            pass
        if supervisor.poll() is not None or time.monotonic() > deadline:
            supervisor.kill()
            tail = (folder / "log" / "supervisor.log").read_text(errors="replace").splitlines()[-10:]
            raise SiteError(
                "The site's supervisor did not start:\n" + "\n".join(f"    {line}" for line in tail),
                advice="It needs root with mount and PID namespaces; a container needs --privileged (CAP_SYS_ADMIN).",
            )
        time.sleep(0.02)


def _greet(folder: Path, headline: str) -> None:
    """Print the site's address and who may log in."""
    accounts = folder / "accounts.json"
    print(f"\n  {headline}\n")
    if accounts.exists():
        for account in json.loads(accounts.read_text()):
            note = "  (administrator)" if account["admin"] else ""
            print(f"    {account['username']:8} {account['password']}{note}")
    print("\n  To stop it: ./dev stop, or Ctrl-C in the foreground.\n", flush=True)


def stop(folder: Path) -> int:
    try:
        process = Path("/proc") / str(control.first_process(folder))
        for answer in control.ask(folder, do="stop"):
            if "say" in answer:
                print(answer["say"], flush=True)
    except control.NotRunning:
        print(f"No demo site runs in {folder}.")
        return 0
    deadline = time.monotonic() + 10
    while process.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    print("Everything is stopped.")
    return 0


def status(folder: Path, *, as_json: bool) -> int:
    result = control.result(folder, do="status")
    if as_json:
        print(json.dumps(result, indent=2))
        return 0
    print(f"{result['url']}  {'up' if result['up'] else 'starting'}  {folder}")
    for service in result["services"]:
        since = f"{service['up_s']:.0f} s" if service["up_s"] is not None else ""
        print(f"  {service['name']:12} {service['state']:9} {since:>9}  {service['title']}")
    return 0


def logs(folder: Path, name: str | None, *, follow: bool) -> int:
    stem = sorted(path.stem for path in (folder / "log").glob("*.log"))
    if name is None:
        print("\n".join(stem))
        return 0
    if name not in stem:
        raise SiteError(f"There is no log {name!r}.", advice=f"There are: {', '.join(stem) or 'none yet'}")
    path = folder / "log" / f"{name}.log"
    return subprocess.run(["tail", "-n", "+1" if not follow else "50", *(["-F"] if follow else []), path]).returncode


def act(folder: Path, verb: str, name: str) -> dict[str, Any]:
    done: dict[str, Any] = control.result(folder, do=verb, name=name)
    return done


def inside(folder: Path, command: list[str], *, user: str = "root") -> list[str]:
    """Return the argv that runs a command inside the site as one of its users, with a login environment."""
    pid = control.first_process(folder)
    uid, gid, home = _account(pid, user)
    environment = [f"PATH={BIN}:{PATH}", f"HOME={home}", f"USER={user}", f"LOGNAME={user}", "LANG=C.UTF-8"]
    environment += [f"SLURM_CONF={INSIDE}/slurm/etc/slurm.conf", f"PORTAL_CONFIG={INSIDE}/portal/portal.toml"]
    environment += [
        f"PORTAL_URL={control.result(folder, do='status')['url']}",
        f"TERM={os.environ.get('TERM', 'dumb')}",
    ]
    identity = [] if user == "root" else ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--init-groups"]
    enter = ["nsenter", f"--target={pid}", "--mount", "--uts", "--pid", "--root", "--wdns=/"]
    return [*enter, "env", "-i", *environment, *identity, *command]


def _account(pid: int, user: str) -> tuple[str, str, str]:
    """Return uid, gid and home of an account, as the site's first process sees it."""
    for line in Path(f"/proc/{pid}/root/etc/passwd").read_text().splitlines():
        name, _, uid, gid, _, home, _ = line.split(":")
        if name == user:
            return uid, gid, home
    raise SiteError(f"The site has no account {user!r}.")


def execute(folder: Path, command: list[str], *, user: str) -> int:
    if not command:
        raise SiteError("There is no command to run.", advice="For example: ./dev exec squeue")
    if os.geteuid() != 0:
        raise SiteError("Entering the site needs root.")
    sys.stdout.flush()
    argv = inside(folder, command, user=user)
    os.execvp(argv[0], argv)
