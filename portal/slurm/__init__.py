"""All access to Slurm: values (`types`), the interface (`client`), Slurm's commands (`commands`), the shared reader
(`watcher`), and the client of the door, through which the portal acts as a user (`door_client`).

A leaf: it imports nothing of the portal but `portal.errors` and `portal.settings`.
"""
