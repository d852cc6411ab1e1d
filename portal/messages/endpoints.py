"""HTTP of messages from administrators: mine, and that I have read them."""

from __future__ import annotations

from portal.auth.dependencies import CurrentUser, PortalContext
from portal.messages.service import MessageList
from portal.numbers import RowNumber
from portal.routing import Router

router = Router(prefix="/messages", tags=["messages"])


@router.get("")
async def unread(user: CurrentUser, portal: PortalContext) -> MessageList:
    """Return what administrators have told me and I have not read yet."""
    return await portal.messages.unread(user.username)


@router.delete("/{message_id}")
async def read(message_id: RowNumber, user: CurrentUser, portal: PortalContext) -> MessageList:
    """Put a message of mine away."""
    await portal.messages.read(user.username, message_id)
    return await portal.messages.unread(user.username)
