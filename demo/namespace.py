"""The private view of the machine that the site's processes have.

Accounts, name service, hosts and sudo rules are the site's own files, mounted over the machine's in a mount namespace
that ends with the site; the machine's own are never written. Every function here runs inside that namespace.
"""

from __future__ import annotations

import grp
import os
import socket
import stat
import subprocess
from pathlib import Path

from demo import people
from demo.site import HUB_HOST, INSIDE, Site

HOSTNAME = "portal-demo"
PORTAL_USER = "portal"
SERVICE_ACCOUNTS = {"munge": 52901, "slurm": 52902, "openldap": 52903, "mysql": 52904, PORTAL_USER: 52905}
"""Accounts of the daemons, with the number each gets where the machine has no such account."""

BIN = INSIDE / "bin"
"""Commands that ./dev exec finds beside the machine's: `portal`."""
FUSE = Path("/dev/fuse")
DOOR = INSIDE / "libexec" / "portal-door"
AGENT = INSIDE / "libexec" / "agent.pyz"

FILES = {
    "nsswitch.conf": "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n",
    "sudoers": (
        f'Defaults env_reset, !use_pty, !syslog, secure_path="/usr/sbin:/usr/bin:/sbin:/bin"\n'
        f'{PORTAL_USER} ALL=(root) NOPASSWD: {DOOR} ""\n'
    ),
    # The nodes are one machine posing as four: programs that find their peers through shared memory would find none.
    "openmpi/openmpi-mca-params.conf": "btl = self,tcp\nbtl_tcp_if_include = lo\nmtl = ^ofi\npml = ob1\n",
    "pam.d/sudo": "auth required pam_deny.so\naccount required pam_permit.so\nsession required pam_permit.so\n",
}
MODES = {"sudoers": 0o440}


def enter(site: Site) -> None:
    """Mount the site's folder, the clone and the site's /etc files in place."""
    socket.sethostname(HOSTNAME)
    INSIDE.mkdir(exist_ok=True)
    _bind(site.folder, INSIDE)
    for name in ("src", "environments", "run", "log"):
        (INSIDE / name).mkdir(exist_ok=True)
    _bind(site.clone, INSIDE / "src", read_only=True)
    environments = site.clone / ".cache" / "environments"
    environments.mkdir(parents=True, exist_ok=True)
    _bind(environments, site.environments)

    _private_etc(site)
    _open_fuse()
    _own_terminals()
    _open_to_all(site)


def _open_fuse() -> None:
    """Let all users mount FUSE file systems, as on compute nodes, so that images start without being unpacked."""
    if not FUSE.exists():
        return
    device = INSIDE / "run" / "fuse"
    if not device.exists():
        os.mknod(device, stat.S_IFCHR | 0o666, FUSE.stat().st_rdev)
    device.chmod(0o666)
    _bind(device, FUSE)


def _own_terminals() -> None:
    """Mount /dev/pts as systems do: a container's may lack the group `tty`, which sshd needs for terminals."""
    options = f"newinstance,gid={grp.getgrnam('tty').gr_gid},mode=620,ptmxmode=666"
    subprocess.run(["mount", "-t", "devpts", "-o", options, "devpts", "/dev/pts"], check=True)
    _bind(Path("/dev/pts/ptmx"), Path("/dev/ptmx"))


def _private_etc(site: Site) -> None:
    """Mount a copy of /etc with the site's files over the machine's.

    The folder, not the files: when the machine replaces a file (as useradd and apt do with /etc/group), a mount on that
    file goes with it.
    """
    etc = INSIDE / "etc"
    etc.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "etc", etc], check=True)
    subprocess.run(["cp", "--archive", "/etc/.", etc], check=True)
    passwd, group = accounts((etc / "passwd").read_text(), (etc / "group").read_text())
    hosts = f"127.0.0.1 localhost {HOSTNAME} {' '.join([*site.nodes, *_web_hosts()])}\n::1 ip6-localhost\n"
    for name, text in {**FILES, "hosts": hosts, "passwd": passwd, "group": group}.items():
        ours = etc / name
        ours.parent.mkdir(parents=True, exist_ok=True)
        ours.unlink(missing_ok=True)
        ours.write_text(text)
        ours.chmod(MODES.get(name, 0o644))
    _bind(etc, Path("/etc"))


def _web_hosts() -> list[str]:
    """Return the hosts of Hub and sessions: browsers resolve *.localhost to this machine, the C library does not."""
    return [HUB_HOST, *(f"{person.username}.{HUB_HOST}" for person in people.PEOPLE)]


def accounts(passwd: str, group: str) -> tuple[str, str]:
    """Add the directory's users and the daemons' accounts to the machine's; the directory's win on equal names."""
    directory = people.passwd_lines()
    groups = people.group_lines()
    machine = _without(passwd, {_name(line) for line in directory})
    machine_groups = _without(group, {_name(line) for line in groups})
    missing = {name: number for name, number in SERVICE_ACCOUNTS.items() if name not in map(_name, machine)}
    missing_groups = {name: n for name, n in SERVICE_ACCOUNTS.items() if name not in map(_name, machine_groups)}
    group_ids = {_name(line): line.split(":")[2] for line in machine_groups} | missing_groups
    services = [
        f"{name}:*:{number}:{group_ids[name]}::/nonexistent:/usr/sbin/nologin" for name, number in missing.items()
    ]
    service_groups = [f"{name}:*:{number}:" for name, number in missing_groups.items()]
    return (
        "\n".join([*machine, *services, *directory]) + "\n",
        "\n".join([*machine_groups, *service_groups, *groups]) + "\n",
    )


def _without(text: str, names: set[str]) -> list[str]:
    return [line for line in text.splitlines() if line.strip() and _name(line) not in names]


def _name(line: str) -> str:
    return line.partition(":")[0]


def _bind(source: Path, target: Path, *, read_only: bool = False) -> None:
    subprocess.run(["mount", "--bind", source, target], check=True)
    if read_only:
        subprocess.run(["mount", "-o", "remount,bind,ro", target], check=True)


def _open_to_all(site: Site) -> None:
    """Let the nodes' users read the source, in case it was cloned with a strict umask."""
    if os.stat(site.clone / "spawner" / "__init__.py").st_mode & 0o004 and os.stat(site.clone).st_mode & 0o001:
        return
    names = ("portal", "spawner", "agent", "door", "templates", "alembic", "requirements", "demo")
    tops = [site.clone / name for name in names]
    subprocess.run(["chmod", "-R", "go+rX", *filter(Path.exists, tops)], check=True)
    site.clone.chmod(site.clone.stat().st_mode | 0o001)
