"""HTTP from this machine: through its proxy if it has one, certificates verified."""

from __future__ import annotations

import http.client
import socket
import ssl
import urllib.request
from urllib.parse import SplitResult, urlsplit

from .errors import Failure

TIMEOUT_S = 30.0


class _Plain(http.client.HTTPConnection):
    def connect(self) -> None:
        """Connect; names below localhost are this machine (RFC 6761, 6.3), which not every resolver knows."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            self.sock = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        else:
            super().connect()


def open_to(url: str, timeout_s: float = TIMEOUT_S) -> http.client.HTTPConnection:
    """Return a connection to the URL's host. Raises Failure for an invalid address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Failure(f"{url} is not an http(s) address.")
    through = _proxy_for(parts.scheme, parts.hostname)
    host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
    there = (through.hostname or "", through.port or 8080) if through else (host, port)
    if parts.scheme == "https":
        secure = http.client.HTTPSConnection(*there, timeout=timeout_s, context=ssl.create_default_context())
        if through:
            secure.set_tunnel(host, port)
        return secure
    plain = _Plain(*there, timeout=timeout_s)
    if through:
        plain.set_tunnel(host, port)
    return plain


def no_answer(url: str, error: Exception) -> str:
    """Return a sentence that says why a request to the URL got no answer."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"This machine does not trust the certificate of {urlsplit(url).netloc}: {error.verify_message}. "
            "If the site has its own CA, add the CA's certificate to this machine's, or set SSL_CERT_FILE to its file."
        )
    return f"{url} does not answer: {error or type(error).__name__}"


def _proxy_for(scheme: str, host: str) -> SplitResult | None:
    """Return the machine's proxy for this host, as the environment or the system names it; None without one."""
    proxy = urllib.request.getproxies().get(scheme)
    if not proxy or host == "localhost" or host.endswith(".localhost") or urllib.request.proxy_bypass(host):
        return None
    return urlsplit(proxy if "//" in proxy else f"//{proxy}")


def target(url: str) -> str:
    """Return the path and query of a URL."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
