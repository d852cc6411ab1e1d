"""SSH into sessions from a machine that reaches only the site's address, and requests that must be refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.demo_site import CLONE, DemoSite, setting
from tests.images import STANDARD_LIBRARY, add_python_kernel, write_root
from tests.laptop import PROGRAM, PYTHON, Laptop, laptop
from tests.person import Live, Person

SMALL = {"gpus": 0, "cpus": 1, "memory_mib": 2048}
ONE_GPU = {"gpus": 1}
HOME = "/run/portal-demo/home/alice"
NVIDIA_SMI = "#!/bin/sh\necho GPU $CUDA_VISIBLE_DEVICES of job $SLURM_JOB_ID\n"
#: Kills the relay above a process.
END_RELAY = """
while ! tr '\\0' ' ' </proc/$1/cmdline | grep -q serve-ssh; do set -- $(ps -o ppid= -p $1); done
kill -KILL $1
"""
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Portal-Ssh-Key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGcbM2dDnA9hPqmtTZ5qjkxQ8O5Yl9C5u1yHf0d7dQ5T",
}
MB = 1 << 20
#: Longer than the keepalives of OpenSSH's that count as use.
UNUSED_S = 75
SWITCHED_OFF = "SSH into sessions is switched off on this site, or for your groups."


@pytest.fixture(scope="module")
def alice(kept_site: DemoSite, person: Callable[[str], Person]) -> Person:
    kept_site.run("sh", "-c", f"mkdir -p ~/bin && printf '{NVIDIA_SMI}' >~/bin/nvidia-smi", user="alice")
    kept_site.run("chmod", "+x", f"{HOME}/bin/nvidia-smi", user="alice")
    return person("alice")


@pytest.fixture(scope="module")
def machine(kept_site: DemoSite) -> Iterator[Laptop]:
    """Alice's laptop, logged in."""
    with laptop(kept_site) as machine:
        machine.log_in("alice")
        yield machine


@pytest.fixture(scope="module")
def lab(alice: Person) -> Live:
    return alice.ready("bert", **ONE_GPU)


@pytest.fixture(scope="module")
def terminal(alice: Person) -> Live:
    live = alice.open("terminal", name="shell", resources=SMALL)
    live.until("ready")
    return live


def address(live: Live) -> str:
    """The session's own address, with a slash at the end."""
    return "/".join(urlsplit(live.now()["url"]).path.split("/")[:4]) + "/"


def ask(live: Live, token: str | None, **headers: str) -> httpx2.Response:
    """Request SSH as the program does; return the answer that comes instead of a connection."""
    authorization = {"Authorization": f"token {token}"} if token else {}
    url = live.site.at(address(live)) + ".portal/ssh"
    return httpx2.get(url, headers={**UPGRADE, **authorization, **headers}, timeout=30, follow_redirects=False)


def token_of(person: Person, **body: Any) -> str:
    response = person.hub("POST", "/tokens", json={"note": "tests", **body})
    assert response.status_code == 201, response.text
    return str(response.json()["token"])


# --- what a user does ---


def test_the_login_is_kept_for_its_user_alone_and_listed_with_the_devices_name(machine: Laptop, alice: Person) -> None:
    kept = machine.home / ".config/portal/device.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    device = json.loads(kept.read_text())
    [listed] = [token for token in alice.hub("GET", "/tokens").json()["api_tokens"] if token["note"] == machine.name]
    assert listed["expires_at"]
    own = {scope for scope in listed["scopes"] if scope.startswith(("access:servers", "custom:", "servers", "tokens"))}
    assert own == {"access:servers!user=alice", "custom:portal:files", "custom:portal:sessions"}
    url = f"{machine.site.hub_url}/hub/api/users/alice/tokens"
    made = httpx2.post(url, headers={"Authorization": f"token {device['token']}"}, json={"note": "wider"})
    assert made.status_code in (403, 404)


