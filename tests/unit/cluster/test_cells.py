"""Whose GPU is whose: derived where possible, read from Slurm otherwise, and always checked."""

from __future__ import annotations

from portal.cluster.board import letters
from portal.cluster.cells import NOBODY, SHARED, Cells, Holder, lay, with_nobodys
from portal.cluster.gpu_holders import GpuHolders
from portal.slices import at_once
from portal.slurm.jobs import Job, JobState, Place
from portal.slurm.nodes import GpuCount, GpuParts, Node, NodeState
from portal.slurm.parse_places import places

EMPTY = Cells(())


def node(*used: int, total: int = 4, allocated: int | None = None) -> Node:
    count = len(used) if allocated is None else allocated
    return Node("node001", NodeState.MIXED, gpus=(GpuCount("v100", total, count, used),))


def test_a_job_alone_on_its_node_holds_what_is_used() -> None:
    cells = lay(node(1, 3), (Holder(7, 2),), before=EMPTY, places={})
    assert cells == Cells((None, 7, None, 7))


def test_a_second_job_gets_what_became_used_and_the_first_keeps_its_place() -> None:
    first = lay(node(2, 3), (Holder(7, 2),), before=EMPTY, places={})
    both = lay(node(0, 2, 3), (Holder(7, 2), Holder(8, 1)), before=first, places={})
    assert both == Cells((8, None, 7, 7))


def test_two_jobs_at_once_are_a_guess_until_slurm_says_more() -> None:
    held = (Holder(7, 1), Holder(8, 1))
    guess = lay(node(1, 2), held, before=EMPTY, places={})
    assert (set(guess.jobs), guess.guessed) == ({7, 8, None}, {7, 8})
    results = {7: (Place("node001", (2,)),), 8: (Place("node001", (1,)),)}
    sure = lay(node(1, 2), held, before=guess, places=results)
    assert sure == Cells((None, 8, 7, None))
    assert lay(node(1, 2), held, before=sure, places={}) == sure, "what was sure once stays"


def test_what_slurm_says_is_used_only_where_it_fits_the_queue() -> None:
    lies = {7: (Place("node001", (0, 1, 2, 3)),), 8: (Place("node001", (99,)),)}
    cells = lay(node(1, 2), (Holder(7, 1), Holder(8, 1)), before=EMPTY, places=lies)
    assert sorted(job for job in cells.jobs if job) == [7, 8]
    assert cells.guessed == {7, 8}


def test_gpus_that_no_job_accounts_for_are_nobodys() -> None:
    cells = with_nobodys(lay(node(0, 1, 3), (Holder(7, 1),), before=EMPTY, places={}), node(0, 1, 3))
    assert cells.jobs.count(NOBODY) == 2
    assert cells.jobs[2] is None


def test_jobs_of_several_nodes_hold_their_share_on_each() -> None:
    job = Job(9, "x", "alice", "", "p", "", JobState.RUNNING, nodes="node[001-002]", node_count=2, gpus=4)
    held = GpuHolders()
    assert at_once(held.take({9: job})) == {"node001", "node002"}
    assert held.on == {"node001": (Holder(9, 2),), "node002": (Holder(9, 2),)}
    assert (held.running, held.waiting) == (1, 0)
    waits = Job(9, "x", "alice", "", "p", "", JobState.PENDING, gpus=4)
    assert at_once(held.take({9: waits})) == {"node001", "node002"}
    assert held.on == {"node001": (), "node002": ()}
    assert (held.running, held.waiting) == (0, 1)
    assert at_once(held.take({})) == set(), "it held nothing"
    assert (held.running, held.waiting) == (0, 0)


def test_details_are_read_and_a_job_told_of_twice_is_left_out() -> None:
    held = " Nodes=node[001-002] CPU_IDs=0-7 Mem=98304 GRES=gpu:v100:2(IDX:1,3) MinCPUsNode=8"
    output = f"JobId=1 JobName=a{held}\nJobId=2 JobName=evil\nJobId=3 JobName=x{held}\nJobId=3 JobName=real{held}\n"
    assert places(output) == {1: (Place("node001", (1, 3)), Place("node002", (1, 3)))}


def test_shared_gpu_is_no_jobs_and_not_free() -> None:
    partly = Node(
        "node004",
        NodeState.MIXED,
        gpus=(GpuCount("v100", 4, 3, (0, 1, 2), shared=(0,), parts=(GpuParts("shard", 2),)),),
    )
    cells = with_nobodys(lay(partly, (Holder(7, 2),), before=EMPTY, places={}), partly)
    assert cells == Cells((SHARED, 7, 7, None))
    assert letters(cells) == "%aa."
