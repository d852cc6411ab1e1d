"""What is said of a script before Slurm sees it, and which partitions it may name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portal.errors import FieldProblem, SlurmRefused
from portal.jobs.script import check
from portal.jobs.script.parse import parse
from portal.policy.view import ClusterView, PartitionView, UserView
from portal.settings import Settings


def partition(name: str, *, default: bool = False) -> PartitionView:
    return PartitionView(
        name=name,
        default=default,
        available=True,
        reason=None,
        max_walltime_s=3600,
        default_walltime_s=None,
        nodes_total=1,
        nodes_up=1,
        node_gpus=0,
        node_cpus=8,
        node_memory_mib=16_000,
        cpus_total=8,
        cpus_free=8,
    )


CLUSTER = ClusterView({"open": partition("open", default=True), "closed": partition("closed")})
NARROW = Settings.model_validate({"policy": {"limits": [{"group": "students", "partitions": ["open"]}]}})
STUDENT = UserView("eva", groups=frozenset({"students"}))


def fields(
    *directives: str, user: UserView = STUDENT, settings: Settings = NARROW, first: str = "#!/bin/bash"
) -> set[str]:
    script = "\n".join([first, *(f"#SBATCH {directive}" for directive in directives), "true", ""])
    return {problem.field for problem in check.problems(parse(script), user, CLUSTER, settings)}


def test_good_script_has_no_problem() -> None:
    assert fields("--partition=open") == fields() == set()


@pytest.mark.parametrize(
    "directive",
    ["-p closed", "-pclosed", "--partition closed", "--part=closed", "--partition=open,closed", "--pa closed"],
)
def test_partition_that_policy_closes_is_refused_however_it_is_written(directive: str) -> None:
    assert fields(directive) == {"partition"}
    assert fields(directive, settings=Settings()) == set()


def test_last_partition_of_a_script_counts_and_several_parts_are_refused_where_policy_narrows() -> None:
    assert fields("-p open", "-p closed") == {"partition"}
    assert fields("-p open", "hetjob") == {"script"}
    assert fields("-p nosuch", settings=Settings()) == {"partition"}


def test_names_of_sessions_and_unknown_environments_are_refused() -> None:
    assert fields("-J dsp-abcdefghijkl") == fields("--job-name=dsp-abcdefghijkl") == {"name"}
    script = "#!/bin/bash\n#PORTAL environment nosuch\ntrue\n"
    problems = check.problems(parse(script), STUDENT, CLUSTER, NARROW)
    assert [problem.field for problem in problems] == ["environment"]


def test_script_without_a_shell_or_with_line_ends_of_windows_is_told() -> None:
    assert fields(first="echo") == {"script"}
    assert fields("-N 1\r") == {"script"}


def test_refusals_of_slurm_stand_beside_the_forms_fields() -> None:
    refused = SlurmRefused("No.", fields=[FieldProblem("resources.gpus", "No such GPUs.")])
    assert check.from_slurm(refused) == [FieldProblem("gpus_per_node", "No such GPUs.")]
    assert check.from_slurm(SlurmRefused("Odd.")) == [FieldProblem("script", "Odd.")]


@pytest.mark.parametrize(
    ("directives", "refused"),
    [
        (["-t 30"], False),
        (["-t 31"], True),
        (["--time=0-00:30:01"], True),
        (["--time=UNLIMITED"], True),
        ([], True),  # the partition lets it take an hour
        (["-p closed"], False),
        (["-p open,closed"], True),
        (["-t 31", "--begin=now+1day"], False),  # what begins later is not kept from ending in time
    ],
)
def test_job_that_would_run_into_maintenance_is_refused_with_its_reason(directives: list[str], refused: bool) -> None:
    closing = replace(CLUSTER.partitions["open"], closes_in_s=1800, closes_why="“open” closes at noon: New switches.")
    cluster = ClusterView({**CLUSTER.partitions, "open": closing})
    script = "\n".join(["#!/bin/bash", *(f"#SBATCH {directive}" for directive in directives), "true", ""])
    problems = check.problems(parse(script), STUDENT, cluster, Settings())
    text = "It would run into maintenance: “open” closes at noon: New switches."
    assert [(problem.field, problem.message.startswith(text)) for problem in problems] == (
        [("walltime_s", True)] if refused else []
    )