def test_two_machines_can_log_in_at_the_same_time(kept_site: DemoSite, person: Callable[[str], Person]) -> None:
    with laptop(kept_site) as one, laptop(kept_site) as other, one.logging_in("bob") as first:
        with other.logging_in("bob") as second:
            second()
        first()
        notes = [token["note"] for token in person("bob").hub("GET", "/tokens").json()["api_tokens"]]
        assert {one.name, other.name} <= set(notes)
        both = {f"device {one.name}", f"device {other.name}"}
        kept_site.wait_for(lambda: both <= logins(person("admin"), "bob"), "the audit log's entries")


def logins(admin: Person, actor: str) -> set[str]:
    """Return what this user has logged in to, from the audit log."""
    page = admin.api("GET", "/audit", params={"actor": actor, "action": "login"}).json()
    return {entry["target"] for entry in page["items"]}


def test_the_laptop_reaches_nothing_but_the_sites_address(machine: Laptop) -> None:
    port = machine.site.ports["portal"]
    look = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"
    assert "Connection refused" in machine.run(PYTHON, "-c", look, check=False).stderr


def test_sessions_are_started_and_stopped_and_jobs_read_without_any_package(machine: Laptop, alice: Person) -> None:
    def portal(*arguments: str, check: bool = True) -> str:
        done = machine.run(PYTHON, "-I", "-S", PROGRAM, *arguments, check=check)
        return done.stdout + done.stderr

    job = alice.api(
        "POST", "/jobs", json={"script": "#!/bin/sh\n#SBATCH --job-name=from-web\n#SBATCH --hold\n"}
    ).json()["id"]
    assert "from-web" in portal("jobs")
    assert "from-web" in portal("jobs", "show", str(job))
    assert "sxm2" in portal("cluster")
    asked = ("--app", "terminal", "--name", "typed", "--gpus", "0", "--cpus", "1", "--memory-gb", "2", "--hours", "1")
    session = json.loads(portal("sessions", "--json", "start", *asked))
    assert (session["name"], session["resources"]["walltime_s"]) == ("typed", 3600)
    assert "typed" in portal("sessions")
    assert portal("sessions", "stop", "typed") == "typed is ending.\n"
    assert Live(alice, session["id"]).ended()["end"]["code"] == "stopped"
    assert "at most" in portal("sessions", "start", "--gpus", "999", check=False)
    assert alice.api("POST", "/jobs/actions", json={"ids": [str(job)], "action": "cancel"}).status_code == 200


@pytest.mark.parametrize("name", ["lab", "terminal"])
def test_a_command_runs_in_the_session(machine: Laptop, name: str, request: pytest.FixtureRequest) -> None:
    live: Live = request.getfixturevalue(name)
    wanted = live.now()
    shown = machine.portal("ssh", wanted["name"], "id -un; pwd; echo $SLURM_JOB_ID; which python; exit 3", check=False)
    assert shown.stdout.splitlines() == [
        "alice",
        HOME,
        str(wanted["job_id"]),
        "/run/portal-demo/environments/base/bin/python",
    ]
    assert shown.returncode == 3


def test_a_command_has_the_sessions_gpus(machine: Laptop, lab: Live) -> None:
    shown = machine.portal("ssh", lab.id, "bin/nvidia-smi").stdout
    assert re.fullmatch(rf"GPU \d of job {lab.now()['job_id']}\n", shown)


def test_a_shell_has_a_terminal(machine: Laptop, terminal: Live) -> None:
    shown = machine.portal("ssh", "shell", "-tt", stdin="tty; echo $0 in $PWD; exit\n").stdout
    assert "/dev/pts/" in shown
    assert f"bash in {HOME}" in shown


