"""PostgreSQL for the portal instead of SQLite (DSP_DEMO_DATABASE=postgresql), on a Unix socket private to the site."""

from __future__ import annotations

import shutil
from pathlib import Path

from demo.namespace import PORTAL_USER
from demo.processes import Processes
from demo.service import Service, folder
from demo.site import INSIDE, Site, SiteError

HOME = INSIDE / "postgresql"
DATA = HOME / "data"
USER = "postgres"
URL = f"postgresql+psycopg://{PORTAL_USER}@/{PORTAL_USER}?host={HOME}"
"""No password: the server asks the kernel which account is at the other end of its socket."""


class Postgresql:
    def __init__(self, site: Site, processes: Processes) -> None:
        self.site = site
        self.processes = processes

    def services(self) -> list[Service]:
        return [
            Service(
                "postgresql",
                "PostgreSQL for the portal",
                prepare=self._prepare,
                argv=[programs() / "postgres", "-D", DATA, "-k", HOME, "-c", "listen_addresses="],
                user=USER,
                ready=self._answers,
                settle=self._seed,
            )
        ]

    async def _prepare(self) -> None:
        folder(HOME, USER)
        if DATA.exists():
            return
        new = HOME / "data.new"
        shutil.rmtree(new, ignore_errors=True)
        await self.processes.run(
            [programs() / "initdb", f"--pgdata={new}", "--auth=peer", f"--username={USER}"],
            log=self.site.log("postgresql"),
            user=USER,
        )
        new.rename(DATA)

    async def _answers(self) -> bool:
        """Return whether it accepts queries: its socket exists before it has started."""
        asking: list[str | Path] = [programs() / "pg_isready", "--quiet", f"--host={HOME}"]
        return await self.processes.run(asking, log=self.site.log("postgresql"), user=USER, check=False) == 0

    async def _seed(self) -> None:
        """Make the portal's role and database, once."""
        done = HOME / "seeded"
        if done.exists():
            return
        for program, *options in (("createuser",), ("createdb", f"--owner={PORTAL_USER}")):
            await self.processes.run(
                [programs() / program, f"--host={HOME}", *options, PORTAL_USER],
                log=self.site.log("postgresql"),
                user=USER,
            )
        done.touch()


def programs() -> Path:
    """Return the folder of the newest server's programs. Raises SiteError if there is none."""
    paths = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    if not paths:
        raise SiteError("There is no PostgreSQL server on this machine.", advice="Run: ./dev install")
    return paths[-1].parent
