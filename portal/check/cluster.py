"""Checks Slurm as the portal's account sees it, and the door."""

from __future__ import annotations

import grp
import json
import re
from collections.abc import Callable
from pathlib import Path

from portal.check.findings import Finding, bad, good, warning
from portal.check.site_options import site_options
from portal.errors import SlurmUnavailable
from portal.placement.view import cluster_view
from portal.policy import formatting
from portal.settings import Settings
from portal.slurm import parse, parse_nodes, queries
from portal.slurm.commands import SlurmCommands
from portal.slurm.door_client import Door
from portal.slurm.door_wire import VERSION
from portal.slurm.library.client import SlurmLibrary, slurm_client
from portal.slurm.snapshot import Snapshot

OLDEST = (22, 5)
Config = dict[str, str]


def _hides(config: Config) -> bool:
    return not {"jobs", "nodes"}.isdisjoint(parse.names(config.get("PrivateData", "").lower()))


#: Parts of slurm.conf that limit sessions: how to detect each, its effect, what to do.
ADVICE: tuple[tuple[Callable[[Config], bool], str, str], ...] = (
    (
        _hides,
        "PrivateData hides jobs or nodes, perhaps from the portal's account as well",
        "Let it see everything: sacctmgr modify user portal set AdminLevel=Operator",
    ),
    (
        lambda config: config.get("InactiveLimit", "0 sec").split()[0] not in ("0", "INFINITE", "UNLIMITED"),
        "InactiveLimit would end sessions that are placed at once, so all sessions are queued instead",
        "InactiveLimit=0 makes starts a second or two quicker.",
    ),
    (
        lambda config: "gres/gpu" not in config.get("AccountingStorageTRES", ""),
        "accounting does not count GPUs",
        "Set AccountingStorageTRES=gres/gpu in slurm.conf.",
    ),
    (
        lambda config: config.get("EnforcePartLimits", "NO") == "NO",
        "jobs over a partition's limits stay in the queue forever",
        "With EnforcePartLimits=ALL, Slurm refuses them.",
    ),
    (
        lambda config: {"mps", "shard"} <= set(parse.names(config.get("GresTypes", ""))),
        "GresTypes has mps and shard, and Slurm unsets CUDA_VISIBLE_DEVICES for jobs that use the first of them",
        "Set up only one of them in a cluster, or name mps first: otherwise its jobs may use 0 percent of a GPU.",
    ),
)


def parts(version: str) -> tuple[int, ...]:
    """`22.05.8` → (22, 5, 8)."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


async def slurm(settings: Settings) -> list[Finding]:
    client = SlurmCommands(settings.slurm)
    version = await client.version()
    if parts(version) < OLDEST:
        return [bad(f"version {version or 'unknown'} is older than 22.05", "The portal needs Slurm 22.05 or newer.")]
    partitions, nodes = await client.partitions(), await client.nodes()
    view = cluster_view(Snapshot(partitions=tuple(partitions), nodes=tuple(nodes)))
    size = f"{formatting.plural(len(nodes), 'node')} in {formatting.plural(len(partitions), 'partition')}"
    findings = [good(f"version {version}, {size}")]
    if not any(partition.gpus for partition in view.partitions.values()):
        findings.append(
            warning("no partition has GPUs", "Check GresTypes and gres.conf; without them sessions get no GPUs.")
        )
    config = parse_nodes.config(await client.ask(queries.config()))
    if await client.associations():
        findings.append(which_cluster(config.get("ClusterName", ""), await client.clusters()))
    else:
        findings.append(warning("no accounting", "Accounts and history need slurmdbd; the portal works without it."))
    findings += site_options(
        list(view.partitions.values()),
        await client.licenses(),
        await client.wckeys(),
        tracked=config.get("TrackWCKey", "No").lower() == "yes",
    )
    findings += [warning(what, do) for sign, what, do in ADVICE if sign(config)]
    wanted = settings.policy.default_partition
    if wanted and wanted not in view.partitions:
        findings.append(bad(f"there is no partition {wanted}", "Correct policy.default_partition."))
    return findings


def which_cluster(name: str, known: list[str]) -> Finding:
    """Report which of the clusters in slurmdbd the portal works on."""
    others = sorted(set(known) - {name})
    if name not in known:
        listed = ", ".join(others) or "none"
        return bad(
            f"slurmdbd does not know the cluster “{name}”; it knows: {listed}",
            "Correct ClusterName in slurm.conf, or add it: sacctmgr add cluster " + name,
        )
    if not others:
        return good(f"the cluster is “{name}”")
    return good(
        f"the cluster is “{name}”; accounts of other clusters in its slurmdbd ({', '.join(others)}) are not used"
    )


async def reads(settings: Settings) -> list[Finding]:
    """Report what reads the queue, and why, by reading it."""
    client = slurm_client(settings.slurm)
    try:
        await client.jobs()
    finally:
        await client.close()
    how = f"the queue is read by {client.reads_by}"
    if not isinstance(client, SlurmLibrary):
        chosen = settings.slurm.client == "commands"
        return [good(f"{how}: {'as set in slurm.client' if chosen else 'no pyslurm is installed'}")]
    if client.child.trouble is None:
        return [good(how)]
    do = 'Install the pyslurm of your Slurm (docs/how-to/install.md), or set slurm.client = "commands".'
    return [bad(how, do) if settings.slurm.client == "pyslurm" else warning(how, do)]


async def door(settings: Settings) -> list[Finding]:
    try:
        answer = await Door(settings.slurm).call("version")
    except SlurmUnavailable as error:
        return [bad(error.message, 'docs/how-to/troubleshoot.md, "The door refuses", says what each answer means.')]
    agent = Path(answer["agent"])
    if answer["version"] != VERSION:
        return [bad(f"it is version {answer['version']}, this portal is version {VERSION}", "As root: portal programs")]
    config = Path(f"{settings.slurm.door[-1]}.json")
    return [good(f"acts as users, version {VERSION}"), _readable_by_all(agent), *unknown_groups(config)]


def unknown_groups(config: Path) -> list[Finding]:
    """Report groups in the door's configuration that this machine does not know: their members are not served."""
    try:
        groups = json.loads(config.read_text())
    except (OSError, ValueError):
        return []  # not readable by this account; the door reads it as root
    named = [(key, name) for key in ("groups", "admin_groups") for name in groups.get(key, [])]
    do = f"Name Unix groups in {config}, as `id -Gn alice` prints them."
    return [
        bad(f"{key} names {name}, which is not a Unix group here", do) for key, name in named if not _is_group(name)
    ]


def _is_group(name: str) -> bool:
    try:
        grp.getgrnam(name)
    except KeyError:
        return False
    return True


def _readable_by_all(agent: Path) -> Finding:
    if agent.is_file() and agent.stat().st_mode & 0o004:
        return good(f"the sessions' agent is {agent}")
    return bad(
        f"the sessions' agent {agent} is missing, or not readable by everyone",
        "As root: portal programs. It must be on storage that the nodes share.",
    )
