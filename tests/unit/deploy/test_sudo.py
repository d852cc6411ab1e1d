"""sudo starts the door within the capabilities that the portal's unit leaves it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from portal.deploy.plan import DOOR_CAPABILITIES

#: sudo's stack on Red Hat Enterprise Linux 9: pam.d/sudo with system-auth, as authselect's profile "minimal" writes it.
STACK = """\
auth required pam_env.so
auth sufficient pam_unix.so nullok
auth required pam_deny.so
account required pam_unix.so
session required pam_limits.so
session required pam_unix.so
"""
SUDOERS = 'Defaults secure_path = /sbin:/bin:/usr/sbin:/usr/bin\ndaemon ALL=(root) NOPASSWD: /usr/bin/id ""\n'
#: An account that /etc/shadow knows: nss-systemd answers for nobody.
AS_PORTAL = "setpriv --reuid=daemon --regid=daemon --clear-groups --inh-caps=-all"
OVER = {"shadow": "/etc/shadow", "stack": "/etc/pam.d/sudo", "sudoers": "/etc/sudoers"}


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("sudo"), reason="it needs root and sudo")
def test_sudo_works_where_only_root_s_capabilities_open_the_shadow_file(tmp_path: Path) -> None:
    for name, text, mode in (("shadow", Path("/etc/shadow").read_text(), 0), ("stack", STACK, 0o644)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(mode)
    (tmp_path / "sudoers").write_text(SUDOERS)
    (tmp_path / "sudoers").chmod(0o440)
    binds = [f"mount --bind {tmp_path / name} {target}" for name, target in OVER.items()]
    kept = ",".join(f"+{name.removeprefix('CAP_').lower()}" for name in DOOR_CAPABILITIES.split())
    script = " && ".join([*binds, f"{AS_PORTAL} --bounding-set=-all,{kept} sudo -n /usr/bin/id"])
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("uid=0("), done.stderr
