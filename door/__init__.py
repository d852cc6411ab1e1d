"""The door: the one program that acts as a user. `sudo -n portal-door`, JSON request on stdin, JSON answer on stdout.

Root only until the account is known, then that user for good. It believes nothing it is sent: every field is checked
here again, whoever checked it before. Standard library only, and few imports: it starts once for every act.
`build` makes one file of it. Installation, configuration and what it promises: docs/explanation/door.md.
"""
