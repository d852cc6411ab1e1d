"""JupyterLab's page in a session: what it loads from the portal, and what from the session itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.e2e.lab_loads import LAUNCHER, SHARED, Loads, await_files
from tests.person import Person

HOME = "/run/portal-demo/home/alice"
COPIES = "/run/portal-demo/portal/data/jupyterlab"
LAB = "/run/portal-demo/environments/base/share/jupyter/lab"
# A federated extension as a user installs one: it says that it was activated.
MINE = """
const plugin = {id: "mine:plugin", autoStart: true, activate: () => { window.mine = 6 * 7; }};
window._JUPYTERLAB = window._JUPYTERLAB || {};
window._JUPYTERLAB["mine"] = {
  init: () => {},
  get: async () => () => ({__esModule: true, default: plugin}),
};
"""
PACKAGE = {
    "name": "mine",
    "version": "1.0.0",
    "jupyterlab": {"_build": {"load": "static/entry.js", "extension": "./x"}},
}

# Records the plugins whose settings the page reads, with the schemas that JupyterLab has made of those on disk.
RECORD = """
window.seen = [];
window._JUPYTERLAB = new Proxy({}, {
  set(all, name, container) {
    all[name] = container;
    if (name !== "portal-lab") return true;
    const {init, get} = container;
    container.init = (scope) => init(window.scope = scope);
    container.get = async (module) => {
      const made = await get(module);
      const {DefaultSchemaValidator} = (await Object.values(window.scope["@jupyterlab/settingregistry"])[0].get())();
      window.Validator = DefaultSchemaValidator;
      const validate = DefaultSchemaValidator.prototype.validateData;
      DefaultSchemaValidator.prototype.validateData = function ({id, schema, raw}, ...rest) {
        window.seen.push(structuredClone({id, schema, raw}));
        return validate.call(this, ...arguments);
      };
      return made;
    };
    return true;
  },
});
"""
# The same settings with and without ajv, which reads whatever is not exactly "{}".
COMPARE = """() => {
  const validator = new window.Validator();
  const seen = window.seen.splice(0);
  const read = (plugin, raw) => {
    const copy = {...structuredClone(plugin), raw};
    return validator.validateData(copy) ?? copy.data;
  };
  const checked = {id: "checked", schema: {type: "object", properties: {a: {type: "string", default: 1}}}};
  return {
    ours: seen.map((plugin) => read(plugin, "{}")),
    ajvs: seen.map((plugin) => read(plugin, "{} ")),
    unchecked: read(checked, "{}"),
    checked: read(checked, "{} "),
  };
}"""


@contextmanager
def own_extension(site: DemoSite, user: str) -> Iterator[None]:
    """Give the user a federated extension of their own."""
    folder = f"/run/portal-demo/home/{user}/.local/share/jupyter/labextensions/mine"
    site.run("mkdir", "-p", f"{folder}/static", user=user)
    site.run("tee", f"{folder}/package.json", user=user, stdin=json.dumps(PACKAGE))
    site.run("tee", f"{folder}/static/entry.js", user=user, stdin=MINE)
    try:
        yield
    finally:
        site.run("rm", "-r", folder, user=user)


@pytest.fixture
def alice(site: DemoSite) -> Iterator[Person]:
    await_files(site)
    person = Person.of(site, "alice")
    yield person
    for session in person.sessions():
        person.api("DELETE", f"/sessions/{session['id']}")
    person.close()


def opened(page: Page, person: Person) -> list[str]:
    """Open a new session; return the addresses of the scripts that its page has loaded when all of it is there."""
    session = person.ready()
    scripts: list[str] = []
    # The page may have been there before its server, and loaded again because the server has another.
    page.on("framenavigated", lambda frame: scripts.clear() if frame == page.main_frame else None)
    page.on("response", lambda answer: scripts.append(answer.url) if answer.request.resource_type == "script" else None)
    page.goto(session.url)
    expect(page.locator(LAUNCHER).first).to_be_visible()
    expect(page.locator(".portal-session-bar")).to_be_visible()  # the last of our own files is there
    return scripts


def of_the_session(scripts: list[str]) -> list[str]:
    return [url for url in scripts if not urlsplit(url).path.startswith(SHARED)]


def test_second_session_loads_the_lab_from_the_browsers_cache(
    site: DemoSite, open_page: OpenPage, alice: Person
) -> None:
    page = open_page("alice")
    loads = Loads(page)
    assert of_the_session(opened(page, alice)) == []
    first = loads.transferred()
    assert len(first) > 20
    opened(page, alice)
    assert len(loads.all()) >= 2 * len(first)
    assert loads.transferred() == first


def test_settings_are_those_that_jupyterlab_would_read(site: DemoSite, open_page: OpenPage, alice: Person) -> None:
    page = open_page("alice")
    page.add_init_script(RECORD)
    opened(page, alice)
    page.wait_for_function("() => window.seen.length > 50")
    read = page.evaluate(COMPARE)
    assert read["ours"] == read["ajvs"]
    assert any(len(str(settings)) > 10_000 for settings in read["ours"])  # the shortcuts of all plugins
    assert read["unchecked"] == {"composite": {"a": 1}, "user": {}}
    assert read["checked"][0]["keyword"] == "type"


def test_users_extension_works_and_the_lab_itself_is_still_shared(
    site: DemoSite, open_page: OpenPage, alice: Person
) -> None:
    with own_extension(site, "alice"):
        page = open_page("alice")
        scripts = opened(page, alice)
        page.wait_for_function("() => window.mine === 42")
        assert of_the_session(scripts)
        assert all("/lab/extensions/" in url for url in of_the_session(scripts))


def test_changed_build_is_served_by_its_session(site: DemoSite, open_page: OpenPage, alice: Person) -> None:
    site.run("mkdir", "-p", f"{HOME}/.jupyter", user="alice")
    site.run("cp", "-r", LAB, f"{HOME}/lab", user="alice")
    site.run("sh", "-c", f"echo 'window.changed = 42;' >> $(ls {HOME}/lab/static/main.*.js)", user="alice")
    config = f"{HOME}/.jupyter/jupyter_lab_config.py"
    site.run("tee", config, user="alice", stdin=f"c.LabApp.app_dir = '{HOME}/lab'\n")
    try:
        page = open_page("alice")
        scripts = opened(page, alice)
        assert page.evaluate("window.changed") == 42
        assert of_the_session(scripts) == scripts
    finally:
        site.run("rm", "-r", f"{HOME}/lab", config, user="alice")


def test_no_user_can_change_what_is_served_to_all(site: DemoSite, alice: Person) -> None:
    file = next((site.folder / "portal/data/jupyterlab").glob("*/main.*.js.gz"))
    before = file.read_bytes()
    build, name = file.parent.name, file.name.removesuffix(".gz")
    for folder in (f"{COPIES}/{build}", f"{LAB}/static"):
        attempt = site.process("sh", "-c", f"echo 'window.changed = 42;' > {folder}/{name}", user="alice")
        assert attempt.returncode != 0, folder
        assert "Permission denied" in attempt.stderr
    for method in ("PUT", "POST", "PATCH", "DELETE"):
        answer = alice.web.request(
            method, f"/services/portal/jupyterlab/{build}/{name}", content=b"window.changed = 42;"
        )
        assert answer.status_code in (404, 405), method
    assert file.read_bytes() == before
    assert "window.changed" not in alice.web.get(f"/services/portal/jupyterlab/{build}/{name}").raise_for_status().text
