"""The directory on a real OpenLDAP of its own: TLS by a CA of its own, a service account, groups of both kinds."""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
import statistics
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from demo.directory import SERVER_EXTENSIONS
from portal.auth.people import FRESH_S, People
from portal.check import services
from portal.check.findings import Mark
from portal.directory import LdapDirectory
from portal.errors import DirectoryUnavailable
from portal.settings import Ldap, Settings

ENTRIES = """\
dn: dc=t
objectClass: dcObject
objectClass: organization
o: t
dc: t

dn: cn=svc,dc=t
objectClass: simpleSecurityObject
objectClass: organizationalRole
cn: svc
userPassword: svc-password

dn: ou=people,dc=t
objectClass: organizationalUnit
ou: people

dn: ou=groups,dc=t
objectClass: organizationalUnit
ou: groups

dn: uid=alice,ou=people,dc=t
objectClass: inetOrgPerson
objectClass: posixAccount
uid: alice
cn: Alice (A*) Example
sn: Example
mail: alice@example.org
uidNumber: 5001
gidNumber: 5001
homeDirectory: /home/alice
userPassword: alice-password

dn: uid=eve,ou=people,dc=t
objectClass: inetOrgPerson
uid: eve
cn: Eve
sn: Eve
userPassword: eve-password

dn: cn=portal-users,ou=groups,dc=t
objectClass: groupOfNames
cn: portal-users
member: uid=alice,ou=people,dc=t

dn: cn=ops,ou=groups,dc=t
objectClass: posixGroup
cn: ops
gidNumber: 7000
memberUid: alice
"""


@dataclass
class Server:
    folder: Path
    ldap: int
    ldaps: int
    process: subprocess.Popen[bytes]

    def settings(self, **changes: Any) -> Ldap:
        return Ldap(
            **{
                "servers": [f"ldaps://localhost:{self.ldaps}"],
                "ca_file": self.folder / "ca.pem",
                "bind_dn": "cn=svc,dc=t",
                "bind_password_file": self.folder / "password",
                "user_base": "ou=people,dc=t",
                "group_base": "ou=groups,dc=t",
                "user_groups": ["Portal-Users"],
                "admin_groups": ["ops"],
                "timeout_s": 2,
            }
            | changes
        )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("slapd")
    (folder / "data").mkdir()
    (folder / "password").write_text("svc-password\n")
    _make_certificates(folder)
    ldap, ldaps = _free_port(), _free_port()
    schemas = "".join(
        f"include /etc/ldap/schema/{name}.schema\n" for name in ("core", "cosine", "nis", "inetorgperson")
    )
    (folder / "slapd.conf").write_text(
        f"{schemas}modulepath /usr/lib/ldap\nmoduleload back_mdb\nmoduleload memberof\npidfile {folder}/pid\n"
        f"TLSCACertificateFile {folder}/ca.pem\nTLSCertificateFile {folder}/server.pem\n"
        f"TLSCertificateKeyFile {folder}/server.key\nsecurity simple_bind=64\n"
        f'database mdb\nsuffix "dc=t"\nrootdn "cn=root,dc=t"\nrootpw root-password\ndirectory {folder}/data\n'
        "access to attrs=userPassword by anonymous auth by * none\naccess to * by * read\noverlay memberof\n"
    )
    slapd = shutil.which("slapd", path="/usr/sbin:/usr/bin")
    assert slapd is not None, "slapd is not installed; run ./dev install"
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [
                slapd,
                "-d",
                "0",
                "-f",
                folder / "slapd.conf",
                "-h",
                f"ldap://127.0.0.1:{ldap}/ ldaps://127.0.0.1:{ldaps}/",
            ],
            stdout=log,
            stderr=log,
        )
    try:
        _wait_for(ldaps)
        subprocess.run(
            ["ldapadd", "-x", "-H", f"ldaps://127.0.0.1:{ldaps}", "-D", "cn=root,dc=t", "-w", "root-password"],
            input=ENTRIES.encode(),
            env={"PATH": "/usr/bin:/bin", "LDAPTLS_CACERT": str(folder / "ca.pem")},
            check=True,
            capture_output=True,
        )
        yield Server(folder, ldap, ldaps, process)
    finally:
        process.kill()
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert time.monotonic() < deadline, "slapd does not listen"
        else:
            return


