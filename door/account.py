"""Finds the account that the door acts for, and becomes that user for good."""

from __future__ import annotations

import grp
import os
import pwd

from .refused import TYPE_CHECKING, Refused

if TYPE_CHECKING:
    from .refused import Config, Env

NOBODY = (0xFFFE, 0xFFFF, 0xFFFFFFFE, 0xFFFFFFFF)


def account(name: str, config: Config) -> pwd.struct_passwd:
    """Return the account's passwd entry; refuse system accounts and users outside the allowed groups."""
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise Refused("unknown_user", "This account is unknown on the portal's machine.", "user") from None
    system = entry.pw_uid < max(1, config["min_uid"]) or entry.pw_uid in NOBODY
    if entry.pw_name != name or system or entry.pw_gid == 0:
        raise Refused("user_refused", "The portal does not act for system accounts.", "user")
    if config["groups"]:
        mine = set(os.getgrouplist(entry.pw_name, entry.pw_gid))
        allowed = set()
        for group in config["groups"]:
            try:
                allowed.add(grp.getgrnam(group).gr_gid)
            except KeyError:
                continue
        if not mine & allowed:
            raise Refused("user_refused", "This account is in none of the groups that the portal may act for.", "user")
    return entry


def become(entry: pwd.struct_passwd) -> None:
    """Switch this process to the user for good, and verify it."""
    os.initgroups(entry.pw_name, entry.pw_gid)
    os.setresgid(entry.pw_gid, entry.pw_gid, entry.pw_gid)
    os.setresuid(entry.pw_uid, entry.pw_uid, entry.pw_uid)
    if os.getresuid() != (entry.pw_uid,) * 3 or os.getresgid() != (entry.pw_gid,) * 3 or 0 in os.getgroups():
        raise Refused("internal", "The privileges could not be dropped.")


def closed_environment(entry: pwd.struct_passwd, config: Config) -> Env:
    """Build the environment of a program that runs as the user, from scratch."""
    env = {
        "PATH": config["path"],
        "HOME": entry.pw_dir,
        "USER": entry.pw_name,
        "LOGNAME": entry.pw_name,
        "SHELL": entry.pw_shell or "/bin/sh",
        "LANG": config["lang"],
    }
    if config["conf"]:
        env["SLURM_CONF"] = config["conf"]
    return env
