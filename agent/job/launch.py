"""What the portal sends to start: its shape, and the environment, links and places made from it."""

from __future__ import annotations

import json
import os
import pwd
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .placeholders import fill, in_home

if TYPE_CHECKING:
    from agent import wire

KEPT_NAMES = {"TMPDIR", "TZ", "LANG", "GPU_DEVICE_ORDINAL"}
KEPT_PREFIXES = ("SLURM_", "SLURMD_", "CUDA_", "NVIDIA_", "ROCR_", "ZE_", "LC_")
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
LINKS_RECORD = Path(".portal") / "links.json"


class Option(NamedTuple):
    """The user's value for an option of the app. `folder`: a path, of a folder or a file; `create`: make the folder."""

    name: str
    value: str
    folder: bool
    create: bool


class Launch(NamedTuple):
    """One app to start. Placeholders in braces in command and env are filled in only here (`placeholders`).

    With `proxy` the app runs behind the proxy, which gets these settings from the portal. With `image` that image's
    kernels are offered to the app, below `{folder}/jupyter`. Without `ssh` nobody gets SSH into the session;
    without `open_ports` nobody opens a port of it.
    """

    command: list[str]
    env: dict[str, str]
    options: list[Option]
    proxy: wire.Proxy | None
    image: wire.Image | None
    ip: str
    ports: tuple[int, int]
    ready_path: str
    links: list[tuple[str, str]]
    copies: list[dict[str, str]]
    report_interval_s: float
    start_timeout_s: float
    warn_before_s: list[int]
    ends_at: str | None
    log_days: int = 0
    ssh: wire.Ssh | None = None
    open_ports: wire.OpenPorts | None = None
    guests: wire.Guests | None = None

    @classmethod
    def parse(cls, answer: wire.Launch) -> Launch:
        """Parse the portal's `launch`; raises KeyError, TypeError or ValueError if it is malformed."""
        command = [str(word) for word in answer["command"]]
        if not command:
            raise ValueError("an empty command")
        low, high = (int(port) for port in answer["ports"])
        return cls(
            command=command,
            env={str(name): str(value) for name, value in answer["env"].items()},
            options=[
                Option(str(option["name"]), str(option["value"]), bool(option["folder"]), bool(option["create"]))
                for option in answer.get("options") or []
            ],
            proxy=answer.get("proxy"),
            image=answer.get("image"),
            ip=str(answer.get("ip") or ""),
            ports=(low, high),
            ready_path=str(answer["ready_path"]),
            links=[(str(link["name"]), str(link["target"])) for link in answer.get("links") or []],
            copies=[
                {"source": str(copy["source"]), "target": str(copy["target"])} for copy in answer.get("copies") or []
            ],
            report_interval_s=float(answer.get("report_interval_s") or 30),
            start_timeout_s=float(answer.get("start_timeout_s") or 120),
            warn_before_s=sorted((int(s) for s in answer.get("warn_before_s") or []), reverse=True),
            ends_at=answer.get("ends_at"),
            log_days=int(answer.get("log_days") or 0),
            ssh=answer.get("ssh"),
            open_ports=answer.get("open_ports"),
            guests=answer.get("guests"),
        )

    def option_values(self) -> dict[str, str]:
        """Return the values for the options; folders as absolute paths, created if requested. Raises OSError."""
        values = {}
        for option in self.options:
            value = in_home(option.value, home()) if option.folder else option.value
            if option.create:
                os.makedirs(value, mode=0o700, exist_ok=True)
            values[f"option:{option.name}"] = value
        return values


def agent_path() -> str:
    """Return the path of the file this agent runs from."""
    return os.path.abspath(sys.argv[0])


def app_environment(launch: Launch, values: Mapping[str, str]) -> dict[str, str]:
    """Return the app's complete environment: the account's, Slurm's for the job, and the portal's; nothing else.

    The agent's own DSP_* variables never get in, even if the launch names them.
    """
    account = pwd.getpwuid(os.getuid())
    environment = {
        name: value for name, value in os.environ.items() if name in KEPT_NAMES or name.startswith(KEPT_PREFIXES)
    }
    environment.update(
        HOME=home(),
        USER=account.pw_name,
        LOGNAME=account.pw_name,
        SHELL=account.pw_shell or "/bin/sh",
        PATH=SYSTEM_PATH,
        JUPYTER_RUNTIME_DIR=os.path.join(values["folder"], "runtime"),
    )
    environment.setdefault("LANG", "C.UTF-8")
    environment.update((name, fill(value, values)) for name, value in launch.env.items())
    return {name: value for name, value in environment.items() if not name.startswith("DSP_")}


def home() -> str:
    """Return the account's home, or the job's HOME where the site moves homes (containers, scratch)."""
    return os.environ.get("HOME") or pwd.getpwuid(os.getuid()).pw_dir


def make_links(links: list[tuple[str, str]], folder: Path) -> list[str]:
    """Make each link in `folder` unless something is there; return sentences about those that failed.

    A dangling link, or one that this agent made earlier (recorded in `.portal/links.json`), is renewed; anything else,
    whether file, folder or the user's own link, is left alone.
    """
    record_file = folder / LINKS_RECORD
    record = _read_record(record_file)
    notes = []
    for name, target in links:
        if not name or name in (".", "..") or "/" in name or "\0" in name + target:
            notes.append(f"link {name[:40]!r}: not a file name")
            continue
        link = folder / name
        try:
            if link.is_symlink():
                current = os.readlink(link)
                if current == target:
                    continue
                if record.get(name) != current and link.exists():
                    continue
                link.unlink()
            elif os.path.lexists(link):
                continue
            link.symlink_to(target)
        except OSError as error:
            notes.append(f"link {name}: {error.strerror}")
        else:
            record[name] = target
    if record != _read_record(record_file):
        _write_record(record_file, record, notes)
    return notes


def _read_record(path: Path) -> dict[str, str]:
    try:
        record = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _write_record(path: Path, record: dict[str, str], notes: list[str]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record))
    except OSError as error:
        notes.append(f"{path}: {error.strerror}")
