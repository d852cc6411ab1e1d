"""The agent from hello to end, as a process against a pretended portal."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent.job.early import HEADER
from agent.job.processes import descendants
from tests.unit.agent.conftest import APP, Agent, FakePortal, until

Start = Callable[..., Agent]
NEVER_LISTENS = "import time\nwhile True: time.sleep(1)"
# What waits in the app's place until it is there.
EARLY = APP.replace("self.end_headers()", f'self.send_header("{HEADER}", "1"); self.end_headers()')
# Starts a grandchild that leaves its session and ignores SIGTERM, says its pid, then serves.
IGNORES = "import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
STUBBORN = f"""
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {IGNORES!r}], start_new_session=True)
open(os.environ["HOME"] + "/pid", "w").write(str(child.pid))
{APP}"""
# Is a new process every few milliseconds, whose parent has ended; the file grows while any of them runs.
HOPS = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
until = time.monotonic() + 20
while time.monotonic() < until:
    if os.fork():
        os._exit(0)
    with open(sys.argv[1], "a") as file:
        file.write(".")
    time.sleep(0.005)
"""

PROXY = {
    "base_url": "/user/alice/x/",
    "public_url": "https://portal.example",
    "portal_url": "https://portal.example/services/portal/",
    "own_host": False,
    "listen": "port",
    "strip_prefix": False,
    "headers": {},
    "cookies": [],
    "user_header": "",
    "user_cookie": "",
    "hub": {
        "JUPYTERHUB_API_URL": "http://127.0.0.1:9/hub/api",
        "JUPYTERHUB_CLIENT_ID": "service",
        "JUPYTERHUB_OAUTH_CALLBACK_URL": "/user/alice/x/oauth_callback",
        "JUPYTERHUB_OAUTH_ACCESS_SCOPES": "[]",
    },
    "api_token": "token",
}


def test_agent_says_who_it_is_and_when_the_app_is_ready(portal: FakePortal, start_agent: Start) -> None:
    agent = start_agent()
    hello = portal.wait_for("hello")
    ready = portal.wait_for("ready")
    assert hello["session"] == "abc123abc123"
    assert hello["secret"] == "s3cret"
    assert len(hello["key"]) == 64
    assert (hello["job_id"], hello["node"], hello["gpus"]) == ("77", "node001", "0,1")
    assert hello["host"] == "127.0.0.1"
    assert ready["ip"] == "127.0.0.1"
    assert 20000 <= ready["port"] <= 60000
    report = portal.wait_for("report")
    assert set(report) == {
        "cpu_percent",
        "memory_mib",
        "gpus",
        "activity",
        "connections",
        "memory_kills",
        "memory_killed_at",
        "ports",
    }
    assert report["memory_mib"] > 0
    authorization = portal.requests[-1][2]
    assert authorization == f"Bearer abc123abc123:{hello['key']}"
    agent.process.send_signal(signal.SIGTERM)
    assert agent.wait() == 0
    assert portal.wait_for("ended")["code"] == "stopped"


def test_agent_told_twice_to_end_ends_once(portal: FakePortal, start_agent: Start) -> None:
    """Later versions of Slurm signal every process of a step, and the job's script passes on what it gets."""
    agent = start_agent()
    portal.wait_for("ready")
    agent.process.send_signal(signal.SIGTERM)
    agent.process.send_signal(signal.SIGTERM)
    assert agent.wait() == 0
    assert [ended["code"] for ended in portal.bodies("ended")] == ["stopped"]


def test_hello_is_repeated_while_the_portal_is_down_or_has_nothing_yet(portal: FakePortal, start_agent: Start) -> None:
    portal.answers["hello"] = [(503, None), (502, {"error": {}}), (202, {}), (200, {"launch": {}})]
    start_agent()
    portal.answers["hello"][-1] = (200, {"launch": portal.launch})
    portal.wait_for("ready")
    assert len({body["key"] for body in portal.bodies("hello")}) == 1
    assert len(portal.bodies("hello")) == 4


