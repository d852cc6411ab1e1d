"""Installing: all or nothing, one at a time, with progress and readable failures."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from portal.environments import jupyter_path
from portal.environments import service as service_module
from portal.environments.service import EnvironmentService
from portal.environments.store import State, Store
from portal.errors import ConfigurationError, Conflict, InstallFailed, NotFound
from portal.events.bus import Bus
from portal.settings import Settings
from tests.unit.environments.conftest import Heard

Site = Callable[..., Settings]
MakeLock = Callable[..., Path]


def path_of(settings: Settings) -> Path:
    return settings.environments["pytorch"].path


async def state_of(service: EnvironmentService) -> tuple[State, bool]:
    (environment,) = [environment for environment in await service.overview() if environment.name == "pytorch"]
    return environment.state, environment.installed


async def test_an_environment_is_installed_and_becomes_a_kernel(site: Site, lock: MakeLock, heard: Heard) -> None:
    settings = site(lock("installed"))
    service = EnvironmentService(settings)
    assert await state_of(service) == (State.ABSENT, False)

    await service.install("pytorch", heard.append)

    assert await state_of(service) == (State.INSTALLED, True)
    assert path_of(settings).is_symlink()
    kernel = json.loads(Path(jupyter_path(settings)[0], "kernels", "pytorch", "kernel.json").read_text())
    assert kernel["display_name"] == "PyTorch 2.13"
    # A kernel that runs must not be moved to other packages when the link moves on.
    assert kernel["argv"][0] == str(path_of(settings).resolve() / "bin" / "python")


async def test_an_installation_tells_how_far_it_is(service: EnvironmentService, heard: Heard) -> None:
    await service.install("pytorch", heard.append)
    assert heard.messages[:2] == ["Making a Python environment", "Fetching torch"]
    assert "Fetching tensorboard (5.5 MB)" in heard.messages
    assert heard.messages[-3:] == ["Unpacking the packages", "Checking", "Installed"]
    progress = [change.progress for change in heard]
    assert progress == sorted(progress)
    assert progress[-1] == 100


async def test_open_pages_are_told_too(site: Site, lock: MakeLock) -> None:
    bus = Bus()
    with bus.reader(lambda event: event.kind == "environment") as reader:
        await EnvironmentService(site(lock("installed")), bus).install("pytorch")
        bus.close()
        loads = [json.loads(event.data) async for event in reader]
    assert loads[0]["state"] == "installing"
    assert loads[-1] == {"name": "pytorch", "state": "installed", "message": "Installed", "progress": 100}


async def test_every_user_can_read_what_was_installed_under_a_private_umask(site: Site, lock: MakeLock) -> None:
    settings = site(lock("installed"))
    before = os.umask(0o077)
    try:
        await EnvironmentService(settings).install("pytorch")
    finally:
        os.umask(before)
    kernel = Path(jupyter_path(settings)[0], "kernels", "pytorch", "kernel.json").resolve()
    root = path_of(settings).parent
    for part in (kernel, *(parent for parent in kernel.parents if root in (parent, *parent.parents))):
        assert part.stat().st_mode & stat.S_IROTH, part


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        ("refused", "could not be reached"),
        ("empty", "has no packages"),
        ("certificate", "does not trust"),
        ("missing", "has no torch==2.13.0+cpu for this Python"),
        ("hash", "hash differs"),
        ("full", "disk is full"),
        ("conflict", "conflict: The user requested torch==2.13.0; The user requested (constraint) torch<2.13."),
    ],
)
async def test_a_failure_is_told_in_words_and_leaves_nothing(
    recorded: str, words: str, site: Site, lock: MakeLock, heard: Heard
) -> None:
    settings = site(lock(recorded))
    service = EnvironmentService(settings)
    with pytest.raises(InstallFailed, match=re.escape(words)):
        await service.install("pytorch", heard.append)
    assert await state_of(service) == (State.FAILED, False)
    assert words in heard[-1].message
    assert not os.path.lexists(path_of(settings))
    store = Store(path_of(settings))
    assert list(store.builds.iterdir()) == []
    assert "ERROR:" in store.log.read_text()


async def test_a_lock_that_this_machine_cannot_get_makes_room_for_the_next(site: Site, lock: MakeLock) -> None:
    service = EnvironmentService(site(lock("missing"), lock("installed")))
    await service.install("pytorch")
    assert await state_of(service) == (State.INSTALLED, True)


async def test_a_wrong_hash_is_never_passed_over_for_the_next_lock(site: Site, lock: MakeLock) -> None:
    with pytest.raises(InstallFailed, match="hash differs"):
        await EnvironmentService(site(lock("hash"), lock("installed"))).install("pytorch")


async def test_a_failed_renewal_leaves_the_good_one_in_use(site: Site, lock: MakeLock) -> None:
    settings = site(lock("installed"))
    await EnvironmentService(settings).install("pytorch")
    build = path_of(settings).resolve()

    broken = EnvironmentService(site(lock("refused")))
    with pytest.raises(InstallFailed):
        await broken.install("pytorch")

    assert path_of(settings).resolve() == build
    assert (build / "bin" / "python").exists()
    assert await state_of(broken) == (State.FAILED, True)


async def test_an_environment_that_is_not_whole_is_not_taken(site: Site, lock: MakeLock, tmp_path: Path) -> None:
    settings = site(lock("installed"))
    Store(path_of(settings)).builds.mkdir(parents=True)
    (Store(path_of(settings)).root / "not-whole").touch()
    with pytest.raises(InstallFailed, match="requires sympy, which is not installed"):
        await EnvironmentService(settings).install("pytorch")
    assert not os.path.lexists(path_of(settings))


async def test_renewals_keep_the_build_before_for_sessions_that_still_run_from_it(service: EnvironmentService) -> None:
    builds = []
    store = Store(path_of(service.settings))
    for _ in range(3):
        await service.install("pytorch")
        builds.append(store.path.resolve())
    assert len(set(builds)) == 3
    assert set(store.builds.iterdir()) == set(builds[1:])


async def test_two_at_once_are_refused(site: Site, lock: MakeLock) -> None:
    settings = site(lock("hangs"))
    web, terminal = EnvironmentService(settings, Bus()), EnvironmentService(settings)
    web.start("pytorch")
    try:
        with pytest.raises(Conflict, match="already being installed"):
            await terminal.install("pytorch")
        assert await state_of(terminal) == (State.INSTALLING, False)
    finally:
        await web.close()


async def test_ending_the_portal_ends_the_installation_and_its_programs(site: Site, lock: MakeLock) -> None:
    settings = site(lock("hangs"))
    service = EnvironmentService(settings, bus := Bus())
    with bus.reader(lambda event: event.kind == "environment") as reader:
        service.start("pytorch")
        while (event := await reader.next(30)) and "Fetching torch" not in event.data:
            pass
        await service.close()
    assert await state_of(service) == (State.FAILED, False)
    assert list(Store(path_of(settings)).builds.iterdir()) == []
    with pytest.raises(InstallFailed):  # the lock is free again
        await EnvironmentService(site(lock("refused"))).install("pytorch")


async def test_a_killed_installation_counts_as_failed_and_the_next_one_cleans_up(
    site: Site, lock: MakeLock, tmp_path: Path, python: Path
) -> None:
    settings = site(lock("hangs"))
    script = tmp_path / "install.py"
    script.write_text(
        "import asyncio, sys\n"
        "from portal.environments.service import EnvironmentService\n"
        "from portal.settings import Settings\n"
        "settings = Settings.model_validate_json(sys.stdin.read())\n"
        "told = lambda change: print(change.message, flush=True)\n"
        "asyncio.run(EnvironmentService(settings).install('pytorch', told))\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(settings.model_dump_json())
    process.stdin.close()
    for line in process.stdout:
        if "Fetching torch" in line:
            break
    process.kill()
    process.wait()
    process.stdout.close()

    store = Store(path_of(settings))
    service = EnvironmentService(settings)
    # What it started lives on and holds the lock: nobody may install beside it.
    assert await state_of(service) == (State.INSTALLING, False)
    for orphan in _programs_of(store.root):
        os.kill(orphan, signal.SIGKILL)
    async with asyncio.timeout(30):
        while (await state_of(service))[0] is State.INSTALLING:
            await asyncio.sleep(0.01)

    (environment,) = [environment for environment in await service.overview() if environment.name == "pytorch"]
    assert environment.state is State.FAILED
    assert "interrupted" in environment.message
    assert len(list(store.builds.iterdir())) == 2
    await EnvironmentService(site(lock("installed"))).install("pytorch")
    assert list(store.builds.iterdir()) == [store.path.resolve()]


def _programs_of(folder: Path) -> list[int]:
    results = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(folder) in (process / "cmdline").read_text():
                results.append(int(process.name))
        except OSError:
            continue
    return results


async def test_something_foreign_at_the_path_is_left_alone(site: Site, lock: MakeLock) -> None:
    settings = site(lock("installed"))
    path_of(settings).mkdir(parents=True)
    service = EnvironmentService(settings)
    with pytest.raises(Conflict, match="was not created by the portal"):
        await service.install("pytorch")
    (environment,) = [environment for environment in await service.overview() if environment.name == "pytorch"]
    assert not environment.installable


async def test_too_little_room_is_told_before_anything_is_fetched(
    site: Site, lock: MakeLock, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = service_module.shutil._ntuple_diskusage  # type: ignore[attr-defined]  # what the real one returns  # noqa: SLF001  (shutil's name)
    monkeypatch.setattr(service_module.shutil, "disk_usage", lambda _: usage(10**12, 10**12, 3 << 30))
    with pytest.raises(InstallFailed, match="4,000 MB needed, 3,072 MB free"):
        await EnvironmentService(site(lock("installed", 2000))).install("pytorch", heard.append)
    assert not any(message.startswith("Fetching") for message in heard.messages)


async def test_a_folder_that_cannot_be_written_is_told(site: Site, lock: MakeLock, tmp_path: Path) -> None:
    (tmp_path / "envs").write_text("a file, not a folder")
    with pytest.raises(InstallFailed, match="cannot be written") as caught:
        await EnvironmentService(site(lock("installed"))).install("pytorch")
    assert "writable by the account" in caught.value.hint


async def test_a_python_without_venv_is_told(site: Site, lock: MakeLock, python: Path) -> None:
    python.write_text(
        "#!/bin/sh\necho 'The virtual environment was not created successfully because ensurepip is not'\n"
        "echo 'available.  On Debian/Ubuntu systems, you need to install the python3-venv package'\nexit 1\n"
    )
    with pytest.raises(InstallFailed, match="apt install python3-venv"):
        await EnvironmentService(site(lock("installed"))).install("pytorch")


async def test_an_installation_without_end_is_ended(
    site: Site, lock: MakeLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "INSTALL_TIMEOUT_S", 1.0)
    with pytest.raises(InstallFailed, match="was ended"):
        await EnvironmentService(site(lock("hangs"))).install("pytorch")


@pytest.mark.parametrize("text", ["", "torch\n", "torch==2.13.0\n"])
async def test_a_lock_without_hashes_is_refused(text: str, site: Site, lock: MakeLock) -> None:
    path = lock("installed")
    path.write_text(text)
    with pytest.raises(ConfigurationError, match="is not a lock"):
        await EnvironmentService(site(path)).install("pytorch")


async def test_names_and_kinds_that_cannot_be_installed_are_told(service: EnvironmentService) -> None:
    with pytest.raises(NotFound, match="There is: base, pytorch"):
        await service.install("nonsense")
    with pytest.raises(Conflict, match="maintained by the site"):
        await service.install("base")


async def test_an_environment_of_the_sites_own_becomes_a_kernel_when_declared(site: Site, python: Path) -> None:
    settings = site()
    service = EnvironmentService(settings)
    with pytest.raises(Conflict, match="no Python in"):
        service.declare_kernels("pytorch")
    (path_of(settings) / "bin").mkdir(parents=True)
    (path_of(settings) / "bin" / "python").symlink_to(python)
    (file,) = service.declare_kernels("pytorch")
    assert json.loads(file.read_text())["argv"][0] == str(path_of(settings) / "bin" / "python")
    assert str(file).startswith(jupyter_path(settings)[0])
    with pytest.raises(Conflict, match="serves Jupyter itself"):
        service.declare_kernels("base")


def brought_by_a_package(folder: Path, name: str, language: str, *argv: str) -> None:
    kernel = folder / "share" / "jupyter" / "kernels" / name
    kernel.mkdir(parents=True)
    spec = {"argv": list(argv), "display_name": name.upper(), "language": language}
    (kernel / "kernel.json").write_text(json.dumps(spec))
    (kernel / "logo-64x64.png").write_bytes(b"logo")


async def test_kernels_of_other_languages_are_declared_beside_python_or_alone(site: Site, python: Path) -> None:
    settings = site()
    service, folder = EnvironmentService(settings), path_of(settings)
    brought_by_a_package(folder, "ir", "R", "R", "--slave", "{resource_dir}/x")
    brought_by_a_package(folder, "python3", "python", "python")
    (alone,) = service.declare_kernels("pytorch")
    spec = json.loads(alone.read_text())
    assert (alone.parent.name, spec["display_name"]) == ("pytorch", "IR · PyTorch 2.13")
    assert spec["argv"] == ["R", "--slave", f"{folder}/share/jupyter/kernels/ir/x"]
    assert spec["env"]["PATH"] == f"{folder}/bin:${{PATH}}"
    assert (alone.parent / "logo-64x64.png").read_bytes() == b"logo"
    assert service.is_installed("pytorch")

    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(python)
    names = [file.parent.name for file in service.declare_kernels("pytorch")]
    assert names == ["pytorch", "pytorch-ir"]
