"""The first step of `docker compose up`, as root: writes secrets, users, homes and settings to volumes.

Existing files stay. Prints the site's address and who may log in.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
from pathlib import Path

from demo import people

SECRETS = Path("/run/secrets")
DIRECTORY, NAMES, MUNGE = SECRETS / "directory", SECRETS / "names", SECRETS / "munge"
PORTAL = Path("/etc/portal")
HOMES, SHARED, DOOR_LOG = Path("/home"), Path("/shared"), Path("/var/log/portal")
SERVICE_DN = f"cn=portal,ou=services,{people.SUFFIX}"
SERVER_EXTENSIONS = """\
subjectAltName=DNS:directory
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
"""
NSLCD = f"""\
uri ldaps://directory/
base {people.SUFFIX}
binddn {SERVICE_DN}
bindpw {{password}}
tls_reqcert demand
tls_cacertfile {NAMES}/ca.pem
log /dev/stderr info
"""


def main() -> None:
    for path, owner in ((DIRECTORY, "openldap"), (NAMES, "nslcd"), (MUNGE, "munge")):
        path.chmod(0o700)
        shutil.chown(path, owner, owner)
    if not (MUNGE / "munge.key").exists():
        put(MUNGE / "munge.key", secrets.token_bytes(1024), "munge")
    if not (DIRECTORY / "site.ldif").exists():
        make_certificates()
        make_directory()
    make_homes()
    shutil.copyfile(DIRECTORY / "ca.pem", PORTAL / "directory-ca.pem")
    command = ["site-init", "--ldap-password-file", str(DIRECTORY / "portal_password")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    report()


def make_certificates() -> None:
    """Make a CA for this site and a certificate for the directory server; the CA's key is not kept."""
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    ca, ca_key, request, extensions = (DIRECTORY / name for name in ("ca.pem", "ca.key", "server.csr", "server.ext"))
    key, certificate = DIRECTORY / "server.key", DIRECTORY / "server.pem"
    openssl(
        *("req", "-x509", *new_key, "-keyout", ca_key, "-out", ca, "-days", "3650"),
        *("-subj", "/O=Example/CN=Directory CA", "-addext", "keyUsage=critical,keyCertSign,cRLSign"),
    )
    openssl("req", *new_key, "-keyout", key, "-out", request, "-subj", "/O=Example/CN=directory")
    extensions.write_text(SERVER_EXTENSIONS)
    openssl(
        *("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial"),
        *("-extfile", extensions, "-out", certificate, "-days", "3650"),
    )
    for path in (ca, key, certificate):
        shutil.chown(path, "openldap", "openldap")
    for path in (ca_key, request, extensions, ca.with_suffix(".srl")):
        path.unlink()
    put(NAMES / "ca.pem", ca.read_bytes(), "nslcd")


def make_directory() -> None:
    """Write the users, with passwords for this site alone; site.ldif comes last and marks them complete."""
    password = secrets.token_hex(16)
    put(DIRECTORY / "portal_password", password.encode(), "root")
    put(NAMES / "nslcd.conf", NSLCD.format(password=password).encode(), "nslcd")
    passwords = people.load_passwords(DIRECTORY, owner=0)
    text = people.ldif(passwords, password, homes=str(HOMES), unix_admins=True)
    put(DIRECTORY / "site.ldif", text.encode(), "openldap")


def make_homes() -> None:
    for person in people.PEOPLE:
        folder(HOMES / person.username, 0o700, person.uid, people.MAIN_GROUP[1])
    folder(SHARED / "data", 0o2775, 0, people.MAIN_GROUP[1])
    folder(DOOR_LOG, 0o755, 0, 0)


def report() -> None:
    accounts = json.loads((DIRECTORY / "accounts.json").read_text())
    width = max(len(one["username"]) for one in accounts)
    print(f"\nThe portal will be at http://localhost:{os.environ.get('PORTAL_PORT', '8000')}, for:\n")
    for one in accounts:
        role = "  an administrator" if one["admin"] else ""
        print(f"  {one['username']:{width}}  {one['password']}{role}")


def openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, umask=0o077)


def put(path: Path, content: bytes, owner: str) -> None:
    """Write a secret atomically, readable by its owner alone."""
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400), "wb") as stream:
        stream.write(content)
    shutil.chown(new, owner, owner)
    new.replace(path)


def folder(path: Path, mode: int, uid: int, gid: int) -> None:
    path.mkdir(exist_ok=True)
    os.chown(path, uid, gid)
    path.chmod(mode)


if __name__ == "__main__":
    main()
