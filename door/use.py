"""Measures what a batch job uses on its nodes, in a step of the job that runs until the portal hangs up.

Slurm reports the use of a running job only to its user (sstat), by step and not by node, and does not know how busy a
GPU is. So the agent is started on each node, in a step that overlaps whatever runs there (`--overlap`): it takes
nothing from the job but a few MiB while it runs, and ends with it.
"""

from __future__ import annotations

import os
import signal
import time

from .account import closed_environment
from .command import Command
from .follow import hung_up, write
from .refused import TYPE_CHECKING, Refused
from .request import USER, number, word

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Config, Fields, Verbs

MAX_NODES = 256
#: Seconds between reports of each node.
EVERY_S = 5
#: Seconds between two checks whether the portal has hung up.
LOOK_S = 0.5
#: Seconds srun has to end its step before it is killed.
END_S = 5


def argv_of(fields: Fields, config: Config) -> list[str]:
    return [
        f"{config['bin_dir']}/srun",
        f"--jobid={fields['job_id']}",
        "--job-name=portal-use",
        f"--nodes={fields['nodes']}",
        f"--ntasks={fields['nodes']}",
        "--ntasks-per-node=1",
        "--overlap",
        "--immediate=10",
        "--cpu-bind=none",
        "--mpi=none",
        "--input=none",
        "--propagate=NONE",
        "--chdir=/",
        config["python"],
        "-I",
        config["agent"],
        "watch-use",
        str(EVERY_S),
        str(fields["life_s"]),
    ]


def use(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer | None:
    """Write a frame for each line that a node prints, until the portal hangs up or the step ends."""
    srun = Command(argv_of(fields, config), closed_environment(entry, config))
    goes_on = heard = True
    try:
        while goes_on and heard:
            goes_on = srun.read(lambda: b"\n" in srun.out, time.monotonic() + LOOK_S)
            whole = srun.out.rfind(b"\n") + 1
            lines = bytes(srun.out[:whole])
            del srun.out[:whole]
            heard = (not lines or write({"bytes": len(lines)}, lines)) and not hung_up(0)
    finally:
        end(srun)
    code = srun.wait()
    if heard and code:
        raise Refused("slurm", srun.err.decode(errors="replace").strip()[-4000:])
    return None


def end(srun: Command) -> None:
    """Let srun end its step; kill srun if it does not, and its step ends when it can no longer write."""
    for number_ in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(srun.pid, number_)
        except ProcessLookupError:
            return
        if not srun.read(lambda: False, time.monotonic() + END_S):
            return


VERBS: Verbs = {
    "use": (
        {
            "user": word(USER),
            "job_id": number(1, (1 << 32) - 1),
            "nodes": number(1, MAX_NODES),
            "life_s": number(10, 3600),
        },
        use,
    ),
}