def _make_certificates(folder: Path) -> None:
    def openssl(*arguments: str | Path) -> None:
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    usage = ("-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test CA", *usage)
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "extensions").write_text(SERVER_EXTENSIONS)
    openssl(
        *("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"),
        *("-extfile", "extensions", "-out", "server.pem", "-days", "2"),
    )


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"bind_dn": "", "bind_password_file": None},
        {"start_tls": True, "servers": ["ldap://localhost:{ldap}"]},
        {"servers": ["ldaps://127.0.0.1:9", "ldaps://localhost:{ldaps}"]},
    ],
    ids=["service account", "as the user", "StartTLS", "first server dead"],
)
async def test_right_password_gives_the_account_wrong_one_gives_none(server: Server, how: dict[str, Any]) -> None:
    if "servers" in how:
        how = how | {"servers": [url.format(ldap=server.ldap, ldaps=server.ldaps) for url in how["servers"]]}
    directory = LdapDirectory(server.settings(**how))
    account = await directory.authenticate(" Alice", "alice-password")
    assert account is not None
    assert (account.username, account.display_name, account.mail) == (
        "alice",
        "Alice (A*) Example",
        "alice@example.org",
    )
    assert (account.uid, account.gid) == (5001, 5001)
    assert account.groups == ("ops", "portal-users")
    assert account.allowed
    assert account.admin
    assert await directory.authenticate("alice", "wrong") is None
    assert await directory.authenticate("nobody", "alice-password") is None
    directory.close()


@pytest.mark.parametrize("how", [{}, {"start_tls": True}], ids=["TLS", "StartTLS"])
async def test_check_looks_at_each_server_and_says_how_long_its_certificate_holds(
    server: Server, how: dict[str, Any]
) -> None:
    url = f"ldap://localhost:{server.ldap}" if how else f"ldaps://localhost:{server.ldaps}"
    ldap = server.settings(**how, servers=["ldaps://127.0.0.1:9", url])
    dead, alive, soon = await services.directory(Settings(ldap=ldap))
    assert dead.mark is Mark.BAD
    assert f"{url} answers, bound as {ldap.bind_dn}, its certificate valid until 20" in alive.text
    assert soon.mark is Mark.WARNING
    assert f"the certificate of {url} expires on 20" in soon.text


async def test_account_outside_the_groups_is_known_but_not_allowed(server: Server) -> None:
    directory = LdapDirectory(server.settings())
    eve = await directory.account("eve")
    assert eve is not None
    assert (eve.uid, eve.groups, eve.allowed, eve.admin) == (None, (), False, False)
    assert await directory.account("nobody") is None
    assert await directory.health() == f"ldaps://localhost:{server.ldaps}"
    directory.close()


async def test_groups_come_from_memberof_where_the_filter_is_empty(server: Server) -> None:
    directory = LdapDirectory(server.settings(group_filter=""))
    account = await directory.account("alice")
    assert account is not None
    assert account.groups == ("portal-users",)
    directory.close()


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"ca_file": Path("/etc/ssl/certs/ca-certificates.crt")}, "certificate"),
        ({"servers": ["ldaps://ip6-localhost:{ldaps}", "ldaps://127.0.0.2:{ldaps}"]}, "does not answer"),
        ({"bind_dn": "cn=nobody,dc=t"}, "refuses the portal's own account"),
        ({"user_base": "ou=people,dc=elsewhere"}, None),
    ],
    ids=["unknown CA", "wrong host", "wrong service account", "wrong base"],
)
async def test_server_that_cannot_be_trusted_or_used_is_unavailable(
    server: Server, how: dict[str, Any], words: str | None
) -> None:
    if "servers" in how:
        how = how | {"servers": [url.format(ldaps=server.ldaps) for url in how["servers"]]}
    directory = LdapDirectory(server.settings(**how))
    if words is None:
        assert await directory.authenticate("alice", "alice-password") is None
    else:
        with pytest.raises(DirectoryUnavailable, match=words):
            await directory.authenticate("alice", "alice-password")
    directory.close()


async def test_frozen_server_costs_a_bounded_time_and_the_next_one_answers(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as frozen:
        url = f"ldaps://localhost:{frozen.getsockname()[1]}"
        directory = LdapDirectory(server.settings(servers=[url, f"ldaps://localhost:{server.ldaps}"], timeout_s=1))
        began = time.monotonic()
        assert await directory.authenticate("alice", "alice-password") is not None
        assert time.monotonic() - began < 5
        began = time.monotonic()
        assert await directory.authenticate("alice", "alice-password") is not None
        assert time.monotonic() - began < 1
        directory.close()


async def test_frozen_server_slows_nobody_down_who_is_known(server: Server) -> None:
    directory = LdapDirectory(server.settings(timeout_s=1))
    clock = SimpleNamespace(ahead=0.0)
    people = People(directory, lambda: time.monotonic() + clock.ahead)
    assert await people.account("alice")
    clock.ahead += FRESH_S
    server.process.send_signal(signal.SIGSTOP)
    try:
        took = []
        deadline = time.monotonic() + 60
        while Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(") ")[2][0] != "T":
            assert time.monotonic() < deadline, "slapd does not stop"
        while directory.circuit.open_since is None and time.monotonic() < deadline:
            began = time.monotonic()
            assert await people.account("alice")
            took.append(time.monotonic() - began)
            await asyncio.sleep(0.02)
        assert directory.circuit.open_since is not None
        assert statistics.median(took) < 0.05
        began = time.monotonic()
        with pytest.raises(DirectoryUnavailable, match="tried again in") as caught:
            await people.account("bob")
        assert time.monotonic() - began < 0.5
        assert caught.value.retry_after_s
    finally:
        server.process.send_signal(signal.SIGCONT)
    directory.close()
