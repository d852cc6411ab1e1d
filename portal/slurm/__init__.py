"""All talk to Slurm: values (`types`), what may be asked (`client`), Slurm's commands (`commands`), the one reader
for everybody (`watcher`), and the door through which the portal acts as a user (`door`, `door_client`).

A leaf: it imports nothing of the portal but `portal.errors` and `portal.settings`.
"""
