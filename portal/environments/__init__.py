"""Environments: the software of sessions, installed on demand and offered as kernels."""

from portal.environments.entry import Entry, entry, own_image
from portal.environments.kernels import jupyter_path

__all__ = ["Entry", "entry", "jupyter_path", "own_image"]
