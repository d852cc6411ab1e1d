"""All access to Slurm: the commands (`commands`), values (`jobs`, `nodes`, `snapshot`), the shared reader (`watcher`),
and the client of the door, through which the portal acts as a user (`door_client`).
"""
