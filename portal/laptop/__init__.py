"""Builds and serves the program for users' own machines, whose source is in `agent/laptop`."""
