"""The portal's services by type: a route names those it uses in its signature, and gets no others.

A folder says `Sessions = Annotated[SessionService, provided(SessionService)]` once, and its routes
`sessions: Sessions`. The wiring registers the services in `app.state.services`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, get_type_hints

from fastapi import Depends
from starlette.requests import HTTPConnection


@functools.cache
def provided(service: Any) -> Any:
    """Return the dependency on the service of this type."""

    async def get(connection: HTTPConnection) -> Any:
        return connection.app.state.services[service]

    get.__dict__["services"] = (service,)
    return Depends(get)


def services_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of the services that a function takes, by parameter name."""
    return {
        name: needed
        for name, hint in get_type_hints(function, include_extras=True).items()
        for annotation in getattr(hint, "__metadata__", ())
        for needed in getattr(getattr(annotation, "dependency", None), "services", ())
    }
