"""What `portal check` says of the software of sessions, seen from the portal's machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from portal.check import site
from portal.check.findings import Mark
from portal.settings import Environment, Ngc, Settings

NOWHERE = Ngc(host="localhost:9", plain_http=True)


async def said_of(image: Path, *, extends: str | None = None) -> list[str]:
    environments = {
        "base": Environment(title="Base", path=Path("/opt/base")),
        "caffe": Environment(title="Caffe", kind="image", path=image, extends=extends),
    }
    findings = await site.images(Settings(environments=environments, ngc=NOWHERE))
    return [finding.text for finding in findings if "Caffe" in finding.text]


async def test_image_that_is_to_serve_jupyter_and_holds_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "usr/bin").mkdir(parents=True)
    (text,) = await said_of(tmp_path)
    assert text == f"Caffe: no JupyterHub found in {tmp_path}"


@pytest.mark.parametrize("folder", ["usr/local/bin", "opt/conda/bin", "opt/jupyter/venv/bin"])
async def test_image_that_holds_jupyterhub_is_fine(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "jupyterhub-singleuser").touch()
    assert await said_of(tmp_path) == []


async def test_image_whose_kernels_another_environment_serves_is_fine(tmp_path: Path) -> None:
    assert await said_of(tmp_path, extends="base") == []


async def test_image_of_one_file_is_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / "caffe.sif").touch()
    assert await said_of(tmp_path / "caffe.sif") == []


async def said_of_environments(tmp_path: Path, *installed: str) -> list[tuple[Mark, str]]:
    for name in installed:
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "bin/python").symlink_to(sys.executable)
    lock = tmp_path / "lock.txt"
    lock.touch()
    environments = {
        "base": Environment(title="Base", path=tmp_path / "base", packages=[lock]),
        "torch": Environment(title="Torch", path=tmp_path / "torch", packages=[lock], extends="base"),
    }
    return [
        (environment.mark, environment.text)
        for environment in await site.environments(Settings(environments=environments))
    ]


async def test_site_without_any_environment_installed_can_start_nothing(tmp_path: Path) -> None:
    base, _, last = await said_of_environments(tmp_path)
    assert base == (Mark.WARNING, "Base is not installed")
    assert last == (Mark.BAD, "none is installed, so nothing can be started")


async def test_kernels_that_nobody_has_wanted_yet_are_no_fault(tmp_path: Path) -> None:
    base, kernels = await said_of_environments(tmp_path, "base")
    assert base == (Mark.GOOD, f"Base ({tmp_path / 'base'})")
    assert kernels == (Mark.GOOD, "kernels not installed yet, for an administrator to install: Torch")


async def test_tables_of_a_shipped_app_are_shown_as_merged_and_without_secrets(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tensorboard").touch()
    more = {"env": {"TOKEN": "s3cret"}, "resources": {"cpus": 2}}
    settings = Settings.model_validate(
        {"environments": {"base": {"title": "Base", "path": tmp_path}}, "apps": {"tensorboard": more}}
    )
    texts = [app.text for app in await site.apps(settings) if app.text.startswith("TensorBoard")]
    assert texts == [
        "TensorBoard, in base; env: TOKEN (portal.toml); resources: gpus = 0, cpus = 2 (portal.toml), memory_mib = 4096"
    ]
