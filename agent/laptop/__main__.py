"""The command line of the laptop's program."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from . import cluster, connect, device, files, hosts, jobs, login, sessions, stdio, transfers, update
from .errors import Failure

JSON = "print JSON, for scripts"
EPILOG = "An SSH option or a command may follow the name: portal ssh bert -L 8888:localhost:8888 nvidia-smi"


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return its status."""
    asked, more = _parser().parse_known_args(arguments)
    if more:
        _parser().error(f"unknown arguments: {' '.join(more)}")
    try:
        return int(asked.run(asked) or 0)
    except (Failure, OSError) as error:
        print(f"portal: {_sentence(error)}", file=sys.stderr)
        return 255 if asked.command == "ssh" else 1
    except KeyboardInterrupt:
        return 130


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}."
    return str(error)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("portal", description="Your sessions, files and jobs, from your own machine.")
    parser.add_argument("--version", action="version", version=device.shipped().get("version", "unknown"))
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    one = commands.add_parser("login", help="log in with your browser")
    one.add_argument("url", nargs="?", default="", help="the portal's address; default: where this file came from")
    one.add_argument("--device", default="", help="this machine's name in the portal")
    one.add_argument("--no-browser", action="store_true", help="only print the address to open")
    one.set_defaults(run=_login)

    one = commands.add_parser("logout", help="forget this machine's token")
    one.set_defaults(run=_logout)

    _add_sessions(commands.add_parser("sessions", help="list, start and stop your sessions"))
    _add_jobs(commands.add_parser("jobs", help="list and show your batch jobs"))

    _add_files(commands.add_parser("files", help="list, get, put, move and remove your files on the cluster"))

    one = commands.add_parser("cluster", help="show the partitions, and what is free")
    one.add_argument("--json", action="store_true", help=JSON)
    one.set_defaults(run=_cluster)

    one = commands.add_parser("ssh", help="connect to a session", epilog=EPILOG)
    one.add_argument("--stdio", action="store_true", help="the connection alone, as ssh's ProxyCommand")
    one.add_argument("name", help="the session's name or id")
    one.add_argument("rest", nargs=argparse.REMAINDER, help="ssh's options, then a command")
    one.set_defaults(run=_ssh)

    one = commands.add_parser("ssh-config", help="add your sessions to ssh and editors as hosts, NAME.portal")
    one.add_argument("--remove", action="store_true", help="remove them again")
    one.set_defaults(run=_ssh_config)

    one = commands.add_parser("self-update", help="update this program from the portal")
    one.set_defaults(run=_self_update)
    return parser


def _add_sessions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.set_defaults(run=_sessions)
    acts = parser.add_subparsers(dest="act", metavar="list | start | stop")
    acts.add_parser("list", help="list your sessions (the default)")

    one = acts.add_parser("start", help="start a session; the site's policy fills in what you leave out")
    one.add_argument("--app", default="jupyterlab")
    for name in ("name", "environment", "gpu-type", "partition", "account", "qos", "reservation"):
        one.add_argument(f"--{name}")
    for name in ("constraint", "licenses", "wckey"):
        one.add_argument(f"--{name}")
    one.add_argument("--exclusive", action="store_true", default=None, help="whole nodes, with all their GPUs")
    for name in ("gpus", "gpu-memory-gb", "nodes", "cpus", "shards", "mps-percent"):
        one.add_argument(f"--{name}", type=int)
    one.add_argument("--memory-gb", type=float)
    one.add_argument("--hours", type=float, help="time limit")
    one.set_defaults(run=_start)

    one = acts.add_parser("stop", help="stop a session")
    one.add_argument("name", help="the session's name or id")
    one.set_defaults(run=_stop)


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.set_defaults(run=_jobs, all=False)
    acts = parser.add_subparsers(dest="act", metavar="list | show")
    one = acts.add_parser("list", help="list your active jobs (the default)")
    one.add_argument("--all", action="store_true", help="include ended jobs")
    one = acts.add_parser("show", help="show a job")
    one.add_argument("number")
    one.set_defaults(run=_job)


