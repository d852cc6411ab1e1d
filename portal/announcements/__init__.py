"""Announcements: texts for everybody, and planned maintenance."""
