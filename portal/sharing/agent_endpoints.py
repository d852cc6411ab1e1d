"""HTTP for agents, which ask about the guests of their session."""

from __future__ import annotations

from portal.routing import Router
from portal.sessions.agent_endpoints import AgentSession
from portal.sharing.dependencies import SessionShares
from portal.sharing.schemas import GuestAnswer, GuestAsk, GuestOut

router = Router(prefix="/agent", include_in_schema=False)


@router.post("/guest")
async def guest(ask: GuestAsk, record: AgentSession, shares: SessionShares) -> GuestAnswer:
    """Return the guest of a code, a login or a key; null if they may not enter, or not any more."""
    if ask.key:
        found = await shares.with_key(record.id, ask.key)
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
