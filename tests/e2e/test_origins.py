"""What a page of one user's session can do to somebody who opens it: nothing with their rights, in a real browser.

Alice serves what she can, bob opens it while he is logged in everywhere, and the page tries what pages can. Judged by
what the servers did; what scripts were told only adds to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.demo_site import API, INSIDE, DemoSite
from tests.e2e.conftest import OpenPage
from tests.events import write_events
from tests.person import Live, Person

SMALL = {"gpus": 0, "cpus": 1, "memory_mib": 2048}
HOME = f"{INSIDE}/home/alice"
CONFIG = f"{HOME}/.jupyter/jupyter_server_config.py"
FOR_ALL = """\
from jupyter_server.serverapp import ServerApp
from tornado.web import RequestHandler

class ForAll(RequestHandler):
    def get(self):
        self.write("<title>For all</title>")

usual = ServerApp.init_webapp

def init_webapp(self):
    usual(self)
    self.web_app.add_handlers(".*$", [(f"{self.base_url}for-all", ForAll)])

ServerApp.init_webapp = init_webapp
"""
JOB = {"script": "#!/bin/sh\n#SBATCH --partition=sxm2\n#SBATCH --job-name=forged\nsleep 300\n"}


@dataclass(frozen=True)
class Bob:
    """Bob, logged in at the portal, the Hub and his own session."""

    person: Person
    live: Live
    page: Page

    def owns(self) -> dict[str, Any]:
        """What of his there is, by those who keep it."""
        web, address = self.person.web, self.live.address
        site = self.live.site
        return {
            "jobs": sorted(job["id"] for job in site.jobs("--user=bob")),
            "sessions": sorted(session["id"] for session in self.person.sessions("all")),
            "servers": sorted(self.person.hub("GET", "").json()["servers"]),
            "tokens": sorted(api_token["id"] for api_token in self.person.hub("GET", "/tokens").json()["api_tokens"]),
            "terminals": web.get(f"{address}api/terminals").json(),
            "kernels": web.get(f"{address}api/kernels").json(),
            "files": site.run("find", f"{INSIDE}/home/bob", "-maxdepth", "1", "-newer", MARK),
            "acts": [value["action"] for value in self.audited() if value["action"] != "login"],
        }

    def audited(self) -> list[dict[str, Any]]:
        with self.live.site.client("admin") as admin:
            answer = admin.get("/audit", params={"actor": "bob"})
            answer.raise_for_status()
            return list(answer.json()["items"])


MARK = f"{INSIDE}/run/before"


@pytest.fixture(scope="module")
def alices(kept_site: DemoSite, person: Callable[[str], Person]) -> Iterator[dict[str, str]]:
    """Where each kind of page is that alice can serve."""
    kept_site.run("mkdir", "-p", f"{HOME}/.jupyter", user="alice")
    kept_site.run("tee", CONFIG, stdin=FOR_ALL, user="alice")
    kept_site.run("tee", f"{HOME}/page.html", stdin="<title>A file</title>", user="alice")
    write_events(kept_site, "alice", "runs/first", "loss")
    alice = person("alice")
    lab = alice.open("jupyterlab", resources=SMALL)
    terminal = alice.open("terminal", resources=SMALL)
    board = alice.open("tensorboard", {"folder": "~/runs"}, resources=SMALL)
    for live in (lab, terminal, board):
        live.until("ready")
    inside = alice.web.post(f"{lab.address}portal/tensorboards", json={"folder": "~/runs"}).json()
    yield {
        "for all": kept_site.at(f"{lab.address}for-all"),
        "lab": lab.url,
        "file": kept_site.at(f"{lab.address}files/page.html"),
        "terminal": terminal.url,
        "tensorboard": board.url,
        "tensorboard in lab": kept_site.at(inside["url"]),
    }
    kept_site.run("rm", "-f", CONFIG, f"{HOME}/page.html", user="alice")


@pytest.fixture(scope="module")
def bob(kept_site: DemoSite, person: Callable[[str], Person], kept_open_page: OpenPage) -> Bob:
    live = person("bob").ready(**SMALL)
    page = kept_open_page("bob")
    page.goto(kept_site.at("/hub/home"))
    page.goto(live.url)
    expect(page.locator(".jp-LabShell").first).to_be_visible(timeout=60_000)
    return Bob(person("bob"), live, page.context.new_page())


READ = """async (urls) => Promise.all(urls.flatMap((url) => ["cors", "no-cors"].map(async (mode) => {
  try { return await (await fetch(url, { mode, credentials: "include" })).text(); } catch { return ""; }
})))"""
WRITE = """async ([urls, body]) => Promise.all(urls.flatMap((url) =>
["text/plain", "application/json"].map(async (type) => {
  try { await fetch(url, { method: "POST", mode: type === "text/plain" ? "no-cors" : "cors", credentials: "include",
                           headers: { "Content-Type": type }, body }); } catch {}
})))"""
SUBMIT = """([url, name, body]) => {
  const form = Object.assign(document.createElement("form"), { action: url, method: "post", enctype: "text/plain" });
  form.target = name;
  form.append(Object.assign(document.createElement("input"), { name: body.slice(0, -1) + ', "x": "', value: '"}' }));
  document.body.append(form);
  form.submit();
}"""
SOCKET = """async (urls) => Promise.all(urls.map((url) => new Promise((done) => {
  const socket = new WebSocket(url);
  socket.onopen = () => done("open");
  socket.onclose = () => done("closed");
})))"""
FRAME = """(url) => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.onload = () => done(frame.contentDocument === null);
  frame.src = url;
  document.body.append(frame);
})"""
POPUP = """(url) => { window.held = window.open(url); return held !== null; }"""
HELD = """() => { try { return String(held.document.body.innerText); } catch (error) { return error.name; } }"""
TOSS = """([names, domains]) => { for (const name of names) for (const domain of domains)
  document.cookie = `${name}=forged; domain=${domain}; path=/`; return document.cookie; }"""


def test_a_page_that_alice_serves_to_everybody_does_nothing_with_bobs_rights(
    kept_site: DemoSite, alices: dict[str, str], bob: Bob
) -> None:
    kept_site.run("touch", MARK)
    before, page = bob.owns(), bob.page
    page.goto(alices["for all"])
    expect(page).to_have_title("For all")
    mine, writes = (
        bob.live.address,
        [
            kept_site.at(f"{API}/jobs"),
            kept_site.at(f"{API}/sessions"),
            kept_site.at("/hub/api/users/bob/tokens"),
            kept_site.at("/hub/api/users/bob/servers/forged"),
            kept_site.at(f"{bob.live.address}api/terminals"),
            kept_site.at(f"{bob.live.address}api/kernels"),
        ],
    )
    reads = [f"{API}/me", f"{API}/sessions", "/hub/home", "/hub/token", "/hub/api/user", f"{mine}api/contents"]
    assert set(page.evaluate(READ, [kept_site.at(path) for path in reads])) == {""}
    page.evaluate(WRITE, [writes, '{"name": "forged"}'])
    page.evaluate(WRITE, [writes[:1], str(JOB).replace("'", '"')])
    sockets = ("terminals/websocket/1", "api/events/subscribe", "api/kernels/x/channels")
    urls = [kept_site.at(f"{mine}{path}").replace("http", "ws", 1) for path in sockets]
    assert page.evaluate(SOCKET, urls) == ["closed"] * len(urls)
    for number, url in enumerate(writes):
        with page.expect_popup() as posted:
            page.evaluate(SUBMIT, [url, f"form{number}", '{"name": "forged"}'])
        posted.value.wait_for_load_state()
        posted.value.close()
    assert bob.owns() == before
    assert kept_site.jobs("--name=forged") == []


def test_a_page_of_alices_holds_no_page_of_bobs(kept_site: DemoSite, alices: dict[str, str], bob: Bob) -> None:
    page = bob.page
    page.goto(alices["for all"])
    for url in (kept_site.at("/services/portal/"), kept_site.at("/hub/home"), bob.live.url):
        assert page.evaluate(FRAME, url), "Its document is closed to the page around it."
        shown = [frame.locator("body").inner_text() for frame in page.frames[1:] if "error" not in frame.url]
        assert not [text for text in shown if "bob" in text.lower() or "Sessions" in text], url
        with page.expect_popup() as opened:
            assert page.evaluate(POPUP, url)
        opened.value.wait_for_load_state()
        assert page.evaluate(HELD) in ("SecurityError", "TypeError"), url
        if url.startswith(kept_site.url):
            assert opened.value.evaluate("() => window.opener") is None
        opened.value.close()


def test_what_is_alices_alone_gives_bob_no_page_of_hers(kept_site: DemoSite, alices: dict[str, str], bob: Bob) -> None:
    kept_site.run("touch", MARK)
    before, shown = bob.owns(), {}
    for kind, url in alices.items():
        answer = bob.page.goto(url)
        shown[kind] = (answer.status if answer else 0, bob.page.title() in ("A file", "TensorBoard", "Terminal"))
    assert shown.pop("for all") == (200, False)
    assert set(shown.values()) == {(403, False)}, shown
    assert bob.owns() == before


# The last one: its cookies stay in bob's browser.
def test_cookies_that_a_page_of_alices_sets_make_nobody_bob_and_bob_nobody_else(
    kept_site: DemoSite, alices: dict[str, str], bob: Bob
) -> None:
    page = bob.page
    page.goto(alices["for all"])
    names = ("portal-login", "portal-oauth-state", "jupyterhub-session-id", "jupyterhub-hub-login", "_xsrf")
    seen = page.evaluate(TOSS, [names, ("localhost", "hub.localhost", kept_site.at("/user/bob/").split("/")[2])])
    assert not [pair for pair in seen.split("; ") if not pair.endswith("=forged")], "No cookie of another host."
    page.goto(kept_site.at(f"{API}/me"))
    assert '"username":"bob"' in page.content(), "The portal's host takes none of them."
    page.goto(kept_site.at("/hub/api/user"))
    assert "alice" not in page.content()
