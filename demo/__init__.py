"""The demo site: a whole cluster on one machine, for development, tests and a first look.

Real Slurm, OpenLDAP, JupyterHub, proxy and portal, in namespaces of their own so that the machine stays as it was.
Needs root, Python's standard library and what ./dev install brings; ./dev is its front door.
"""
