"""Notebook templates: the gallery, and what is brought into the homes of users."""

from portal.notebooks.gallery import copies, gallery

__all__ = ["copies", "gallery"]
