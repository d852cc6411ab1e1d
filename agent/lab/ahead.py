"""Starts the kernel that JupyterLab's page is about to request, while the browser still loads the page.

It is the kernel of the notebook that the page opens, or of the one that the launcher would create first. Jupyter does
not list it until a request asks for the same name, folder and environment variables (the notebook's included) and gets
it. A request for any other kernel ends it, and so does a timeout. So no notebook ever has a second kernel, or one that
differs from what Jupyter would have started.

Meanwhile a thread imports what the page's first listing needs, which would take the server's only thread 0.1 s.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from typing import Any, Awaitable, Callable, Dict, NamedTuple, Tuple

from jupyter_core.utils import ensure_async

KEPT = "PORTAL_KERNEL_AHEAD_S"
"""The variable with how long a kernel waits for its notebook, in seconds."""
IMPORT = "anyio._backends._asyncio"
"""What Jupyter imports when the page first lists a folder."""
NOTEBOOK = ".ipynb"
MOST_BYTES = 8 << 20
"""A larger notebook is not read: Jupyter does everything in one thread."""

Config = Dict[str, Any]
Hook = Callable[[Any, Config], Config]
Start = Callable[..., Tuple[Any, str, str]]


class Kernel(NamedTuple):
    """A kernel that waits, and the request that it is for."""

    name: str
    arguments: dict[str, Any]
    id: str
    manager: Any
    started: asyncio.Future[Any]


class Ahead:
    """A `page_config_hook` of JupyterLab; `before` is the hook that was there."""

    def __init__(self, server: Any, kept_s: float, before: Hook | None = None) -> None:
        self._contents = server.contents_manager
        self._sessions = server.session_manager
        self._kernels = server.kernel_manager
        self._log = server.log
        self._kept_s = kept_s
        self._before = before
        self._waiting: Kernel | None = None
        self._requests = 0
        self._one_at_a_time = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._start: Start = self._kernels.pre_start_kernel
        self._kernels.pre_start_kernel = self._hand_out

    def __call__(self, handler: Any, config: Config) -> Config:
        tree = (handler.path_kwargs.get("tree") or "").replace("/tree/", "", 1)
        self._spawn(self.expect(tree, str(config.get("preferredPath", "")).strip("/")))
        if IMPORT not in sys.modules:
            self._spawn(asyncio.get_running_loop().run_in_executor(None, importlib.import_module, IMPORT))
        return config if self._before is None else self._before(handler, config)

    async def expect(self, tree: str, folder: str) -> None:
        """Start the kernel of the notebook `tree`, or of the next new one in `folder`, unless Jupyter has it already.

        Raises what Jupyter raises for a notebook or kernel that is missing.
        """
        async with self._one_at_a_time:
            requests = self._requests
            if tree.endswith(NOTEBOOK):
                if await self._sessions.session_exists(path=tree):
                    return
                path, name = tree, await self._kernel_of(tree)
            elif tree or len(self._kernels):
                return
            else:
                new = self._contents.increment_filename(self._contents.untitled_notebook + NOTEBOOK, folder)
                path = "/".join(part for part in (folder, await ensure_async(new)) if part)
                name = self._kernels.default_kernel_name
            where = await ensure_async(self._contents.get_kernel_path(path=path))
            arguments = {
                "cwd": self._kernels.cwd_for_path(where),
                "env": self._sessions.get_kernel_env(path, path.rpartition("/")[2]),
            }
            before = self._waiting
            if not name or self._requests != requests or (before and before[:2] == (name, arguments)):
                return
            self._waiting = self._started(name, arguments)
            if before:
                self._spawn(self._end(before))

    async def _kernel_of(self, path: str) -> str:
        """Return the name of the notebook's kernel; empty if it has none."""
        if (await ensure_async(self._contents.get(path, content=False))).get("size", 0) > MOST_BYTES:
            return ""
        notebook = await ensure_async(self._contents.get(path, type="notebook"))
        return str(notebook["content"]["metadata"].get("kernelspec", {}).get("name", ""))

    def _started(self, name: str, arguments: dict[str, Any]) -> Kernel:
        manager, name, its_id = self._start(name, dict(arguments))
        started = asyncio.ensure_future(ensure_async(manager.start_kernel(kernel_id=its_id, **arguments)))
        kernel = Kernel(name, arguments, its_id, manager, started)
        started.add_done_callback(lambda done: self._drop(kernel) if done.cancelled() or done.exception() else None)
        manager.add_restart_callback(lambda: self._drop(kernel), "dead")
        asyncio.get_running_loop().call_later(self._kept_s, self._drop, kernel)
        return kernel

    def _hand_out(self, name: str | None, arguments: dict[str, Any]) -> tuple[Any, str, str]:
        """Prepare the start of a kernel, in place of the manager's own `pre_start_kernel`."""
        self._requests += 1
        kernel, self._waiting = self._waiting, None
        if kernel is None:
            return self._start(name, arguments)
        if (name or self._kernels.default_kernel_name, arguments) != kernel[:2]:
            self._spawn(self._end(kernel))
            return self._start(name, arguments)

        def start_kernel(**_: Any) -> asyncio.Future[Any]:
            del kernel.manager.start_kernel  # the next start is a real one
            return kernel.started

        kernel.manager.start_kernel = start_kernel
        return kernel.manager, kernel.name, kernel.id

    def _drop(self, kernel: Kernel) -> None:
        """End the kernel if it is still waiting to be used."""
        if self._waiting is kernel:
            self._waiting = None
            self._spawn(self._end(kernel))

    async def _end(self, kernel: Kernel) -> None:
        await kernel.started
        await ensure_async(kernel.manager.shutdown_kernel(now=True))

    def _spawn(self, work: Awaitable[Any]) -> None:
        """Do something meanwhile; what fails is logged, and Jupyter does it as usual."""

        async def logged() -> None:
            try:
                await work
            except Exception as error:
                self._log.info("Not done ahead: %s", error)

        task = asyncio.ensure_future(logged())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def start_ahead(server: Any) -> None:
    """Let the server start kernels ahead if the portal allows it, and its kernels are started by itself."""
    kept_s = float(os.environ.get(KEPT) or 0)
    if kept_s and hasattr(server.kernel_manager, "pre_start_kernel") and not server.gateway_config.gateway_enabled:
        settings = server.web_app.settings
        settings["page_config_hook"] = Ahead(server, kept_s, settings.get("page_config_hook"))
