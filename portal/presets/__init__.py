"""Presets of sessions: named requests to start from, users' own and the site's."""
