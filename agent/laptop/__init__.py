"""The `portal` program for users' own machines: log in, work with sessions and files, read jobs, use SSH.

The portal serves it as one file (`portal/laptop`), which needs Python ≥ 3.9 and no packages; SSH itself is OpenSSH's.

__main__ ── login     in the browser, with a code that comes back to this machine
   ├─────── sessions  which session a name means; start and stop
   ├─────── jobs      the user's batch jobs, to read
   ├─────── files     list, move and remove; transfers: send and fetch, resumable
   ├─────── cluster   what is free
   ├─────── connect   `ssh` with the options that reach a session
   ├─────── hosts     what is written below ~/.ssh
   ├─────── stdio     the connection itself: the ProxyCommand
   ├─────── update    a newer file from the portal
   └─────── api ── web ── device   the portal's API; HTTP; what is kept on this machine
"""
