"""Keeps JupyterLab's page for the user's next session, which shows it before its server is there.

That session shows it without a login (`agent/job/early.py`). So a page is kept only if it has nothing private and
nothing of this user's own: its files and extensions must be those that the portal serves to anybody, and its settings
be known ones. Once the server is there, it says whether the page is the one that it would have shown (`arrival.py`);
the page's script loads it again if not.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any, Callable, Dict

from .kept_page import BASE_URL, SERVER, TREE, KeptPage, server_of

SCRIPT = Path(__file__).with_name("early.js")
#: What JupyterLab's page has of the session or the user. It works without.
LEFT_OUT = ("token", "store_id", "labextensionsPath", "extraLabextensionsPath", "userSettingsDir", "workspacesDir")
VISIT = {"mode": "multiple-document", "workspace": "default", "treePath": TREE}
# fmt: off
KNOWN = frozenset([
    "allow_hidden_files", "appName", "appNamespace", "appSettingsDir", "appUrl", "appVersion", "baseUrl",
    "buildAvailable", "buildCheck", "cacheFiles", "copyAbsolutePath", "delete_to_trash", "devMode",
    "disabledExtensions", "exposeAppInBrowser", "extensionManager", "federated_extensions", "fullAppUrl",
    "fullLabextensionsUrl", "fullLicensesUrl", "fullListingsUrl", "fullMathjaxUrl", "fullSettingsUrl",
    "fullStaticUrl", "fullThemesUrl", "fullTranslationsApiUrl", "fullTreeUrl", "fullWorkspacesApiUrl", "hubHost",
    "hubPrefix", "hubServerName", "hubServerUser", "hubUser", "ignorePlugins", "labextensionsUrl", "licensesUrl",
    "listingsUrl", "mathjaxConfig", "news", "notebookStartsKernel", "notebookVersion", "preferredPath", "quitButton",
    "rootUri", "schemasDir", "serverRoot", "settingsUrl", "shareUrl", "staticDir", "templatesDir",
    "terminalsAvailable", "themesDir", "themesUrl", "translationsApiUrl", "treeUrl", "untracked_message_types",
    "virtualDocumentsUri", "workspacesApiUrl", "wsUrl",
])
# fmt: on

Config = Dict[str, Any]
Hook = Callable[[Any, Config], Config]


class Keep:
    """A `page_config_hook` of JupyterLab; `before` is the hook that was there."""

    def __init__(self, before: Hook | None = None) -> None:
        self._before = before
        self._kept = KeptPage.read(os.environ)

    def __call__(self, handler: Any, config: Config) -> Config:
        if self._before is not None:
            config = self._before(handler, config)
        page = page_of(handler, config)
        if page is not None and page != self._kept:
            self._kept = page
            asyncio.get_running_loop().run_in_executor(None, _write, page, handler.log)
        return config


def _write(page: KeptPage, log: Any) -> None:
    try:
        page.write(os.environ)
    except OSError as error:
        log.info("JupyterLab's page is not kept for the next session: %s", error)


def page_of(handler: Any, config: Config) -> KeptPage | None:
    """Return the page with these settings, for any session of the user; None if it needs a login."""
    base_url, policy = handler.base_url, handler.content_security_policy
    settings = without_session(base_url, config)
    # The portal's address has no host where all share one.
    shared = all(BASE_URL not in (settings.get(name) or BASE_URL) for name in ("fullStaticUrl", "fullLabextensionsUrl"))
    if not shared or not KNOWN.issuperset(settings) or "-src" in policy or base_url.count("/") < 3:
        return None
    html = handler.render_template("index.html", page_config={**settings, "token": "", **VISIT})
    script = SCRIPT.read_text().replace("{portal:page}", digest(settings))
    html = html.replace(base_url, BASE_URL).replace("</head>", f"<script>{script}</script></head>", 1)
    return KeptPage(html, policy, version("jupyter_server"), version("jupyterhub"))


def without_session(base_url: str, config: Config) -> Config:
    """Return the settings without what differs between sessions or visits."""
    settings = {name: value for name, value in config.items() if name not in (*LEFT_OUT, *VISIT)}
    if settings.get("hubServerName") == server_of(base_url):
        settings["hubServerName"] = SERVER
    text = json.dumps(settings, sort_keys=True)
    anywhere: Config = json.loads(text.replace(json.dumps(base_url)[1:-1], BASE_URL))
    return anywhere


def digest(settings: Config) -> str:
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()
