"""The few pages that the proxy shows itself: refusals, and an app that does not answer."""

from __future__ import annotations

from html import escape

from .messages import whole

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --page: light-dark(#f5f6f7, #0f1214); --card: light-dark(#fff, #161a1d);
  --text: light-dark(#14191d, #e7ebee); --soft: light-dark(#49545d, #aab4bc); --line: light-dark(#dde1e4, #293036);
  --accent: light-dark(#00668a, #4dbfe2); --sunken: light-dark(#eceef0, #0b0d0f); }}
body {{ margin: 0; padding: 32px 16px; background: var(--page); color: var(--text);
  font: 14px/20px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }}
main {{ max-width: 640px; margin: 0 auto; padding: 24px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--card); overflow-wrap: anywhere; }}
h1 {{ margin: 0 0 16px; font-size: 20px; line-height: 28px; }}
p {{ margin: 0 0 12px; }}
small {{ color: var(--soft); }}
a {{ color: var(--accent); }}
pre {{ overflow: auto; max-height: 320px; padding: 12px; border-radius: 6px; background: var(--sunken);
  font-size: 12px; }}
</style>
</head>
<body><main><h1>{title}</h1>{body}<p><a href="{portal}">Sessions</a></p><small>{status} {reason}</small></main></body>
</html>
"""
REASONS = {
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    429: "Too Many Requests",
    502: "Bad Gateway",
    503: "Service Unavailable",
}


def page(
    status: int,
    title: str,
    text: str,
    *,
    portal: str,
    output: str = "",
    retry_s: int = 0,
    retry_after_s: int = 0,
    cookie: str = "",
) -> bytes:
    """Return a complete answer: head and page.

    `output`: the last lines that the app wrote. `retry_s`: how soon the browser asks again by itself; 0: never.
    `retry_after_s`: when programs should ask again; 0: not said. `cookie` is set with it.
    """
    body = f"<p>{escape(text)}</p>"
    if output:
        body += f"<p>Its last lines of output:</p><pre>{escape(output)}</pre>"
    reason = REASONS[status]
    content = PAGE.format(
        title=escape(title), body=body, portal=escape(portal, quote=True), status=status, reason=reason
    ).encode()
    headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"),
        ("X-Content-Type-Options", "nosniff"),
    ]
    if cookie:
        headers.append(("Set-Cookie", cookie))
    if retry_s:
        headers.append(("Refresh", str(retry_s)))
    if retry_after_s:
        headers.append(("Retry-After", str(retry_after_s)))
    return whole(status, reason, headers, content)


def redirect(location: str, *cookies: str) -> bytes:
    headers = [("Location", location), *(("Set-Cookie", cookie) for cookie in cookies), ("Cache-Control", "no-store")]
    return whole(302, "Found", headers)
