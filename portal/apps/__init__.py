"""The catalogue of apps: what a session can open, in which environments, with which options."""
