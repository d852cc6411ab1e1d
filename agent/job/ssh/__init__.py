"""SSH into the session: OpenSSH's sshd, reached through the session's own address.

A client opens a websocket at `.portal/ssh` below the session's address. The server behind that address (Jupyter
with `agent/lab`, or the app proxy) checks that the request is from the session's owner, and gives the connection to the
agent (`ssh_hosting.py`): nothing listens on the network. Each connection gets an sshd of its own, which accepts one
key, that of the request.

relay     one connection: the websocket on one side, `sshd -i` on the other
command   what sshd starts: the shell, a command or SFTP, in the session's environment
frames    websocket frames; the laptop's program uses them, too
"""
