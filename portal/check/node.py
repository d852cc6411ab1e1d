"""Checks the site from a compute node: a user's small job runs there and reports what it sees."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import closing, suppress
from math import ceil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from portal.check import serving
from portal.check.findings import Finding, bad, good, warning
from portal.errors import NotFound, PortalError
from portal.files.service import FileService
from portal.settings import Settings
from portal.slurm.batch import BatchSlurm
from portal.slurm.commands import SlurmCommands
from portal.slurm.door_client import DoorRefused

PROBE = Path(__file__).with_name("probe.py")
GPU_PROBE = Path(__file__).with_name("gpu_probe.py")
PATIENCE_S = 60.0
POLL_S = 1.0
OLDEST_PYTHON = (3, 8)
KERBEROS = (
    "A job does not have its user's ticket, so sessions cannot write there unless the site passes tickets to jobs; "
    'docs/how-to/install.md, "What you need", says more.'
)
FUTURE = "from __future__ import annotations\n"
"""A script may contain this line only once, at the top."""
MEMORY_MIB = {False: 200, True: 2_000}
"""With a program that unpacks an image, and without."""
SKEW_S = 5.0
"""Munge rejects credentials that are minutes off; logs and time limit warnings go wrong sooner."""


async def node(settings: Settings, user: str | None) -> list[Finding]:
    """Submit the job, wait for its report, and test the connection from here to the node."""
    if user is None:
        return [warning("not checked from a node", "portal check --user NAME submits a small job as that user.")]
    commands = SlurmCommands(settings.slurm)
    door = commands.door
    asked = questions(settings, (await door.call("version"))["agent"])
    batch = BatchSlurm(commands, deadline_s=settings.slurm.deadline_s)
    try:
        job_id = await batch.submit(user, script(settings, asked), "~", settings.policy.default_partition or None, None)
    except DoorRefused as error:
        if error.kind not in ("unknown_user", "user_refused"):
            raise
        do = f"`id {user}` must know the user on this machine, in one of the groups of {settings.slurm.door[-1]}.json."
        return [bad(f"the door does not act for {user}: {error.message}", do)]
    try:
        report = await report_of(FileService(door), commands, user, job_id, patience_s=_patience_s(asked))
        if isinstance(report, list):
            return report
        return [
            *read(report, asked),
            *serving.read(report["serving"], settings, where=report["node"]),
            *await reached(report),
        ]
    finally:
        with suppress(PortalError):
            await batch.act(user, "cancel", [str(job_id)], None)


def questions(settings: Settings, agent: str) -> dict[str, Any]:
    """Return what the job tests: files, addresses of this machine, a port to listen on, what serves Jupyter."""
    paths = [agent, *settings.templates.all_folders(), *(mount.path for mount in settings.mounts)]
    paths += [
        environment.path
        for environment in settings.environments.values()
        if environment.path and environment.path.exists()
    ]
    portal = urlsplit(settings.node_url)
    return {
        "paths": [str(path) for path in paths],
        "urls": [f"{settings.node_url}/healthz", f"{settings.hub_connect_url}/hub/api/"],
        "portal": [portal.hostname, portal.port or 80],
        "ports": list(settings.agent.ports),
        "bind": settings.agent.bind,
        "agent": agent,
        "serving": serving.questions(settings),
        "output": "",
    }


def _patience_s(asked: dict[str, Any]) -> float:
    return PATIENCE_S + sum(float(files["timeout"]) for files in asked["serving"].values())


def script(settings: Settings, asked: dict[str, Any]) -> str:
    """Return the job script: the probe, run by the nodes' configured Python. It removes its own output.

    With `gpus` in the questions, the job gets a GPU and tries the GPUs, too.
    """
    gpus = "gpus" in asked
    more = "gpus=gpus(asked['gpus'])" if gpus else ""
    return (
        f"#!{settings.environments_python}\n"
        "#SBATCH --job-name=portal-check\n#SBATCH --output=portal-check-%j.json\n"
        "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n"
        f"#SBATCH --mem={MEMORY_MIB[bool(asked['serving'])]}M\n#SBATCH --time={1 + ceil(_patience_s(asked) / 60)}\n"
        f"{'#SBATCH --gres=gpu:1' if gpus else '#'}\n"
        f"{PROBE.read_text()}\n"
        f"{GPU_PROBE.read_text().replace(FUTURE, '') if gpus else ''}\n"
        f"asked = json.loads({json.dumps(asked)!r})\n"
        'asked["output"] = "portal-check-%s.json" % os.environ["SLURM_JOB_ID"]\n'
        f"main(asked, {more})\n"
    )


async def report_of(
    files: FileService, commands: SlurmCommands, user: str, job_id: int, *, patience_s: float
) -> dict[str, Any] | list[Finding]:
    """Wait for the job's one line of output; return a finding if none comes."""
    path = f"~/portal-check-{job_id}.json"
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        with suppress(NotFound):
            output = (await files.read(user, path)).data.decode(errors="replace")
            if output.endswith("\n"):
                try:
                    return dict(json.loads(output))
                except ValueError:
                    return [
                        bad(
                            f"the job printed: {output.strip()[-300:]}", "Fix that on the node and run the check again."
                        )
                    ]
        job = next((job for job in await commands.jobs() if job.id == job_id), None)
        if job is not None and job.state.is_over:
            return [
                bad(
                    f"the job ended as {job.state.value} on {job.nodes or 'no node'} without any output",
                    "Check that the node has environments_python and the user's home; see its slurmd log.",
                )
            ]
        await asyncio.sleep(POLL_S)
    why = f" ({job.reason})" if job is not None and job.state.waits else ""
    return [warning(f"the job did not finish within {patience_s:.0f} s{why}", "Run it again when a node is free.")]