def test_ssh_config_gives_editors_the_hosts_and_is_taken_out_again(machine: Laptop, lab: Live, terminal: Live) -> None:
    config = machine.home / ".ssh/config"
    config.parent.mkdir(mode=0o700, exist_ok=True)
    config.write_text("Host elsewhere\n    User me\n")
    assert "bert.portal, shell.portal" in machine.portal("ssh-config").stdout
    assert machine.run("ssh", "bert.portal", "echo $SLURM_JOB_ID").stdout.strip() == str(lab.now()["job_id"])
    assert "cipher: aes128-gcm@openssh.com" in machine.run("ssh", "-v", "bert.portal", "true").stderr
    assert machine.run("ssh", "elsewhere", "-G").stdout.splitlines()[1] == "user me"
    batch = machine.run("sftp", "-b", "-", "shell.portal", stdin="pwd\n").stdout
    assert f"working directory: {HOME}" in batch
    machine.portal("ssh-config", "--remove")
    assert config.read_text() == "Host elsewhere\n    User me\n"
    assert not (machine.home / ".ssh/portal").exists()


def test_a_new_session_of_the_same_name_frightens_nobody(machine: Laptop, alice: Person) -> None:
    keys = set()
    for _ in range(2):
        live = alice.open("terminal", name="again", resources=SMALL)
        live.until("ready")
        done = machine.portal("ssh", "again", "echo in")
        assert done.stdout == "in\n"
        assert "WARNING" not in done.stderr
        known = (machine.home / ".ssh/portal/known_hosts").read_text().splitlines()
        keys |= {line for line in known if line.startswith("again.portal ")}
    assert len(keys) == 2


def copied(machine: Laptop, size_mb: int) -> None:
    """Copy a file there and back, and compare it on each side."""
    machine.portal("ssh-config")
    there, back = machine.home / "there", machine.home / "back"
    with there.open("wb") as file:
        for _ in range(size_mb):
            file.write(os.urandom(MB))
    wanted = sha256(there)
    machine.run("scp", "-q", "/root/there", "bert.portal:there", timeout_s=600)
    assert machine.portal("ssh", "bert", "sha256sum there").stdout.split()[0] == wanted
    machine.run("scp", "-q", "bert.portal:there", "/root/back", timeout_s=600)
    assert sha256(back) == wanted
    machine.portal("ssh", "bert", "rm there")
    there.unlink()
    back.unlink()


def sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def test_scp_copies_both_ways(machine: Laptop, lab: Live) -> None:
    copied(machine, 200)


@pytest.mark.slow
def test_scp_copies_gigabytes_both_ways(machine: Laptop, lab: Live) -> None:
    copied(machine, 2048)


def test_rsync_brings_what_has_changed(machine: Laptop, lab: Live) -> None:
    machine.portal("ssh-config")
    tree = machine.home / "tree"
    for number in range(20):
        (tree / str(number % 3)).mkdir(parents=True, exist_ok=True)
        (tree / str(number % 3) / f"{number}.txt").write_text(f"first {number}")
    sync = ("rsync", "-a", "--delete", "--itemize-changes", "/root/tree/", "bert.portal:tree/")
    assert len(re.findall(r"^<f", machine.run(*sync).stdout, re.M)) == 20
    (tree / "1/1.txt").write_text("changed, and longer")
    (tree / "2/2.txt").unlink()
    changes = machine.run(*sync).stdout.splitlines()
    assert [line.split()[-1] for line in changes if line.startswith(("<f", "*del"))] == ["2/2.txt", "1/1.txt"]
    assert machine.portal("ssh", "bert", "cat tree/1/1.txt; ls tree/2 | wc -l").stdout == "changed, and longer5\n"


def test_git_clones_and_pushes(machine: Laptop, lab: Live) -> None:
    machine.portal("ssh-config")
    machine.portal("ssh", "bert", "rm -rf repo && git init -q --bare repo")
    machine.run("git", "clone", "-q", f"bert.portal:{HOME}/repo", "/root/repo")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    machine.run("git", "-C", "/root/repo", *who, "commit", "-q", "--allow-empty", "-m", "from the laptop")
    machine.run("git", "-C", "/root/repo", "push", "-q", "origin", "HEAD")
    assert "from the laptop" in machine.portal("ssh", "bert", "git -C repo log --all --oneline").stdout


