"""Logout at the Hub: only on purpose, and for good.

A page elsewhere can send a browser to `/hub/logout`; that alone only asks for confirmation. A user who confirms, or
comes with a ticket of the portal's own logout, is logged out, and every copy of their login cookie becomes invalid.
"""

from __future__ import annotations

import time
from typing import Any, ClassVar

from jupyterhub.handlers.login import LogoutHandler
from jupyterhub.orm import new_token

from portal.tickets import is_logout_ticket


class ConfirmedLogout:
    """Mixed into an authenticator's own logout handler."""

    key: ClassVar[str] = ""

    async def get(self: Any) -> None:
        user = self.current_user
        if user is None or is_logout_ticket(self.key, user.name, self.get_argument("ticket", ""), now_s=time.time()):
            await super().get()  # type: ignore[misc]
        else:
            self.finish(await self.render_template("confirm_logout.html"))

    async def post(self: Any) -> None:
        """Handle the confirmation form; its _xsrf token has been checked."""
        await super().get()  # type: ignore[misc]

    async def handle_logout(self: Any) -> None:
        """Called by JupyterHub after it has cleared the browser's cookies and tokens."""
        if (user := self.current_user) is not None:
            user.orm_user.cookie_id = new_token()
            self.db.commit()
        await super().handle_logout()  # type: ignore[misc]


def confirmed(handlers: list[tuple[Any, ...]], key: str) -> list[tuple[Any, ...]]:
    """Return an authenticator's handlers with ours over its logout, or over JupyterHub's if it has none."""
    others = [handler for handler in handlers if handler[0] != "/logout"]
    base = next((handler[1] for handler in handlers if handler[0] == "/logout"), LogoutHandler)
    return [("/logout", type("Logout", (ConfirmedLogout, base), {"key": key})), *others]
