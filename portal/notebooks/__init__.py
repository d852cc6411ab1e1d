"""Notebook templates: the gallery, and the copies in users' homes."""

from portal.notebooks.gallery import copies, gallery

__all__ = ["copies", "gallery"]
