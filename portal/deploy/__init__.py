"""Putting the portal on a machine and keeping it there: what `portal init` writes, and what the services run."""
