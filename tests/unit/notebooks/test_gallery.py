"""Indexes are checked: working templates are shown, broken ones are left out and reported."""

from __future__ import annotations

import importlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from portal.environments.service import EnvironmentService
from portal.errors import Conflict, NotFound
from portal.notebooks import gallery
from portal.notebooks.gallery import copies
from portal.notebooks.service import NotebookService, path_of
from portal.settings import App, Environment, Settings, Templates

SHIPPED = Path(__file__).parents[3] / "templates"

ENTRY = """
[[template]]
id = "{id}"
file = "{file}"
title = "Digits"
framework = "scikit-learn"
task = "Image classification"
description = "What it teaches."
{more}
"""


def entry(name: str = "digits", file: str = "sk/digits.ipynb", more: str = "") -> str:
    return ENTRY.format(id=name, file=file, more=more)


def notebook(kernel: str = "python3", nbformat: int = 4) -> str:
    return json.dumps({"cells": [], "metadata": {"kernelspec": {"name": kernel}}, "nbformat": nbformat})


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Make a folder of templates from an index and its notebooks."""

    def make(index: str, notebooks: dict[str, str] | None = None, name: str = "templates") -> Path:
        path = tmp_path / name
        path.mkdir()
        (path / "index.toml").write_text(index)
        for file, content in ({"sk/digits.ipynb": notebook()} if notebooks is None else notebooks).items():
            (path / file).parent.mkdir(parents=True, exist_ok=True)
            (path / file).write_text(content)
        return path

    return make


@pytest.fixture
def site(tmp_path: Path) -> Callable[..., Settings]:
    def make(*folders: Path) -> Settings:
        return Settings(
            templates=Templates(folders=list(folders)),
            environments={
                "base": Environment(title="Base", path=tmp_path / "base"),
                "pytorch": Environment(title="PyTorch", path=tmp_path / "pytorch", extends="base"),
            },
            apps={"jupyterlab": App(title="JupyterLab")},
        )

    return make


def ids(settings: Settings) -> list[str]:
    return [template.template.id for template in gallery(settings).found]


def test_a_sound_folder_has_no_problems(folder: Callable[..., Path], site: Callable[..., Settings]) -> None:
    settings = site(folder(entry()))
    assert ids(settings) == ["digits"]
    assert gallery(settings).problems == ()


def test_the_shipped_folder_is_sound(site: Callable[..., Settings], tmp_path: Path) -> None:
    settings = site(SHIPPED)
    left_out = [problem for problem in gallery(settings).problems if "does not have" not in problem]
    assert left_out == []
    environments = {template.template.environment for template in gallery(settings).found}
    with_image = {"mxnet", "chainer", "theano", "caffe2", "caffe", "cntk", "torch7", "horovod"}
    assert environments == {"", "pytorch", *with_image}, (
        "Those of environments that this site lacks, and no image has, are left out."
    )


def test_no_shipped_folder_hides_a_package_that_the_notebooks_import() -> None:
    """Code that starts in ~/templates would import the folder as a namespace package instead."""
    imported: set[str] = set()
    folders: set[str] = set()
    for path in SHIPPED.glob("*/*.ipynb"):
        folders.add(path.parent.name)
        for cell in json.loads(path.read_text())["cells"]:
            if cell["cell_type"] == "code":
                imported.update(re.findall(r"^\s*(?:import|from) (\w+)", "".join(cell["source"]), re.MULTILINE))
    assert {"tensorflow", "jax", "torch"} <= imported
    assert folders & imported == set()


@pytest.mark.parametrize(
    ("index", "notebooks", "words"),
    [
        ("not toml at all", None, "is not valid TOML"),
        ("colour = 1\n" + entry(), None, "unknown key “colour”"),
        ("[template]\nid = 'a'\n", None, "two brackets"),
        (entry(name="Two Words"), None, "id: String should match"),
        (entry(more="colour = 1"), None, "colour: Extra inputs are not permitted"),
        (entry(file="../digits.ipynb"), None, "without '..'"),
        (entry(file="/etc/digits.ipynb"), None, "below the index"),
        (entry(file="sk/digits.py"), None, "must be the path of an .ipynb"),
        (entry(more="gpus = -1"), None, "gpus: Input should be greater than or equal to 0"),
        (entry(), {}, "cannot be read (No such file or directory)"),
        (entry(), {"sk/digits.ipynb": "{"}, "is not a notebook"),
        (entry(), {"sk/digits.ipynb": "[]"}, "is not a notebook (it has no cells)"),
        (entry(), {"sk/digits.ipynb": '{"cells": [5]}'}, "cell 1 is not a valid cell"),
        (entry(), {"sk/digits.ipynb": '{"cells": [{"cell_type": "code", "source": [1]}]}'}, "cell 1 has no text"),
        (entry(), {"sk/digits.ipynb": '{"cells": [], "metadata": []}'}, "its metadata is not an object"),
        (entry(), {"sk/digits.ipynb": '{"cells": ' + "[" * 100_000}, "is nested too deeply"),
        (entry(), {"sk/digits.ipynb": notebook(nbformat=3)}, "has notebook format 3"),
        (entry(), {"sk/digits.ipynb": notebook("pytorch")}, "asks for the kernel “pytorch”"),
        (entry(more="environment = 'tensorflow'"), {"sk/digits.ipynb": notebook("tensorflow")}, "does not have"),
        (entry() + entry(), None, "another template has this id"),
    ],
)
def test_what_is_broken_is_told(
    index: str,
    notebooks: dict[str, str] | None,
    words: str,
    folder: Callable[..., Path],
    site: Callable[..., Settings],
) -> None:
    (problem,) = gallery(site(folder(index, notebooks))).problems
    assert words in problem
    assert "index.toml" in problem


def test_a_broken_template_does_not_hide_the_others(folder: Callable[..., Path], site: Callable[..., Settings]) -> None:
    settings = site(folder(entry(name="gone", file="gone.ipynb") + entry()))
    assert ids(settings) == ["digits"]
    assert len(gallery(settings).problems) == 1


def test_a_missing_folder_is_told(site: Callable[..., Settings], tmp_path: Path) -> None:
    (problem,) = gallery(site(tmp_path / "nowhere")).problems
    assert "cannot be read" in problem


def test_of_two_folders_the_first_counts(folder: Callable[..., Path], site: Callable[..., Settings]) -> None:
    first = folder(entry(), name="first")
    second = folder(
        entry() + entry(name="other") + entry(name="new", file="new.ipynb"),
        {"sk/digits.ipynb": notebook(), "new.ipynb": notebook()},
        name="second",
    )
    settings = site(first, second)
    assert ids(settings) == ["digits", "new"]
    by_id, by_file = gallery(settings).problems
    assert "also has a template “digits”" in by_id
    assert "also has a file sk/digits.ipynb" in by_file


def test_a_changed_index_is_read_again(folder: Callable[..., Path], site: Callable[..., Settings]) -> None:
    path = folder(entry())
    settings = site(path)
    assert ids(settings) == ["digits"]
    (path / "index.toml").write_text(entry(name="renamed"))
    os.utime(path / "index.toml", (1, 1))
    assert ids(settings) == ["renamed"]


def test_copies_name_source_and_place_in_the_home(folder: Callable[..., Path], site: Callable[..., Settings]) -> None:
    path = folder(entry())
    assert copies(site(path)) == [{"source": str(path / "sk" / "digits.ipynb"), "target": "templates/sk/digits.ipynb"}]


def open_template(settings: Settings, name: str, app: str = "jupyterlab") -> str:
    template = NotebookService(settings, EnvironmentService(settings)).openable(name, app=app)
    return path_of(template.template.file, base_url="/user/alice/x/")


def test_a_template_opens_in_a_session(folder: Callable[..., Path], site: Callable[..., Settings]) -> None:
    name = "sk/größe & co.ipynb"
    settings = site(folder(entry(file=name), {name: notebook()}))
    assert open_template(settings, "digits") == "/user/alice/x/lab/tree/templates/sk/gr%C3%B6%C3%9Fe%20%26%20co.ipynb"


def test_a_template_that_cannot_open_says_why(folder: Callable[..., Path], site: Callable[..., Settings]) -> None:
    settings = site(folder(entry(more="environment = 'pytorch'"), {"sk/digits.ipynb": notebook("pytorch")}))
    with pytest.raises(Conflict, match="needs PyTorch, which is not installed yet"):
        open_template(settings, "digits")
    with pytest.raises(Conflict, match="this session does not"):
        open_template(settings, "digits", app="tensorboard")
    with pytest.raises(NotFound):
        open_template(settings, "nonsense")
    (shown,) = NotebookService(settings, EnvironmentService(settings)).overview()
    assert (shown.environment, shown.environment_title, shown.available) == ("pytorch", "PyTorch", False)


def test_a_template_whose_environment_is_installed_opens(
    folder: Callable[..., Path], site: Callable[..., Settings], tmp_path: Path
) -> None:
    settings = site(folder(entry(more="environment = 'pytorch'"), {"sk/digits.ipynb": notebook("pytorch")}))
    (tmp_path / "pytorch" / "bin").mkdir(parents=True)
    (tmp_path / "pytorch" / "bin" / "python").symlink_to("/bin/true")
    assert open_template(settings, "digits") == "/user/alice/x/lab/tree/templates/sk/digits.ipynb"


def test_a_template_with_an_image_stays_where_its_environment_is_missing(
    folder: Callable[..., Path], site: Callable[..., Settings]
) -> None:
    more = (
        "environment = 'torch7'\nimage = 'nvcr.io/nvidia/torch:18.08-py2'\nold = true\n"
        "not_run = 'no registry was in reach.'"
    )
    settings = site(folder(entry(more=more), {"sk/digits.ipynb": notebook("torch7")}))
    service = NotebookService(settings, EnvironmentService(settings))
    (shown,) = service.overview()
    assert (shown.environment, shown.environment_title, shown.available) == ("torch7", None, False)
    assert (shown.image, shown.not_run) == ("nvcr.io/nvidia/torch:18.08-py2", "no registry was in reach.")
    assert shown.old
    with pytest.raises(Conflict, match=r"runs in the image nvcr\.io/nvidia/torch:18\.08-py2") as refused:
        service.openable("digits", app="jupyterlab")
    assert "templates/sk/digits.ipynb" in refused.value.hint


def test_a_template_may_run_in_a_kernel_of_the_node(folder: Callable[..., Path], site: Callable[..., Settings]) -> None:
    settings = site(folder(entry(more="kernel_of_node = 'ir'"), {"sk/digits.ipynb": notebook("ir")}))
    assert gallery(settings).problems == ()
    assert NotebookService(settings, EnvironmentService(settings)).overview()[0].available


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("environment = 'r'\nkernel_of_node = 'ir'", "cannot be combined"),
        ("image = 'nvcr.io/nvidia/torch:18.08-py2'", "must be named"),
        ("tested = 'yes'\nnot_run = 'no'", "leave `not_run` out"),
    ],
)
def test_what_contradicts_itself_is_told(
    more: str, words: str, folder: Callable[..., Path], site: Callable[..., Settings]
) -> None:
    (problem,) = gallery(site(folder(entry(more=more)))).problems
    assert words in problem


def test_sessions_get_the_function_of_this_name_and_not_the_module() -> None:
    importlib.import_module("portal.app")  # it imports portal.notebooks.copies before the wiring
    assert importlib.import_module("portal.wiring").copies is copies
