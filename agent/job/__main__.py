"""Entry point of the single-file agent.

Without arguments it runs a session or, with DSP_TASK=pull, pulls an image. `serve-jupyter` launches the Jupyter server,
`serve-terminal` is the terminal app, `serve-desktop` the desktop; `enter-modules` and `enter-image` run a command
inside an environment, `in-private-network` runs one that nobody else on the node can reach; `serve-ssh` serves one SSH
connection, and `ssh-command` runs what it asks for. `watch-use` belongs to no session: it reports what a batch job uses
on its node, while a page shows it; `ride` and `meter` do so for its GPUs all the time.
"""

from __future__ import annotations

import os
import sys


def main() -> int:
    if sys.argv[1:2] == ["serve-jupyter"]:
        from .serve import serve

        return serve(sys.argv[2:])
    if sys.argv[1:2] in (["enter-modules"], ["enter-image"]):
        from .enter import main as enter

        enter(sys.argv[1], sys.argv[2:])
    if sys.argv[1:2] == ["in-private-network"]:
        from .private import run as run_in_private

        return run_in_private(sys.argv[2:])
    if sys.argv[1:2] == ["serve-terminal"]:
        from .terminal import serve as serve_terminal

        return serve_terminal(sys.argv[2:])
    if sys.argv[1:2] == ["serve-desktop"]:
        from .desktop import serve as serve_desktop

        return serve_desktop(sys.argv[2:])
    if sys.argv[1:2] == ["serve-ssh"]:
        from .ssh.relay import serve as serve_ssh

        return serve_ssh(sys.argv[2:])
    if sys.argv[1:2] == ["ssh-command"]:
        from .ssh.command import run as run_ssh_command

        return run_ssh_command(sys.argv[2:])
    if sys.argv[1:2] == ["watch-use"]:
        from .watch_use import watch

        return watch(sys.argv[2:])
    if sys.argv[1:2] == ["ride"]:
        from .meter import ride

        ride(sys.argv[2:])
    if sys.argv[1:2] == ["meter"]:
        from .meter import meter

        return meter()
    from .processes import hide_memory

    hide_memory()
    if os.environ.get("DSP_TASK") == "pull":
        from .pull import run as pull

        return pull(os.environ)
    from .session import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
