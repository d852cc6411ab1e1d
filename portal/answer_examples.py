"""An example of each answer, for the OpenAPI description: made from its schema, with values as a site has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

_NODE, _JOB, _TIME = "node001", 4711, "2026-12-01T10:00:00Z"
_SCRIPT = "#!/bin/bash\n#SBATCH --gres=gpu:v100:2 --time=04:00:00\npython train.py\n"
_HOME = "/home/alice"
_SENTENCE = "Waiting for 2 free V100s with their cores and memory."

#: By the field's name.
VALUES: dict[str, Any] = {
    # people and what is theirs
    "owner": "alice", "user": "alice", "username": "alice", "actor": "admin", "display_name": "Alice Adams",
    "author": "admin", "created_by": "admin", "changed_by": "admin", "reason_by": "admin", "users": "bob",
    "shared_with": "bob", "told": "alice", "group": "vision", "groups": "vision", "account": "physics",
    "accounts": "physics", "mail": "alice@example.org", "csrf_token": "b1946ac92492d2347c6235b4d2611184",
    # Slurm
    "job": _JOB, "job_id": _JOB, "node": _NODE, "nodes": _NODE, "node_list": _NODE, "node_names": _NODE,
    "avoid": "node003", "partition": "sxm2", "partitions": "sxm2", "qos": "normal", "default_qos": "normal",
    "reservation": "class", "gpu_type": "v100", "gpu_types": "v100", "type": "v100", "features": "nvme",
    "rack_feature": "rack1", "constraint": "nvme", "licenses": "matlab:1", "wckey": "thesis", "wckeys": "thesis",
    "flags": "MAINT", "slurm_state": "RUNNING", "reason_code": "Resources", "reason": _SENTENCE,
    "array_tasks": "0-9", "task": "4711_3", "dependencies": "afterok:4710", "state": "RUNNING",
    "range": "0-9", "uuid": "GPU-8f5b4c1e-6a7d-4f60-9a1b-0c2d3e4f5a6b",
    # sessions, apps, software
    "id": "k3f9q2m7x4b1", "session": "k3f9q2m7x4b1", "session_id": "k3f9q2m7x4b1", "server_name": "fine-tuning-k3f9",
    "name": "Fine-tuning", "app": "jupyterlab", "app_title": "JupyterLab", "environment": "pytorch",
    "environments": "pytorch", "environment_title": "PyTorch", "environment_version": "2026-11-20", "modules":
    "cuda/12.4", "template": "pytorch-digits", "preset": "Two V100s", "program": "tensorboard", "framework": "PyTorch",
    "library": "PyTorch", "image": "image-3f9q2m7x4b1k", "reference": "docker://nvcr.io/nvidia/pytorch:24.05-py3",
    "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "tag": "24.05-py3",
    "repository": "nvcr.io/nvidia/pytorch", "versions": "24.05", "version": "2026-11-20", "icon": "lab",
    "support": "help@example.org", "source": "site",
    # files
    "path": f"{_HOME}/runs/first.csv", "real_path": f"{_HOME}/runs/first.csv", "file": f"{_HOME}/runs/first.csv",
    "folder": f"{_HOME}/runs", "site_folder": "/shared/apps", "workdir": f"{_HOME}/project", "location": _HOME,
    "target": f"{_HOME}/results", "stdout": f"{_HOME}/project/slurm-4711.out", "backup": f"{_HOME}/runs/first~.csv",
    "stderr": f"{_HOME}/project/slurm-4711.out", "output": "Epoch 1: loss 0.31\n", "data": "Epoch 1: loss 0.31\n",
    "mode": "640", "script": _SCRIPT, "kept": "#SBATCH --mail-type=END", "command": "python train.py",
    "png": "iVBORw0KGgo=", "process": "python train.py", "key": "alpha", "key_name": "evaluation",
    # addresses
    "url": "https://alice.hub.example.org/user/alice/fine-tuning-k3f9/lab", "urls": "https://portal.example.org",
    "ports_url": "https://alice.hub.example.org/user/alice/fine-tuning-k3f9/proxy-port/",
    "hub_url": "https://hub.example.org", "address": "10.0.0.11", "host": _NODE, "hosts": _NODE,
    "link": "https://portal.example.org/services/portal/sessions/new?reservation=class",
    # words
    "text": "It would start now on node001.", "starts_text": "It would start now.", "title": "PyTorch",
    "message": "It answers.", "description": "Trains a classifier of digits.", "summary": "2 × V100, 16 cores, 96 GB",
    "hint": "Try again in a minute.", "help": "Where the runs are.", "advice": "Ask for more memory.", "note": "",
    "label": "Folder", "order": "2 jobs ahead came earlier.", "place": "It keeps its position in the queue: 2 of 5.",
    "why": "Slurm does not answer.", "why_not": "You may use 1 GPU at once.", "caution": "It has no time limit.",
    "cautions": "It has no time limit.", "error": "It is not text.", "remedy": "Ask for more memory.",
    "removed": "", "do": "Look at its log.", "support_text": "", "script_missing": "Only its owner may read it.",
    "mode_reason": "", "not_run": "", "tested": "24.11", "value": "64", "default": "~/runs", "choices": "small",
    "field": "resources.gpus", "problems": "It is not installed.", "gpu_problems": "GPU 2 fell off the bus (Xid 79).",
    "where": "node001, GPU 0", "letter": "A", "first": "node001", "current": "2026-11-20", "now": _TIME,
    "code": "ok", "action": "node.drain", "result": "ok", "part": "slurmdbd", "kind": "session", "event": "ready",
    # numbers
    "port": 8888, "gpus": 2, "cpus": 16, "memory_mib": 98_304, "walltime_s": 14_400, "memory_gb": 16,
    "utilization": 87, "utilization_peak": 98, "sm_percent": 71, "cpu_percent": 640, "gpu_percent": 87,
    "memory_percent": 64, "memory_used_mib": 12_288, "memory_peak_mib": 14_336, "memory_total_mib": 16_384,
    "power_w": 212, "position": 1, "of": 3, "total": 16, "free": 4, "progress": 100,
    "hours": 4, "minutes": 120, "pid": 41_733, "size": 4096,
    # times
    "ends_at": "2026-12-01T18:00:00Z", "ended_at": "2026-12-01T14:00:00Z", "expires_at": "2026-12-02T10:00:00Z",
    "from": "2026-12-01T00:00:00Z", "to": "2026-12-31T00:00:00Z", "next": "eyJhdCI6MTc2NDU4",
}  # fmt: skip
#: What a session that is ready, and a job that runs, do not have.
_NOTHING = ("reason", "reason_code", "end", "ended_at", "queue", "exit_code", "signal", "idle", "expected_start")
SHAPES: dict[str, dict[str, Any]] = {
    "SessionOut": {**dict.fromkeys(_NOTHING), "state": "ready", "image": None, "options": {}},
    "SessionRow": {**dict.fromkeys(_NOTHING), "state": "ready"},
    "JobRow": {**dict.fromkeys(_NOTHING), "array": None, "nodes": 1},
    "JobDetail": {**dict.fromkeys(_NOTHING), "array": None, "nodes": 1, "script_missing": None, "dependencies": []},
    "Resources": {"nodes": 1, "reservation": None, "constraint": None, "licenses": None, "wckey": None},
    "GpuUse": {"name": "Tesla V100-SXM2-16GB", "xids": [], "slowed_by": None},
    "UsageOut": {"memory_kills": 0, "memory_killed_at": None, "gpu_problems": []},
    "JobForm": {"output": "train-%j.out", "error": None, "dependencies": [], "array": None},
    "Variable": {"name": "OMP_NUM_THREADS", "value": "8"},
    "CheckOut": {"ok": True, "problems": []},
    "JobCheckOut": {"ok": True, "problems": [], "cautions": []},
}


def example(schema: Schema, schemas: Schema) -> Any:
    """Return a value that the schema describes; `schemas`: the named ones."""
    return _of(schema, schemas, "", ())


def unnamed(schema: Schema, schemas: Schema) -> Iterator[str]:
    """Yield the names of text fields whose value nobody has chosen."""
    seen: set[str] = set()

    def look(part: Any, name: str) -> Iterator[str]:
        if isinstance(part, list):
            for each in part:
                yield from look(each, name)
        if not isinstance(part, dict):
            return
        if (shape := part.get("$ref")) and shape not in seen:
            seen.add(shape)
            yield from look(_named(part, schemas), "")
        free = part.get("type") == "string" and not {"enum", "const", "format", "pattern"} & part.keys()
        if free and name and name not in VALUES:
            yield name
        for field, inner in part.get("properties", {}).items():
            yield from look(inner, field)
        for below in ("items", "anyOf", "oneOf"):
            yield from look(part.get(below), name)

    yield from look(schema, "")


def _named(schema: Schema, schemas: Schema) -> Schema:
    found: Schema = schemas[schema["$ref"].rpartition("/")[2]]
    return found


def _of(schema: Schema, schemas: Schema, name: str, within: tuple[str, ...]) -> Any:
    if shape := schema.get("$ref", "").rpartition("/")[2]:
        return _of(_named(schema, schemas), schemas, name if name else shape, (*within, shape))
    if options := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        return _option(options, schemas, name, within)
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return VALUES[name] if VALUES.get(name) in values else values[0]
    if schema.get("type") == "array":
        inner = schema.get("items", {})
        return [] if _repeats(inner, within) else [_of(inner, schemas, name, within)]
    if schema.get("type") == "object":
        return _object(schema, schemas, within)
    return _plain(schema, name)


def _option(options: list[Schema], schemas: Schema, name: str, within: tuple[str, ...]) -> Any:
    real = [option for option in options if option.get("type") != "null"]
    if not real or (len(real) < len(options) and _repeats(real[0], within)):
        return None
    return _of(real[0], schemas, name, within)


def _repeats(schema: Schema, within: tuple[str, ...]) -> bool:
    return schema.get("$ref", "").rpartition("/")[2] in within


def _object(schema: Schema, schemas: Schema, within: tuple[str, ...]) -> dict[str, Any]:
    chosen = SHAPES.get(within[-1] if within else "", {})
    found = {
        field: chosen[field] if field in chosen else _of_field(inner, schemas, field, within)
        for field, inner in schema.get("properties", {}).items()
    }
    if not found and isinstance(other := schema.get("additionalProperties"), dict):
        return {_NODE: _of(other, schemas, "", within)}
    return found


def _of_field(schema: Schema, schemas: Schema, field: str, within: tuple[str, ...]) -> Any:
    usual = schema.get("default")
    return usual if usual is not None and field not in VALUES else _of(schema, schemas, field, within)


def _plain(schema: Schema, name: str) -> Any:
    kind, value = schema.get("type"), VALUES.get(name)
    if kind == "boolean":
        return bool(schema.get("default", False))
    if kind in ("integer", "number"):
        return value if isinstance(value, int) else int(schema.get("minimum", 0))
    if kind != "string":
        return None
    if schema.get("format") == "date-time":
        return value if isinstance(value, str) and value[:2] == "20" else _TIME
    if schema.get("format") == "date":
        return _TIME[:10]
    return str(value) if value is not None else name.replace("_", " ")
