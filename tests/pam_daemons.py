"""PAM's daemons on a real site: sssd and nslcd inside a demo site, connected to the site's directory.

Their packages are unpacked in .cache/logins. Their sockets are on the site's own file system.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from demo import people
from demo.directory import CA_FILE, SERVICE_DN, SERVICE_PASSWORD_FILE
from tests.demo_site import CLONE, INSIDE, DemoSite

UNPACKED = CLONE / ".cache" / "logins"
ROOT = INSIDE / "src" / UNPACKED.relative_to(CLONE)
PID = INSIDE / "run" / "pam-daemon.pid"
CLOSED = "bob"
"""His account is closed: it is the daemon that says so."""


@dataclass(frozen=True)
class Daemon:
    module: str
    """The PAM module that asks it."""
    folder: str
    """Where its socket is."""
    socket: str
    config: str
    settings: str
    start: str


def _sssd(ldap: str, password: str) -> str:
    return f"""\
[sssd]
services = pam
domains = example
[pam]
[domain/example]
id_provider = ldap
auth_provider = ldap
access_provider = simple
simple_deny_users = {CLOSED}
ldap_uri = {ldap}
ldap_search_base = {people.SUFFIX}
ldap_default_bind_dn = {SERVICE_DN}
ldap_default_authtok = {password}
ldap_tls_reqcert = demand
ldap_tls_cacert = {CA_FILE}
"""


def _nslcd(ldap: str, password: str) -> str:
    return f"""\
uid portal
gid portal
uri {ldap}
base ou=people,{people.SUFFIX}
binddn {SERVICE_DN}
bindpw {password}
tls_reqcert demand
tls_cacertfile {CA_FILE}
pam_authz_search (&(objectClass=posixAccount)(uid=$username)(!(uid={CLOSED})))
"""


def daemon(name: str, site: DemoSite) -> Daemon:
    ldap, password = f"ldaps://localhost:{site.ports['ldaps']}", site.run("cat", str(SERVICE_PASSWORD_FILE)).strip()
    if name == "nslcd":
        start = "chown portal /run/nslcd && exec nslcd -n"
        return Daemon("pam_ldap.so", "/run/nslcd", "socket", "/etc/nslcd.conf", _nslcd(ldap, password), start)
    # Its /run/sssd.pid would be the machine's.
    own_run = f"mount --rbind {INSIDE} /mnt && mount -t tmpfs run /run && mkdir {INSIDE} && mount --rbind /mnt {INSIDE}"
    folders = "cd /var/lib/sss && mkdir -p db gpo_cache mc pipes/private pubconf/krb5.include.d secrets"
    start = f"{own_run} && {folders} && exec sssd --interactive --logger=stderr"
    return Daemon("pam_sss.so", "/var/lib/sss", "pipes/pam", "/etc/sssd/sssd.conf", _sssd(ldap, password), start)


def module(name: str) -> str:
    """Return the path of one of their PAM modules inside a site."""
    (path,) = UNPACKED.glob(f"usr/lib/*/security/{name}")
    return str(ROOT / path.relative_to(UNPACKED))


@contextmanager
def running(site: DemoSite, name: str) -> Iterator[Daemon]:
    """Run the daemon in the site until the end. Only it sees the unpacked files in the system's places."""
    result = daemon(name, site)
    site.run("install", "-D", "-m", "600", "/dev/stdin", result.config, stdin=result.settings)
    site.run("mkdir", "-p", result.folder)
    site.run("mount", "-t", "tmpfs", "-o", "mode=755", name, result.folder)
    start = f"echo $$ >{PID} && mount -t overlay -o lowerdir={ROOT}/usr:/usr unpacked /usr && {result.start}"
    with (site.folder / "log" / f"{name}.log").open("ab") as log:
        runs = subprocess.Popen(
            [CLONE / "dev", "exec", "unshare", "--mount", "sh", "-c", start],
            env={**os.environ, "DSP_DEMO_DIR": str(site.folder)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        site.wait_for(lambda: _answers(site, runs, f"{result.folder}/{result.socket}"), f"{name} to answer")
        yield result
    finally:
        site.run("sh", "-c", f"kill $(cat {PID})", check=False)
        runs.wait(timeout=30)
        site.run("umount", result.folder)
        site.run("rmdir", "--ignore-fail-on-non-empty", result.folder)
        site.run("rm", result.config)


def _answers(site: DemoSite, runs: subprocess.Popen[bytes], socket: str) -> bool:
    assert runs.poll() is None, f"It ended: {site.folder}/log"
    return site.process("test", "-S", socket).returncode == 0
