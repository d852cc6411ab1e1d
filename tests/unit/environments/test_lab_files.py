"""JupyterLab's shared files: which builds the portal holds, and what a session's page then loads from where."""

from __future__ import annotations

import errno
import gzip
import os
import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from agent.lab import shared
from portal.environments import lab_files
from portal.environments.lab_endpoints import router
from portal.environments.lab_files import LabFiles
from portal.http import install
from portal.settings import Environment, Settings
from portal.settings.hosts import same_site

LAB = "share/jupyter/lab/static"
WIDGETS = "share/jupyter/labextensions/@jupyter-widgets/manager"
MAIN = "main.0a1b.js"
SCRIPT = b"console.log('Lab');" * 100


def make_environment(top: Path) -> Path:
    """Make an installation of JupyterLab with one extension, as pip leaves it."""
    write(top, f"{LAB}/index.html", b"<script src='{{page_config.fullStaticUrl}}/main.0a1b.js'></script>")
    write(top, f"{LAB}/{MAIN}", SCRIPT)
    write(top, f"{LAB}/logo.png", b"\x89PNG")
    write(top, f"{WIDGETS}/package.json", b"{}")
    write(top, f"{WIDGETS}/static/remoteEntry.2c.js", b"var widgets;")
    return top


def write(top: Path, name: str, content: bytes) -> Path:
    file = top / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


@pytest.fixture(autouse=True)
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The portal's own extension, as the agent brings it."""
    os.umask(0o022)
    monkeypatch.setattr(lab_files, "SHIPPED", tmp_path / "portal-lab" / "static")
    write(tmp_path / "portal-lab", "package.json", b"{}")
    return write(tmp_path / "portal-lab", "static/remoteEntry.js", b"var ours;")


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """The site's environment. The session's own files are a copy: `session_of`."""
    return make_environment(tmp_path / "base")


@pytest.fixture
def settings(tmp_path: Path, top: Path) -> Settings:
    (tmp_path / "data").mkdir()
    environments = {
        "base": Environment(title="Base", kind="path", path=top),
        "kernel": Environment(title="Kernel", kind="path", path=tmp_path / "kernel", extends="base"),
        "image": Environment(title="Image", kind="image", path=tmp_path / "image.sif"),
    }
    return Settings.model_validate(
        {
            "data_dir": tmp_path / "data",
            "server": {"public_url": "https://portal.example.org"},
            "hub": {"public_url": "https://hub.example.org", "subdomains": True},
            "environments": environments,
        }
    )


@pytest.fixture
def held(settings: Settings) -> LabFiles:
    return LabFiles(settings)


class Page:
    """JupyterLab's page in a session, whose files are in `top`; `extra` are folders of the user's extensions."""

    def __init__(self, held: LabFiles, top: Path, tmp_path: Path, *extra: Path) -> None:
        static = str(top / LAB)
        folders = [*map(str, extra), str(top / "share/jupyter/labextensions"), str(tmp_path)]
        app = SimpleNamespace(
            static_dir=static, static_paths=[static], extra_labextensions_path=[], labextensions_path=folders
        )
        self.handler = SimpleNamespace(
            extensionapp=app,
            static_url_prefix="/user/alice/s1/static/lab/",
            content_security_policy="frame-ancestors 'none'; report-uri /user/alice/s1/api/security/csp-report",
        )
        url, *builds = held.offer.split()
        self.url = url
        self._hook = shared.Shared(url, builds)
        self.extensions = ["@jupyter-widgets/manager", "portal-lab"]
        self.loads = {"@jupyter-widgets/manager": "static/remoteEntry.2c.js", "portal-lab": "static/remoteEntry.js"}

    def config(self) -> dict[str, Any]:
        return self._hook(
            self.handler,
            {
                "fullStaticUrl": "/user/alice/s1/static/lab",
                "fullLabextensionsUrl": "/user/alice/s1/lab/extensions",
                "federated_extensions": [{"name": name, "load": self.loads[name]} for name in self.extensions],
            },
        )


