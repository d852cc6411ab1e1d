"""The demo site: a whole cluster on one machine, for development, tests and a first look.

Real Slurm, OpenLDAP, JupyterHub, proxy and portal, in their own namespaces so that the machine stays unchanged. Needs
root, Python's standard library and what ./dev install brings; use it through ./dev.
"""
