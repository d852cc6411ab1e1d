"""Finds the owner of the session that a request is for, as the proxy will read its address.

configurable-http-proxy takes `new URL(target).pathname`, decodes it, and compares it part by part with `/user/NAME/…`.
So `//x/user/alice`, `/%75ser/alice`, `/user%2Falice` and `/user/bob/%2e%2e/alice` all lead to alice. No browser sends
any of them for a page of Jupyter: they are refused, not interpreted.
"""

from __future__ import annotations

import re

from portal.errors import Forbidden

PLAIN = re.compile(r"/[!-~]*")
"""Printable ASCII: the URL parser drops tabs and line breaks, wherever they are."""
FIRST = re.compile(r"[A-Za-z0-9._~-]*")
DOTS = re.compile(r"(\.|%2e){1,2}", re.I)
USER = "user"


class Ambiguous(Forbidden):
    """An address that the proxy may parse differently from other programs."""


def owner_of(target: str) -> str | None:
    """Return the owner's name as written in the address, None outside `/user/`. Raises Ambiguous."""
    path = target.partition("?")[0]
    if not PLAIN.fullmatch(target) or "#" in target or "\\" in path:
        raise Ambiguous("This address contains characters that are not allowed.")
    first, *rest = path[1:].split("/")
    if not FIRST.fullmatch(first) or (not first and rest) or any(DOTS.fullmatch(part) for part in (first, *rest)):
        raise Ambiguous("This address is ambiguous.")
    if first != USER:
        return None
    if not rest or not rest[0]:
        raise Ambiguous("This address does not name a user.")
    return rest[0]
