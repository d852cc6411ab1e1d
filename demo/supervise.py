"""The first process of a site's namespaces: `python3 -m demo.supervise SITE`, started by `demo run` through unshare."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from demo import namespace
from demo.site import Site
from demo.supervisor import Supervisor


async def supervise(site: Site, *, with_web: bool) -> bool:
    supervisor = Supervisor(site, with_web=with_web)
    await supervisor.run()
    return supervisor.ended_well


def main() -> int:
    tree = json.loads(sys.argv[1])
    site = Site(
        folder=Path(tree["folder"]),
        clone=Path(tree["clone"]),
        port=tree["port"],
        slot=tree["slot"],
        ports=tree["ports"],
        database=tree["database"],
        client=tree["client"],
        hosts=tree["hosts"],
    )
    namespace.enter(site)
    return 0 if asyncio.run(supervise(site, with_web=tree["with_web"])) else 1


if __name__ == "__main__":
    sys.exit(main())
