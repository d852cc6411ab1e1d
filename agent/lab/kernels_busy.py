"""Writes down for the agent which kernels are busy, as the server sees it, in a file beside its runtime files."""

from __future__ import annotations

import asyncio
import json
import os
import time
from datetime import datetime, timezone
from typing import Any

FILE = "portal-kernels.json"
LOOK_S = 1.0
WRITE_S = 5.0
#: The state of a kernel that waits for its next cell. Any other state is work: busy, starting, restarting, a debugger.
AT_REST = ("idle", "dead", "unknown")


class KernelsBusy:
    def __init__(self, kernels: Any, path: str) -> None:
        self._kernels = kernels
        self._path = path
        self._busy_s = 0.0
        self._looked_at = time.monotonic()

    async def run(self) -> None:
        written = 0.0
        while True:
            busy = self.look()
            if time.monotonic() - written >= WRITE_S:
                self.write(busy)
                written = time.monotonic()
            await asyncio.sleep(LOOK_S)

    def look(self) -> int:
        """Count the busy kernels; if there are any, add the time since the last look."""
        now = time.monotonic()
        busy = sum(1 for kernel in self._all() if getattr(kernel, "execution_state", "busy") not in AT_REST)
        if busy:
            self._busy_s += now - self._looked_at
        self._looked_at = now
        return busy

    def write(self, busy: int) -> None:
        """Replace the file; a full disk must not disturb the server."""
        kernels = self._all()
        used = [kernel.last_activity for kernel in kernels if getattr(kernel, "last_activity", None)]
        since = (datetime.now(timezone.utc) - max(used)).total_seconds() if used else None
        text = json.dumps(
            {
                "at": time.monotonic(),
                "running": len(kernels),
                "busy": busy,
                "busy_s": round(self._busy_s, 1),
                "used_at": None if since is None else time.monotonic() - since,
            }
        )
        try:
            with open(f"{self._path}.new", "w") as file:
                file.write(text)
            os.replace(f"{self._path}.new", self._path)
        except OSError:
            pass

    def _all(self) -> list[Any]:
        return [self._kernels.get_kernel(name) for name in self._kernels.list_kernel_ids()]


def write_busy_kernels(server: Any) -> None:
    """Keep the file current while the server runs. Kernels on a gateway are not this session's."""
    if server.gateway_config.gateway_enabled:
        return
    busy = KernelsBusy(server.kernel_manager, os.path.join(server.runtime_dir, FILE))
    server.io_loop.add_callback(lambda: setattr(server, "portal_kernels_busy", asyncio.ensure_future(busy.run())))