def test_hello_and_ready_are_said_again_when_the_portal_has_lost_them(portal: FakePortal, start_agent: Start) -> None:
    portal.answers["report"] = [(200, {"stop": False}), (401, {"error": {}}), (200, {"stop": False})]
    agent = start_agent()
    first, again = portal.wait_for("hello", 1), portal.wait_for("hello", 2)
    assert again == first | {"again": True}
    assert portal.wait_for("ready", 2) == portal.wait_for("ready", 1)
    portal.wait_for("report", 4)
    assert agent.process.poll() is None


def test_agent_that_the_portal_does_not_know_yet_goes_on_asking(portal: FakePortal, start_agent: Start) -> None:
    portal.answers["report"] = [(401, {"error": {}})]
    portal.answers["hello"] = [(200, {"launch": {}}), (401, {"error": {}})]
    agent = start_agent()
    portal.answers["hello"][0] = (200, {"launch": portal.launch})
    portal.wait_for("report", 2)
    portal.answers |= {"report": [(200, {"stop": False})], "hello": [(202, {})]}
    portal.wait_for("report", 4)
    assert agent.process.poll() is None
    assert portal.bodies("ended") == []


def test_agent_gives_up_when_the_portal_refuses_it(portal: FakePortal, start_agent: Start) -> None:
    portal.answers["hello"] = [(403, {"error": {"message": "Another agent is registered for this session."}})]
    agent = start_agent()
    assert agent.wait() == 1
    assert "Another agent is registered for this session." in agent.text()
    assert len(portal.bodies("hello")) == 1


def test_agent_without_its_variables_says_which_is_missing(start_agent: Start) -> None:
    agent = start_agent(environ={"DSP_PORTAL": "ftp://x"})
    assert agent.wait() == 2
    assert "DSP_PORTAL" in agent.text()


def test_app_gets_a_closed_environment(portal: FakePortal, start_agent: Start) -> None:
    program = 'import json,os; json.dump(dict(os.environ), open(os.environ["HOME"] + "/env", "w"))\n' + APP
    agent = start_agent(
        sys.executable, "-c", program, "{ip}", "{port}",
        environ={"SLURM_JOB_GPUS": "0,1", "LD_PRELOAD": "", "ADMIN_TOKEN": "x", "DSP_OTHER": "x"},
        env={"JUPYTERHUB_SERVICE_URL": "http://{ip}:{port}/user/alice/x/", "PATH": "/p/bin", "DSP_SECRET": "y"},
    )  # fmt: skip
    port = portal.wait_for("ready")["port"]
    seen = json.loads((agent.home / "env").read_text())
    assert seen["SLURM_JOB_GPUS"] == seen["CUDA_VISIBLE_DEVICES"] == "0,1"
    assert seen["HOME"] == str(agent.home)
    assert seen["PATH"] == "/p/bin"
    assert seen["JUPYTERHUB_SERVICE_URL"] == f"http://127.0.0.1:{port}/user/alice/x/"
    assert not [name for name in seen if name.startswith("DSP_")]
    assert not {"ADMIN_TOKEN", "LD_PRELOAD"} & set(seen)
    assert seen["JUPYTER_RUNTIME_DIR"].startswith("/tmp/dsp-abc123abc123-")


def test_nothing_of_the_app_is_left_after_a_stop(portal: FakePortal, start_agent: Start) -> None:
    agent = start_agent(sys.executable, "-c", STUBBORN, "{ip}", "{port}")
    portal.wait_for("ready")
    stubborn = int((agent.home / "pid").read_text())
    portal.answers["report"] = [(200, {"stop": True, "ends_at": None})]
    assert agent.wait() == 0
    assert portal.wait_for("ended")["code"] == "stopped"
    assert not Path(f"/proc/{stubborn}").exists()


def test_agent_stops_everything_when_the_session_is_gone(portal: FakePortal, start_agent: Start) -> None:
    portal.answers["report"] = [(410, None)]
    agent = start_agent()
    assert agent.wait() == 0
    assert portal.bodies("ended") == []


def test_app_runs_on_while_the_portal_is_away(portal: FakePortal, start_agent: Start) -> None:
    portal.answers["ready"] = [(503, None), (503, None), (204, None)]
    portal.answers["report"] = [(500, None), (200, {"stop": False})]
    agent = start_agent()
    portal.wait_for("ready", 3)
    portal.wait_for("report", 3)
    assert agent.process.poll() is None


