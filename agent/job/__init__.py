"""The session agent: what runs in the Slurm job, between the portal and the app.

Standard library only, Python ≥ 3.8 (the nodes' own), shipped as one file (see `agent/build.py`). It knows nothing of
Slurm's commands, of users or of policy: the portal tells it what to start, it starts it, watches it and ends it.
"""
