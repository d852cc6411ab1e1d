"""What `portal check` says of the software of sessions, seen from the portal's machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.check import site
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
    (said,) = await said_of(tmp_path)
    assert said == f"Caffe: no JupyterHub is seen in {tmp_path}"


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