def test_a_port_leads_to_a_server_in_the_session_while_another_connection_works(machine: Laptop, lab: Live) -> None:
    serve = (
        "import http.server, socketserver\n"
        "server = socketserver.TCPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\n"
        "print(server.server_address[1], flush=True)\n"
        "server.serve_forever()\n"
    )
    machine.portal("ssh", "bert", "mkdir -p served && echo of the session >served/page && cat >serve.py", stdin=serve)
    with machine.running("ssh", "bert", "cd served && exec python ../serve.py") as server:
        port = server.line().strip()
        with machine.running("ssh", "bert", "-L", f"127.0.0.1:5999:127.0.0.1:{port}", "echo up; cat") as forward:
            assert forward.line() == "up\n"
            get = "import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:5999/page').read().decode())"
            assert machine.run(PYTHON, "-c", get).stdout.strip() == "of the session"


def test_a_command_runs_in_the_sessions_image(machine: Laptop, alice: Person, kept_site: DemoSite) -> None:
    folder = kept_site.folder / "shared" / "ssh-image"
    root = write_root(folder)
    add_python_kernel(root, CLONE / ".cache/environments/base/lib" / STANDARD_LIBRARY.name / "site-packages")
    (root / "etc" / "made-for").write_text("the test of SSH\n")
    image = alice.api("POST", "/images", json={"path": "/run/portal-demo/shared/ssh-image", "title": "Mine"}).json()
    asked = {"app": "jupyterlab", "name": "imaged", "environment": image["environment"], "resources": ONE_GPU}
    response = alice.api("POST", "/sessions", json=asked)
    assert response.status_code == 202, response.text
    live = Live(alice, response.json()["id"])
    try:
        job = live.until("ready")["job_id"]
        inside = "cat /etc/made-for; echo $SLURM_JOB_ID; pwd; test -e /run/portal-demo/portal || echo hidden; exit 4"
        shown = machine.portal("ssh", "imaged", inside, check=False)
        assert (shown.stdout.splitlines(), shown.returncode) == (["the test of SSH", str(job), HOME, "hidden"], 4)
        gpus = live.kernel().run("import os; print(os.environ['CUDA_VISIBLE_DEVICES'])")
        assert machine.portal("ssh", "imaged", "echo $CUDA_VISIBLE_DEVICES").stdout == gpus
        shell = machine.portal("ssh", "imaged", "-tt", stdin="test -t 0 && cat /etc/made-for; exit\n", check=False)
        assert "the test of SSH" in shell.stdout
        machine.portal("ssh-config")
        machine.run("scp", "-q", "/root/portal.pyz", "imaged.portal:copied")
        assert machine.portal("ssh", "imaged", "test -s copied && cat /etc/made-for").stdout == "the test of SSH\n"
    finally:
        live.stop()
        live.ended()
        alice.api("DELETE", f"/images/{image['id']}")
        kept_site.run("rm", "-rf", "/run/portal-demo/shared/ssh-image")


# --- activity, and the end of a session ---


def used_at(live: Live) -> float:
    """Return when SSH into the session was last used, as its agent has it."""
    mark = f"/tmp/dsp-{live.id}-*/ssh/used"
    return float(live.site.run("sh", "-c", f"stat -c %.Y {mark}", user="alice"))


@pytest.mark.slow
def test_what_somebody_does_is_activity_and_an_open_connection_is_none(machine: Laptop, terminal: Live) -> None:
    with machine.running("ssh", "shell", "-tt", "while read word; do echo $word; done") as connected:
        connected.type("first")
        while "first" not in connected.line():
            pass
        before = used_at(terminal)
        time.sleep(UNUSED_S)
        assert used_at(terminal) == before
        connected.type("second")
        while "second" not in connected.line():
            pass
        terminal.site.wait_for(lambda: used_at(terminal) > before, "the agent to see the use")


