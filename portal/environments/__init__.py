"""Environments: where the software of sessions comes from, installed on demand, shown as kernels."""

from portal.environments.kernels import jupyter_path

__all__ = ["jupyter_path"]
