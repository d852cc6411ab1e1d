"""Logins by PAM: JupyterHub's own authenticator, asked by a Hub that has no rights; PAM asks sssd, and then nslcd."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator

import pytest

from tests.demo_site import API, CLONE, INSIDE, DemoSite, Front, log_in
from tests.other_logins import main_job, other_logins
from tests.pam_daemons import module, running

pytestmark = pytest.mark.slow
SERVICE = "portal-test"
PYTHON = str(INSIDE / "src/.venv/bin/python")
COUNTING = "/etc/security/portal-faillock.conf"
LOGIN = f"""
[login]
authenticator = "pam"

[login.options]
service = "{SERVICE}"
"""
ASKED = "import pamela, sys; pamela.authenticate(sys.argv[1], sys.stdin.read(), service=sys.argv[2])"


GUIDE = CLONE / "docs/how-to/other-logins.md"
COUNTS = INSIDE / "faillock"
DENY = 5


@pytest.fixture(scope="module", params=["sssd", "nslcd"])
def by_pam(kept_site: DemoSite, request: pytest.FixtureRequest) -> Iterator[DemoSite]:
    """The site while PAM says who somebody is, by the lines of the guide; groups are those of their Unix accounts."""
    with running(kept_site, request.param) as daemon:
        kept_site.run("install", "-d", "-m", "700", "-o", "portal", str(COUNTS))
        kept_site.run("tee", COUNTING, stdin=lines("conf").replace("/var/lib/portal/faillock", str(COUNTS)))
        stack = lines("pam").replace("pam_sss.so", module(daemon.module))
        kept_site.run("tee", f"/etc/pam.d/{SERVICE}", stdin=stack)
        try:
            with other_logins(kept_site, LOGIN, user_groups="physics"):
                yield kept_site
        finally:
            kept_site.run("rm", "-rf", str(COUNTS), COUNTING, f"/etc/pam.d/{SERVICE}")


def lines(kind: str) -> str:
    """Return a block of the guide."""
    match = re.search(rf"```{kind}\n(.*?)```", GUIDE.read_text(), re.S)
    assert match is not None
    return match[1]


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
    with Front(by_pam, follow_redirects=True, timeout=60) as browser:
        assert log_in(browser, username, password).status_code == 403
        assert browser.get(f"{API}/me").status_code == 401


def test_too_many_wrong_passwords_close_an_account_for_a_while(by_pam: DemoSite) -> None:
    right = by_pam.accounts["admin"].password
    with Front(by_pam, follow_redirects=True, timeout=60) as browser:
        assert [log_in(browser, "admin", "wrong").status_code for _ in range(DENY)] == [403] * DENY
        assert log_in(browser, "admin", right).status_code == 403
        by_pam.run("faillock", "--dir", str(COUNTS), "--user", "admin", "--reset")
        assert log_in(browser, "admin", right).status_code != 403


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
