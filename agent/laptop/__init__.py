"""The `portal` program of users' own machines: log in, list sessions, connect to them with SSH.

One file, which the portal serves (`portal/laptop`): Python ≥ 3.9 and the standard library; OpenSSH's client does SSH.

__main__ ── login     in the browser, with a code that comes back to this machine
   ├─────── sessions  which session a name means
   ├─────── connect   `ssh` with the options that reach a session
   ├─────── hosts     what is written below ~/.ssh
   ├─────── stdio     the connection itself: the ProxyCommand
   ├─────── update    a newer file from the portal
   └─────── api ── web ── device   the portal's API; HTTP; what is kept on this machine
"""
