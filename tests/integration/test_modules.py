"""Environment modules for real, with Debian's Environment Modules and the demo's own module files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.demo_site import DemoSite
from tests.person import Live, Person


def ask(owner: Person, **ask: Any) -> Any:
    return owner.api("POST", "/sessions", json={"app": "jupyterlab", "resources": {"gpus": 0}, **ask})


def test_the_list_has_versions_and_descriptions(site: DemoSite, person: Callable[[str], Person]) -> None:
    def listed() -> dict[str, Any]:
        return {item["name"]: item for item in person("alice").api("GET", "/modules").json()["items"]}

    site.wait_for(listed, "the list of modules")
    assert listed()["demo-tools"]["versions"] == ["1.1", "1.0"]
    assert listed()["demo-tools"]["description"].startswith("Tools of the demo")


@pytest.mark.parametrize(
    ("asked", "version"),
    [({"environment": "tools"}, "1.1"), ({"environment": "base", "modules": ["demo-tools/1.0"]}, "1.0")],
)
def test_modules_are_loaded_for_the_session(
    site: DemoSite, person: Callable[[str], Person], asked: dict[str, Any], version: str
) -> None:
    response = ask(person("alice"), **asked)
    assert response.status_code == 202, response.text
    live = Live(person("alice"), response.json()["id"])
    live.until("ready")
    kernel = live.kernel()
    assert kernel.run("import os; print(os.environ['DEMO_TOOLS'], os.environ['LOADEDMODULES'])").split() == [
        version,
        f"demo-tools/{version}",
    ]
    shell = live.typed('echo "$DEMO_TOOLS"; command -v python; module list --terse 2>&1 | cat').splitlines()
    assert (shell[0], shell[1].endswith("/bin/python")) == (version, True)
    assert f"demo-tools/{version}" in shell
    assert live.now()["modules"] == asked.get("modules", [])


def test_what_does_not_load_is_refused_before_anything_is_submitted(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    for modules, name in (
        (["demo-broken/1.0"], "this module only shows what is said"),
        (["nothing/1.0"], "There is no module nothing/1.0"),
        (["demo-tools/1.1", "demo-tools/1.0"], "do not load"),
    ):
        response = ask(alice, modules=modules)
        assert response.status_code == 422, response.text
        assert name in response.json()["error"]["fields"][0]["message"]
    assert site.jobs() == []
