"""The Jupyter server of a session, where it cannot be started."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import certifi
import pytest

from agent.job import serve
from agent.job.enter import NO_JUPYTER

CLONE = Path(__file__).parents[4]


def test_environment_without_jupyterhub_is_told_in_one_sentence() -> None:
    without_packages = [sys.executable, "-S", "-m", "agent.job", "serve-jupyter"]
    done = subprocess.run(without_packages, cwd=CLONE, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == NO_JUPYTER
    assert done.stderr.startswith("This environment has no JupyterHub, so it cannot serve Jupyter.")
    assert len(done.stderr.splitlines()) == 1


WHO_RESOLVES = """
import sys
from agent.job import serve

def server():
    import aiohttp.resolver
    print(aiohttp.resolver.DefaultResolver.__name__)

serve.import_server = lambda: server
sys.path.insert(0, "the agent's file")
serve.serve([])
"""


def test_hub_is_looked_for_by_the_system_which_forgets_an_old_address() -> None:
    assert find_spec("aiodns"), "What aiohttp takes where it is, as in a session's environment."
    command = [sys.executable, "-c", WHO_RESOLVES]
    done = subprocess.run(command, cwd=CLONE, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "ThreadedResolver", done.stderr


WHAT_IS_THERE = """
import sys
from agent.job import serve

def finds():
    found = []
    for name in serve.FORMAT_CHECKS:
        try:
            found.append(__import__(name).__name__)
        except ImportError:
            pass
    return found

def imported():
    print(finds())
    return lambda: print(finds() == list(serve.FORMAT_CHECKS))

serve.import_server = imported
sys.path.insert(0, "the agent's file")
serve.serve([])
"""


def test_checks_of_formats_are_absent_only_while_the_server_is_imported(tmp_path: Path) -> None:
    for name in serve.FORMAT_CHECKS:
        (tmp_path / f"{name}.py").touch()
    command = [sys.executable, "-c", WHAT_IS_THERE]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=CLONE, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines() == ["[]", "True"], done.stderr


WHO_IS_TRUSTED = """
import asyncio, ssl, sys
from agent.job import serve

def server():
    import aiohttp, aiohttp.connector
    kept = aiohttp.connector._SSL_CONTEXT_VERIFIED
    trusts = lambda: kept.cert_store_stats()["x509_ca"] > 0

    async def ask(address):
        async with aiohttp.ClientSession() as session:
            try:
                await session.get(address)
            except aiohttp.ClientConnectorError:
                pass  # nothing listens there

    print(trusts())
    asyncio.run(ask("http://127.0.0.1:1/"))
    print(trusts())
    asyncio.run(ask("https://127.0.0.1:1/"))
    print(trusts(), ssl.create_default_context().cert_store_stats()["x509_ca"] > 0)

def imported():
    import aiohttp
    return server

serve.import_server = imported
sys.path.insert(0, "the agent's file")
serve.serve([])
"""


def test_certificates_are_read_for_the_first_https_request() -> None:
    command = [sys.executable, "-c", WHO_IS_TRUSTED]
    environment = {**os.environ, "SSL_CERT_FILE": certifi.where()}
    done = subprocess.run(command, cwd=CLONE, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["False", "False", "True", "True"], done.stderr


def test_entry_points_are_read_once_until_the_server_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = []

    def read(**chosen: str) -> metadata.EntryPoints:
        readings.append(chosen)
        return real(**chosen)

    real, now = metadata.entry_points, 0.0
    monkeypatch.setattr(metadata, "entry_points", read)
    monkeypatch.setattr(serve.time, "monotonic", lambda: now)
    serve.read_entry_points_once()
    for group in ("pytest11", "console_scripts", "nothing has this"):
        assert set(metadata.entry_points(group=group)) == set(real(group=group))
    assert [point.name for point in metadata.entry_points(group="pytest11", name="anyio")] == ["anyio"]
    assert readings == [{}]
    now = serve.ENTRY_POINTS_KEPT_S
    assert set(metadata.entry_points(group="pytest11")) == set(real(group="pytest11"))
    assert readings == [{}, {"group": "pytest11"}]


async def test_server_that_starts_while_the_hub_is_away_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    class JupyterHubSingleUser:
        async def check_hub_version(self) -> None:
            tries.append(self)
            if len(tries) < 3:
                raise SystemExit(1)

    module, name = serve.HUB_CHECKS[0]
    monkeypatch.setitem(sys.modules, module, SimpleNamespace(**{name: JupyterHubSingleUser}))
    serve.wait_for_the_hub()
    await JupyterHubSingleUser().check_hub_version()
    assert len(tries) == 3
