"""The running portal's child process that does the checks, with the settings as portal.toml has them now.

It reads the request on standard input, and prints the digest of its settings, one finding per line, and an empty line
at the end.
"""

from __future__ import annotations

import asyncio
import json
import sys

from portal import logs, settings
from portal.check.inside import digest, line
from portal.check.run import examine, quiet


async def main() -> None:
    asked = json.load(sys.stdin)
    loaded = settings.load()
    logs.configure(loaded.model_copy(update={"log_level": "error"}))
    quiet()
    print(digest(loaded), flush=True)
    async for titled in examine(loaded, asked["user"]):
        print(line(titled), flush=True)
    print(flush=True)


if __name__ == "__main__":
    asyncio.run(main())