def own(config: dict[str, Any]) -> tuple[bool, bool]:
    """Return whether JupyterLab's files and the extensions' are the session's own."""
    return config["fullStaticUrl"].startswith("/user/"), config["fullLabextensionsUrl"].startswith("/user/")


@pytest.fixture
async def web(held: LabFiles) -> httpx2.AsyncClient:
    app = FastAPI()
    app.state.services = {LabFiles: held, Settings: Settings()}
    install(app, max_body_bytes=1000)
    router.add_to(app)
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://portal")


def path_of(url: str) -> str:
    """Return the path in `web` that a browser requests for an address."""
    return httpx2.URL("https://portal.example.org").join(url).path.removeprefix("/services/portal")


async def test_page_of_an_equal_build_loads_from_the_portal(
    held: LabFiles, top: Path, tmp_path: Path, web: httpx2.AsyncClient
) -> None:
    held.look()
    page = Page(held, make_environment(tmp_path / "on-the-node"), tmp_path)
    config = page.config()
    assert page.url == "https://portal.example.org/services/portal/jupyterlab"
    assert own(config) == (False, False)
    loaded = {f"{config['fullStaticUrl']}/{MAIN}": SCRIPT}
    for extension, content in zip(config["federated_extensions"], (b"var widgets;", b"var ours;"), strict=True):
        loaded[f"{config['fullLabextensionsUrl']}/{extension['name']}/{extension['load']}"] = content
    for url, content in loaded.items():
        answer = await web.get(path_of(url))
        assert (answer.status_code, answer.content) == (200, content)
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_file_is_compressed_beforehand_and_inert_when_opened_by_itself(
    held: LabFiles, web: httpx2.AsyncClient, top: Path
) -> None:
    held.look()
    build = next(build for build in held.builds() if held.find(build, MAIN))
    result = held.find(build, MAIN)
    assert result is not None
    assert result.gzipped
    assert gzip.decompress(result.path.read_bytes()) == SCRIPT
    headers = (await web.get(f"/jupyterlab/{build}/{MAIN}")).headers
    assert headers.get_list("cross-origin-resource-policy") == ["cross-origin"]
    assert headers.get_list("content-security-policy") == ["default-src 'none'; sandbox"]
    assert headers["access-control-allow-origin"] == "*"
    assert headers["x-content-type-options"] == "nosniff"
    assert (await web.get(f"/jupyterlab/{build}/logo.png")).content == b"\x89PNG"


async def visit(web: httpx2.AsyncClient, held: LabFiles, *names: str) -> str:
    """Load files of JupyterLab's own build; return the address that they are below."""
    build = next(build for build in held.builds() if held.find(build, "logo.png", "not counted"))
    for name in names:
        assert (await web.get(f"/jupyterlab/{build}/{name}")).status_code == 200
    return f"https://portal.example.org/services/portal/jupyterlab/{build}"


async def test_files_that_most_visits_load_are_known_for_the_next_visitor(
    held: LabFiles, web: httpx2.AsyncClient
) -> None:
    held.look()
    assert held.loaded_first("base") == []
    for image in ([], [], ["logo.png"]):
        build = await visit(web, held, f"{MAIN}?v=0a1b", *image)
    assert held.loaded_first("base") == [f"{build}/{MAIN}?v=0a1b"]
    assert held.loaded_first("kernel") == held.loaded_first("base"), "its sessions are served by the same environment"
    assert held.loaded_first("image") == held.loaded_first("unknown") == []


async def test_loads_survive_a_restart_and_no_file_but_those_of_the_build_is_counted(
    held: LabFiles, web: httpx2.AsyncClient, settings: Settings
) -> None:
    held.look()
    build = await visit(web, held, MAIN, f"{MAIN}?v=other", f"{MAIN}?x=y")
    await web.get(path_of(f"{build}/no.js"))
    held.look()
    again = LabFiles(settings)
    again.look()
    assert again.loaded_first("base") == held.loaded_first("base") == [f"{build}/{MAIN}"]
    (settings.data_dir / "jupyterlab" / build.rpartition("/")[2] / lab_files.LOADS).write_text("{")
    cut_off = LabFiles(settings)
    cut_off.look()
    assert cut_off.loaded_first("base") == []


