"""What is, or seems to be, wrong with a node, in sentences, from what Slurm reports of it."""

from __future__ import annotations

import re

from portal.operate.node_schemas import Finding
from portal.policy import formatting
from portal.policy.closures import clock
from portal.slurm.nodes import Node, NodeState

#: slurmctld's wording if a slurmd registers with fewer than slurm.conf declares: `… lower than configured (1 < 4)`.
_FEWER = re.compile(r"gres/gpu.*\((\d+) < (\d+)\)")
LOADED = 1.5
LITTLE_MEMORY = 0.03


def gpus_found(node: Node) -> int | None:
    """Return how many GPUs the node itself found, if Slurm reports fewer than configured."""
    match = _FEWER.search(node.reason)
    return int(match[1]) if match else None


def findings(node: Node) -> list[Finding]:
    """Return what an administrator should know, the worst first; empty if the node is healthy."""
    findings: list[Finding] = []

    def say(level: str, text: str) -> None:
        findings.append(Finding.model_validate({"level": level, "text": text}))

    configured = sum(gpu.total for gpu in node.gpus)
    if node.slurmd_since is None:
        say("bad", "Its slurmd has not registered with Slurm; check whether it is running.")
    if "NOT_RESPONDING" in node.flags:
        say("bad", "Slurm cannot reach its slurmd; check the network, and whether it is running.")
    if (real := gpus_found(node)) is not None:
        say(
            "bad",
            f"It has {formatting.plural(real, 'GPU')}, but slurm.conf declares {configured};"
            " check the driver, then resume it.",
        )
    if node.flags & {"INVAL", "INVALID_REG"}:
        say("bad", "It has less than slurm.conf declares, so Slurm does not use it; its reason says what is missing.")
    if node.state in (NodeState.DOWN, NodeState.ERROR):
        say("bad", f"Slurm counts it as down{_because(node)}")
    elif any(flag.startswith("DRAIN") for flag in node.flags):
        say("warn", f"It takes no new jobs{_because(node)}")
    if node.gpus_drained:
        say("warn", f"{node.gpus_drained} of its GPUs take no new jobs.")
    if node.load is not None and node.cpus and node.load > LOADED * node.cpus:
        say("warn", f"Its load is {node.load:g} on {formatting.plural(node.cpus, 'core')}.")
    if node.memory_free_mib is not None and node.memory_free_mib < LITTLE_MEMORY * node.memory_mib:
        say("warn", f"Only {node.memory_free_mib} MiB of its memory are free.")
    return sorted(findings, key=lambda finding: finding.level != "bad")


def _because(node: Node) -> str:
    who = f", by {node.reason_by}" if node.reason_by else ""
    since = f" since {clock(node.reason_at)}" if node.reason_at else ""
    return f"{since}{who}{f': {node.reason}' if node.reason else '.'}"
