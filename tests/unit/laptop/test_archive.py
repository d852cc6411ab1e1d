"""The laptop's program: one file, the same bytes each time, Python 3.9 and nothing else."""

from __future__ import annotations

import ast
import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from portal.laptop.archive import SOURCES, program

URL = "https://portal.example.org"
FILES = sorted(SOURCES.glob("*.py"))


def test_it_is_the_same_each_time_and_runs_by_itself(tmp_path: Path) -> None:
    built = program(URL, "1.2")
    program.cache_clear()
    assert program(URL, "1.2") == built
    assert hashlib.sha256(built.content).hexdigest() == built.sha256
    file = tmp_path / "portal"
    file.write_bytes(built.content)
    file.chmod(0o755)
    for command in ([file], [sys.executable, "-I", "-S", file]):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == "1.2\n"


@pytest.mark.parametrize("source", FILES, ids=lambda path: path.name)
def test_it_is_plain_python_3_9(source: Path) -> None:
    tree = ast.parse(source.read_text(), feature_version=(3, 9))
    imported = {
        name.name.partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    } | {
        (node.module or "").partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 0
    }
    assert imported <= sys.stdlib_module_names


#: A stand-in for Windows' Python: without the modules and names that it lacks. It cannot show how Windows' consoles,
#: sockets and paths behave.
AS_ON_WINDOWS = """
import importlib, os, pkgutil, signal, socket, sys
LACKS = {"fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "syslog", "readline"}
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in LACKS:
            raise ModuleNotFoundError("No module named " + name)
sys.meta_path.insert(0, Hidden())
for name in LACKS:
    sys.modules.pop(name, None)
for name in ("fork", "getuid", "geteuid", "getgid", "setsid", "killpg", "uname", "O_NOFOLLOW", "O_DIRECTORY", "mkfifo"):
    delattr(os, name)
for name in ("SIGHUP", "SIGKILL", "SIGCHLD", "SIGPIPE", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGWINCH"):
    delattr(signal, name)
del socket.AF_UNIX
sys.path.insert(0, sys.argv.pop(1))
import portal_laptop
for module in pkgutil.iter_modules(portal_laptop.__path__):
    importlib.import_module("portal_laptop." + module.name)
from portal_laptop.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["files", "--help"], ["sessions"], ["logout"]])
def test_it_needs_no_module_that_windows_lacks(tmp_path: Path, words: list[str]) -> None:
    file = tmp_path / "portal.pyz"
    file.write_bytes(program(URL, "1.2").content)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", AS_ON_WINDOWS, file, *words],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stdout or done.stderr
