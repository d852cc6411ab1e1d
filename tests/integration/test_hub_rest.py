"""Servers started at the Hub, by its REST API in both forms of the body and by its own form: the same sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.demo_site import DemoSite, Front, log_in
from tests.person import API, Live, Person

OPTIONS = {"app": "jupyterlab", "resources": {"gpus": 1, "walltime_s": 3600}}


def session_of(person: Person, server: str) -> Live:
    (session,) = [session for session in person.sessions() if session["server_name"] == server]
    return Live(person, session["id"])


def is_one_gpu_for_an_hour(live: Live) -> bool:
    job = live.job()
    gpus = job["TresPerNode"].replace("gres:", "gres/")  # as later versions write it
    return (job["TimeLimit"], job["CPUs/Task"], gpus) == ("01:00:00", "8", "gres/gpu:v100:1")


@pytest.mark.parametrize(
    ("server", "body"),
    [
        ("new-form", {"user_options": OPTIONS, "display_name": "The new form"}),
        ("old-form", OPTIONS),
        ("", OPTIONS),
    ],
    ids=["new form of the body", "old form of the body", "unnamed server"],
)
def test_server_started_by_the_hubs_rest_is_a_session(
    server: str, body: dict[str, Any], site: DemoSite, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    path = f"/servers/{server}" if server else "/server"
    response = alice.hub("POST", path, json=body)
    assert response.status_code in (201, 202), response.text
    live = session_of(alice, server)
    session = live.until("ready")
    assert is_one_gpu_for_an_hour(live)
    assert session["name"] == body.get("display_name", server) or (not server and session["name"].startswith("Jupyter"))
    assert live.kernel().value("__import__('os').environ['SLURM_JOB_ID']") == str(session["job_id"])

    assert alice.hub("DELETE", path).status_code in (202, 204)
    assert live.ended()["end"]["code"] == "stopped"
    assert str(session["job_id"]) not in [job["id"] for job in site.jobs()]


def test_audit_log_has_the_address_of_a_start_at_the_hub_and_failed_logins(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    def entries(actor: str, action: str) -> list[tuple[str, str, int | None]]:
        items = person("admin").api("GET", "/audit", params={"actor": actor, "action": action}).json()["items"]
        return [(entry["result"], entry["address"], entry["detail"].get("count")) for entry in items]

    assert person("bob").hub("POST", "/servers/from-here", json=OPTIONS).status_code in (201, 202)
    site.wait_for(lambda: ("ok", "127.0.0.1", None) in entries("bob", "session.start"), "the start to be recorded")
    with Front(site, follow_redirects=True, timeout=60, verify=site.tls) as browser:
        assert log_in(browser, "mallory", "guessed").status_code == 403
    site.wait_for(lambda: entries("mallory", "login") == [("wrong_password", "127.0.0.1", 1)], "the failed login")


def test_server_started_by_the_hubs_form_is_a_session(site: DemoSite, person: Callable[[str], Person]) -> None:
    with site.browser("bob") as browser:
        page = browser.get("/hub/spawn/bob/by-form").text
        assert 'name="gpus"' in page
        assert 'max="4"' in page, "A node has four GPUs; a user may have more in several sessions."
        response = submit_form(browser, "/hub/spawn/bob/by-form", {"gpus": "1", "hours": "1"})
        assert response.status_code == 200
        live = session_of(person("bob"), "by-form")
        live.until("ready")
        assert is_one_gpu_for_an_hour(live)
        assert "JupyterLab" in browser.get("/user/bob/by-form/lab").text


@pytest.mark.parametrize("path", ["/hub/spawn/bob/another", "/user/bob/never-started/lab"])
def test_hubs_pages_lead_to_the_portals_form(path: str, site: DemoSite) -> None:
    with site.browser("bob") as browser:
        page = browser.get(path, headers={"Accept": "text/html"})
    assert f'href="{site.url}/services/portal/sessions/new"' in page.text


def test_refusal_by_policy_reads_the_same_at_the_hub_as_at_the_portal(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    carol = person("carol")
    by_api = carol.ask(gpus=5).json()["error"]["message"]
    response = carol.hub("POST", "/servers/too-much", json={"user_options": {"resources": {"gpus": 5}}})
    assert 400 <= response.status_code < 500
    assert by_api in response.json()["message"]
    assert carol.sessions() == []
    assert site.jobs("--user=carol") == []


def test_hub_shows_the_portals_progress_of_a_start(site: DemoSite, person: Callable[[str], Person]) -> None:
    dave = person("dave")
    dave.hub("POST", "/servers/watched", json={"user_options": OPTIONS})
    with dave.web.stream("GET", "/hub/api/users/dave/servers/watched/progress") as response:
        text = "".join(response.iter_lines())
    assert '"ready": true' in text
    session_of(dave, "watched").until("ready")


def submit_form(browser: httpx2.Client, path: str, fields: dict[str, str]) -> httpx2.Response:
    """Send the Hub's form, its token in the address as the page has it."""
    return browser.post(path, params={"_xsrf": browser.cookies.get("_xsrf", path="/hub/")}, data=fields)


def test_administrators_token_for_jobs_cannot_drain_a_node(site: DemoSite, person: Callable[[str], Person]) -> None:
    admin = person("admin")
    scopes = ["access:services!service=portal", "custom:portal:jobs"]
    made = admin.hub("POST", "/tokens", json={"note": "nightly", "expires_in": 600, "scopes": scopes}).json()
    headers = {"Authorization": f"token {made['token']}"}

    def asked(method: str, path: str, **options: Any) -> httpx2.Response:
        return httpx2.request(method, f"{site.url}{API}{path}", headers=headers, timeout=60, **options)

    drain = asked("POST", "/admin/nodes/drain", json={"nodes": ["node001"], "reason": "x"})
    assert (drain.status_code, drain.json()["error"]["code"]) == (403, "scope_missing"), drain.text
    start = asked("POST", "/sessions", json={"app": "jupyterlab"})
    assert start.json()["error"]["code"] == "scope_missing"
    script = "#!/bin/bash\n#SBATCH --hold\ntrue\n"
    job = asked("POST", "/jobs", json={"script": script})
    assert job.status_code == 202, job.text
    assert asked("GET", "/sessions").status_code == 200
    (listed,) = [
        api_token for api_token in admin.hub("GET", "/tokens").json()["api_tokens"] if api_token["id"] == made["id"]
    ]
    assert (listed["note"], listed["last_activity"] is not None) == ("nightly", True)
    admin.api("POST", "/jobs/actions", json={"ids": [job.json()["id"]], "action": "cancel"})
    assert admin.hub("DELETE", f"/tokens/{made['id']}").status_code == 204
    # An administrator's scope is no way up for somebody who is none.
    alices = person("alice").hub("POST", "/tokens", json={"scopes": [scopes[0], "custom:portal:admin"]}).json()
    headers["Authorization"] = f"token {alices['token']}"
    assert asked("GET", "/admin/nodes").json()["error"]["code"] == "forbidden"
