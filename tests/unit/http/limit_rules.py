"""Rules for what may be asked for, the sentence of each, and the ways in at which it is asked for.

`test_limits_everywhere` asks; `docs/generate.py` writes the table for people.
"""

from __future__ import annotations

from typing import Any

HOUR = 3600
#: What is asked for at every way in.
GPUS, HOURS, TYPE, PARTITION = 4, 20, "v100", "sxm2"

#: Each rule, and what it says to somebody who asks for 4 V100s for 20 hours on sxm2.
RULES: dict[str, tuple[dict[str, Any], str]] = {
    "max_gpus": (
        {"max_gpus": 1},
        "You may use 1 GPU at once; 0 are in use or queued, and this asks for 4. Ask for 1 or fewer.",
    ),
    "max_gpu_hours": (
        {"max_gpu_hours": 1},
        "You may use 1 GPU-hour per month; 0.0 are used, 0.0 promised to what runs or is queued, and this could use"
        " 80.0. Ask for less time or fewer GPUs, or end a session or job.",
    ),
    "max_walltime_s": ({"max_walltime_s": HOUR}, "Your time limit may be 1 h at most. Ask for less time."),
    "partitions": (
        {"partitions": ["debug"]},
        f"You and your groups may not use the partition “{PARTITION}”; choose another one.",
    ),
    "gpu_types": ({"gpu_types": ["a100"]}, "You may not use v100 GPUs. Yours: a100."),
    "group_max_gpus": (
        {"group_max_gpus": 6},
        "All members of the group “portal-users” together may use 6 GPUs at once; 3 are in use or queued, and this asks"
        " for 4. Ask for 3 or fewer, or wait until other members' sessions or jobs end.",
    ),
    "group_max_gpu_hours": (
        {"group_max_gpu_hours": 100},
        "All members of the group “portal-users” together may use 100 GPU-hours per month; 0.0 are used, 24.0 promised"
        " to what runs or is queued, and this could use 80.0. Ask for less time or fewer GPUs.",
    ),
}
#: Scripts that ask for the same, each in its own way.
SCRIPTS = {
    "gres": ["--gres=gpu:v100:4", "--time=20:00:00"],
    "gpus": ["--gpus=v100:4", "--time=0-20"],
    "short options behind flags": ["-H -Gv100:4 -t1200"],
    "flag glued to an option": ["-HGv100:4", "-t 20:00:00"],
    "gpus per task": ["-n 4 --gpus-per-task=v100:1 -t 20:00:00"],
    "cut option names": ["--gpus-per-n=v100:4", "--time=20:00:00"],
    "tasks by GPU": ["-n 8 --ntasks-per-gpu=2 --time=20:00:00"],
    "tres per task": ["--tres-per-task=gres/gpu:v100:4 --time=20:00:00"],
    "several nodes": ["--nodes=2", "--gres=gpu:v100:2", "--time=20:00:00"],
    "a range of nodes": ["--nodes=1-4", "--gres=gpu:v100:1", "--time=20:00:00"],
    "named nodes": ["-w node[001-002]", "--gres=gpu:v100:2", "--time=20:00:00"],
    "whole nodes": ["--exclusive --constraint=v100", "--time=20:00:00"],
    "an array": ["--array=0-3", "--gres=gpu:v100:1", "--time=20:00:00"],
    "two parts": ["--gres=gpu:v100:2 --time=20:00:00", "hetjob", "--gres=gpu:v100:2 --time=10:00:00"],
    "a dependency": ["--dependency=afterok:7", "--gres=gpu:v100:4", "--time=20:00:00"],
    "a begin": ["--begin=now+10days", "--gres=gpu:v100:4", "--time=20:00:00"],
    "the last of two": ["--gres=gpu:v100:1", "--gres=gpu:v100:4", "--time=1", "--time=20:00:00"],
}

#: At which `RULES` hold: each name is a way in `test_limits_everywhere`.
WAYS_OF_SESSIONS = ("form", "API", "portal sessions start", "the Hub's form", "the Hub's REST API")
WAYS_OF_JOBS = ("form", "again", "API check", "API submit", "portal jobs check", "portal jobs submit")

#: What a site does not have, and the sentence of it: asked in a session's words, a job form's, and a script's.
MISSING: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "a feature of no node": (
        {"constraint": "sxm2&a100"},
        {"constraint": "sxm2&a100"},
        "-C sxm2&a100",
        "No node of “sxm2” has the feature “a100”. There are: nvme, sxm2.",
    ),
    "features of no node together": (
        {"constraint": "sxm2&nvme", "nodes": 2},
        {"constraint": "sxm2&nvme", "nodes": 2},
        "--constraint=sxm2&nvme -N 2",
        "Only 1 node of “sxm2” has “nvme” and “sxm2”. Ask for fewer nodes.",
    ),
    "an unknown licence": (
        {"licenses": "ansys"},
        {"licenses": "ansys"},
        "--licenses=ansys",
        "Slurm has no licence “ansys” here. There are: matlab.",
    ),
    "more licences than there are": (
        {"licenses": "matlab:3"},
        {"licenses": "matlab:3"},
        "-L matlab:3",
        "Slurm has 2 of the licence “matlab”, and this asks for 3. Ask for 2 or fewer.",
    ),
    "somebody else's WCKey": (
        {"wckey": "course"},
        {"wckey": "course"},
        "--wckey=course",
        "“course” is not one of your WCKeys. Yours: thesis.",
    ),
    "more shards than a GPU has": (
        {"shards": 3},
        {"shards_per_node": 3},
        "--gres=shard:3",
        "A GPU of “sxm2” has 2 shards, and this asks for 3. Ask for 2 or fewer.",
    ),
    "shards and whole GPUs": (
        {"shards": 1, "gpus": 1},
        {"shards_per_node": 1, "gpus_per_node": 1},
        "--gres=gpu:1,shard:1",
        "This asks for whole GPUs and for a part of one: leave one of them out.",
    ),
    "more of a GPU by MPS than Slurm counts": (
        {"mps_percent": 60},
        {"mps_per_node": 60},
        "--gres=mps:60",
        "Slurm counts a GPU of “sxm2” as mps:50, and this asks for 60. Ask for 50 or less.",
    ),
    "MPS and whole GPUs": (
        {"mps_percent": 10, "gpus": 1},
        {"mps_per_node": 10, "gpus_per_node": 1},
        "--gres=gpu:1,mps:10",
        "This asks for whole GPUs and for a part of one: leave one of them out.",
    ),
    "MPS and shards": (
        {"mps_percent": 10, "shards": 1},
        {"mps_per_node": 10, "shards_per_node": 1},
        "--gres=shard:1,mps:10",
        "This asks for shards and for a share by MPS: leave one of them out.",
    ),
}
