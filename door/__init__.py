"""The door: the one program that acts as a user. `sudo -n portal-door`, JSON request on stdin, JSON answer on stdout.

Runs as root only until the account is known, then as that user for good. It trusts nothing it is sent, and checks every
field itself. Standard library only, and few imports: it starts once for every act. `build` packs it into one file.
Installation, configuration and guarantees: docs/explanation/door.md.
"""
