"""Sessions of other apps than Jupyter: what is asked, what is looked at before, what is launched and started again."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.errors import FilesUnavailable, Forbidden, InvalidRequest
from portal.files.types import Entry, FileKind, PathInfo
from portal.notebooks.gallery import copies
from portal.policy.request import SessionRequest
from portal.sealing import HubHandover
from portal.sessions.launch import LaunchBuilder
from portal.sessions.view import ask_again
from portal.settings import Environment, Settings

from .conftest import Harness

HANDED = HubHandover({"JUPYTERHUB_USER": "alice", "OTHER": "x"}, "the-token")


def folder(path: str, *, readable: bool = True, writable: bool = True) -> PathInfo:
    return PathInfo(path, FileKind.FOLDER, 0, None, readable, writable, b"")


@pytest.fixture
def settings(tmp_path: Path, database: str) -> Settings:
    programs = tmp_path / "base" / "bin"
    programs.mkdir(parents=True)
    (programs / "tensorboard").touch()
    options = [
        {"name": "jobs", "label": "Jobs", "kind": "folder", "default": "~/jobs", "create": True},
        {"name": "fast", "label": "Fast", "kind": "bool", "default": True},
        {"name": "script", "label": "Script", "kind": "file"},
    ]
    return Settings.model_validate(
        {
            "data_dir": tmp_path,
            "database": {"url": database},
            "environments": {"base": Environment(title="Base", path=tmp_path / "base", version="3.11")},
            "apps": {
                "trainer": {
                    "title": "Trainer",
                    "kind": "web",
                    "command": ["/opt/trainer", "{socket}", "--fast={option:fast}"],
                    "listen": "socket",
                    "options": options,
                    "cookies": ["session"],
                }
            },
        }
    )


def board(path: str = "~/runs") -> SessionRequest:
    return SessionRequest.model_validate({"app": "tensorboard", "options": {"folder": path}})


async def test_an_app_brings_its_own_resources_and_more_gpus_bring_what_policy_gives(harness: Harness) -> None:
    alone = await harness.requests.check("alice", board())
    assert alone.resources is not None
    assert (alone.resources.gpus, alone.resources.cpus, alone.resources.memory_mib) == (0, 1, 4096)
    asked = board().model_copy(update={"resources": board().resources.model_copy(update={"gpus": 2})})
    more = await harness.requests.check("alice", asked)
    assert more.resources is not None
    assert (more.resources.gpus, more.resources.cpus) == (2, 16)


async def test_a_folder_that_is_not_there_yet_is_a_warning(harness: Harness) -> None:
    considered = await harness.requests.check("alice", board())
    assert considered.problems == []
    assert [(warning.field, "does not exist yet" in warning.message) for warning in considered.warnings] == [
        ("options.folder", True)
    ]


@pytest.mark.parametrize(
    ("kind", "readable", "why"),
    [
        (FileKind.MISSING, True, "~/app.py does not exist."),
        (FileKind.FOLDER, True, "~/app.py is not a file."),
        (FileKind.OTHER, True, "~/app.py is not a file."),
        (FileKind.FILE, False, "You do not have permission to read ~/app.py."),
        (FileKind.FILE, True, None),
    ],
)
async def test_a_file_is_one_that_the_user_can_read(
    harness: Harness, kind: FileKind, readable: bool, why: str | None
) -> None:
    harness.files.looks["~/app.py"] = PathInfo("/home/alice/app.py", kind, 10, None, readable, False, b"")
    ask = SessionRequest.model_validate({"app": "trainer", "options": {"script": "~/app.py"}})
    considered = await harness.requests.check("alice", ask)
    assert [problem.message for problem in considered.problems] == ([why] if why else [])


async def test_a_folder_without_event_files_is_a_warning_and_one_with_them_is_not(harness: Harness) -> None:
    harness.files.looks["~/runs"] = folder("/home/alice/runs")
    considered = await harness.requests.check("alice", board())
    assert "has no *tfevents* files yet" in considered.warnings[0].message
    harness.files.found["~/runs"] = (Entry("a/events.out.tfevents.1", FileKind.FILE, 1, None),)
    assert (await harness.requests.check("alice", board())).warnings == []


async def test_a_folder_that_another_session_of_the_app_uses_is_a_warning_by_any_path(harness: Harness) -> None:
    await harness.service.start("alice", board("~/runs"), origin="api")
    for path in ("~/runs", "/home/alice/runs", "/shared/link-to-runs"):
        harness.files.looks[path] = folder("/home/alice/runs")
    harness.files.looks["~/other"] = folder("/home/alice/other")

    async def told(username: str, path: str) -> list[str]:
        warnings = (await harness.requests.check(username, board(path))).warnings
        return [
            warning.message for warning in warnings if "already uses this folder with TensorBoard" in warning.message
        ]

    for path in ("~/runs", "/home/alice/runs", "/shared/link-to-runs"):
        assert len(await told("alice", path)) == 1
    assert await told("alice", "~/other") == []
    assert await told("bob", "~/runs") == []


@pytest.mark.parametrize(
    ("look", "why"),
    [
        (Forbidden("You do not have permission to read /root/runs."), "do not have permission to read"),
        (folder("/x", readable=False), "do not have permission to read"),
        (PathInfo("/x", FileKind.FILE, 1, None, True, True, b""), "is not a folder"),
    ],
)
async def test_a_folder_that_cannot_be_used_is_refused_before_anything_is_submitted(
    harness: Harness, look: PathInfo | Forbidden, why: str
) -> None:
    harness.files.looks["/root/runs"] = look
    with pytest.raises(InvalidRequest, match=why) as refused:
        await harness.service.start("alice", board("/root/runs"), origin="api")
    assert [field.field for field in refused.value.fields] == ["options.folder"]
    assert harness.slurm.found == {}


async def test_a_folder_to_be_made_must_be_writable(harness: Harness) -> None:
    ask = SessionRequest.model_validate({"app": "trainer"})
    harness.files.looks["~/jobs"] = PathInfo("/home/alice/jobs", FileKind.MISSING, 0, None, False, False, b"")
    assert "do not have permission to write" in (await harness.requests.check("alice", ask)).problems[0].message
    harness.files.looks["~/jobs"] = PathInfo("/home/alice/jobs", FileKind.MISSING, 0, None, False, True, b"")
    considered = await harness.requests.check("alice", ask)
    assert (considered.problems, considered.warnings) == ([], [])


async def test_a_file_system_that_does_not_answer_refuses_nothing(harness: Harness) -> None:
    harness.files.looks["~/runs"] = FilesUnavailable("~/runs could not be read in time.")
    considered = await harness.requests.check("alice", board())
    assert (considered.problems, considered.warnings) == ([], [])


async def test_start_again_keeps_app_options_and_environment(harness: Harness) -> None:
    record = await harness.service.start("alice", SessionRequest.model_validate({"app": "trainer"}), origin="api")
    assert (record.options, record.environment_version) == ({"jobs": "~/jobs", "fast": True}, "3.11")
    again = ask_again(record)
    assert (again.app, again.options, again.environment) == ("trainer", record.options, "base")
    assert (await harness.service.start("alice", again, origin="api")).options == record.options


async def test_a_web_app_is_launched_behind_the_proxy_without_the_sessions_token(
    harness: Harness, settings: Settings
) -> None:
    harness.files.looks["~/app.py"] = PathInfo("/home/alice/app.py", FileKind.FILE, 10, None, True, False, b"")
    ask = SessionRequest.model_validate({"app": "trainer", "options": {"script": "~/app.py"}})
    record = await harness.service.start("alice", ask, origin="api")
    record.base_url = "/user/alice/trainer-1/"
    launch = LaunchBuilder(settings, copies, lambda: "").build(record, HANDED)
    assert launch["command"] == ["/opt/trainer", "{socket}", "--fast={option:fast}"]
    assert launch["options"] == [
        {"name": "jobs", "value": "~/jobs", "folder": True, "create": True},
        {"name": "fast", "value": "true", "folder": False, "create": False},
        {"name": "script", "value": "~/app.py", "folder": True, "create": False},
    ]
    assert "the-token" not in launch["env"].values()
    assert launch["ready_path"] == "/user/alice/trainer-1/"
    proxy = launch["proxy"]
    assert (proxy["listen"], proxy["cookies"], proxy["api_token"]) == ("socket", ["session"], "the-token")
    assert proxy["hub"] == {"JUPYTERHUB_USER": "alice"}
    bar = proxy["bar"]
    assert (bar["session"], bar["owner"], bar["in_pages"]) == (record.id, "alice", False)
    assert bar["api"] == f"{settings.node_url}/api"
