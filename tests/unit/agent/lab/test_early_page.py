"""JupyterLab's page as one session leaves it for the next: what is kept, where, and for which session."""

from __future__ import annotations

import errno
import json
import re
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent.lab.early_page import Keep, digest, page_of, without_session
from agent.lab.kept_page import FILE, KeptPage

BASE_URL = "/user/alice/lab-x1y2/"
PORTAL = "https://portal.example/services/portal/jupyterlab"
CONFIG = {
    "baseUrl": BASE_URL,
    "fullAppUrl": f"{BASE_URL}lab",
    "fullLabextensionsUrl": PORTAL,
    "fullStaticUrl": f"{PORTAL}/0a1b",
    "hubServerName": "lab-x1y2",
    "hubUser": "alice",
    "token": "secret-token",
    "store_id": 3,
    "workspacesDir": "/tmp/dsp-x1y2/workspaces",
}


@pytest.fixture(autouse=True)
def versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jupyter's server is in sessions' environments only."""
    monkeypatch.setattr("agent.lab.early_page.version", {"jupyter_server": "2.21.1", "jupyterhub": "6.1.1"}.__getitem__)


def handler(policy: str = "frame-ancestors 'none'") -> Any:
    def render(name: str, page_config: dict[str, Any]) -> str:
        config = {**page_config, "baseUrl": BASE_URL}
        return (
            f"""<html><head><script type="application/json">{json.dumps(config)}</script></head><body></body></html>"""
        )

    log = SimpleNamespace(info=lambda *words: None)
    return SimpleNamespace(base_url=BASE_URL, content_security_policy=policy, render_template=render, log=log)


def page(config: dict[str, Any] | None = None) -> KeptPage:
    kept = page_of(handler(), {**CONFIG, **(config or {})})
    assert kept is not None
    return kept


def config_in(html: str) -> dict[str, Any]:
    found = re.search(r'application/json">(.*?)</script>', html)
    assert found
    return dict(json.loads(found[1]))


def test_the_next_session_shows_the_page_as_its_own_server_would() -> None:
    config = config_in(page().fill("/user/alice/lab-z9/", "a folder/n.ipynb"))
    assert config["baseUrl"] == "/user/alice/lab-z9/"
    assert config["fullAppUrl"] == "/user/alice/lab-z9/lab"
    assert config["hubServerName"] == "lab-z9"
    assert config["hubUser"] == "alice"
    assert config["treePath"] == "a folder/n.ipynb"
    assert config["mode"] == "multiple-document"


def test_page_is_kept_where_portal_and_sessions_share_a_host() -> None:
    shared = {
        "fullLabextensionsUrl": "/services/portal/jupyterlab",
        "fullStaticUrl": "/services/portal/jupyterlab/0a1b",
    }
    config = config_in(page(shared).fill("/user/alice/lab-z9/", ""))
    assert {name: config[name] for name in shared} == shared


def test_nothing_private_is_kept() -> None:
    html = page().html
    assert "secret-token" not in html
    assert "dsp-x1y2" not in html
    assert "lab-x1y2" not in html


@pytest.mark.parametrize(
    "other",
    [
        {"fullLabextensionsUrl": f"{BASE_URL}lab/extensions"},
        {"fullStaticUrl": f"{BASE_URL}static/lab"},
        {"fullStaticUrl": ""},
        {"mySecret": "of a user's own configuration"},
    ],
)
def test_page_with_anything_of_the_users_own_is_not_kept(other: dict[str, Any]) -> None:
    assert page_of(handler(), {**CONFIG, **other}) is None


def test_page_whose_policy_names_sources_is_not_kept() -> None:
    assert page_of(handler("script-src 'self'"), CONFIG) is None


def test_digest_is_that_of_any_session_and_visit_and_of_no_other_page() -> None:
    there = {**CONFIG, "baseUrl": "/user/alice/z/", "fullAppUrl": "/user/alice/z/lab", "hubServerName": "z"}
    same = {**there, "token": "another", "store_id": 9, "treePath": "n.ipynb"}
    of = digest(without_session(BASE_URL, CONFIG))
    assert digest(without_session("/user/alice/z/", same)) == of
    assert of in page().html
    assert digest(without_session(BASE_URL, {**CONFIG, "quitButton": True})) != of


def test_name_in_the_address_cannot_leave_the_script() -> None:
    html = page().fill("/user/alice/z/", "</script><script>alert('1')&{portal:base_url}\"\\")
    assert html.count("<script") == page().html.count("<script")
    assert config_in(html)["treePath"] == "</script><script>alert('1')&{portal:base_url}\"\\"


def test_page_is_kept_for_its_environment_and_the_portals_files_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = {"HOME": str(tmp_path), "PORTAL_LAB_FILES": f"{PORTAL} 0a1b"}
    assert KeptPage.read(environ) is None
    page().write(environ)
    assert KeptPage.read(environ) == page()
    assert stat.S_IMODE((tmp_path / ".cache" / FILE).stat().st_mode) == 0o600
    assert KeptPage.read({**environ, "PORTAL_LAB_FILES": f"{PORTAL} 2c3d"}) is None
    assert KeptPage.read({**environ, "APPTAINER_CONTAINER": "/images/torch.sif"}) is None
    monkeypatch.setattr("sys.prefix", "/environments/other")
    assert KeptPage.read(environ) is None


def test_full_disk_leaves_the_last_page_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environ = {"HOME": str(tmp_path)}
    page().write(environ)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("agent.lab.kept_page.json.dump", full)
    with pytest.raises(OSError, match="No space left"):
        page({"quitButton": True}).write(environ)
    assert KeptPage.read(environ) == page()
    assert [file.name for file in (tmp_path / ".cache" / FILE).parent.iterdir()] == [Path(FILE).name]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"for": null}'])
def test_damaged_file_is_no_page(tmp_path: Path, text: str) -> None:
    environ = {"HOME": str(tmp_path)}
    page().write(environ)
    (tmp_path / ".cache" / FILE).write_text(text)
    assert KeptPage.read(environ) is None


async def test_a_visit_keeps_a_page_that_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    environ = {"HOME": str(tmp_path)}
    for name in ("XDG_CACHE_HOME", "PORTAL_LAB_FILES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    keep = Keep(lambda handler, config: {**config, "quitButton": False})
    kept = tmp_path / ".cache" / FILE

    async def visited(config: dict[str, Any]) -> KeptPage | None:
        keep(handler(), config)
        await asyncio.get_running_loop().shutdown_default_executor()
        return KeptPage.read(environ)

    assert await visited(CONFIG) == page({"quitButton": False})
    kept.unlink()
    keep(handler(), CONFIG)
    assert not kept.exists()
