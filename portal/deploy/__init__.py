"""Installs and maintains the portal on a machine: what `portal init` writes, and what the services run."""
