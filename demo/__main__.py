"""The ./dev commands for the demo site."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from demo import commands
from demo.site import SiteError, default_folder


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    for name, text in {"run": "bring the site up", "preflight": "check only whether it could come up"}.items():
        run = actions.add_parser(name, help=text)
        run.add_argument(
            "--port", type=int, default=8000, help="port for the browser; 0: any free port (default: 8000)"
        )
        run.add_argument("--background", action="store_true", help="return when it is up")
        run.add_argument("--fresh", action="store_true", help="delete everything from earlier runs first")
        run.add_argument("--without-web", action="store_true", help="Slurm and directory only")
    actions.add_parser("stop", help="take the site down")
    status = actions.add_parser("status", help="list the services and how long they have been up")
    status.add_argument("--json", action="store_true")
    logs = actions.add_parser("logs", help="show a service's log, or the names of all")
    logs.add_argument("name", nargs="?")
    logs.add_argument("-f", "--follow", action="store_true")
    for name, text in {
        "start": "start (or wake) a service",
        "restart": "stop a service and start it again",
        "kill": "kill a service (SIGKILL) and leave it down",
        "pause": "freeze a service (SIGSTOP)",
    }.items():
        actions.add_parser(name, help=text).add_argument("name")
    execute = actions.add_parser("exec", help="run a command inside the site")
    execute.add_argument("--user", default="root", help="user to run it as (default: root)")
    execute.add_argument("command", nargs=argparse.REMAINDER)
    actions.add_parser("shell", help="a shell inside the site").add_argument("--user", default="root")
    options = parser.parse_args(argv)
    folder = default_folder()
    try:
        return run_action(options, folder)
    except SiteError as error:
        print(f"✗ {error.what}", file=sys.stderr)
        if error.advice:
            print(f"  {error.advice}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def run_action(options: argparse.Namespace, folder: Path) -> int:
    match options.action:
        case "preflight":
            commands.preflight(folder, options.port)
            return 0
        case "run":
            return commands.run(
                folder,
                options.port,
                background=options.background,
                fresh=options.fresh,
                with_web=not options.without_web,
            )
        case "stop":
            return commands.stop(folder)
        case "status":
            return commands.status(folder, as_json=options.json)
        case "logs":
            return commands.logs(folder, options.name, follow=options.follow)
        case "exec":
            return commands.execute(folder, options.command, user=options.user)
        case "shell":
            return commands.execute(folder, ["bash"], user=options.user)
        case verb:
            print(json.dumps(commands.act(folder, verb, options.name)))
            return 0


if __name__ == "__main__":
    sys.exit(main())
