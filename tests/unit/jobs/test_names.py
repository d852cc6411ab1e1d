"""Task numbers and the names of output files, as Slurm writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.jobs import arrays
from portal.jobs.output_patterns import Names, absolute, of_array, of_task, resolve
from portal.jobs.tasks import first_node


@given(st.sets(st.integers(0, 2000)))
def test_ranges_hold_the_tasks_they_were_made_of(tasks: set[int]) -> None:
    text = arrays.compact(tasks)
    assert set(arrays.expand(text)) == tasks
    assert arrays.count(text) == len(tasks)
    some = {0, 1000, 2000, 2001, *sorted(tasks)[:5]}
    assert {task for task in some if arrays.holds(text, task)} == tasks & some


@pytest.mark.parametrize(
    ("text", "tasks"),
    [("0-3", [0, 1, 2, 3]), ("1,5-6%2", [1, 5, 6]), ("0-9:4", [0, 4, 8]), ("[7-8]", [7, 8]), ("x,3", [3]), ("", [])],
)
def test_ranges_are_read_as_slurm_writes_them(text: str, tasks: list[int]) -> None:
    assert list(arrays.expand(text)) == tasks
    assert [task for task in range(20) if arrays.holds(text, task)] == tasks
    assert arrays.count(text) == len(tasks)


def test_no_range_is_longer_than_slurm_allows() -> None:
    assert sum(1 for _ in arrays.expand("0-999999999")) == arrays.MOST


NAMES = Names(job_id=130, array_id=123, task=7, user="alice", name="train", node="node003")


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("slurm-%A_%a.out", "slurm-123_7.out"),
        ("%x-%j-%u-%N", "train-130-alice-node003"),
        ("%4a.%6j", "0007.000130"),
        ("100%%j", "100%j"),
        ("%b-%t-%z", "7-0-%z"),
        ("plain\\%j", "plain%j"),
    ],
)
def test_patterns_are_put_in_as_sbatch_does(pattern: str, name: str) -> None:
    assert resolve(pattern, NAMES) == name


def test_name_waits_for_what_is_not_known_yet() -> None:
    waiting = Names(job_id=None, array_id=123, task=7, user="a", name="n", node=None)
    assert resolve("%N.out", waiting) is None
    assert resolve("%A_%a.out", waiting) == "123_7.out"


@pytest.mark.parametrize(
    ("pattern", "apart"),
    [
        (None, True),
        ("slurm-%A_%a.out", True),
        ("%4j.out", True),
        ("%A-%x.out", False),
        ("100%%a", False),
        ("\\%a", False),
    ],
)
def test_tasks_write_files_of_their_own_or_one(pattern: str | None, apart: bool) -> None:
    assert of_task(pattern) is apart


def test_relative_names_are_of_the_working_folder() -> None:
    assert absolute("a/b.out", "/home/alice/") == "/home/alice/a/b.out"
    assert absolute("/x", "/home/alice") == "/x"


@pytest.mark.parametrize(
    ("path", "array"),
    [
        ("/home/alice/slurm-130.out", "/home/alice/slurm-123_7.out"),  # squeue's name where --output is not given
        ("/home/alice/slurm-%j.out", "/home/alice/slurm-130.out"),
        ("/home/alice/slurm-%A_%a.out", "/home/alice/slurm-123_7.out"),
        ("/tmp/slurm-130.out", "/tmp/slurm-130.out"),
    ],
)
def test_array_of_the_terminal_writes_a_file_for_each_task(path: str, array: str) -> None:
    assert resolve(of_array(path, "/home/alice", 130), NAMES) == array


@pytest.mark.parametrize(
    ("nodes", "first"),
    [("node003", "node003"), ("node[003-005,7],x1", "node003"), ("a,b[1-2]", "a"), ("", None), ("n[10,12]", "n10")],
)
def test_first_node_of_a_list(nodes: str, first: str | None) -> None:
    assert first_node(nodes) == first
