"""Apps in files: what a user's own may declare, how they are found, and a site's folder of them."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from portal.apps.own import OwnApps
from portal.errors import InvalidRequest, NotFound
from portal.files.service import FileService
from portal.files.types import Entry, FileChunk, FileKind, Listing, PathInfo
from portal.settings import Settings

HOME = "/home/alice/.config/portal/apps"
FINE = 'command = ["python", "{app}/serve.py", "{port}"]\n'


class Files:
    """A user's folder of apps."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = {f"{HOME}/{path}": content.encode() for path, content in files.items()}

    async def list(self, user: str, path: str, limit: int) -> Listing:
        if not self.files:
            raise NotFound("There is no such folder.")
        names = {path.removeprefix(f"{HOME}/").partition("/") for path in self.files}
        entries = [Entry(name, FileKind.FOLDER if slash else FileKind.FILE, 1, None) for name, slash, _ in names]
        return Listing(HOME, tuple(entries), False)

    async def look(self, user: str, path: str) -> PathInfo:
        full = path.replace("~/.config/portal/apps", HOME)
        folder = any(file.startswith(f"{full}/") for file in self.files)
        kind = FileKind.FILE if full in self.files else FileKind.FOLDER if folder else FileKind.MISSING
        return PathInfo(full, kind, 1, None, True, True, b"")

    async def read(self, user: str, path: str, limit: int) -> FileChunk:
        if path not in self.files:
            raise NotFound(f"{path} does not exist.")
        return FileChunk(self.files[path][:limit], 0, len(self.files[path]), "1")


def own(files: dict[str, str]) -> OwnApps:
    return OwnApps(Settings(), cast(FileService, Files(files)))


async def test_files_and_folders_declare_apps_and_know_where_they_are() -> None:
    found = await own({"count.toml": FINE, "words/app.toml": FINE + 'group = "Notebooks"\n'}).of("alice")
    assert [(app.name, app.problem) for app in found] == [("my-count", None), ("my-words", None)]
    assert [app.app.command[1] for app in found if app.app] == [f"{HOME}/serve.py", f"{HOME}/words/serve.py"]
    assert [(app.app.title, app.app.group) for app in found if app.app] == [
        ("count", "My apps"),
        ("words", "My apps"),
    ]


async def test_nobody_has_to_have_apps() -> None:
    assert await own({}).of("alice") == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("command = [", "not valid TOML"),
        ("a = " + "[" * 9_000, "too deeply nested"),
        ("#" * 40_000, "larger than 32 KiB"),
        ('comand = ["x"]', "comand"),
        ('kind = "jupyter"', "leave `kind` out"),
        ('command = ["x", "{port}", "a\\u0000b"]', "NUL"),
        (f'title = "{"x" * 41}"\n{FINE}', "at most 40"),
        (f'title = "a\\u202eb"\n{FINE}', "printable"),
        (f"start_timeout_s = 90000\n{FINE}", "at most 3600"),
        (f'cookies = ["*"]\n{FINE}', "somebody's login"),
        (f'cookies = ["jupyter*"]\n{FINE}', "somebody's login"),
        (f'cookies = ["_xsrf"]\n{FINE}', "somebody's login"),
        (f'environments = ["none"]\n{FINE}', "no environment 'none'"),
        (FINE + '[[options]]\nname = "a"\nlabel = "A"\npattern = "(a+)+$"\n', "only a site's apps have a `pattern`"),
    ],
)
async def test_a_file_that_a_user_may_not_have_is_refused_with_its_reason(content: str, why: str) -> None:
    [found] = await own({"app-1.toml": content}).of("alice")
    assert why in str(found.problem)
    with pytest.raises(InvalidRequest, match=r"app-1\.toml: "):
        await own({"app-1.toml": content}).one("alice", "my-app-1")


async def test_an_app_is_found_by_its_name_and_by_a_path() -> None:
    apps = own({"words/app.toml": FINE})
    for asked in ("my-words", f"{HOME}/words", f"{HOME}/words/app.toml"):
        assert (await apps.one("alice", asked)).name == "my-words"
    with pytest.raises(InvalidRequest, match="There is no file"):
        await apps.one("alice", "my-others")


def test_a_sites_folder_adds_apps_and_a_wrong_file_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "app.toml").write_text(FINE)
    (tmp_path / "wrong.toml").write_text("command = 1")
    settings = Settings.model_validate({"apps_folder": tmp_path, "apps": {"words": {"title": "Count words"}}})
    assert settings.apps["words"].command[1] == f"{tmp_path}/words/serve.py"
    assert settings.apps["words"].title == "Count words", "portal.toml has the last word"
    assert "wrong" not in settings.apps
    assert "tensorboard" in Settings.model_validate({"apps_folder": tmp_path / "gone"}).apps


def test_a_site_leaves_the_names_of_users_apps_alone() -> None:
    with pytest.raises(ValueError, match="reserved for users' own apps"):
        Settings.model_validate({"apps": {"my-viewer": {"title": "V", "kind": "web", "command": ["v", "{port}"]}}})
