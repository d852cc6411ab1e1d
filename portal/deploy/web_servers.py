"""The web server examples: which host names each serves, with which certificate, and where it forwards them."""

from __future__ import annotations

from urllib.parse import urlsplit

from portal.deploy.answers import Answers, Places
from portal.deploy.patterns import fill
from portal.settings import Server

MAX_BODY = "1g"
"""Largest request through the web server: uploads to JupyterLab pass here."""
NGINX_GATE = """\
        auth_request /services/portal/gate/check;
        auth_request_set $portal_gate_login $upstream_http_x_gate_login;
        auth_request_set $portal_gate_cookie $upstream_http_x_gate_cookie;
        error_page 401 = @portal_gate;
        proxy_set_header Cookie $portal_gate_cookie;
"""
FIRST_PAGE = f"{Server.prefix}/"


def nginx(answers: Answers, places: Places) -> str:
    servers = [fill("nginx-server.conf", site) for site in _served(answers, places)]
    return "\n".join([fill("nginx-head.conf", {"etc": str(places.etc)}), *servers])


def caddy(answers: Answers, places: Places) -> str:
    return "\n".join(fill("Caddyfile-server", site) for site in _served(answers, places))


def _served(answers: Answers, places: Places) -> list[dict[str, str]]:
    """Return each server's values: one for portal and sessions, or one each for portal, Hub and users' sessions."""
    if not answers.sessions_url:
        return [_server(answers.url, places, port="proxy")]
    return [
        _server(
            answers.url,
            places,
            port="portal",
            nginx_first=f"    location = / {{\n        return 302 {FIRST_PAGE};\n    }}\n",
            caddy_first=f"\tredir / {FIRST_PAGE}\n",
        ),
        *([_hub(answers, places), _users(answers, places)] if answers.wildcard else [_gated(answers, places)]),
    ]


def _hub(answers: Answers, places: Places) -> dict[str, str]:
    return _server(answers.sessions_url, places, port="proxy", own_certificate=True)


def _gated(answers: Answers, places: Places) -> dict[str, str]:
    """The Hub and all sessions on one host: the portal decides about each request before it is forwarded."""
    portal = {"portal": str(places.ports["portal"])}
    return _server(
        answers.sessions_url,
        places,
        port="proxy",
        nginx_first=fill("nginx-gate.conf", portal),
        nginx_gate=NGINX_GATE,
        caddy_first=fill("Caddyfile-gate", portal),
    )


def _users(answers: Answers, places: Places) -> dict[str, str]:
    """A user's host serves only this user's sessions, neither the portal nor the Hub's pages."""
    first = f"{answers.url}{FIRST_PAGE}"
    return _server(
        answers.sessions_url,
        places,
        port="proxy",
        names=answers.wildcard,
        path="/user/",
        own_certificate=True,
        nginx_first=f"    location / {{\n        return 302 {first};\n    }}\n",
        caddy_first=f"\t@elsewhere not path /user/*\n\tredir @elsewhere {first}\n",
    )


def _server(
    url: str, places: Places, *, port: str, names: str = "", own_certificate: bool = False, **more: str
) -> dict[str, str]:
    """Return one server's values. `own_certificate`: Caddy cannot get a wildcard certificate by itself."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    files = f"{places.etc}/tls/{host}"
    tls = f"tls {files}.pem {files}.key"
    by_itself = f"\t# Caddy gets the certificate by itself, unless you name one of your own:\n\t# {tls}\n"
    values = {
        "url": f"https://{parts.netloc.replace(host, names or host)}",
        "names": names or host,
        "certificate": host,
        "tls_suffix": f":{parts.port}" if parts.port else "",
        "tls_port": str(parts.port or 443),
        "etc": str(places.etc),
        "path": "/",
        "port": str(places.ports[port]),
        "max_body": MAX_BODY,
        "nginx_first": "",
        "nginx_gate": "",
        "caddy_first": "",
        "caddy_tls": f"\t{tls}\n" if own_certificate else by_itself,
    }
    return values | more
