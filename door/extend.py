"""Gives a user's own session more time, which Slurm allows only its own user to do.

Whatever the portal believes, the job must be the user's, must have the session's name, and may reach at most
`extend_minutes` in total. The default, 0, means that nobody may extend.
"""

from __future__ import annotations

import pwd
import time

from .account import closed_environment
from .command import run
from .operate import insist, operators_entry
from .refused import TYPE_CHECKING, Refused
from .request import USER, number, word
from .sessions import SESSION

if TYPE_CHECKING:
    from .refused import Answer, Config, Fields, Verbs


def extender(config: Config) -> pwd.struct_passwd:
    """Return the account the act runs as. Raises Refused if users may not extend their sessions here."""
    if config["extend_minutes"] < 1:
        raise Refused("user_refused", "Users may not extend their sessions here (extend_minutes of the door).", "user")
    return operators_entry(config)


def extend(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Set the time limit of the session's job. Raises Refused for a job of somebody else, or past the door's limit."""
    if fields["minutes"] > config["extend_minutes"]:
        text = f"Sessions may be extended to {config['extend_minutes']} min at most (extend_minutes of the door)."
        raise Refused("user_refused", text, "minutes")
    until = time.monotonic() + fields["deadline_s"]
    job = str(fields["job_id"])
    argv = [f"{config['bin_dir']}/squeue", "--noheader", f"--jobs={job}", "--format=%i|%u|%j"]
    code, out, err = run(argv, closed_environment(entry, config), until)
    if code:
        raise Refused("slurm", err.strip()[:4000])
    if out.decode(errors="replace").strip() != f"{job}|{fields['user']}|dsp-{fields['session']}":
        raise Refused("user_refused", f"Job {job} is not the job of this user's session.", "job_id")
    return insist(["scontrol", "update", f"jobid={job}", f"timelimit={fields['minutes']}"], fields, entry, config)


VERBS: Verbs = {
    "session_extend": (
        {
            "user": word(USER),
            "session": word(SESSION),
            "job_id": number(1, (1 << 32) - 1),
            "minutes": number(1, 366 * 1440),
            "deadline_s": number(1, 120),
        },
        extend,
    ),
}
