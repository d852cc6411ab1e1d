"""The launch the portal sends, links in the home, ports, and how an end is reported."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from agent.job import ports
from agent.job.endings import describe
from agent.job.launch import Launch, app_environment, make_links
from agent.job.placeholders import fill_words
from agent.job.processes import Exit

ANSWER: dict[str, Any] = {
    "command": ["{agent}", "{ip}:{port}", "{other}"],
    "env": {"URL": "http://{ip}:{port}/", "JSON": '{"a": "{b}"}', "DSP_SECRET": "x"},
    "ports": [20000, 20010],
    "ready_path": "/api",
}


def test_placeholders_are_filled_and_other_braces_left_alone() -> None:
    launch = Launch.parse(ANSWER)
    values = {"agent": "/opt/agent.pyz", "ip": "10.0.0.1", "port": "20001", "folder": "/tmp/x"}
    assert fill_words(launch.command, values) == ["/opt/agent.pyz", "10.0.0.1:20001", "{other}"]
    environment = app_environment(launch, {**values, "ip": "fe80::1"})
    assert environment["URL"] == "http://[fe80::1]:20001/"
    assert environment["JSON"] == '{"a": "{b}"}'
    assert "DSP_SECRET" not in environment


def test_what_a_user_said_is_filled_in_as_it_is_and_an_option_not_given_leaves_its_word_out() -> None:
    values = {"port": "1", "option:folder": "/x/{port} {option:other}"}
    words = ["--dir={option:folder}", "--tag={option:tag}", "{port}"]
    assert fill_words(words, values) == ["--dir=/x/{port} {option:other}", "1"]


def test_a_folder_from_the_home_on_is_filled_in_whole_and_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    options = [{"name": "jobs", "value": "~/a/b", "folder": True, "create": True}]
    values = Launch.parse(ANSWER | {"options": options}).option_values()
    assert values == {"option:jobs": f"{tmp_path}/a/b"}
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("wrong", [{}, {**ANSWER, "command": []}, {**ANSWER, "ports": [1]}, {**ANSWER, "env": None}])
def test_what_is_no_launch_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((KeyError, ValueError, TypeError, AttributeError)):
        Launch.parse(wrong)


def test_link_is_made_once_and_renewed_when_it_is_ours(tmp_path: Path) -> None:
    assert make_links([("shared", "/old")], tmp_path) == []
    assert make_links([("shared", "/new")], tmp_path) == []
    assert os.readlink(tmp_path / "shared") == "/new"
    assert json.loads((tmp_path / ".portal/links.json").read_text()) == {"shared": "/new"}


def test_what_is_there_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    os.symlink("/usr", tmp_path / "mine")
    assert make_links([("file", "/x"), ("folder", "/x"), ("mine", "/x")], tmp_path) == []
    assert (tmp_path / "file").read_text() == "mine"
    assert (tmp_path / "folder").is_dir()
    assert os.readlink(tmp_path / "mine") == "/usr"


@pytest.mark.parametrize("name", ["", "..", "a/b", "../x", "a\0b"])
def test_link_cannot_leave_the_home(tmp_path: Path, name: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    notes = make_links([(name, "/x")], home)
    assert len(notes) == 1
    assert list(tmp_path.iterdir()) == [home]
    assert list(home.iterdir()) == []


def test_home_that_cannot_be_written_is_said_and_stops_nothing(tmp_path: Path) -> None:
    notes = make_links([("shared", "/x")], tmp_path / "nowhere")
    assert any("No such file" in note for note in notes)


def test_listener_is_found_with_its_owner() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        listeners = ports.listeners("127.0.0.1", port)
        assert [(value.ip, value.uid) for value in listeners] == [("127.0.0.1", os.getuid())]
        assert ports.owned_by(listeners, [os.getpid()])
        assert not ports.owned_by(listeners, [1, os.getppid()]) or os.getppid() == os.getpid()
        with socket.create_connection(("127.0.0.1", port)):
            assert ports.connections(port) >= 1
    assert ports.listeners("127.0.0.1", port) == set()


def test_listener_is_foreign_only_while_it_is_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def ended() -> list[int]:
            server.close()
            return []

        assert ports.is_theirs("127.0.0.1", port, lambda: [os.getpid()]) is True
        assert ports.is_theirs("127.0.0.1", port, list) is False
        assert ports.is_theirs("127.0.0.1", port, ended) is None
        assert ports.is_theirs("127.0.0.1", port, list) is None


def test_addresses_of_the_kernel_are_read() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as server:
        assert [listener.ip for listener in ports.listeners("::1", server.getsockname()[1])] == ["::1"]


def test_full_range_of_ports_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(OSError, match=f"no free port between {port} and {port}"):
            ports.free_port("127.0.0.1", (port, port))


def test_an_app_that_fails_is_quoted() -> None:
    ending = describe(
        cause=None,
        ended=Exit(1, None),
        ready=False,
        oom=False,
        memory_limit_mib=None,
        start_timeout_s=120,
        not_yet="",
        last_words="ValueError: Pycaffe not found",
        jupyter=False,
    )
    assert ending.text.endswith("with exit code 1. Its last output: ValueError: Pycaffe not found")


@pytest.mark.parametrize(
    ("how", "code", "words"),
    [
        ({"cause": "stopped"}, "stopped", "stopped"),
        ({"cause": "time_limit"}, "time_limit", "reached its time limit"),
        ({"oom": True, "ended": Exit(None, 9)}, "oom", "Memory ran out. The session had 48 GB."),
        ({"cause": "start_timeout"}, "start_timeout", "within 120 s"),
        ({"ended": Exit(0, None)}, "finished", "shut down"),
        ({"ended": Exit(0, None), "ready": False}, "app_failed", "before it was ready, with exit code 0"),
        ({"ended": Exit(None, 11)}, "app_failed", "by signal SIGSEGV"),
        ({"ended": None}, "app_failed", "unknown reason"),
    ],
)
def test_end_is_told_in_words(how: dict[str, Any], code: str, words: str) -> None:
    known: dict[str, Any] = {"cause": None, "ended": None, "ready": True, "oom": False}
    silent = {"not_yet": "", "last_words": "", "jupyter": True}
    ending = describe(**(known | how | silent), memory_limit_mib=49152, start_timeout_s=120)
    assert ending.code == code
    assert words in ending.text


NO_PYTHON = 'FATAL:   "python3": executable file not found in $PATH'


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"ended": Exit(69, None), "last_words": "This environment has no JupyterHub."}, "no_jupyter"),
        ({"ended": Exit(255, None), "last_words": NO_PYTHON}, "no_jupyter"),
        ({"ended": Exit(255, None), "last_words": NO_PYTHON, "jupyter": False}, "no_program"),
        ({"ended": Exit(69, None), "last_words": "viewer is not in this environment.", "jupyter": False}, "no_program"),
        ({"ended": Exit(69, None), "last_words": "No server is there.", "jupyter": False}, "app_failed"),
        ({"ended": Exit(1, None), "last_words": NO_PYTHON, "jupyter": False}, "app_failed"),
        ({"ended": Exit(255, None), "last_words": NO_PYTHON, "jupyter": False, "ready": True}, "app_failed"),
        ({"ended": Exit(69, None), "ready": True}, "app_failed"),
        ({"ended": Exit(78, None), "last_words": "The image /i.sif does not exist on this node."}, "app_failed"),
    ],
)
def test_an_environment_that_cannot_serve_the_app_is_an_end_of_its_own(how: dict[str, Any], code: str) -> None:
    known: dict[str, Any] = {"cause": None, "ready": False, "oom": False, "memory_limit_mib": None, "jupyter": True}
    ending = describe(**({"last_words": "", **known} | how), start_timeout_s=120, not_yet="")
    assert ending.code == code
    assert how.get("last_words", "") in ending.text