def test_end_names_exit_code_and_last_lines_when_the_app_dies(portal: FakePortal, start_agent: Start) -> None:
    agent = start_agent(sys.executable, "-c", "import sys; print('no such module: lab'); sys.exit(3)")
    assert agent.wait() == 1
    ended = portal.wait_for("ended")
    assert (ended["code"], ended["exit_code"], ended["signal"]) == ("app_failed", 3, None)
    assert "before it was ready, with exit code 3" in ended["text"]
    assert "no such module: lab" in ended["log_tail"]
    assert "no such module: lab" in agent.text()


def test_end_names_the_signal_when_the_app_is_killed(portal: FakePortal, start_agent: Start) -> None:
    program = "import os,threading; threading.Timer(0.5, lambda: os.kill(os.getpid(), 9)).start()\n" + APP
    start_agent(sys.executable, "-c", program, "{ip}", "{port}")
    ended = portal.wait_for("ended")
    assert (ended["code"], ended["exit_code"], ended["signal"]) == ("app_failed", None, 9)
    assert "SIGKILL" in ended["text"]


#: Ends by itself as soon as the file is there.
ENDS_ONCE_SHUT_DOWN = """
import os, threading, time
def end():
    while not os.path.exists(%r):
        time.sleep(0.02)
    os._exit(0)
threading.Thread(target=end, daemon=True).start()
"""


def test_end_is_finished_when_the_app_is_shut_down_from_within(
    portal: FakePortal, start_agent: Start, tmp_path: Path
) -> None:
    shut_down = tmp_path / "shut-down"
    agent = start_agent(sys.executable, "-c", ENDS_ONCE_SHUT_DOWN % str(shut_down) + APP, "{ip}", "{port}")
    portal.wait_for("ready")
    shut_down.touch()
    assert portal.wait_for("ended")["code"] == "finished"
    assert agent.wait() == 0


def test_reason_of_the_end_waits_for_a_portal_that_restarts(portal: FakePortal, start_agent: Start) -> None:
    portal.answers["ended"] = [*[(503, None)] * 4, (204, None)]
    start_agent(sys.executable, "-c", "raise SystemExit(3)")
    assert portal.wait_for("ended", 5)["code"] == "app_failed"


def test_app_that_never_listens_is_ended_with_its_reason(portal: FakePortal, start_agent: Start) -> None:
    agent = start_agent(sys.executable, "-c", NEVER_LISTENS, start_timeout_s=0.5)
    ended = portal.wait_for("ended")
    assert ended["code"] == "start_timeout"
    assert agent.wait() == 1
    assert portal.bodies("ready") == []


def test_session_opens_while_a_page_waits_for_the_app(portal: FakePortal, start_agent: Start) -> None:
    start_agent(sys.executable, "-c", EARLY, "{ip}", "{port}", start_timeout_s=1.5)
    portal.wait_for("ready")
    assert portal.wait_for("ended")["code"] == "start_timeout"
    assert len(portal.bodies("ready")) == 1


def test_app_that_dies_while_its_page_waits_was_never_ready(portal: FakePortal, start_agent: Start) -> None:
    dies = "import os, threading\nthreading.Timer(0.5, os._exit, [3]).start()"
    start_agent(sys.executable, "-c", dies + EARLY, "{ip}", "{port}")
    portal.wait_for("ready")
    assert "before it was ready, with exit code 3" in portal.wait_for("ended")["text"]


@pytest.mark.parametrize("proxied", [False, True])
def test_app_that_has_no_page_at_its_ready_path_is_not_ready(
    portal: FakePortal, start_agent: Start, proxied: bool
) -> None:
    proxy = {"proxy": PROXY} if proxied else {}
    start_agent(sys.executable, "-c", APP.replace("200", "404"), "{ip}", "{port}", start_timeout_s=1.5, **proxy)
    ended = portal.wait_for("ended")
    assert (ended["code"], portal.bodies("ready")) == ("start_timeout", [])
    assert "not ready within 2 s after its start. It last answered HTTP 404 at /user/alice/x/api." in ended["text"]


def test_app_that_asks_for_a_login_is_ready(portal: FakePortal, start_agent: Start) -> None:
    start_agent(sys.executable, "-c", APP.replace("200", "401"), "{ip}", "{port}")
    portal.wait_for("ready")


