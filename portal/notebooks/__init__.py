"""Notebook templates: the gallery, and the copies in users' homes."""

from portal.notebooks.gallery import gallery

__all__ = ["gallery"]
