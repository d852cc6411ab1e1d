"""The list of modules as both module commands print it, and what is said of a choice beforehand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from portal.modules.reading import from_environment_modules, from_lmod
from portal.modules.schemas import ModuleOut
from portal.modules.service import ModuleService, ModulesUnavailable
from portal.settings import Modules

RECORDED = Path(__file__).parents[2] / "recorded" / "modules"
NOW = datetime(2026, 11, 21, tzinfo=UTC)

STAND_IN = f"""#!/bin/sh
echo "$@" >> "${{0%/*}}/asked"
case "$2 $3" in
  "avail --json") cat {RECORDED}/environment-modules-5.2.0-avail.json >&2 ;;
  "whatis --json") cat {RECORDED}/environment-modules-5.2.0-whatis.json >&2 ;;
  "load broken") echo "_mlstatus = False"; cat {RECORDED}/environment-modules-5.2.0-broken.txt >&2 ;;
  *) echo "_mlstatus = True" ;;
esac
"""


def lmod() -> list[ModuleOut]:
    return from_lmod((RECORDED / "lmod-8.6.19-spider.json").read_text())


def environment_modules() -> list[ModuleOut]:
    return from_environment_modules(
        (RECORDED / "environment-modules-5.2.0-avail.json").read_text(),
        (RECORDED / "environment-modules-5.2.0-whatis.json").read_text(),
    )


@pytest.mark.parametrize("read", [lmod, environment_modules])
def test_both_commands_lists_are_read_alike(read: Callable[[], list[ModuleOut]]) -> None:
    broken, numtools, digits = read()
    assert (numtools.name, numtools.versions, numtools.default) == ("numtools", ["10.0", "2.0", "1.0"], "1.0")
    assert (digits.name, digits.versions, digits.default) == ("shared/digits", ["6.1.1"], "6.1.1")
    assert (broken.name, broken.versions, broken.default) == ("broken", [], None)


def test_descriptions_come_from_whatis() -> None:
    assert [module.description for module in environment_modules()] == ["", "Number tools", "DIGITS web app"]


@pytest.fixture
def service(tmp_path: Path) -> ModuleService:
    command = tmp_path / "modulecmd.tcl"
    command.write_text(STAND_IN)
    command.chmod(0o755)
    return ModuleService(Modules(command=command, paths=(tmp_path,)), lambda: NOW)


async def test_a_choice_that_loads_is_not_refused_and_tried_once(service: ModuleService, tmp_path: Path) -> None:
    page = await service.refresh()
    assert page.as_of == NOW
    for _ in range(2):
        assert await service.refusal(["numtools/1.0", "shared/digits"]) is None
    assert (tmp_path / "asked").read_text().count("python load numtools/1.0 shared/digits\n") == 1


async def test_a_name_that_is_not_in_the_list_is_refused(service: ModuleService, tmp_path: Path) -> None:
    await service.refresh()
    assert await service.refusal(["numtools/1.0", "numtools/3.0"]) == (
        "There is no module numtools/3.0. Choose from the list of modules."
    )
    assert "load" not in (tmp_path / "asked").read_text()


async def test_a_module_that_does_not_load_is_refused_in_the_commands_words(service: ModuleService) -> None:
    await service.refresh()
    text = await service.refusal(["broken"])
    assert text is not None
    assert text.startswith("The modules broken do not load: Module ERROR: here")


async def test_what_cannot_be_known_is_not_refused(tmp_path: Path) -> None:
    service = ModuleService(Modules(command=tmp_path / "missing", paths=(tmp_path,)), lambda: NOW)
    with pytest.raises(ModulesUnavailable):
        await service.refresh()
    assert service.page.as_of is None
    assert await service.refusal(["anything/1"]) is None


async def test_a_site_without_modules_refuses_them() -> None:
    service = ModuleService(Modules(), lambda: NOW)
    assert await service.refusal([]) is None
    assert await service.refusal(["numtools"]) == "This site has no environment modules; leave them out."


async def test_a_list_that_nobody_can_read_leaves_the_last_one(service: ModuleService, tmp_path: Path) -> None:
    before = await service.refresh()
    (tmp_path / "modulecmd.tcl").write_text("#!/bin/sh\necho no modules today >&2\n")
    with pytest.raises(ModulesUnavailable, match=r"cannot|did not print"):
        await service.refresh()
    assert service.page is before
