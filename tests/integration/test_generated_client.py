"""A client that openapi-python-client generates from the portal's own description starts and stops a session."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from tests.demo_site import API, CLONE, DemoSite
from tests.person import Live, Person

GENERATOR = CLONE / ".cache/generator/bin"
GUIDE = CLONE / "docs/how-to/scripts.md"
#: The generator reads bytes as application/octet-stream only; the site has these, too.
BYTES = ("image/png", "application/zip", "application/x-tar")
OVERRIDES = "".join(f"  {kind}: application/octet-stream\n" for kind in BYTES)
#: No formatting.
CONFIG = f"post_hooks: []\ncontent_type_overrides:\n{OVERRIDES}"
REFUSED = """
too_many = SessionRequest(app="jupyterlab", resources=ResourceRequest(gpus=999))
answer = create_session.sync_detailed(client=portal, body=too_many)
print(int(answer.status_code), answer.parsed.error.code)
"""


@pytest.fixture
def generated(site: DemoSite, tmp_path: Path) -> Path:
    """The folder with the package portal_client. A warning of the generator is an operation that it left out."""
    (tmp_path / "openapi.json").write_bytes(httpx2.get(f"{site.url}{API}/openapi.json", timeout=60).content)
    (tmp_path / "config.yml").write_text(CONFIG)
    options = ("--path", "openapi.json", "--config", "config.yml", "--meta", "none", "--output-path", "portal_client")
    done = subprocess.run(
        [GENERATOR / "openapi-python-client", "generate", "--fail-on-warning", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return tmp_path


def test_lines_of_the_guide_start_and_stop_a_session(
    site: DemoSite, person: Callable[[str], Person], generated: Path
) -> None:
    alice = person("alice")
    found = re.search(r"```python\n(from portal_client import .*?)```", GUIDE.read_text(), re.S)
    assert found is not None
    lines = found[1].replace("https://portal.example.org", site.url).replace("gpus=1", "gpus=0")
    assert "delete_session.sync_detailed(session.id, client=portal)" in lines
    script = f"token = {alice.token!r}\n{lines}print(session.id)\n{REFUSED}"
    done = subprocess.run(
        [GENERATOR / "python", "-c", script], cwd=generated, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    state, session_id, *refused = done.stdout.split()
    assert state not in ("stopping", "ended")
    assert refused == ["422", "policy_refused"], "an error has the shape that the guide shows"
    # Stopped right after its start, it may not have run yet.
    assert Live(alice, session_id).ended()["end"]["code"] in ("stopped", "cancelled")
