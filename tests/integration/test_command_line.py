"""The command line as a user has it, against a running site."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from portal.cli import app
from tests.demo_site import CLONE, DemoSite
from tests.person import Person

Command = Callable[..., Result]
Portal = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def portal(site: DemoSite, tmp_path: Path) -> Portal:
    """Run `portal …` with a home of its own and nothing else from the shell."""

    def run(*arguments: str, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PORTAL_URL": site.url, "COLUMNS": "200", **environ}
        program = CLONE / ".venv" / "bin" / "portal"
        return subprocess.run(
            [program, *arguments], env=env, input=stdin, capture_output=True, text=True, timeout=120, check=False
        )

    return run


@pytest.fixture
def command(site: DemoSite, person: Callable[[str], Person]) -> Command:
    """Run a command as somebody within this process: many of them, without the start of a Python for each."""

    def run(username: str, *arguments: str, answer: str = "") -> Result:
        env = {"PORTAL_URL": site.url, "PORTAL_TOKEN": person(username).token, "COLUMNS": "200"}
        return CliRunner().invoke(app, arguments, input=answer, env=env)

    return run


@pytest.fixture
def logged_in(site: DemoSite, portal: Portal) -> Portal:
    done = portal("login", "--username", "alice", stdin=site.accounts["alice"].password + "\n")
    assert done.returncode == 0, done.stderr
    return portal


def test_command_line_starts_lists_and_stops_a_session(site: DemoSite, logged_in: Portal) -> None:
    started = logged_in("sessions", "start", "--gpus", "2", "--hours", "1", "--name", "By hand")
    assert started.returncode == 0, started.stderr
    assert "Asked for 2 × V100" in started.stdout
    assert f"Open {site.sessions_url('alice')}/user/alice/by-hand-" in started.stdout
    listed = logged_in("sessions", "list")
    assert "By hand" in listed.stdout
    assert "ready" in listed.stdout
    (session,) = json.loads(logged_in("sessions", "list", "--json").stdout)
    assert (session["name"], session["resources"]["gpus"], session["resources"]["walltime_s"]) == ("By hand", 2, 3600)
    logs = logged_in("sessions", "logs", session["id"])
    assert "Jupyter Server" in logs.stdout
    stopped = logged_in("sessions", "stop", session["id"])
    assert (stopped.returncode, stopped.stdout.strip()) == (0, "You stopped it.")
    assert site.jobs("--user=alice") == []
    assert "By hand" not in logged_in("sessions", "list").stdout
    assert "By hand" in logged_in("sessions", "list", "--ended").stdout


def test_command_line_prints_json_for_scripts(site: DemoSite, logged_in: Portal) -> None:
    done = logged_in("sessions", "start", "--gpus", "0", "--json")
    session = json.loads(done.stdout)
    assert (done.returncode, session["state"], session["resources"]["gpus"]) == (0, "ready", 0)


def test_command_line_says_what_policy_refuses_and_fails(site: DemoSite, logged_in: Portal) -> None:
    done = logged_in("sessions", "start", "--gpus", "5")
    assert done.returncode != 0
    assert "Ask for 4 or fewer" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert site.jobs() == []


def test_administrators_commands_show_act_and_are_audited(site: DemoSite, command: Command) -> None:
    node = site.nodes[-1]
    batch = ("sbatch", "--parsable", "--hold", "--job-name=x\x1b]0;mine\x07", "--wrap", "sleep 60")
    job = site.run(*batch, user="bob").strip()

    def did(*arguments: str) -> str:
        done = command("admin", *arguments)
        assert done.exit_code == 0, (arguments, done.output, done.exception)
        return done.stdout

    assert "alice" in did("people", "list")
    assert "administrator" in did("people", "show", "admin")
    assert {load["name"] for load in json.loads(did("people", "groups", "--json"))} >= {"vision", "portal-admins"}
    did("limits", "set", "--group", "physics", "--gpus", "3")
    assert "3 GPUs at once" in did("people", "groups", "physics")
    did("limits", "remove", "--group", "physics")
    refused = command("admin", "nodes", "drain", node, "--reason", "New fans", answer="n\n")
    assert (refused.exit_code, "Aborted" in refused.output) == (1, True)
    assert "Drained" in did("nodes", "drain", node, "--reason", "New fans", "--yes")
    try:
        assert "New fans" in did("nodes", "show", node)
        assert json.loads(did("nodes", "show", node, "--json"))["draining"]
    finally:
        assert "Back in service" in did("nodes", "resume", node)
    site.wait_for(lambda: job in did("jobs-admin", "list", job), "the job to be listed", every_s=1)
    assert "\x1b" not in did("jobs-admin", "list", job), "names give no orders to the terminal"
    assert "bob" in command("admin", "jobs-admin", "cancel", job, answer="n\n").stdout
    assert "done" in did("jobs-admin", "cancel", job, "--yes")
    assert "slurmctld" in command("admin", "health").stdout
    assert did("usage", "report", "--by", "month", "--csv").startswith("month,")
    assert json.loads(did("sessions", "list", "--all", "--json")) == []
    assert "There is no node nowhere" in str(command("admin", "nodes", "show", "nowhere").exception)
    actions = [load["action"] for load in json.loads(did("audit", "--actor", "admin", "--limit", "9", "--json"))]
    assert {"node.drain", "node.resume", "limit.set", "limit.remove", "job.cancel"} <= set(actions)
    for words in (("nodes", "list"), ("people", "list"), ("audit",), ("health",), ("usage", "report")):
        assert "administrators" in str(command("alice", *words).exception), words


def test_command_line_fails_for_a_session_that_is_not_there(logged_in: Portal) -> None:
    for command in ("stop", "logs"):
        done = logged_in("sessions", command, "abcdefghijkm")
        assert done.returncode != 0
        assert "There is no session abcdefghijkm" in " ".join(done.stderr.split())


def test_login_keeps_the_token_for_its_owner_alone(logged_in: Portal, tmp_path: Path) -> None:
    token = tmp_path / ".config" / "portal" / "token"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert stat.S_IMODE(token.parent.stat().st_mode) == 0o700


def test_login_with_a_wrong_password_fails_with_words(portal: Portal) -> None:
    done = portal("login", "--username", "alice", stdin="not this\n")
    assert done.returncode != 0
    assert "Wrong user name or password" in done.stderr
    assert "Traceback" not in done.stderr


def test_command_line_without_login_says_how_to_log_in(portal: Portal) -> None:
    done = portal("sessions", "list")
    assert done.returncode != 0
    assert "portal login" in done.stderr


def test_command_line_says_when_the_portal_does_not_answer(portal: Portal) -> None:
    done = portal("sessions", "list", PORTAL_URL="http://127.0.0.1:9", PORTAL_TOKEN="any")
    assert done.returncode != 0
    assert "does not answer" in " ".join(done.stderr.split())
