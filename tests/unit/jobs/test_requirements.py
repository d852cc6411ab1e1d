"""What presets and scripts need is found before they are submitted, or reported missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.jobs import requirements
from portal.jobs.presets import presets
from portal.jobs.script.form import JobForm
from portal.settings import Environment


@pytest.fixture(autouse=True)
def bare_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requirements, "_PROGRAMS", ())
    monkeypatch.setattr(requirements, "_PACKAGES", ())


@pytest.fixture
def environments(tmp_path: Path) -> dict[str, Environment]:
    def environment(title: str, *there: str) -> Environment:
        folder = tmp_path / title
        for name in there:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).touch() if name.startswith("bin/") else (folder / name).mkdir()
        return Environment(title=title, path=folder)

    return {
        "base": environment("Python 3", "lib/python3.11/site-packages/nbclient"),
        "torch": environment("PyTorch", "bin/torchrun"),
        "tools": Environment(title="Tools", kind="modules", modules=("tools",)),
    }


def test_presets_take_the_environment_that_has_what_they_need_and_say_what_is_missing(
    environments: dict[str, Environment],
) -> None:
    offered = {preset.name: preset for preset in presets(environments, most_nodes=4)}
    assert (offered["torchrun"].form.environment, offered["torchrun"].caution) == ("torch", None)
    assert (offered["notebook"].form.environment, offered["notebook"].caution) == ("base", None)
    assert (offered["sweep"].form.environment, offered["sweep"].caution) == (None, None)
    assert "TensorFlow" in (offered["tensorflow"].caution or "")
    assert "MPI" in (offered["horovod"].caution or "")


def test_presets_of_two_nodes_say_that_there_is_but_one(environments: dict[str, Environment]) -> None:
    offered = {preset.name: preset for preset in presets(environments, most_nodes=1)}
    assert offered["torchrun"].caution == "It needs 2 nodes, but the largest partition here has 1."
    assert offered["sweep"].caution is None


@pytest.mark.parametrize(
    ("environment", "more", "missing"),
    [
        (None, "", "no environment that has it is chosen"),
        ("base", "", "“Python 3” does not have"),
        ("torch", "", None),
        ("tools", "", None),  # what modules bring is not known here
        ("image-7", "", None),
        (None, "source ~/venv/bin/activate\n", None),
        (None, "export PATH=/opt/torch/bin:$PATH\n", None),
    ],
)
def test_scripts_that_will_miss_something_are_told_of_it(
    environments: dict[str, Environment], environment: str | None, more: str, missing: str | None
) -> None:
    form = JobForm(environment=environment, command=f"{more}srun torchrun train.py")
    cautions = requirements.cautions(form, environments)
    assert cautions == [] if missing is None else missing in cautions[0]


def test_system_that_has_it_needs_no_environment(
    environments: dict[str, Environment], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "python3" / "dist-packages" / "mpi4py").mkdir(parents=True)
    monkeypatch.setattr(requirements, "_PACKAGES", (tmp_path,))
    offered = {preset.name: preset for preset in presets(environments, most_nodes=4)}
    assert (offered["horovod"].form.environment, offered["horovod"].caution) == (None, None)
    assert requirements.cautions(JobForm(command="from mpi4py import MPI"), environments) == []
