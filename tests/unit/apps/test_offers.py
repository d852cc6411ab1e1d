"""The catalogue page: where an app's software comes from, and what is said of one that cannot start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from portal.apps.offers import Offers
from portal.apps.own import OwnApp
from portal.apps.schemas import OfferOut
from portal.apps.tried import Tried
from portal.settings import App, Environment, Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    for program in ("python", "jupyterhub-singleuser", "tensorboard"):
        (tmp_path / "base" / "bin").mkdir(parents=True, exist_ok=True)
        (tmp_path / "base" / "bin" / program).touch()
    web = {"kind": "web", "command": ["viewer", "{port}"]}
    return Settings.model_validate(
        {
            "modules": {"command": "/opt/modulecmd", "paths": ["/opt/modulefiles"]},
            "environments": {
                "base": {"title": "Base", "path": tmp_path / "base", "version": "1"},
                "digits": {"title": "DIGITS", "kind": "modules", "modules": ["shared/digits/6.1.1"]},
                "caffe": {
                    "title": "Caffe",
                    "kind": "image",
                    "path": "/images/caffe.sif",
                    "reference": "docker://x/caffe:20",
                },
            },
            "apps": {
                "digits": {"environments": ["digits"]},
                "viewer": {"title": "Viewer", "environments": ["caffe"], **web},
                "bound": {
                    "title": "Bound",
                    "environments": ["base", "caffe"],
                    "listen": "socket",
                    "kind": "web",
                    "command": ["viewer", "{socket}"],
                },
            },
        }
    )


async def offers(
    settings: Settings,
    *,
    modules: str | None = None,
    image: str | None = None,
    admin: bool = False,
    tried: Sequence[Tried] = (),
    own: Sequence[OwnApp] = (),
) -> dict[str, OfferOut]:
    class Environments:
        async def of(self, username: str) -> dict[str, Environment]:
            mine = Environment(title="Mine", kind="image", path=Path("/home/alice/mine.sif"), extends="base")
            return settings.environments | {"image-1": mine}

        async def missing(self, username: str, name: str, environment: Environment) -> str | None:
            return image if environment.kind == "image" else None

    async def unloadable(wanted: Sequence[str]) -> str | None:
        return modules if wanted else None

    async def missed(username: str) -> list[Tried]:
        return list(tried)

    async def own_apps(username: str) -> list[OwnApp]:
        return list(own)

    catalogue = Offers(settings, Environments(), unloadable, missed, own_apps)
    return {item.name: item for item in (await catalogue.page("alice", admin=admin)).items}


async def test_an_app_says_where_its_software_comes_from(settings: Settings) -> None:
    results = await offers(settings)
    where = {
        name: [(source.kind, source.where) for source in results[name].sources]
        for name in ("digits", "viewer", "tensorboard")
    }
    assert where["digits"] == [("modules", "shared/digits/6.1.1")]
    assert where["viewer"] == [("image", "docker://x/caffe:20")]
    assert where["tensorboard"] == [("path", str(settings.environments["base"].path))]
    assert {source.environment for source in results["jupyterlab"].sources if source.own} == {"image-1"}
    assert [results[name].origin for name in ("digits", "viewer")] == ["portal", "site"]
    assert [results[name].network for name in ("jupyterlab", "viewer", "bound")] == [True, False, True]


async def test_an_app_whose_only_environment_cannot_be_used_says_why(settings: Settings) -> None:
    results = await offers(settings, modules="There is no module shared/digits/6.1.1.", image="The file is gone.")
    assert [(results[name].available, results[name].reason) for name in ("digits", "viewer")] == [
        (False, "There is no module shared/digits/6.1.1."),
        (False, "The file is gone."),
    ]
    assert results["tensorboard"].available


async def test_an_environment_that_lacks_the_program_is_named_beside_one_that_has_it(settings: Settings) -> None:
    bound = (await offers(settings))["bound"]
    assert bound.available
    assert [(source.environment, source.reason) for source in bound.sources] == [
        ("base", "It does not have the program viewer."),
        ("caffe", None),
    ]


async def test_administrators_alone_read_what_would_make_an_app_available(settings: Settings) -> None:
    assert (await offers(settings))["vscode"].remedy is None
    offer = (await offers(settings, admin=True))["vscode"]
    assert not offer.available
    assert "code-server" in str(offer.reason)
    assert "[apps.vscode] environments" in str(offer.remedy)
    assert (await offers(settings, admin=True))["tensorboard"].remedy is None


async def test_an_environment_in_which_no_jupyter_was_found_is_shown_with_the_reason(settings: Settings) -> None:
    def reasons(item: OfferOut) -> dict[str, str | None]:
        return {source.environment: source.reason for source in item.sources}

    tried = Tried("caffe", None, {"path": "/images/caffe.sif", "digest": None})
    before, after = await offers(settings), await offers(settings, tried=[tried])
    assert reasons(before["jupyterlab"])["caffe"] is None
    assert reasons(after["jupyterlab"])["caffe"] == "Your last session in it found no JupyterHub there."
    assert reasons(after["viewer"]) == {"caffe": None}
    assert after["jupyterlab"].available


async def test_an_environment_in_which_a_web_apps_program_was_not_found_is_shown_with_the_reason(
    settings: Settings,
) -> None:
    image = {"path": "/images/caffe.sif", "digest": None}
    results = await offers(settings, tried=[Tried("caffe", None, image, "viewer"), Tried("digits", None, None, "x")])
    said = "Your last session in it did not find the program viewer."
    assert [(source.environment, source.reason) for source in results["viewer"].sources] == [("caffe", said)]
    assert (results["viewer"].available, results["bound"].available) == (False, False)
    assert [source.reason for source in results["bound"].sources][1] == said
    assert results["digits"].available
    assert {source.environment: source.reason for source in results["jupyterlab"].sources}["caffe"] is None
    # Another image under the same name has not been tried.
    other = Tried("caffe", None, image | {"digest": "sha256:0"}, "viewer")
    assert (await offers(settings, tried=[other]))["viewer"].available


async def test_administrators_alone_see_the_apps_that_are_off_with_what_they_need(settings: Settings) -> None:
    assert "streamlit" not in await offers(settings)
    off = (await offers(settings, admin=True))["streamlit"]
    assert (off.available, off.sources, off.reason) == (False, [], "This site does not offer it.")
    assert off.remedy == (
        "An environment with Streamlit (pip install streamlit) and the packages that users' scripts import. "
        "Then add to portal.toml: [apps.streamlit] enabled = true"
    )


async def test_a_users_own_apps_are_shown_after_the_sites_and_a_wrong_file_with_its_reason(settings: Settings) -> None:
    app = App(title="Mine", kind="web", command=["tensorboard", "{port}"])
    wrong = OwnApp("my-wrong", "/home/alice/wrong.toml", problem="It is not valid TOML.")
    results = await offers(settings, own=[OwnApp("my-app", "/home/alice/app.toml", {}, app), wrong])
    assert list(results)[-2:] == ["my-app", "my-wrong"]
    assert (results["my-app"].origin, results["my-app"].available) == ("own", True)
    assert results["my-wrong"].reason == "/home/alice/wrong.toml: It is not valid TOML."
    assert "portal apps try /home/alice/wrong.toml" in str(results["my-wrong"].remedy)


async def test_administrators_see_the_files_of_the_sites_folder_that_are_wrong(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "apps.d").mkdir()
    (tmp_path / "apps.d" / "wrong.toml").write_text("x")
    settings = settings.model_copy(update={"apps_folder": tmp_path / "apps.d"})
    assert not [name for name in await offers(settings) if name.endswith("wrong.toml")]
    shown = (await offers(settings, admin=True))[str(tmp_path / "apps.d" / "wrong.toml")]
    assert (shown.available, shown.origin) == (False, "site")