def test_a_process_that_moves_on_all_the_time_ends_with_its_session(
    portal: FakePortal, start_agent: Start, tmp_path: Path
) -> None:
    hops = tmp_path / "hops"
    program = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {HOPS!r}, sys.argv[3]])\n"
    agent = start_agent(sys.executable, "-c", program + APP, "{ip}", "{port}", str(hops))
    portal.wait_for("ready")
    until(hops.exists, "the process to run")
    agent.process.send_signal(signal.SIGTERM)
    agent.wait()
    size = hops.stat().st_size
    time.sleep(0.3)  # sixty hops, if any of them still ran
    assert hops.stat().st_size == size


def test_what_the_session_wrote_on_the_node_is_gone_after_it(
    portal: FakePortal, start_agent: Start, tmp_path: Path
) -> None:
    program = (
        "import os, sys; where = sys.argv[3] + '/tmp/locked'; os.makedirs(where)\n"
        "open(where + '/file', 'w').close(); os.symlink(sys.argv[4], where + '/link'); os.chmod(where, 0o500)\n"
    )
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o755)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    agent = start_agent(
        *(sys.executable, "-c", program + APP, "{ip}", "{port}", "{folder}", str(kept)),
        environ={"TMPDIR": str(scratch)},
    )
    portal.wait_for("ready")
    assert len(list(scratch.iterdir())) == 1
    agent.process.send_signal(signal.SIGTERM)
    agent.wait()
    assert list(scratch.iterdir()) == []
    assert stat.S_IMODE(kept.stat().st_mode) == 0o755


