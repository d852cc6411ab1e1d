"""Files on shared storage that maps root to nobody.

Without CAP_DAC_OVERRIDE, a local folder treats root as an NFS server with root_squash does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="it needs root and setpriv")
SQUASHED = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all")
WRITE = """
import os, sys
from pathlib import Path
from portal.deploy.shared import writing_below
from portal.deploy.programs import put_agent, put_templates
folder = Path(sys.argv[1]) / "portal"
with writing_below(folder):
    put_agent(folder / "agent.pyz")
    put_templates(folder / "templates")
assert os.geteuid() == os.getegid() == 0
"""
WRITE_TEMPLATES = WRITE.replace('    put_agent(folder / "agent.pyz")\n', "")


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    for path in (tmp_path, *tmp_path.parents[:-2]):
        path.chmod(0o755)
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    return folder


def write(storage: Path) -> subprocess.CompletedProcess[str]:
    argv = [*SQUASHED, sys.executable, "-c", WRITE, storage]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def test_root_that_is_squashed_writes_as_the_owner_of_the_folder(storage: Path) -> None:
    shutil.chown(storage, "daemon", "daemon")
    done = write(storage)
    assert done.returncode == 0, done.stderr
    written = [storage / "portal/agent.pyz", *(storage / "portal/templates").iterdir()]
    assert len(written) > 2
    assert {path.owner() for path in written} == {"daemon"}


def test_folder_of_root_s_that_root_may_not_write_is_said_with_what_to_do(storage: Path) -> None:
    storage.chmod(0o555)
    done = write(storage)
    assert f"root is not allowed to write to {storage}." in done.stderr


def test_root_that_is_not_squashed_stays_root(storage: Path) -> None:
    shutil.chown(storage, "daemon", "daemon")
    argv = [sys.executable, "-c", WRITE, storage]
    subprocess.run(argv, check=True)
    assert (storage / "portal/agent.pyz").owner() == "root"


@pytest.mark.skipif(not shutil.which("unshare"), reason="it needs unshare")
def test_templates_that_are_up_to_date_may_be_on_a_read_only_file_system(storage: Path) -> None:
    subprocess.run([sys.executable, "-c", WRITE, storage], check=True)
    read_only = f"mount --bind {storage} {storage} && mount -o remount,ro,bind {storage}"
    argv = ["unshare", "--mount", "sh", "-c", f'{read_only} && exec "$@"', "sh", sys.executable, "-c", WRITE_TEMPLATES]
    done = subprocess.run([*argv, storage], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
