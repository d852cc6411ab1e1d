"""How sessions end: a code, a sentence and a piece of advice for each way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ending:
    text: str
    advice: str | None = None


ENDINGS: dict[str, Ending] = {
    "stopped": Ending("You stopped it."),
    "cancelled": Ending("You cancelled it before it started."),
    "stopped_by_admin": Ending("An administrator stopped it.", "Ask the administrators why before starting again."),
    "idle": Ending(
        "It was idle: neither its GPUs nor its kernels, terminals or files were in use.",
        "Start it again when you need it. If it was working, snooze the warning next time and tell the administrators.",
    ),
    "finished": Ending("The app was shut down from inside."),
    "time_limit": Ending("It reached its time limit.", "Start it again with more time."),
    "oom": Ending("It ran out of memory.", "Start it again with more memory, or load less data at once."),
    "gpu_oom": Ending(
        "A GPU ran out of memory.",
        "Start it again on a GPU with more memory, or with a smaller batch or model.",
    ),
    "node_failed": Ending("Its node failed.", "Start it again; Slurm places it on another node."),
    "preempted": Ending(
        "It was preempted by a job with higher priority.", "Start it again; it will wait in the queue."
    ),
    "app_failed": Ending("The app ended with an error.", "Its log says why; the last lines are below."),
    "no_jupyter": Ending(
        "Its environment cannot serve Jupyter.",
        "Choose another environment; you are no longer offered JupyterLab in this one.",
    ),
    "no_program": Ending(
        "Its environment does not have the app's program.",
        "Choose another environment; you are no longer offered the app in this one.",
    ),
    "start_timeout": Ending("The app did not answer in time.", "Look at its log, then start it again."),
    "agent_silent": Ending(
        "The job started, but its agent never reported.",
        "Start it again; if it happens again, tell the administrators the node's name.",
    ),
    "step_gone": Ending(
        "All of its processes on the node were killed from outside.",
        "Start it again; if it happens again, tell the administrators the node's name.",
    ),
    "slurm_cancelled": Ending(
        "The job was cancelled in Slurm.",
        "Someone used scancel, or the app ended while the portal was down; its log may say more.",
    ),
    "slurm_failed": Ending(
        "Slurm could not run the job.", "Start it again; if it fails again, ask the administrators."
    ),
    "slurm_unavailable": Ending("Slurm did not answer, so it was not submitted.", "Try again in a minute."),
    "submit_lost": Ending(
        "The portal was interrupted while it submitted this session; nothing is running.", "Start it again."
    ),
    "job_gone": Ending("Slurm no longer knows the job.", "Start it again; ask the administrators if this repeats."),
    "hub_failed": Ending(
        "JupyterHub could not reach the app on its node.",
        "Start it again; if it happens again, the network between the portal and the nodes is at fault.",
    ),
}


#: Ways to end that need nobody's attention; all others are bad.
EXPECTED = frozenset({"stopped", "cancelled", "finished", "time_limit", "idle"})


def words(code: str) -> Ending:
    return ENDINGS.get(code) or Ending("It ended.")


# Slurm's terminal job states, and the code for each if the agent has reported nothing more precise.
FROM_SLURM: dict[str, str] = {
    "COMPLETED": "finished",
    "TIMEOUT": "time_limit",
    "DEADLINE": "time_limit",
    "OUT_OF_MEMORY": "oom",
    "NODE_FAIL": "node_failed",
    "BOOT_FAIL": "node_failed",
    "PREEMPTED": "preempted",
    "REVOKED": "slurm_cancelled",
    "CANCELLED": "slurm_cancelled",
    "FAILED": "app_failed",
}

# Slurm's reason overrides what the agent could see from inside the job.
SLURM_KNOWS_BETTER = frozenset({"time_limit", "oom", "node_failed", "preempted"})


def decide(slurm_state: str, reported_code: str | None, *, stopping: bool, ever_started: bool, ever_heard: bool) -> str:
    """Return the end code from Slurm's job state, the agent's report, and whether a stop was requested.

    `ever_heard`: whether the agent has said hello. A job that failed before that never started its app.
    """
    from_slurm = FROM_SLURM.get(slurm_state, "slurm_failed")
    if from_slurm == "app_failed" and not ever_heard:
        from_slurm = "slurm_failed"
    if from_slurm in SLURM_KNOWS_BETTER:
        return from_slurm
    if reported_code is not None:
        return reported_code
    if stopping:
        return "stopped" if ever_started else "cancelled"
    return from_slurm
