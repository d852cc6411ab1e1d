"""A site set up like Red Hat Enterprise Linux 9, installed by the commands of docs/how-to/install-el.md.

The head node is systemd on a demo site (tests/deployment/machine.py), whose Python is 3.9 and
whose sudo is set up as there; the compute nodes are the demo's, with the same Python.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demo import people
from demo.directory import CA_FILE, SERVICE_DN, SERVICE_PASSWORD_FILE
from demo.processes import KEPT_VARIABLES
from tests.demo_site import CLONE, INSIDE, demo_site, free_port
from tests.deployment.machine import Machine

PAGE = CLONE / "docs/how-to/install-el.md"
LAYER = INSIDE / "src/.cache/el9"
SHARED = INSIDE / "shared/portal"
WHEEL = "data_scientist_portal-0.1.0-py3-none-any.whl"
INSTALL_S = 1800
#: Sections whose commands run; those of the other sections do not, and the page says so.
RUN = ("2. Account and software", "3. Files and services")

#: pam.d/sudo, and system-auth as authselect's profile "sssd" has it for version 9.
SUDO = "".join(f"{kind} include system-auth\n" for kind in ("auth", "account", "password", "session"))
SYSTEM_AUTH = """\
auth        required                                     pam_env.so
auth        required                                     pam_faildelay.so delay=2000000
auth        [default=1 ignore=ignore success=ok]         pam_usertype.so isregular
auth        [default=1 ignore=ignore success=ok]         pam_localuser.so
auth        sufficient                                   pam_unix.so nullok
auth        [default=1 ignore=ignore success=ok]         pam_usertype.so isregular
auth        sufficient                                   pam_sss.so forward_pass
auth        required                                     pam_deny.so
account     required                                     pam_unix.so
account     sufficient                                   pam_localuser.so
account     sufficient                                   pam_usertype.so issystem
account     [default=bad success=ok user_unknown=ignore] pam_sss.so
account     required                                     pam_permit.so
session     optional                                     pam_keyinit.so revoke
session     required                                     pam_limits.so
-session    optional                                     pam_systemd.so
session     [success=1 default=ignore]                   pam_succeed_if.so service in crond quiet use_uid
session     required                                     pam_unix.so
session     optional                                     pam_sss.so
"""
SUDOERS = """\
Defaults !visiblepw, always_set_home, match_group_by_gid, env_reset
Defaults secure_path = /sbin:/bin:/usr/sbin:/usr/bin
root ALL=(ALL) ALL
%wheel ALL=(ALL) ALL
#includedir /etc/sudoers.d
"""
FILES = {"pam.d/sudo": (SUDO, 0o644), "pam.d/system-auth": (SYSTEM_AUTH, 0o644), "sudoers": (SUDOERS, 0o440)}


def commands(page: Path = PAGE, of: tuple[str, ...] = RUN) -> list[str]:
    """Return the command lines of these sections of a page, in order, as they are written."""
    sections = re.split(r"^## ", page.read_text(), flags=re.M)[1:]
    blocks = [
        block
        for section in sections
        if section.startswith(of)
        for block in re.findall(r"^```bash\n(.*?)^```", section, flags=re.M | re.S)
    ]
    return [line for block in blocks for line in block.replace("\\\n", "").splitlines()]


@dataclass(frozen=True)
class Head(Machine):
    layer: str = str(LAYER)

    def shell(self, line: str) -> str:
        """Run a line as root on the head node, with this machine's way to its package registries."""
        names = [name for name in os.environ if KEPT_VARIABLES.fullmatch(name) or name == "NODE_EXTRA_CA_CERTS"]
        kept = [f"{name}={os.environ[name]}" for name in names]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return self.beside_systemd("env", *kept, path, "HOME=/root", "sh", "-ec", line, timeout_s=INSTALL_S)

    def shape(self) -> None:
        """Make both ends look like version 9."""
        self.site.run("mount", "-t", "overlay", "-o", f"lowerdir={LAYER}/usr:/usr", "nodes", "/usr")
        self.shell("userdel portal; groupdel portal 2>/dev/null || true")
        for name, (text, mode) in FILES.items():
            self.shell(f"printf %s {shlex.quote(text)} >/etc/{name}; chmod {mode:o} /etc/{name}")
        self.shell("touch /etc/shadow; chmod 0 /etc/shadow; groupadd --force --system wheel")

    def install(self, wheel: Path) -> None:
        """Follow the page, with this site's answers in place of the example's."""
        work = "/root/install"
        self.shell(f"mkdir {work}; cp {INSIDE / 'src' / wheel.relative_to(CLONE)} {work}/{WHEEL}")
        for line in commands():
            if "portal check" in line:
                self.answers()  # "after some seconds", the page says
            if line.endswith("systemctl enable --now portal-proxy portal-hub portal"):
                self.before_the_start()
            self.shell(f"cd {work}; {self.answered(line)}")

    def before_the_start(self) -> None:
        """The home directories of the two users who log in, which a real site already has."""
        for name in ("alice", "bob"):
            home = str(INSIDE / "home" / name)
            self.site.run("install", "-d", "-m", "700", "-o", name, "-g", people.MAIN_GROUP[0], home)

    def answered(self, line: str) -> str:
        words = shlex.split(line)
        if words[:2] != ["/opt/portal/bin/portal", "init"]:
            return line
        given = dict(zip(words[2::2], words[3::2], strict=True))
        answers = self.answers_of_init()
        assert given.keys() <= answers.keys(), "the page has an option that this test does not know"
        return shlex.join([*words[:2], *(word for pair in answers.items() for word in pair)])

    def answers_of_init(self) -> dict[str, str]:
        return {
            "--url": self.site.url,
            "--sessions-url": "",
            "--wildcard": "",
            "--head": "127.0.0.2",
            "--shared": str(SHARED),
            "--ldap": f"ldaps://localhost:{self.site.ports['ldaps']}",
            "--ldap-base": people.SUFFIX,
            "--ldap-bind-dn": SERVICE_DN,
            "--ldap-password-file": str(SERVICE_PASSWORD_FILE),
            "--user-group": people.LOGIN_GROUP,
            "--admin-group": people.ADMIN_GROUP,
            # What this site has and the example lacks.
            "--ldap-ca": str(CA_FILE),
            "--unix-group": people.MAIN_GROUP[0],
            "--slurm-conf": str(INSIDE / "slurm/etc/slurm.conf"),
            "--proxy-port": self.site.url.rpartition(":")[2],
            **{f"--{name}-port": str(free_port()) for name in ("proxy-api", "portal", "hub")},
        }


@contextmanager
def installed(wheel: Path) -> Iterator[Head]:
    with demo_site("--without-web", hosts="one") as site:
        head = Head(site)
        with head.booted():
            head.shape()
            head.install(wheel)
            yield head
