"""What the agent receives about the environment to enter."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from portal.environments import entry
from portal.settings import Environment, Images, Modules, Mount, Settings

MODULES = Modules(command=Path("/lmod/libexec/lmod"), paths=(Path("/site/modules"),))
SETTINGS = Settings(
    modules=MODULES,
    images=Images(apptainer=Path("/opt/apptainer"), binds=(Path("/scratch"),), options=("--unsquash",)),
    mounts=[Mount(name="shared", path=Path("/shared"))],
)


def test_a_path_is_entered_by_its_programs_alone() -> None:
    result = entry(Environment(title="Base", path=Path("/envs/base")), SETTINGS)
    assert result.wrap == []
    assert result.env == {"PATH": "/envs/base/bin:/usr/local/bin:/usr/bin:/bin"}
    assert result.python == "/envs/base/bin/python"


def test_modules_are_loaded_in_their_order_and_once() -> None:
    environment = Environment(title="GCC", kind="modules", modules=("gcc/12", "cuda/12"))
    result = entry(environment, SETTINGS, modules=["openmpi/5", "gcc/12"])
    assert result.wrap == [
        *("{python}", "-I", "{agent}", "enter-modules", "--command=/lmod/libexec/lmod", "--path=/site/modules"),
        *("--load=gcc/12", "--load=cuda/12", "--load=openmpi/5", "--"),
    ]
    assert result.python == "python3"


def test_an_image_sees_the_shared_folders() -> None:
    result = entry(Environment(title="NGC", kind="image", path=Path("/images/x.sif")), SETTINGS)
    assert result.wrap == [
        *("{python}", "-I", "{agent}", "enter-image", "--apptainer=/opt/apptainer", "--image=/images/x.sif"),
        *("--option=--unsquash", "--bind=/shared", "--bind=/scratch", "--"),
    ]
    assert result.env == {}


@pytest.mark.parametrize(
    ("wrong", "value"),
    [
        ({}, "kinds `path` and `image` need `path`"),
        ({"kind": "modules"}, "needs `modules`"),
        ({"kind": "modules", "modules": ["gcc"], "path": "/x"}, "kinds `path` and `image` need `path`"),
        ({"kind": "image", "path": "/x.sif", "modules": ["gcc"]}, "inside an image"),
        ({"kind": "image", "path": "x.sif"}, "must begin with /"),
        ({"kind": "image", "path": "/x.sif", "packages": "/lock.txt"}, "only for the kind `path`"),
        ({"path": "/x", "modules": ["--use=/tmp"]}, "pattern"),
        ({"path": "/x", "modules": ["gcc;id"]}, "pattern"),
    ],
)
def test_what_does_not_go_together_is_refused(wrong: dict[str, object], value: str) -> None:
    with pytest.raises(ValidationError, match=value):
        Environment.model_validate({"title": "X", **wrong})


def test_modules_need_a_command_that_loads_them() -> None:
    environment = Environment(title="GCC", kind="modules", modules=("gcc",))
    with pytest.raises(ValidationError, match=r"modules\.command"):
        Settings(environments={"gcc": environment})


def test_names_of_users_images_are_kept_free() -> None:
    with pytest.raises(ValidationError, match="users' images"):
        Settings(environments={"image-x": Environment(title="X", path=Path("/x"))})
