"""Points JupyterLab's page at the portal's copy of its files, which the browser keeps from one session to the next.

The files of a session have addresses of their own, so the browser would fetch them again for each session. The portal
says which builds it holds. JupyterLab's own files, and all extensions', are loaded from there only if the session's
files are the same byte for byte, which is checked at every visit; else the session serves them itself.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator

from .builds import identify, listing

if TYPE_CHECKING:
    from .builds import File

HELD = "PORTAL_LAB_FILES"
"""The variable with the portal's address for these files, and the ids of the builds it holds."""

Config = Dict[str, Any]
Hook = Callable[[Any, Config], Config]


class Shared:
    """A `page_config_hook` of JupyterLab; `before` is the hook that was there."""

    def __init__(self, url: str, held: list[str], before: Hook | None = None) -> None:
        self._url = url
        self._held = set(held)
        self._before = before

    def __call__(self, handler: Any, config: Config) -> Config:
        if self._before is not None:
            config = self._before(handler, config)
        app = handler.extensionapp
        own = handler.static_url_prefix.rstrip("/")
        # Not where the files come from elsewhere (--dev-mode, a CDN), nor where the site restricts what pages may load.
        if (
            config.get("fullStaticUrl") != own
            or list(app.static_paths) != [app.static_dir]
            or "-src" in handler.content_security_policy
        ):
            return config
        core = self._id(app.static_dir)
        if not core:
            return config
        shared = {**config, "fullStaticUrl": f"{self._url}/{core}"}
        extensions = config.get("federated_extensions") or []
        folders = [*app.extra_labextensions_path, *app.labextensions_path]
        loads = [self._load(folders, extension) for extension in extensions]
        if all(loads):  # there is one address for all
            shared["fullLabextensionsUrl"] = self._url
            shared["federated_extensions"] = [{**extension, "load": load} for extension, load in zip(extensions, loads)]
        return shared

    def warm(self, app: Any) -> None:
        """Read the files in advance, so that the first visit does not wait for it."""
        threading.Thread(target=self._id, args=(app.static_dir,), name="lab-files", daemon=True).start()

    def _load(self, folders: list[str], extension: dict[str, Any]) -> str:
        """Return the file that JupyterLab loads for the extension; empty if the portal does not hold it."""
        name, load = extension["name"], extension["load"]
        inside, _, file = load.partition("/")
        for folder in folders:
            if os.path.isfile(os.path.join(folder, name, "package.json")):
                build = self._id(os.path.join(folder, name, inside)) if file else ""
                up = "../" * len(name.split("/"))
                return f"{up}{build}/{file}" if build else ""
        return ""

    def _id(self, folder: str) -> str:
        """Return the id of the folder's files; empty if the portal does not hold them."""
        try:
            identifier = _identified(folder, listing(folder))
        except (OSError, ValueError):
            return ""
        return identifier if identifier in self._held else ""


@lru_cache(maxsize=64)
def _identified(folder: str, files: tuple[File, ...]) -> str:
    """Return the id of the folder's files. `files` tells a changed folder from the one that was read."""
    return identify(_contents(folder, files))


def _contents(folder: str, files: tuple[File, ...]) -> Iterator[tuple[str, bytes]]:
    for value in files:
        with open(os.path.join(folder, value.name), "rb") as file:
            yield value.name, file.read()


def share(server: Any) -> None:
    """Let the server's JupyterLab load what the portal holds; nothing changes without the portal's variable."""
    url, *held = os.environ.get(HELD, "").split() or [""]
    if held:
        settings = server.web_app.settings
        shared = settings["page_config_hook"] = Shared(url, held, settings.get("page_config_hook"))
        for app in server.extension_manager.extension_apps.get("jupyterlab", ()):
            shared.warm(app)
