"""The session agent: runs in the Slurm job, between the portal and the app.

Python ≥ 3.8 (the nodes' own), the standard library and what is packed in; shipped as one file (see `agent/build.py`).
It knows nothing about Slurm's commands, users or policy: it starts what the portal sends, watches it and ends it.
"""
