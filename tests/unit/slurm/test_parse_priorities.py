"""What sprio says of pending jobs' priorities."""

from __future__ import annotations

from portal.slurm.jobs import Factor, Priority
from portal.slurm.parse_priorities import PrioritiesReading

#: Printed by sprio of Slurm 22.05.8, and a line with TRES weights.
PRINTED = """\
7|1102|2|0|100|0|0|1000|cpu=0|0
8|52|2|0|50|0|0|0|cpu=10,gres/gpu=200|0
sprio: a warning
9|40|40|0|0|0|0|0||0
9|90|40|0|0|0|50|0||0
"""


def test_factors_that_add_points_are_read_and_of_several_partitions_the_best_counts() -> None:
    reading = PrioritiesReading()
    for start in range(0, len(PRINTED), 7):  # lines are broken anywhere
        reading.take(PRINTED[start : start + 7])
    assert reading.end() == {
        7: Priority(1102, {Factor.AGE: 2, Factor.FAIR_SHARE: 100, Factor.QOS: 1000}),
        8: Priority(52, {Factor.AGE: 2, Factor.FAIR_SHARE: 50, Factor.TRES: 210}),
        9: Priority(90, {Factor.AGE: 40, Factor.PARTITION: 50}),
    }