async def test_nothing_is_fetched_early_for_sessions_on_another_site(
    held: LabFiles, web: httpx2.AsyncClient, settings: Settings
) -> None:
    held.look()
    await visit(web, held, MAIN)
    held.look()
    hub = settings.hub.model_copy(update={"public_url": "https://hub.example.net"})
    elsewhere = LabFiles(settings.model_copy(update={"hub": hub}))
    elsewhere.look()
    assert held.loaded_first("base")
    assert elsewhere.loaded_first("base") == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://portal.example.org", "https://hub.portal.example.org:8443", True),
        ("https://example.org", "https://hub.example.org", True),
        ("https://portal.example.org", "http://hub.example.org", False),
        ("https://portal.example.org", "https://portal.example.com", False),
        ("http://localhost:8000", "http://hub.localhost:8000", False),
        ("http://localhost:8000", "http://localhost:8000", True),
        ("http://192.0.2.1", "http://198.51.2.1", False),
        ("http://192.0.2.1", "http://192.0.2.1", True),
    ],
)
def test_hosts_of_one_site_share_a_browsers_cache(one: str, other: str, same: bool) -> None:
    assert same_site(one, other) is same


@pytest.mark.parametrize(
    "name",
    ["index.html", "%2e%2e/secret.js", "/etc/passwd.js", "sub//main.js", "main.js", "main.0a1b.js.gz"],
)
async def test_nothing_else_is_served(held: LabFiles, web: httpx2.AsyncClient, tmp_path: Path, name: str) -> None:
    held.look()
    build = next(build for build in held.builds() if held.find(build, MAIN))
    write(tmp_path, "data/jupyterlab/secret.js", b"secret")
    assert (await web.get(f"/jupyterlab/{build}/{name}")).status_code == 404
    assert held.find(build, "../secret.js") is None
    assert (await web.get(f"/jupyterlab/{'0' * 40}/{MAIN}")).status_code == 404


def test_another_jupyterlab_serves_itself(held: LabFiles, tmp_path: Path) -> None:
    held.look()
    other = make_environment(tmp_path / "image")
    write(other, f"{LAB}/{MAIN}", b"console.log('another version');")
    assert own(Page(held, other, tmp_path).config()) == (True, True)


