"""The portal's backend: Slurm, policy, sessions and the web app, behind JupyterHub's login."""

__version__ = "0.1.0"