def test_folder_of_a_session_that_was_killed_goes_with_the_next_and_one_in_use_stays(
    portal: FakePortal, start_agent: Start, tmp_path: Path
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    older = scratch / "dsp-older0older0-x"  # without a lock: an agent of before, perhaps running
    older.mkdir()
    environ = {"TMPDIR": str(scratch)}
    killed = start_agent(environ=environ)
    portal.wait_for("ready")
    left = descendants(killed.process.pid)
    for pid in (killed.process.pid, *left):
        os.kill(pid, signal.SIGKILL)
    killed.process.wait()
    first = start_agent(environ=environ)
    portal.wait_for("ready", 2)
    until(
        lambda: "killed sessions had left on this node: 1" in first.text(), "the killed session's folder to be deleted"
    )
    start_agent(environ=environ)
    portal.wait_for("ready", 3)
    assert len(list(scratch.iterdir())) == 3


def test_app_that_cannot_be_started_is_said_in_words(portal: FakePortal, start_agent: Start) -> None:
    start_agent("/nowhere/bin/python")
    ended = portal.wait_for("ended")
    assert ended["code"] == "app_failed"
    assert "/nowhere/bin/python" in ended["text"]


def test_missing_home_is_said_in_words(portal: FakePortal, start_agent: Start) -> None:
    start_agent(environ={"HOME": "/nowhere/alice"})
    assert "/nowhere/alice does not exist on this node" in portal.wait_for("ended")["text"]


def test_somebody_else_on_the_port_is_never_reported_as_the_app(portal: FakePortal, start_agent: Start) -> None:
    program = (
        "import os,sys,time\n"
        "path = os.environ['HOME'] + '/port'\n"
        "if not os.path.exists(path):\n"
        "    open(path + '.new', 'w').write(sys.argv[2]); os.rename(path + '.new', path); time.sleep(60)\n"
    ) + APP
    agent = start_agent(sys.executable, "-c", program, "{ip}", "{port}")
    until((agent.home / "port").exists, "the first port")
    taken = int((agent.home / "port").read_text())
    with socket.create_server(("127.0.0.1", taken)):
        assert portal.wait_for("ready")["port"] != taken
    assert f"port {taken} is already in use" in agent.text()


def test_port_taken_while_the_app_starts_means_another_start(portal: FakePortal, start_agent: Start) -> None:
    """Nobody listens there: a connection that goes out has it."""
    program = (
        "import os,sys,time\n"
        "home = os.environ['HOME'] + '/'\n"
        "if not os.path.exists(home + 'port'):\n"
        "    open(home + 'new', 'w').write(sys.argv[2]); os.rename(home + 'new', home + 'port')\n"
        "    while not os.path.exists(home + 'taken'): time.sleep(0.01)\n"
        "    sys.exit('the port is in use')\n"
    ) + APP
    agent = start_agent(sys.executable, "-c", program, "{ip}", "{port}")
    until((agent.home / "port").exists, "the first port")
    taken = int((agent.home / "port").read_text())
    with socket.socket() as outgoing:
        outgoing.bind(("127.0.0.1", taken))
        (agent.home / "taken").touch()
        assert portal.wait_for("ready")["port"] != taken
    assert f"port {taken} is already in use" in agent.text()


def test_hostile_output_neither_blocks_nor_breaks_the_agent(portal: FakePortal, start_agent: Start) -> None:
    program = (
        "import os,sys\n"
        "os.write(1, b'\\x1b]0;evil\\x07' + b'\\xff\\xfe' + b'x' * 3_000_000 + b'\\x00\\r\\x1b[2Jlast words')\n"
        "sys.exit(5)"
    )
    start_agent(sys.executable, "-c", program)
    tail = portal.wait_for("ended")["log_tail"]
    assert tail.endswith("last words")
    assert len(tail) <= 4096
    assert not [c for c in tail if not c.isprintable() and c not in "\n\t"]


def test_full_log_does_not_stop_the_app(portal: FakePortal, start_agent: Start, tmp_path: Path) -> None:
    os.symlink("/dev/full", tmp_path / "log")
    agent = start_agent(sys.executable, "-c", "print('x' * 100000, flush=True)\n" + APP, "{ip}", "{port}")
    portal.wait_for("report", 2)
    assert agent.process.poll() is None


def test_time_limit_is_told_from_a_stop(portal: FakePortal, start_agent: Start) -> None:
    ends_at = (datetime.now(UTC) + timedelta(seconds=20)).isoformat()
    agent = start_agent(ends_at=ends_at, warn_before_s=[900, 19])
    portal.wait_for("ready")
    until(lambda: any("This session ends in" in body["message"] for body in portal.bodies("progress")), "a warning")
    agent.process.send_signal(signal.SIGTERM)
    assert portal.wait_for("ended")["code"] == "time_limit"
    warnings = [body for body in portal.bodies("progress") if "This session ends in" in body["message"]]
    assert len(warnings) == 1


def test_app_is_ended_in_order_when_its_time_is_up(portal: FakePortal, start_agent: Start) -> None:
    now = datetime.now(UTC)
    agent = start_agent(ends_at=(now + timedelta(seconds=50)).isoformat())
    portal.wait_for("ready")
    portal.answers["report"] = [(200, {"stop": False, "ends_at": now.isoformat()})]
    assert portal.wait_for("ended")["code"] == "time_limit"
    assert agent.wait() == 1


def test_job_that_somebody_cancels_is_told_from_the_time_limit(portal: FakePortal, start_agent: Start) -> None:
    now = datetime.now(UTC)
    portal.answers["report"] = [(200, {"stop": False, "ends_at": now.isoformat()})]
    agent = start_agent(ends_at=(now + timedelta(hours=1)).isoformat())
    assert portal.wait_for("ended")["code"] == "stopped"
    assert agent.wait() == 0


def test_links_and_templates_are_brought(portal: FakePortal, start_agent: Start, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text("{}")
    agent = start_agent(
        links=[{"name": "shared", "target": str(tmp_path)}],
        copies=[{"source": str(tmp_path / "a.ipynb"), "target": "templates/a.ipynb"}],
    )
    portal.wait_for("ready")
    until((agent.home / "templates" / "a.ipynb").exists, "the template")
    assert os.readlink(agent.home / "shared") == str(tmp_path)


DUMPABLE = """
import ctypes, os, subprocess, sys
from agent.job.processes import hide_memory
hidden = hide_memory()
get = "import ctypes; print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
print(hidden, ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), len(os.listdir("/proc/self/fd")) > 0, flush=True)
subprocess.run([sys.executable, "-c", get], check=True)
"""


def test_agent_hides_its_memory_and_what_it_starts_is_as_any_process() -> None:
    done = subprocess.run([sys.executable, "-c", DUMPABLE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "0", "True", "1"]
