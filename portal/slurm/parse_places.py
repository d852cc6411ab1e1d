"""Which GPUs of which node each job holds, from `scontrol show job`.

A job's name stands in these lines unfenced, so a user can make them say anything. What is read here is a hint for
the eye, and used only where it fits what the queue says of the job; a job that is told of twice is left out.
"""

from __future__ import annotations

import re

from portal.slurm import hostlist, parse
from portal.slurm.types import Place

_BEGINS = re.compile(r"^JobId=(\d+) ", re.M)
_HELD = re.compile(r" Nodes=(\S+) CPU_IDs=\S* Mem=\d+ GRES=(\S*)")
_TYPED = re.compile(r"(?:^|,)gpu(?::[^:(,]+)?:\d+\(IDX:([0-9,-]+)\)")


def places(output: str) -> dict[int, tuple[Place, ...]]:
    """Read `queries.places`."""
    found: dict[int, tuple[Place, ...]] = {}
    twice: set[int] = set()
    begins = list(_BEGINS.finditer(output))
    for begin, after in zip(begins, [*begins[1:], None], strict=True):
        number = parse.number(begin[1])
        text = output[begin.end() : after.start() if after else len(output)]
        held = tuple(_held(text))
        if number is None or not held:
            continue
        if number in found:
            twice.add(number)
        found[number] = held
    return {number: held for number, held in found.items() if number not in twice}


def _held(text: str) -> list[Place]:
    return [
        Place(node, gpus)
        for nodes, gres in _HELD.findall(text)
        if (gpus := _indices(gres))
        for node in hostlist.expand(nodes)
    ]


def _indices(gres: str) -> tuple[int, ...]:
    return tuple(sorted({index for ranges in _TYPED.findall(gres) for index in hostlist.indices(ranges)}))
