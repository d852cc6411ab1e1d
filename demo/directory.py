"""The demo's OpenLDAP: TLS with its own CA, passwords only under TLS, memberOf, users and groups."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path
from urllib.parse import quote

from demo import people
from demo.processes import Processes
from demo.service import Service, accepting, folder, write
from demo.site import INSIDE, Site

HOME = INSIDE / "ldap"
SOCKET = HOME / "run" / "ldapi"
SCHEMAS = ("core", "cosine", "nis", "inetorgperson")
SERVER_EXTENSIONS = """\
subjectAltName=DNS:localhost,IP:127.0.0.1
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
"""
"""All that Python 3.13 and newer, which verify strictly, want to see."""
SEEDED = HOME / "seeded"
LDAPI = f"ldapi://{quote(str(SOCKET), safe='')}"
CA_FILE = HOME / "tls" / "ca.pem"
SERVICE_PASSWORD_FILE = INSIDE / "portal" / "secrets" / "ldap_password"
SERVICE_DN = f"cn=portal,ou=services,{people.SUFFIX}"


class Directory:
    def __init__(self, site: Site, processes: Processes) -> None:
        self.site = site
        self.processes = processes

    def services(self) -> list[Service]:
        return [
            Service(
                "slapd",
                "OpenLDAP",
                prepare=self._prepare,
                argv=[
                    *_unconfined(),
                    *("slapd", "-d", "0", "-f", f"{HOME}/slapd.conf", "-u", "openldap", "-g", "openldap"),
                    *("-h", f"ldaps://127.0.0.1:{self.site.ports['ldaps']}/ {LDAPI}"),
                ],
                ready=accepting(SOCKET),
                settle=self._seed,
            )
        ]

    async def _prepare(self) -> None:
        for path in (HOME, HOME / "run", HOME / "tls"):
            folder(path, "openldap")
        if not SEEDED.exists():
            shutil.rmtree(HOME / "data", ignore_errors=True)
        folder(HOME / "data", "openldap", 0o700)
        SOCKET.unlink(missing_ok=True)
        if not CA_FILE.exists():
            await self._make_certificates()
        write(HOME / "slapd.conf", slapd_conf(), "openldap", 0o600)

    async def _make_certificates(self) -> None:
        async def openssl(*arguments: str | Path) -> None:
            await self.processes.run(["openssl", *arguments], log=self.site.log("slapd"), umask=0o077)

        tls = HOME / "tls"
        ca_key, key, request, certificate = tls / "ca.key", tls / "server.key", tls / "server.csr", tls / "server.pem"
        new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        new_ca = CA_FILE.with_suffix(".new")
        await openssl(
            *("req", "-x509", *new_key, "-keyout", ca_key, "-out", new_ca, "-days", "3650"),
            *("-subj", "/O=Example/CN=Demo directory CA", "-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        )
        await openssl("req", *new_key, "-keyout", key, "-out", request, "-subj", "/O=Example/CN=localhost")
        extensions = write(tls / "server.ext", SERVER_EXTENSIONS)
        await openssl(
            *("x509", "-req", "-in", request, "-CA", new_ca, "-CAkey", ca_key, "-CAcreateserial"),
            *("-extfile", extensions, "-out", certificate, "-days", "3650"),
        )
        for path in (key, certificate):
            shutil.chown(path, "openldap", "openldap")
        new_ca.chmod(0o644)
        new_ca.rename(CA_FILE)

    async def _seed(self) -> None:
        """Add all entries, once; with ldapadd, because slapadd does not compute memberOf."""
        if SEEDED.exists():
            return
        shutil.rmtree(HOME / "seeding", ignore_errors=True)
        entries = folder(HOME / "seeding", mode=0o700) / "site.ldif"
        folder(SERVICE_PASSWORD_FILE.parent.parent, "portal")
        folder(SERVICE_PASSWORD_FILE.parent, "portal", 0o700)
        password = secrets.token_hex(16)
        write(SERVICE_PASSWORD_FILE, password, "portal", 0o600)
        write(entries, people.ldif(people.load_passwords(INSIDE, owner=self.site.owner), password), mode=0o600)
        await self.processes.run(
            ["ldapadd", "-Q", "-Y", "EXTERNAL", "-H", LDAPI, "-f", entries], log=self.site.log("slapd")
        )
        shutil.rmtree(entries.parent)
        SEEDED.touch()


def slapd_conf() -> str:
    schemas = "\n".join(f"include /etc/ldap/schema/{name}.schema" for name in SCHEMAS)
    return f"""\
{schemas}
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof

pidfile {HOME}/run/slapd.pid
TLSCACertificateFile {CA_FILE}
TLSCertificateFile {HOME}/tls/server.pem
TLSCertificateKeyFile {HOME}/tls/server.key
# A password only under TLS; the local socket counts as that safe.
security simple_bind=64
localSSF 128
authz-regexp "gidNumber=0[+]uidNumber=0,cn=peercred,cn=external,cn=auth" "cn=admin,{people.SUFFIX}"

database mdb
suffix "{people.SUFFIX}"
rootdn "cn=admin,{people.SUFFIX}"
directory {HOME}/data
maxsize 67108864
index objectClass,uid,cn,member,memberUid,memberOf eq
overlay memberof
memberof-refint TRUE
access to attrs=userPassword by anonymous auth by * none
access to * by users read by * none
"""


def _unconfined() -> list[str]:
    """Ubuntu's AppArmor profile confines slapd to /var/lib/ldap; the demo's data is elsewhere."""
    profiles = Path("/sys/kernel/security/apparmor/profiles")
    confined = profiles.exists() and "/usr/sbin/slapd " in profiles.read_text()
    return ["aa-exec", "-p", "unconfined", "--"] if confined and shutil.which("aa-exec") else []
