"""An example of each request body, for the OpenAPI description, by the operation's id."""

from __future__ import annotations

from typing import Any

_ANNOUNCEMENT = {
    "kind": "maintenance",
    "text": "Maintenance of the cooling. Sessions that would run into it are refused.",
    "starts_at": "2026-12-01T08:00:00Z",
    "ends_at": "2026-12-01T12:00:00Z",
    "partitions": ["gpu"],
}
_SESSION = {
    "app": "jupyterlab",
    "name": "Fine-tuning",
    "environment": "pytorch",
    "resources": {"gpus": 2, "gpu_type": "v100", "walltime_s": 14_400},
}
_SCRIPT = "#!/bin/bash\n#SBATCH --gres=gpu:v100:2 --time=04:00:00\npython train.py\n"
_CHANGE = {"resources": {"gpus": 1, "walltime_s": 7_200}}
_NODES = ["node001", "node002"]
_SESSIONS = ["k3f9q2m7x4b1"]
_MOVE = {"paths": ["~/runs/first.csv"], "target": "~/results", "conflict": "rename"}
_BIN = ["~/.local/share/Trash/files/old.csv"]

BODIES: dict[str, dict[str, Any]] = {
    "create_session": _SESSION,
    "check_sessions": _SESSION,
    "set_session_resource": _CHANGE,
    "check_sessions_resources": _CHANGE,
    "set_session_time_limit": {"walltime_s": 28_800},
    "set_session_end_seen": {"seen": True},
    "create_session_share": {"users": ["bob"], "groups": ["vision"], "hours": 24},
    "open_shares": {"state": "Vq3mZx8Kc1TdR5yN"},
    "create_job": {"script": _SCRIPT, "workdir": "~/project"},
    "check_jobs": {"script": _SCRIPT, "workdir": "~/project"},
    "parse_jobs": {"script": _SCRIPT},
    "compose_jobs": {"form": {"name": "train", "gpus_per_node": 2, "gpu_type": "v100", "walltime_s": 14_400}},
    "create_job_action": {"ids": ["4711", "4712_3"], "action": "cancel"},
    "create_preset": {"name": "Two V100s", "request": _SESSION},
    "set_preset": {"name": "Two V100s for an afternoon"},
    "open_templates": {"session": "k3f9q2m7x4b1", "version": "new"},
    "copy_templates": {"how": "replace"},
    "create_image": {"reference": "docker://nvcr.io/nvidia/pytorch:24.05-py3", "title": "PyTorch 24.05"},
    "set_ngc": {"key": "the-key-of-your-account"},
    "set_notification_mail": {"events": ["ready", "ending_soon"]},
    "set_notification_webhook": {
        "shape": "slack",
        "url": "https://hooks.example.org/services/T0/B0/secret",
        "events": ["ready"],
    },
    "create_file_folder": {"path": "~/results"},
    "rename_files": {"path": "~/results", "name": "results-2026"},
    "move_files": _MOVE,
    "create_file_copie": _MOVE,
    "remove_files": {"paths": ["~/old.csv"]},
    "delete_files": {"paths": ["~/old.csv"]},
    "restore_files": {"ids": _BIN},
    "empty_files_bin": {"ids": _BIN},
    "mode_files": {"path": "~/results", "mode": "750"},
    "set_file_text": {"path": "~/notes.txt", "text": "Learning rate 3e-4\n", "version": None},
    "create_admin_announcement": _ANNOUNCEMENT,
    "set_admin_announcement": _ANNOUNCEMENT,
    "affected_admin_announcements": _ANNOUNCEMENT,
    "create_admin_job_action": {"jobs": ["4711"], "action": "time_limit", "walltime_s": 28_800},
    "set_admin_limit": {"max_gpus": 4, "group_max_gpus": 16, "max_walltime_s": 86_400},
    "drain_admin_nodes": {"nodes": _NODES, "reason": "New fans", "message": "Please stop by Friday."},
    "resume_admin_nodes": {"nodes": _NODES},
    "create_admin_reservation": {"name": "class", "minutes": 120, "users": ["bob"], "nodes": _NODES},
    "change_admin_reservation": {"users": ["bob", "carol"], "ends_at": "2026-12-01T18:00:00Z"},
    "extend_admin_sessions": {"sessions": _SESSIONS, "seconds": 3_600},
    "message_admin_sessions": {"sessions": _SESSIONS, "text": "Your node needs a new fan. Please stop by Friday."},
    "stop_admin_sessions": {"sessions": _SESSIONS},
}
