"""HTTP for agents, which ask about the guests of their session."""

from __future__ import annotations

from ipaddress import ip_network

from starlette.requests import Request

from portal.addresses import Network, client_of, read
from portal.directory import TooManyFailures
from portal.routing import Router
from portal.sessions.agent_endpoints import AgentSession
from portal.settings.dependencies import SiteSettings
from portal.sharing.dependencies import SessionShares
from portal.sharing.schemas import GuestAnswer, GuestAsk, GuestOut

router = Router(prefix="/agent", include_in_schema=False)


@router.post("/guest")
async def guest(
    ask: GuestAsk, record: AgentSession, shares: SessionShares, settings: SiteSettings, request: Request
) -> GuestAnswer:
    """Return the guest of a code, a login or a key; null if they may not enter, or not any more."""
    if ask.key:
        trusted = [*settings.server.trusted_proxies, *_our_address(request)]
        address = client_of(ask.peer, [ask.forwarded] if ask.forwarded else [], trusted)
        try:
            found = await shares.with_key(record.id, ask.key, address)
        except TooManyFailures as refused:
            return GuestAnswer(guest=None, wait_s=refused.retry_after_s)
    else:
        found = await (shares.admit(record.id, ask.code) if ask.code else shares.still(record.id, ask.login))
    if found is None:
        return GuestAnswer(guest=None)
    return GuestAnswer(
        guest=GuestOut(
            user=found.username,
            port=found.port,
            mode=found.mode,
            ends_in_s=shares.ends_in_s(found),
            landing=found.landing,
            login=shares.seal(found.login) if found.login is not None else "",
        )
    )


def _our_address(request: Request) -> list[Network]:
    """Return the address by which the node reaches us, from which the proxy beside us reaches the node."""
    host = (request.scope.get("server") or ("", None))[0]
    return [ip_network(host)] if read(host) else []