def test_a_connected_user_is_told_of_the_time_limit_before_and_at_it(machine: Laptop, alice: Person) -> None:
    with setting(machine.site, "", replace=("[agent]\n", "[agent]\nwarn_before_s = [25]\n")):
        live = alice.open("terminal", name="minute", resources={**SMALL, "walltime_s": 60})
        live.until("ready")
    with machine.running("ssh", "minute", "echo in; sleep 600") as connected:
        assert connected.line() == "in\n"
        status, _, errors = connected.ended(within_s=120)
    assert re.search(r"portal: This session ends in 2\d seconds\. Save your work\.", errors)
    assert "portal: The session has reached its time limit." in errors
    assert status == 255


@pytest.mark.parametrize("app", ["jupyterlab", "terminal"])
def test_the_sessions_end_closes_the_connection_with_a_sentence(machine: Laptop, alice: Person, app: str) -> None:
    live = alice.open(app, name="short", resources=SMALL)
    live.until("ready")
    with machine.running("ssh", "short", "echo in; sleep 600") as connected:
        assert connected.line() == "in\n"
        live.stop()
        status, _, errors = connected.ended()
    assert "portal: The session was stopped." in errors
    assert status == 255
    late = machine.portal("ssh", "short", "true", check=False)
    assert re.search("session short is ending|no session short", late.stderr)


def test_a_connection_that_breaks_says_what_the_portal_knows(
    machine: Laptop, terminal: Live, kept_site: DemoSite
) -> None:
    with machine.running("ssh", "shell", "echo $$; sleep 600; true") as connected:
        kept_site.run("sh", "-c", END_RELAY, "sh", connected.line().strip(), user="alice")
        assert "the session is still running" in connected.ended()[2]


# --- everybody else ---


@pytest.mark.parametrize("name", ["lab", "terminal"])
def test_nobody_else_gets_in(
    name: str, person: Callable[[str], Person], alice: Person, request: pytest.FixtureRequest
) -> None:
    live: Live = request.getfixturevalue(name)
    refused = {302, 400, 403, 404}
    assert ask(live, None).status_code in refused
    assert ask(live, "0" * 32).status_code in refused
    assert ask(live, person("bob").token).status_code in refused
    assert ask(live, person("admin").token).status_code in refused
    narrow = token_of(alice, scopes=["access:services!service=portal", "custom:portal:sessions"])
    assert ask(live, narrow).status_code in refused
    page = ask(live, alice.token, Origin=live.site.sessions_url("alice"))
    assert page.status_code in refused
    assert ask(live, alice.token, **{"Portal-Ssh-Key": "command=id ssh-ed25519 AAAA"}).status_code == 503


@pytest.mark.parametrize("name", ["lab", "terminal"])
def test_a_cookie_opens_no_ssh(name: str, request: pytest.FixtureRequest) -> None:
    """A page of the session's own host may have the visitor's cookie; only programs have a token."""
    live: Live = request.getfixturevalue(name)
    with live.site.browser("alice") as browser:
        assert browser.get(address(live), headers={"Accept": "text/html"}).status_code == 200
        assert browser.get(f"{address(live)}.portal/ssh", headers=UPGRADE, follow_redirects=False).status_code == 400


@pytest.mark.parametrize("app", ["jupyterlab", "terminal"])
def test_a_site_allows_it_by_group(kept_site: DemoSite, person: Callable[[str], Person], app: str) -> None:
    """Alice is in vision, bob is not."""
    with setting(kept_site, '[policy.ssh]\ngroups = ["vision"]'):
        for name, refused in (("bob", True), ("alice", False)):
            owner = person(name)
            assert owner.api("GET", "/site").json()["ssh"] is not refused
            live = owner.open(app, name="by-group", resources=SMALL)
            live.until("ready")
            with laptop(kept_site) as own:
                own.log_in(name)
                own.portal("ssh-config")
                for done in (
                    own.portal("ssh", "by-group", "echo in", check=False),
                    own.run("ssh", "by-group.portal", "echo in", check=False),
                ):
                    assert (done.stdout, SWITCHED_OFF in done.stderr) == (("", True) if refused else ("in\n", False))
                copied = own.run("scp", "-q", "/root/portal.pyz", "by-group.portal:copied", check=False)
                assert (SWITCHED_OFF in copied.stderr) == refused
            assert (SWITCHED_OFF in ask(live, owner.token).text) == refused
            assert ask(live, person("carol").token).status_code in (302, 403, 404)
            live.stop()
            live.ended()


