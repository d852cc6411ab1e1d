"""What a job of `portal check` sees on a node, and the words for it."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from portal.check import node, probe
from portal.check.findings import Mark
from portal.settings import Settings

SEEN: dict[str, Any] = {
    "node": "node001",
    "python": [3, 11, 2],
    "unseen": [],
    "home": True,
    "home_options": "rw,relatime",
    "reach": {"http://10.1.0.1:8001/healthz": ""},
    "address": "10.1.0.7",
    "port": 20000,
}
ASKED: dict[str, Any] = {"paths": ["/shared/agent.pyz"]}


def test_probe_tells_what_it_sees_and_leaves_nothing_behind(tmp_path: Path) -> None:
    settings = Settings.model_validate({"environments_python": "/usr/bin/python3", "agent": {"bind": "127.0.0.1"}})
    asked = node.questions(settings, str(tmp_path)) | {
        "paths": [str(tmp_path), "/nowhere"],
        "urls": ["http://127.0.0.1:1/healthz"],
        "serving": {"bare": {"argv": ["{python}", "{agent}"], "env": {}, "timeout": 30}},
    }
    script = tmp_path / "script"
    script.write_text(node.script(settings, asked))
    script.chmod(0o755)
    output = tmp_path / "portal-check-7.json"
    environ = {**os.environ, "SLURM_JOB_ID": "7", "HOME": str(tmp_path)}
    with (
        output.open("w") as out,
        subprocess.Popen([script], stdout=subprocess.PIPE, env=environ, cwd=tmp_path, text=True) as job,
    ):
        assert job.stdout is not None
        out.write(line := job.stdout.readline())
        seen = json.loads(line)
        asked_at = time.time()
        with socket.create_connection((seen["address"], seen["port"]), timeout=5) as caller:
            assert asked_at <= float(caller.makefile().readline()) <= time.time()
        assert job.wait(timeout=20) == 0
    assert seen["unseen"] == ["/nowhere"]
    assert seen["home"]
    assert "can't find '__main__'" in seen["serving"]["bare"]
    assert "refused" in seen["reach"]["http://127.0.0.1:1/healthz"]
    first, last = settings.agent.ports
    assert first <= seen["port"] <= last
    assert not output.exists()


def test_node_that_is_as_it_should_be_has_nothing_to_mend() -> None:
    assert {finding.mark for finding in node.read(SEEN, ASKED)} == {Mark.GOOD}


@pytest.mark.parametrize(
    ("seen", "mark", "says"),
    [
        ({"python": [3, 6, 8]}, Mark.BAD, "Python on node001 is 3.6.8"),
        ({"unseen": ["/shared/agent.pyz"]}, Mark.BAD, "/shared/agent.pyz is not visible from node001"),
        ({"home": False}, Mark.BAD, "the home is not writable"),
        (
            {"home_options": "rw,vers=4.2,sec=krb5p"},
            Mark.WARNING,
            "home directories on node001 are mounted with Kerberos",
        ),
        ({"reach": {"http://h:1": "timed out"}}, Mark.BAD, "does not reach http://h:1: timed out"),
    ],
)
def test_what_is_wrong_on_a_node_is_told_with_what_to_do(seen: dict[str, Any], mark: Mark, says: str) -> None:
    wrong = [finding for finding in node.read({**SEEN, **seen}, ASKED) if finding.mark is not Mark.GOOD]
    assert [finding.mark for finding in wrong] == [mark]
    assert says in wrong[0].text
    assert wrong[0].do


def test_probe_reads_the_options_of_the_mount_that_a_home_is_on(tmp_path: Path) -> None:
    (home := tmp_path / "alice").mkdir()
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/vda / ext4 rw 0 0\nnfs:/home {tmp_path} nfs4 rw,sec=krb5p 0 0\nnfs:/a {home}2 nfs4 rw,sec=sys 0 0\n"
    )
    assert probe.mount_options(str(home), str(mounts)) == "rw,sec=krb5p"
    assert probe.mount_options("/", str(mounts)) == "rw"
    assert probe.mount_options("/", str(tmp_path / "nothing")) == ""


@pytest.mark.parametrize(
    ("value", "skew"), [(940.0, "-60 s"), (996.0, None), (1020.0, None), (1034.0, None), (1090.0, "+60 s")]
)
def test_a_clock_is_off_by_what_the_wait_for_it_does_not_explain(value: float, skew: str | None) -> None:
    findings = node.clock("node001", value, asked_at=1000.0, answered_at=1030.0)
    assert [finding.text for finding in findings] == ([f"the clock of node001 is {skew} off"] if skew else [])


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
async def test_something_else_on_the_jobs_port_is_told(answer: bytes) -> None:
    async def other(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(other, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        [finding] = await node.reached({**SEEN, "address": "127.0.0.1", "port": port})
    assert finding.mark is Mark.BAD
    assert "something other than the job answers" in finding.text
