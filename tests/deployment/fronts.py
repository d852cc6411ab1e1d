"""A web server in front of a demo site, run with the very example that `portal init` writes for it.

Only what a test must have otherwise is changed in it: port 80 is another one, and loopback is the only address.
"""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from portal.deploy import web_servers
from portal.deploy.answers import Answers, Places
from tests.demo_site import DemoSite, free_port
from tests.deployment.programs import program, run

PORTAL, SESSIONS = "portal.localhost", "jupyter.localhost"


@dataclass(frozen=True)
class Front:
    """A web server's folder, with certificates in it, its two ports on loopback, and the ports that it leads to."""

    folder: Path
    ports: Mapping[str, int]
    wildcard: str = ""
    certified: bool = True
    """Whether the certificate of the sessions' host covers the hosts below it."""
    tls_port: int = field(default_factory=free_port)
    plain_port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        _certificates(self.folder, below=self.certified)

    @property
    def portal_url(self) -> str:
        return f"https://{PORTAL}:{self.tls_port}"

    @property
    def sessions_url(self) -> str:
        return f"https://{SESSIONS}:{self.tls_port}"

    @property
    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.folder / "ca.pem")

    @property
    def answers(self) -> Answers:
        return Answers(
            url=self.portal_url,
            sessions_url=self.sessions_url,
            wildcard=self.wildcard,
            head="127.0.0.1",
            shared=Path("/shared"),
            ldap_servers=("ldaps://localhost",),
            ldap_user_base="",
            ldap_group_base="",
        )

    @property
    def places(self) -> Places:
        return Places(prefix=Path(sys.prefix), etc=self.folder, ports=dict(self.ports))


@dataclass(frozen=True)
class Fronted(DemoSite):
    """The site as the world sees it: TLS, and two host names."""

    web: Front

    @property
    def url(self) -> str:
        """Where people log in, and where their sessions are."""
        return self.web.sessions_url

    @property
    def portal_url(self) -> str:
        return self.web.portal_url

    def at(self, path: str) -> str:
        if not path.startswith("/"):
            return path
        return (self.url if path.startswith(("/hub/", "/user/")) else self.portal_url) + path

    @property
    def tls(self) -> ssl.SSLContext:
        return self.web.tls


def fronted(site: DemoSite, folder: Path) -> Fronted:
    """Choose its ports and make its certificates."""
    ports = {name: site.ports[name] for name in ("portal", "hub", "proxy_api")}
    return Fronted(site.folder, Front(folder, {"proxy": int(site.url.rpartition(":")[2]), **ports}))


def _certificates(folder: Path, *, below: bool) -> None:
    tls = folder / "tls"
    tls.mkdir()
    ca = ("-x509", "-subj", "/CN=A CA of the tests", "-days", "2", "-newkey", "rsa:2048", "-nodes")
    run("openssl", "req", *ca, "-keyout", folder / "ca.key", "-out", folder / "ca.pem")
    for host in (PORTAL, SESSIONS):
        names = f"subjectAltName=DNS:{host}{f',DNS:*.{host}' if below else ''}"
        request = ("-subj", f"/CN={host}", "-addext", names, "-newkey", "rsa:2048", "-nodes")
        signed = ("-CA", folder / "ca.pem", "-CAkey", folder / "ca.key", "-days", "2")
        run("openssl", "req", "-x509", *request, *signed, "-keyout", tls / f"{host}.key", "-out", tls / f"{host}.pem")


@contextmanager
def nginx(front: Front) -> Iterator[None]:
    example = web_servers.nginx(front.answers, front.places)
    example = example.replace("listen 80;", f"listen 127.0.0.1:{front.plain_port};")
    example = example.replace(f"listen {front.tls_port}", f"listen 127.0.0.1:{front.tls_port}")
    lines = [line for line in example.splitlines() if "[::]" not in line]
    (front.folder / "portal.conf").write_text("\n".join(lines))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = " ".join(f"{kind}_temp_path {front.folder}/{kind};" for kind in kinds)
    main = front.folder / "nginx.conf"
    main.write_text(
        f"daemon off; pid {front.folder}/pid; error_log stderr; {'user root;' if os.geteuid() == 0 else ''}\n"
        f"events {{}} http {{ access_log off; {folders} include {front.folder}/portal.conf; }}\n"
    )
    result = run("nginx", "-t", "-c", main)
    assert "warn" not in result, result
    with _running(front, "nginx", "-c", str(main)):
        yield


@contextmanager
def caddy(front: Front) -> Iterator[None]:
    example = web_servers.caddy(front.answers, front.places).replace("# tls /", "tls /")
    ours = f"admin off\n\thttp_port {front.plain_port}\n\tdefault_bind 127.0.0.1"
    store = f"storage file_system {front.folder}/caddy"
    file = front.folder / "Caddyfile"
    file.write_text(f"{{\n\t{ours}\n\t{store}\n}}\n\n{example}")
    assert file.read_text().endswith(run("caddy", "fmt", file)), "The example is as `caddy fmt` would have it."
    run("caddy", "validate", "--adapter", "caddyfile", "--config", file)
    with _running(front, "caddy", "run", "--adapter", "caddyfile", "--config", str(file)):
        yield


FRONTS = {"nginx": nginx, "caddy": caddy}


@contextmanager
def _running(front: Front, name: str, *arguments: str) -> Iterator[None]:
    with (front.folder / "log").open("ab") as log:
        server = subprocess.Popen(
            [program(name), *arguments],
            env={"PATH": os.environ["PATH"], "HOME": str(front.folder)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        _wait_for(front, server)
        yield
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for(front: Front, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while not _answers(front):
        assert time.monotonic() < deadline, f"It does not answer: {front.folder}/log"
        with suppress(subprocess.TimeoutExpired):
            server.wait(timeout=0.1)
            raise AssertionError((front.folder / "log").read_text())


def _answers(front: Front) -> bool:
    try:
        httpx2.get(front.portal_url, verify=front.tls)
    except httpx2.TransportError:
        return False
    return True
