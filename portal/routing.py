"""The portal's routes: identify the caller by the headers, then read a bounded body, then parse it.

FastAPI reads and parses a body before it runs dependencies. A `Router` reverses that: dependencies marked with `gate`
run first, so that a stranger's body is never read, and the body is checked for size before Pydantic sees it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import APIRouter, FastAPI, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import Response

from portal.bounded_json import parse
from portal.concurrency import ConcurrencyLimit
from portal.numbers import whole_number
from portal.provided import services_of

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
READ_WITHIN_S = 20.0
T = TypeVar("T")
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
Gate = Callable[[Request], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Bounds of a body: its size, and how many keys and items it may hold in all."""

    size: int
    items: int = 2_000


#: For routes without bounds of their own.
COMMON = BodyLimit(64 << 10)
#: For routes without a gate: anybody who reaches the port may send a body.
ANONYMOUS = BodyLimit(8 << 10, items=64)


def takes(limit: BodyLimit) -> Callable[[Endpoint], Endpoint]:
    """Give a route other bounds for its body; goes below the route's own decorator."""

    def mark(endpoint: Endpoint) -> Endpoint:
        endpoint.__dict__["body_limit"] = limit
        return endpoint

    return mark


def gate(check: Callable[..., Awaitable[T]]) -> Gate[T]:
    """Mark a dependency that identifies the caller: it runs before the body is read, and only once.

    It takes the request and services, nothing else. Its callers need not know its services.
    """
    services = services_of(check)

    async def once(request: Request) -> T:
        passed: dict[Any, T] = request.scope.setdefault("portal.passed", {})
        if check not in passed:
            provided = request.app.state.services
            passed[check] = await check(request, **{name: provided[service] for name, service in services.items()})
        return passed[check]

    once.__dict__ |= {"is_gate": True, "services": tuple(services.values())}
    return once


class Route(APIRoute):
    """A route whose gates run first; `body_limit` bounds its body."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        gates = self.gates
        limit = self.body_limit if self.body_field is not None else None

        async def guarded(request: Request) -> Response:
            overrides = request.app.dependency_overrides
            for gate in gates:
                await overrides.get(gate, gate)(request)
            who = _caller(request)
            if who is None:
                return await within(request)
            limit: ConcurrencyLimit = request.app.state.concurrency
            async with limit.of(who):
                return limit.counted(who, await within(request))

        async def within(request: Request) -> Response:
            if limit is None:
                return await handle(request)
            bounded = BoundedRequest(request.scope, request.receive, limit)
            await bounded.load()
            return await handle(bounded)

        return guarded

    @property
    def gates(self) -> list[Gate[Any]]:
        return list(dict.fromkeys(call for call in _calls(self.dependant) if hasattr(call, "is_gate")))

    @property
    def services(self) -> set[Any]:
        """The types of the services that it uses, including its gates'."""
        return {service for call in _calls(self.dependant) for service in getattr(call, "services", ())}

    @property
    def body_limit(self) -> BodyLimit:
        return getattr(self.endpoint, "body_limit", COMMON if self.gates else ANONYMOUS)


def _caller(request: Request) -> str | None:
    """Return the user whom a gate admitted; None for an agent, the Hub, or an anonymous caller."""
    passed = request.scope.get("portal.passed", {}).values()
    return next((value.username for value in passed if hasattr(value, "username")), None)


def _calls(dependant: Dependant) -> Iterator[Any]:
    for dependency in dependant.dependencies:
        yield from _calls(dependency)
        yield dependency.call


class Router(APIRouter):
    """The routes of a module, made only when an application takes them, with their whole paths.

    `include_router` makes each of them twice, and looks for a request's route in one router after another.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(route_class=Route, **options)
        self._declared: list[tuple[str, Callable[..., Any], dict[str, Any]]] = []

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        self._declared.append((path, endpoint, options))

    def add_to(self, app: FastAPI, prefix: str = "") -> None:
        """Make the routes and append them to the application's."""
        made = APIRouter(
            prefix=prefix + self.prefix,
            tags=self.tags,
            dependencies=self.dependencies,
            include_in_schema=self.include_in_schema,
            route_class=self.route_class,
            dependency_overrides_provider=app,
        )
        for path, endpoint, options in self._declared:
            made.add_api_route(path, endpoint, **options)
        app.router.routes.extend(made.routes)


class BoundedRequest(Request):
    """A request whose body is read once, within its bounds."""

    def __init__(self, scope: Any, receive: Any, limit: BodyLimit) -> None:
        super().__init__(scope, receive)
        self._limit = limit
        self._parsed: tuple[Any] | None = None

    async def load(self) -> None:
        """Read the body and, if it is JSON, parse it.

        Raises HTTPException 413 and 408, InvalidRequest.
        """
        if (whole_number(self.headers.get("content-length", "")) or 0) > self._limit.size:
            raise HTTPException(413)
        try:
            async with asyncio.timeout(READ_WITHIN_S):
                body = await self.body()
        except TimeoutError as error:
            raise HTTPException(408, "The request's body did not arrive in time.") from error
        if body and "json" in self.headers.get("content-type", "").lower():
            self._parsed = (parse(body, most_items=self._limit.items),)

    async def stream(self) -> AsyncGenerator[bytes]:
        read = 0
        async for piece in super().stream():
            read += len(piece)
            if read > self._limit.size:
                raise HTTPException(413)
            yield piece

    async def json(self) -> Any:
        if self._parsed is None:
            raise json.JSONDecodeError("The Content-Type is not JSON", "", 0)
        return self._parsed[0]
