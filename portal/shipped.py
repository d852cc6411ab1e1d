"""Paths of the data files that ship with the program.

They are inside the package in a wheel, at the top level of a checkout otherwise. `pyproject.toml` lists what a wheel
carries where.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

_PACKAGE = Path(__file__).resolve().parent


def _place(in_wheel: str, in_checkout: str) -> Path:
    packaged = _PACKAGE / in_wheel
    return packaged if packaged.exists() else _PACKAGE.parent / in_checkout


WEB_APP = _place("web", "frontend/dist")
"""The built web app."""

API_DESCRIPTION = _place("data/openapi.json", "frontend/openapi.json")
"""The API's OpenAPI description, as `portal openapi` prints it."""

MIGRATIONS = _place("migrations", "alembic")

AGENT = _place("data/agent", "agent")
"""Source of the agent, which its `build.py` makes into one file."""

DOOR = _place("data/door", "door")
"""Source of the door, likewise."""

TEMPLATES = _place("data/templates", "templates")
"""The notebook templates."""

REQUIREMENTS = _place("data/requirements", "requirements")
"""Lock files: of the portal itself, and of the sessions' environments."""

DOCS = _place("data/docs", "docs")
"""The documentation: Markdown and pictures."""

PROXY = _place("data/proxy", "demo/proxy")
"""package.json and package-lock.json of configurable-http-proxy."""

_PROXY_START = """\
import { realpathSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { setDefaultHighWaterMark } from "node:stream";
import { pathToFileURL } from "node:url";
setDefaultHighWaterMark(false, 1 << 20);
const pipe = IncomingMessage.prototype.pipe;
IncomingMessage.prototype.pipe = function (to, options) {
  if (to instanceof ServerResponse) this.once("close", () => this.complete || to.destroy());
  return pipe.call(this, to, options);
};
try {
  const program = new URL("../lib/configproxy.js", pathToFileURL(realpathSync(process.argv[1])));
  const proxy = (await import(program)).ConfigurableProxy.prototype;
  const update = proxy.updateLastActivity;
  const updated = new Set();
  let since = 0;
  proxy.updateLastActivity = function (prefix) {
    const now = Date.now();
    if (now - since >= 1000) {
      updated.clear();
      since = now;
    }
    if (updated.has(prefix)) return undefined;
    updated.add(prefix);
    return update.call(this, prefix);
  };
} catch {}
"""
PROXY_NODE_OPTIONS = f"--import=data:text/javascript,{quote(_PROXY_START)}"
"""NODE_OPTIONS of configurable-http-proxy, which run a few lines of our own before it.

It buffers up to 1 MiB of a response: with Node's own 64 KiB, which is one read, it pauses and resumes at each piece of
a large response. And a response that is cut off is cut off for the client, too: configurable-http-proxy 5.3 leaves the
client's connection open without another byte (http-proxy-3 pipes the response, and a pipe does not pass an error on).
And it notes once a second at most that a route is in use, not for each piece of a websocket.
"""
