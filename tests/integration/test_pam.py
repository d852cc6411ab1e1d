"""Logins by PAM: JupyterHub's own authenticator and the machine's PAM, asked by a Hub that has no rights."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import httpx2
import pytest

from tests.demo_site import API, INSIDE, DemoSite
from tests.other_logins import main_job, other_logins

pytestmark = pytest.mark.slow
SERVICE = "portal-test"
PYTHON = str(INSIDE / "src/.venv/bin/python")
CHECK, KNOWN = f"/etc/{SERVICE}-check", f"/etc/{SERVICE}-known"
LOGIN = f"""
[login]
authenticator = "pam"

[login.options]
service = "{SERVICE}"
"""
STACK = f"""\
auth required pam_exec.so quiet expose_authtok {CHECK}
account required pam_succeed_if.so quiet user != bob
"""
"""As the modules of sssd and nslcd, it asks somebody else, without rights of its own. bob's account is closed."""
ASKED = "import pamela, sys; pamela.authenticate(sys.argv[1], sys.stdin.read(), service=sys.argv[2])"


@pytest.fixture(scope="module")
def by_pam(kept_site: DemoSite) -> Iterator[DemoSite]:
    """The site while PAM says who somebody is; groups are those of their Unix accounts."""
    known = "".join(f"{name} {one.password}\n" for name, one in kept_site.accounts.items())
    check = f"#!/bin/sh\nexec grep -qxF -- \"$PAM_USER $(tr -d '\\0')\" {KNOWN}\n"
    kept_site.run("install", "-m", "755", "/dev/stdin", CHECK, stdin=check)
    kept_site.run("install", "-m", "600", "-o", "portal", "/dev/stdin", KNOWN, stdin=known)
    kept_site.run("tee", f"/etc/pam.d/{SERVICE}", stdin=STACK)
    try:
        with other_logins(kept_site, LOGIN, user_groups="physics"):
            yield kept_site
    finally:
        kept_site.run("rm", "-f", CHECK, KNOWN, f"/etc/pam.d/{SERVICE}")


def log_in(browser: httpx2.Client, username: str, password: str) -> int:
    """Send the Hub's login form; return the status that it leads to."""
    browser.get("/hub/login").raise_for_status()
    form = {"username": username, "password": password, "_xsrf": browser.cookies["_xsrf"]}
    return browser.post("/hub/login", data=form).status_code


def test_main_job_and_rights_follow_the_unix_groups(by_pam: DemoSite) -> None:
    with by_pam.browser("alice") as alice:
        where = main_job(by_pam, alice)
        assert alice.get(str(alice.get(where).json()["url"])).status_code == 200
    with by_pam.browser("admin") as admin:
        admin.get("/services/portal/login").raise_for_status()
        assert admin.get(f"{API}/me").json()["admin"]


@pytest.mark.parametrize(
    ("username", "right"), [("alice", False), ("bob", True), ("eve", True), ("nobody-has-this", False)]
)
def test_wrong_password_closed_account_outsider_and_nobody_do_not_get_in(
    by_pam: DemoSite, username: str, right: bool
) -> None:
    password = by_pam.accounts[username].password if right else "wrong"
    with httpx2.Client(base_url=by_pam.url, follow_redirects=True, timeout=60) as browser:
        assert log_in(browser, username, password) == 403
        assert browser.get(f"{API}/me").status_code == 401


def test_passwords_of_shadow_are_told_to_root_alone(kept_site: DemoSite) -> None:
    """So pam_unix is of no use to the Hub, as docs/how-to/other-logins.md says."""
    service, name, password = f"{SERVICE}-unix", "portal-test-unix", secrets.token_hex(8)
    kept_site.run("tee", f"/etc/pam.d/{service}", stdin="auth required pam_unix.so\naccount required pam_unix.so\n")
    kept_site.run("useradd", "--no-create-home", name)
    try:
        kept_site.run("chpasswd", stdin=f"{name}:{password}\n")
        asked = (PYTHON, "-c", ASKED, name, service)
        assert kept_site.process(*asked, stdin=password).returncode == 0
        assert kept_site.process(*asked, stdin="wrong").returncode != 0
        refused = kept_site.process(*asked, user="portal", stdin=password)
        assert refused.returncode != 0
        assert "PAMError" in refused.stderr
    finally:
        kept_site.run("userdel", name)
        kept_site.run("rm", f"/etc/pam.d/{service}")
