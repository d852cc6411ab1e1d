"""The real portal with all its background work, for users without a Hub or a directory.

A token is its user's name. Everything else is real: watcher, feed, routes, web app.

    python -m bench.testbed.dashboard_server PORT FOLDER BIN [SLURM_CONF]
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import uvicorn

from portal.app import attach, create_app
from portal.auth.people import People
from portal.directory import DirectoryUser
from portal.hub.client import HubIdentity
from portal.settings import SECRET_NAMES, Settings

SCOPES = frozenset({"access:services!service=portal"})


class Everybody:
    """Answers for any name, as Hub and directory."""

    async def of(self, token: str) -> HubIdentity:
        return HubIdentity(token, SCOPES)

    def forget(self, token: str) -> None:
        return None

    async def account(self, username: str) -> DirectoryUser:
        return DirectoryUser(
            username=username,
            display_name=username,
            mail="",
            uid=10_001,
            gid=10_001,
            groups=(),
            allowed=True,
            admin=False,
        )


def main(port: str, folder: str, programs: str, conf: str | None = None) -> None:
    secrets_dir = Path(folder) / "secrets"
    secrets_dir.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(SECRET_NAMES):
        (secrets_dir / name).write_text(f"{number:064x}")
        (secrets_dir / name).chmod(0o600)
    settings = Settings.model_validate(
        {
            "data_dir": folder,
            "secrets_dir": str(secrets_dir),
            "log_level": "warning",
            "server": {"port": int(port), "public_url": f"http://127.0.0.1:{port}"},
            "hub": {"port": 9},
            "ldap": {"servers": ["ldaps://127.0.0.1:9"]},
            "slurm": {"bin_dir": programs, "conf": conf, "timeout_s": 60},
        }
    )
    app = create_app(settings)
    everybody = Everybody()
    attach(app, replace(app.state.portal, identities=everybody, people=People(everybody)))  # type: ignore[arg-type]
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", access_log=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
