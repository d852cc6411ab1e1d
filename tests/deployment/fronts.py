"""A web server in front of a demo site, run with the very example that `portal init` writes for it.

Only what a test must have otherwise is changed in it: port 80 is another one, and loopback is the only address.
"""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from portal.deploy import plan
from portal.deploy.answers import Answers, Places
from tests.demo_site import DemoSite, free_port
from tests.deployment.programs import program, run

PORTAL, SESSIONS = "portal.localhost", "jupyter.localhost"


@dataclass(frozen=True)
class Fronted(DemoSite):
    """The site as the world sees it: TLS, and two host names."""

    front: Path
    tls_port: int
    plain_port: int

    @property
    def url(self) -> str:
        """Where people log in, and where their sessions are."""
        return f"https://{SESSIONS}:{self.tls_port}"

    @property
    def portal_url(self) -> str:
        return f"https://{PORTAL}:{self.tls_port}"

    @property
    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.front / "ca.pem")

    @property
    def answers(self) -> Answers:
        return Answers(
            url=self.portal_url,
            sessions_url=self.url,
            head="127.0.0.1",
            shared=Path("/shared"),
            ldap_servers=("ldaps://localhost",),
            ldap_user_base="",
            ldap_group_base="",
        )

    @property
    def places(self) -> Places:
        proxy = int(self._status["url"].rpartition(":")[2])
        ports = {"proxy": proxy, "portal": self.ports["portal"], "hub": self.ports["hub"]}
        return Places(prefix=Path(sys.prefix), etc=self.front, ports={"proxy_api": self.ports["proxy_api"], **ports})


def fronted(site: DemoSite, folder: Path) -> Fronted:
    """Choose its ports and make its certificates."""
    one = Fronted(site.folder, folder, free_port(), free_port())
    _certificates(folder)
    return one


def _certificates(folder: Path) -> None:
    tls = folder / "tls"
    tls.mkdir()
    ca = ("-x509", "-subj", "/CN=A CA of the tests", "-days", "2", "-newkey", "rsa:2048", "-nodes")
    run("openssl", "req", *ca, "-keyout", folder / "ca.key", "-out", folder / "ca.pem")
    for host in (PORTAL, SESSIONS):
        request = ("-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}", "-newkey", "rsa:2048", "-nodes")
        signed = ("-CA", folder / "ca.pem", "-CAkey", folder / "ca.key", "-days", "2")
        run("openssl", "req", "-x509", *request, *signed, "-keyout", tls / f"{host}.key", "-out", tls / f"{host}.pem")


@contextmanager
def nginx(site: Fronted) -> Iterator[None]:
    example = plan.nginx(site.answers, site.places)
    example = example.replace("listen 80;", f"listen 127.0.0.1:{site.plain_port};")
    example = example.replace(f"listen {site.tls_port}", f"listen 127.0.0.1:{site.tls_port}")
    lines = [line for line in example.splitlines() if "[::]" not in line]
    (site.front / "portal.conf").write_text("\n".join(lines))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = " ".join(f"{kind}_temp_path {site.front}/{kind};" for kind in kinds)
    main = site.front / "nginx.conf"
    main.write_text(
        f"daemon off; pid {site.front}/pid; error_log stderr; {'user root;' if os.geteuid() == 0 else ''}\n"
        f"events {{}} http {{ access_log off; {folders} include {site.front}/portal.conf; }}\n"
    )
    said = run("nginx", "-t", "-c", main)
    assert "warn" not in said, said
    with _running(site, "nginx", "-c", str(main)):
        yield


@contextmanager
def caddy(site: Fronted) -> Iterator[None]:
    example = plan.caddy(site.answers, site.places).replace("# tls", "tls")
    ours = (
        f"admin off\n\thttp_port {site.plain_port}\n\tdefault_bind 127.0.0.1\n\tstorage file_system {site.front}/caddy"
    )
    file = site.front / "Caddyfile"
    file.write_text(f"{{\n\t{ours}\n}}\n\n{example}")
    assert file.read_text().endswith(run("caddy", "fmt", file)), "The example is as `caddy fmt` would have it."
    run("caddy", "validate", "--adapter", "caddyfile", "--config", file)
    with _running(site, "caddy", "run", "--adapter", "caddyfile", "--config", str(file)):
        yield


FRONTS = {"nginx": nginx, "caddy": caddy}


@contextmanager
def _running(site: Fronted, name: str, *arguments: str) -> Iterator[None]:
    with (site.front / "log").open("ab") as log:
        server = subprocess.Popen(
            [program(name), *arguments],
            env={"PATH": os.environ["PATH"], "HOME": str(site.front)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        site.wait_for(lambda: _answers(site, server), f"{name} to answer: {site.front}/log")
        yield
    finally:
        server.terminate()
        server.wait(timeout=30)


def _answers(site: Fronted, server: subprocess.Popen[bytes]) -> bool:
    assert server.poll() is None, (site.front / "log").read_text()
    try:
        httpx2.get(site.portal_url, verify=site.tls)
    except httpx2.TransportError:
        return False
    return True