def test_an_expired_token_and_a_revoked_device_are_refused(kept_site: DemoSite, alice: Person, lab: Live) -> None:
    with laptop(kept_site) as other:
        other.log_in("alice")
        kept = other.home / ".config/portal/device.json"
        [device] = [token for token in alice.hub("GET", "/tokens").json()["api_tokens"] if token["note"] == other.name]
        assert alice.hub("DELETE", f"/tokens/{device['id']}").status_code == 204
        refused = other.portal("ssh", "bert", "true", check=False)
        assert "expired or was revoked" in refused.stderr
        assert ask(lab, json.loads(kept.read_text())["token"]).status_code in (302, 403)
        expired = token_of(alice, expires_in=1)
        kept.write_text(json.dumps({**json.loads(kept.read_text()), "token": expired}))
        kept_site.wait_for(lambda: alice_is_unknown(kept_site, expired), "the token to expire")
        assert "expired or was revoked" in other.portal("ssh", "bert", "true", check=False).stderr
        assert ask(lab, expired).status_code in (302, 403)


def test_revoking_a_device_ends_its_open_connections(kept_site: DemoSite, alice: Person, terminal: Live) -> None:
    with laptop(kept_site) as other:
        other.log_in("alice")
        [device] = [token for token in alice.hub("GET", "/tokens").json()["api_tokens"] if token["note"] == other.name]
        with other.running("ssh", "shell", "echo in; sleep 600") as connected:
            assert connected.line() == "in\n"
            assert alice.hub("DELETE", f"/tokens/{device['id']}").status_code == 204
            assert "Your login has ended, or was revoked." in connected.ended(within_s=90)[2]


def alice_is_unknown(site: DemoSite, token: str) -> bool:
    answer = httpx2.get(f"{site.hub_url}/hub/api/user", headers={"Authorization": f"token {token}"})
    return answer.status_code == 403


def test_a_user_of_the_node_reaches_neither_the_socket_nor_the_session(kept_site: DemoSite, lab: Live) -> None:
    [path] = kept_site.run("sh", "-c", f"ls -d /tmp/dsp-{lab.id}-*/ssh.sock", user="alice").split()
    connect = f"import socket; socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).connect({path!r})"
    assert kept_site.process("python3", "-c", connect, user="alice").returncode == 0
    assert "Permission denied" in kept_site.process("python3", "-c", connect, user="bob").stderr


@pytest.mark.parametrize("name", ["lab", "terminal"])
def test_a_client_that_skips_the_proxy_is_refused(
    name: str, kept_site: DemoSite, person: Callable[[str], Person], request: pytest.FixtureRequest
) -> None:
    live: Live = request.getfixturevalue(name)
    kept_site.wait_for(lambda: "url" in live.now(), "its address")
    log = live.log()["text"]
    port = re.findall(r"the app answers on 127\.0\.0\.1:(\d+)", log)[-1]
    lines = [f"{key}: {value}" for key, value in UPGRADE.items()]
    for authorization in ([], [f"Authorization: token {person('bob').token}"]):
        head = "\r\n".join([f"GET {address(live)}.portal/ssh HTTP/1.1", "Host: node", *lines, *authorization, "", ""])
        talk = (
            "import socket, sys\n"
            f"with socket.create_connection(('127.0.0.1', {port})) as node:\n"
            "    node.sendall(sys.stdin.buffer.read())\n"
            "    print(node.recv(100).decode().split()[1])\n"
        )
        answer = kept_site.run("python3", "-c", talk, user="bob", stdin=head)
        assert answer.strip() in ("302", "403", "404")
