"""The presets: each runs unchanged where its software is installed, and shows where to put your own program.

Their commands are the files in `preset_scripts/`. A preset comes with an environment that has what it needs; if there
is none, the list says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from portal.jobs import requirements
from portal.jobs.requirements import Requirement
from portal.jobs.schemas import PresetOut
from portal.jobs.script.form import ArraySpec, JobForm, Variable
from portal.plurals import plural
from portal.settings import Environment

_SCRIPTS = Path(__file__).with_name("preset_scripts")
_GIB = 1024
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    title: str
    description: str
    form: JobForm
    need: Requirement | None = None

    def offer(self, environments: Mapping[str, Environment], most_nodes: int) -> PresetOut:
        environment, caution = requirements.where(self.need, environments) if self.need else (None, None)
        if 0 < most_nodes < self.form.nodes:
            caution = f"It needs {plural(self.form.nodes, 'node')}, but the largest partition here has {most_nodes}."
        form = self.form.model_copy(update={"command": self.command, "environment": environment})
        return PresetOut(name=self.name, title=self.title, description=self.description, caution=caution, form=form)

    @property
    def command(self) -> str:
        file = _SCRIPTS / f"{self.name}.sh"
        return file.read_text() if file.exists() else self.form.command


PRESETS = (
    Preset(
        "empty",
        "Empty",
        "A job with one task, to build on.",
        JobForm(name="job", cpus_per_task=2, memory_mib_per_node=8 * _GIB, walltime_s=_HOUR, command="hostname\n"),
    ),
    Preset(
        "torchrun",
        "PyTorch over several nodes",
        "torchrun on each node; the workers find each other on the first one.",
        JobForm(
            name="torchrun",
            nodes=2,
            tasks_per_node=2,
            cpus_per_task=2,
            memory_mib_per_node=16 * _GIB,
            walltime_s=_HOUR,
        ),
        requirements.TORCHRUN,
    ),
    Preset(
        "horovod",
        "Horovod or MPI",
        "One task for each worker, joined by MPI.",
        JobForm(
            name="horovod",
            nodes=2,
            tasks_per_node=2,
            cpus_per_task=2,
            memory_mib_per_node=16 * _GIB,
            walltime_s=_HOUR,
        ),
        requirements.MPI,
    ),
    Preset(
        "sweep",
        "Hyperparameter sweep",
        "An array: each task trains with one combination, four at once.",
        JobForm(
            name="sweep",
            cpus_per_task=4,
            memory_mib_per_node=8 * _GIB,
            walltime_s=_HOUR,
            array=ArraySpec(range="0-11", at_once=4),
        ),
    ),
    Preset(
        "notebook",
        "Run a notebook to its end",
        "Executes a notebook with parameters and saves what it shows.",
        JobForm(
            name="notebook",
            cpus_per_task=4,
            memory_mib_per_node=16 * _GIB,
            walltime_s=_HOUR,
            env=[
                Variable(name="NOTEBOOK", value="example.ipynb"),
                Variable(name="PARAMETERS", value='{"epochs": 10}'),
            ],
        ),
        requirements.NBCLIENT,
    ),
    Preset(
        "tensorflow",
        "TensorFlow on several workers",
        "One worker on each node, joined by MultiWorkerMirroredStrategy.",
        JobForm(
            name="tensorflow",
            nodes=2,
            tasks_per_node=1,
            cpus_per_task=4,
            memory_mib_per_node=16 * _GIB,
            walltime_s=_HOUR,
        ),
        requirements.TENSORFLOW,
    ),
    Preset(
        "bandwidth",
        "Bandwidth between two nodes",
        "How fast the cluster's nodes talk to each other.",
        JobForm(
            name="bandwidth",
            nodes=2,
            tasks_per_node=1,
            cpus_per_task=2,
            memory_mib_per_node=2 * _GIB,
            walltime_s=600,
        ),
    ),
)


def presets(environments: Mapping[str, Environment], most_nodes: int) -> list[PresetOut]:
    """Return the presets for this site; `most_nodes`: nodes of its largest partition, 0 if unknown."""
    return [preset.offer(environments, most_nodes) for preset in PRESETS]