def read(report: dict[str, Any], asked: dict[str, Any]) -> list[Finding]:
    """Turn the job's report into findings."""
    where = report["node"]
    findings = []
    version = ".".join(map(str, report["python"]))
    if tuple(report["python"]) < OLDEST_PYTHON:
        findings.append(
            bad(f"Python on {where} is {version}", "The agent needs 3.8 or newer; see environments_python.")
        )
    else:
        findings.append(good(f"Python {version} on {where}"))
    findings += [
        bad(
            f"{path} is not visible from {where}, or not readable there",
            "Mount it on the nodes, readable by the users.",
        )
        for path in report["unseen"]
    ]
    if not report["unseen"]:
        findings.append(good(f"all shared files and folders ({len(asked['paths'])}) are visible from {where}"))
    if not report["home"]:
        findings.append(bad(f"the home is not writable on {where}", "Mount the homes on the nodes."))
    if "sec=krb5" in report["home_options"]:
        findings.append(warning(f"home directories on {where} are mounted with Kerberos", KERBEROS))
    for url, wrong in report["reach"].items():
        if wrong:
            findings.append(bad(f"{where} does not reach {url}: {wrong}", "Open the port, or correct the address."))
        else:
            findings.append(good(f"{where} reaches {url}"))
    return findings


async def reached(report: dict[str, Any]) -> list[Finding]:
    """Connect to the job's port, as the proxy will connect to a session's."""
    where = f"{report['node']} ({report['address']}:{report['port']})"
    if report["port"] is None:
        return [bad(f"no port of agent.ports is free on {report['node']}", "Widen agent.ports.")]
    asked_at = time.time()
    try:
        async with asyncio.timeout(5):
            reader, writer = await asyncio.open_connection(report["address"], report["port"])
            with closing(writer):
                output = float(await reader.readline())
                answered_at = time.time()
                await reader.read()  # it ends when the job has removed its output
    except (OSError, ValueError) as error:
        wrong = "something other than the job answers" if isinstance(error, ValueError) else str(error) or "no answer"
        return [bad(f"this machine cannot reach {where}: {wrong}", "Open agent.ports from here to the nodes.")]
    return [good(f"this machine reaches {where}"), *clock(report["node"], output, asked_at, answered_at)]


def clock(where: str, report: float, asked_at: float, answered_at: float) -> list[Finding]:
    """Compare the node's clock with ours: a time between question and answer counts as equal."""
    skew = report - min(max(report, asked_at), answered_at)
    if abs(skew) <= SKEW_S:
        return []
    return [warning(f"the clock of {where} is {skew:+.0f} s off", "Keep both in sync with chrony or ntpd.")]
