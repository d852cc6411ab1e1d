"""Stands in for pyslurm: its Jobs, with what a real one said (tests/recorded), in whatever mood.

A test copies this file, and puts beside it `objects.json` with lines of the child's and `mood`: one word, looked at
before each reading.
"""

from __future__ import annotations

import ctypes
import json
import os
import time
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).parent
__version__ = (HERE / "version").read_text() if (HERE / "version").exists() else "25.11.2"


def mood() -> str:
    return (HERE / "mood").read_text().strip() if (HERE / "mood").exists() else ""


if mood() == "no library":
    raise ImportError("libslurmfull.so: cannot open shared object file")


class RPCError(Exception):
    pass


def slurm_init(conf: str | None) -> None:
    (HERE / "initialised").write_text(f"{conf}\n{json.dumps(dict(os.environ))}")
    if mood() == "bad slurm.conf":
        os._exit(1)


class _Named:
    """Attributes with the values of a line; text with a lone surrogate is not UTF-8, as pyslurm says it."""

    def __init__(self, names: list[str], values: list[object]) -> None:
        self.values = dict(zip(names, values, strict=False))

    def __getattr__(self, name: str) -> object:
        try:
            value = self.values[name]
        except KeyError:
            raise AttributeError(name) from None
        if isinstance(value, str):
            value.encode("utf-8", "surrogateescape").decode()
        return value


def _tres(held: dict[str, int] | None) -> SimpleNamespace | None:
    if held is None:
        return None
    counts = {name: SimpleNamespace(count=count) for name, count in held.items()}
    gres = {name: count for name, count in counts.items() if name not in ("cpu", "mem")}
    return SimpleNamespace(cpu=counts.get("cpu"), mem=counts.get("mem"), gres=gres)


def _load() -> dict[int, _Named]:
    print("pyslurm prints")
    feeling = mood()
    if feeling == "dies":
        ctypes.string_at(0)
    if feeling == "hangs":
        time.sleep(3600)
    if feeling == "no slurmctld":
        raise RPCError("Unable to contact slurm controller (connect failure)")
    if feeling == "another pyslurm":
        raise AttributeError("type object 'Jobs' has no attribute 'load'")
    objects = json.loads((HERE / "objects.json").read_text())
    results = {}
    for values in objects["jobs"]:
        named = _Named(objects["names"]["jobs"], values)
        *_, user, allocated, requested, per_node = values
        named.values.update(user_id=user, allocated_tres=_tres(allocated), requested_tres=_tres(requested))
        named.values["gres_per_node"] = per_node
        results[len(results)] = named
    return results


class Jobs:
    @staticmethod
    def load() -> dict[int, _Named]:
        return _load()