def test_build_changed_on_disk_serves_itself_from_then_on(held: LabFiles, tmp_path: Path) -> None:
    held.look()
    node = make_environment(tmp_path / "on-the-node")
    page = Page(held, node, tmp_path)
    assert own(page.config()) == (False, False)
    file = node / LAB / MAIN
    before = file.stat()
    file.write_bytes(SCRIPT.replace(b"Lab", b"Bal"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # same size, same time
    assert own(page.config()) == (True, True)


def test_users_extension_is_served_by_the_session_with_all_others(held: LabFiles, tmp_path: Path) -> None:
    held.look()
    mine = tmp_path / "home" / "labextensions"
    write(mine, "mine/package.json", b"{}")
    write(mine, "mine/static/remoteEntry.9.js", b"var mine;")
    page = Page(held, make_environment(tmp_path / "on-the-node"), tmp_path, mine)
    page.extensions.append("mine")
    page.loads["mine"] = "static/remoteEntry.9.js"
    config = page.config()
    assert own(config) == (False, True)
    assert [extension["load"] for extension in config["federated_extensions"]] == list(page.loads.values())


def test_users_version_of_a_sites_extension_is_served_by_the_session(held: LabFiles, tmp_path: Path) -> None:
    held.look()
    mine = tmp_path / "home" / "labextensions"
    write(mine, "@jupyter-widgets/manager/package.json", b"{}")
    write(mine, "@jupyter-widgets/manager/static/remoteEntry.2c.js", b"var changed;")
    page = Page(held, make_environment(tmp_path / "on-the-node"), tmp_path, mine)
    assert own(page.config()) == (False, True)


def test_page_that_may_load_only_from_its_own_host_is_left_alone(held: LabFiles, top: Path, tmp_path: Path) -> None:
    held.look()
    page = Page(held, top, tmp_path)
    page.handler.content_security_policy = "default-src 'self'"
    assert own(page.config()) == (True, True)


def test_held_build_stays_as_it_was_when_the_environment_changes(held: LabFiles, top: Path, tmp_path: Path) -> None:
    held.look()
    before = held.offer.split()[1:]
    node = make_environment(tmp_path / "on-the-node")
    write(top, f"{LAB}/{MAIN}", b"console.log('renewed');")
    held.look()
    after = held.offer.split()[1:]
    assert len(set(before) & set(after)) == 2  # the extensions'
    gone = (set(before) - set(after)).pop()
    result = held.find(gone, MAIN)
    assert result is not None
    assert gzip.decompress(result.path.read_bytes()) == SCRIPT
    assert own(Page(held, node, tmp_path).config()) == (True, True)
    os.utime(tmp_path / "data" / "jupyterlab" / gone, (0, 0))
    held.look()
    assert held.find(gone, MAIN) is None
    assert all((tmp_path / "data" / "jupyterlab" / build).is_dir() for build in after)


def writable_by_a_group(top: Path) -> None:
    (top / LAB / MAIN).chmod(0o664)


def in_a_folder_of_everybody(top: Path) -> None:
    (top / "share").chmod(0o777)


def with_a_link(top: Path) -> None:
    (top / LAB / "linked.js").symlink_to(top / LAB / MAIN)


def with_a_worker(top: Path) -> None:
    write(top, f"{LAB}/{MAIN}", b"new Worker(new URL(r.p+r.u(1),r.b))")


def with_a_file_of_an_unknown_kind(top: Path) -> None:
    write(top, f"{LAB}/pyodide.data", b"x")


def of_another_account(top: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give files away")
    os.chown(top / LAB / MAIN, 4321, 4321)


@pytest.mark.parametrize(
    "made",
    [
        writable_by_a_group,
        in_a_folder_of_everybody,
        with_a_link,
        with_a_worker,
        with_a_file_of_an_unknown_kind,
        of_another_account,
    ],
)
def test_build_that_others_can_change_or_that_would_not_work_is_not_held(
    held: LabFiles, top: Path, tmp_path: Path, made: Any
) -> None:
    made(top)
    held.look()
    assert not any(held.find(build, MAIN) for build in held.offer.split()[1:])
    assert own(Page(held, top, tmp_path).config()) == (True, True)


def test_build_that_changes_while_it_is_copied_is_not_held(
    held: LabFiles, top: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, read_bytes = top / LAB / MAIN, Path.read_bytes
    readings = count()

    def renewed(path: Path) -> bytes:
        return b"console.log('renewed');" if path == script and next(readings) else read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", renewed)
    held.look()
    assert len(held.offer.split()[1:]) == 2, "the extensions'"
    assert len([*(tmp_path / "data" / "jupyterlab").iterdir()]) == 2


def test_full_disk_leaves_the_files_to_the_sessions_until_there_is_room(
    held: LabFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bytes = Path.write_bytes

    def until_full(path: Path, content: bytes) -> int:
        if any((tmp_path / "data" / "jupyterlab").rglob("*.gz")):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write_bytes(path, content)

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", until_full)
        held.look()
    folder = tmp_path / "data" / "jupyterlab"
    whole = [path.name for path in folder.iterdir()]
    assert held.offer.split()[1:] == sorted(whole), "nothing half written, and nothing offered that is not there"
    held.look()
    assert len(held.offer.split()[1:]) == 3


def test_sessions_get_no_offer_before_the_first_look(held: LabFiles) -> None:
    assert held.offer == ""


def test_agent_and_portal_identify_builds_by_the_same_module() -> None:
    assert Path(sys.modules["portal.environments.builds"].__file__ or "").samefile(
        sys.modules["agent.lab.builds"].__file__ or ""
    )
