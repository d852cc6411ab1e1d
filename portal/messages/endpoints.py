"""HTTP routes for messages from administrators: users read them and mark them as read."""

from __future__ import annotations

from typing import Annotated

from portal.auth.dependencies import CurrentUser
from portal.messages.service import MessageList, Messages
from portal.numbers import RowNumber
from portal.provided import provided
from portal.routing import Router

router = Router(prefix="/messages", tags=["messages"])

MessagesToUsers = Annotated[Messages, provided(Messages)]


@router.get("")
async def unread(user: CurrentUser, messages: MessagesToUsers) -> MessageList:
    """Return the administrators' messages that you have not read yet."""
    return await messages.unread(user.username)


@router.delete("/{message_id}")
async def read(message_id: RowNumber, user: CurrentUser, messages: MessagesToUsers) -> MessageList:
    """Mark one of your messages as read."""
    await messages.read(user.username, message_id)
    return await messages.unread(user.username)