def _add_files(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", metavar="ls | get | put | mv | rm", required=True)
    remote = "absolute, or ~/… in your home on the cluster (quote the ~)"
    one = acts.add_parser("ls", help="list a folder")
    one.add_argument("path", nargs="?", default="~", help=remote)
    one.add_argument("-l", "--long", action="store_true", help="with permissions, owner, size and time")
    one.add_argument("-a", "--all", action="store_true", help="include names that begin with a dot")
    one.add_argument("--json", action="store_true", help=JSON)
    one.set_defaults(run=_ls)

    one = acts.add_parser("get", help="download a file; run it again to continue an interrupted download")
    one.add_argument("remote", help=remote)
    one.add_argument("local", nargs="?", type=Path, default=Path(), help="a name, or an existing folder")
    one.set_defaults(run=_get)

    one = acts.add_parser("put", help="upload a file; run it again to continue an interrupted upload")
    one.add_argument("local", type=Path)
    one.add_argument("remote", help=f"{remote}; with a slash at the end: a folder")
    one.add_argument("--replace", action="store_true", help="replace an existing file")
    one.set_defaults(run=_put)

    one = acts.add_parser("mv", help="move files and folders into a folder")
    one.add_argument("paths", nargs="+", metavar="path", help=remote)
    one.add_argument("folder", help=remote)
    one.add_argument("--replace", action="store_true", help="replace existing files")
    one.set_defaults(run=_mv)

    one = acts.add_parser("rm", help="move files and folders to the bin")
    one.add_argument("paths", nargs="+", metavar="path", help=remote)
    one.set_defaults(run=_rm)


def _login(asked: argparse.Namespace) -> None:
    url = (asked.url or device.shipped().get("url", "")).rstrip("/")
    if not url:
        raise Failure("Name the portal's address: portal login https://portal.example.org")
    known = login.log_in(url, asked.device, browser=not asked.no_browser)
    device.keep(known)
    print(f"Logged in at {url} as {known.username}.")


def _logout(asked: argparse.Namespace) -> None:
    print("Logged out." if device.forget() else "You were not logged in.")
    print("The token itself is valid until it expires, or until you revoke it under API tokens in the portal.")


def _sessions(asked: argparse.Namespace) -> None:
    found = sessions.active(device.load())
    if asked.json:
        print(json.dumps(found))
    else:
        sessions.print_list(found)


def _start(asked: argparse.Namespace) -> None:
    resources = {name: getattr(asked, name) for name in ("gpus", "gpu_type", "gpu_memory_gb", "nodes", "cpus")}
    resources |= {
        name: getattr(asked, name) for name in ("partition", "account", "qos", "reservation", "shards", "mps_percent")
    }
    resources |= {name: getattr(asked, name) for name in ("constraint", "licenses", "wckey", "exclusive")}
    if asked.memory_gb is not None:
        resources["memory_mib"] = round(asked.memory_gb * 1024)
    if asked.hours is not None:
        resources["walltime_s"] = round(asked.hours * 3600)
    body = {"app": asked.app, "name": asked.name, "environment": asked.environment, "resources": _given(resources)}
    session = sessions.start(device.load(), _given(body))
    if asked.json:
        print(json.dumps(session))
    else:
        print(f"{session['name']} is requested. `portal sessions` shows when it is ready.")


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _stop(asked: argparse.Namespace) -> None:
    session = sessions.stop(device.load(), asked.name)
    print(json.dumps(session) if asked.json else f"{session['name']} is ending.")


def _jobs(asked: argparse.Namespace) -> None:
    found = jobs.recent(device.load(), ended=asked.all)
    if asked.json:
        print(json.dumps(found))
    else:
        jobs.print_list(found)


def _job(asked: argparse.Namespace) -> None:
    found = jobs.job(device.load(), asked.number)
    if asked.json:
        print(json.dumps(found))
    else:
        jobs.print_job(found)


def _ls(asked: argparse.Namespace) -> None:
    found = files.entries(device.load(), asked.path, hidden=asked.all)
    if asked.json:
        print(json.dumps(found))
    else:
        files.print_entries(found, long=asked.long)


def _get(asked: argparse.Namespace) -> None:
    target = asked.local / asked.remote.rsplit("/", 1)[-1] if asked.local.is_dir() else asked.local
    print(f"{target}: {_bytes(transfers.fetch(device.load(), asked.remote, target))}.")


def _put(asked: argparse.Namespace) -> None:
    if asked.local.is_dir():
        raise Failure(f"{asked.local} is a folder. Copy folders with rsync or scp through a session: portal ssh-config")
    remote = "~/" if asked.remote == "~" else asked.remote
    path = f"{remote}{asked.local.resolve().name}" if remote.endswith("/") else remote
    print(f"{path}: {_bytes(transfers.send(device.load(), asked.local, path, replace=asked.replace))}.")


def _bytes(size: int) -> str:
    return f"{size} byte{'' if size == 1 else 's'}"


def _mv(asked: argparse.Namespace) -> int:
    return _told(files.move(device.load(), asked.paths, asked.folder, replace=asked.replace))


def _rm(asked: argparse.Namespace) -> int:
    return _told(files.to_bin(device.load(), asked.paths))


def _told(messages: list[str]) -> int:
    """Print what was not done; return the status."""
    for message in messages:
        print(f"portal: {message}", file=sys.stderr)
    return 1 if messages else 0


def _cluster(asked: argparse.Namespace) -> None:
    shown = cluster.options(device.load())
    if asked.json:
        print(json.dumps(shown["partitions"]))
    else:
        cluster.print_partitions(shown)


def _ssh(asked: argparse.Namespace) -> int:
    known = device.load()
    if asked.stdio:
        return stdio.run(known, asked.name)
    return connect.run(known, asked.name, asked.rest)


def _ssh_config(asked: argparse.Namespace) -> None:
    if asked.remove:
        hosts.remove()
        print("Removed what `portal ssh-config` had written below ~/.ssh.")
        return
    known = device.load()
    names = hosts.write(known, sessions.active(known))
    print("Your sessions are now hosts for ssh and editors: " + (", ".join(names) or "none is active") + ".")


def _self_update(asked: argparse.Namespace) -> None:
    url = device.shipped().get("url", "")
    try:
        url = device.load().url
    except Failure:
        if not url:
            raise
    print(update.update(url, device.program()))
    print("Open connections continue with the old program until they end.")


if __name__ == "__main__":
    sys.exit(main())
