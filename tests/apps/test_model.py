"""A real language model behind llama.cpp's API, for programs with a key that its owner makes on the Sessions page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import httpx2
from playwright.sync_api import Locator, Page, expect

from tests.apps.real import OPTIONS
from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage, card
from tests.person import Live, Person

Opened = Callable[..., Live]
ASKED = {"messages": [{"role": "user", "content": "hello"}], "max_tokens": 6}
#: docs/how-to/share.md: within 20 seconds; a program's next request after five.
ENDED_S = 20


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def ask(site: DemoSite, address: str, headers: dict[str, str], **more: object) -> httpx2.Response:
    url = site.at(f"{httpx2.URL(address).path}v1/chat/completions")
    return httpx2.post(url, headers=headers, json=ASKED | more, timeout=60)


def share_dialog(page: Page, name: str) -> Locator:
    page.goto("/services/portal/")
    card(page, name).get_by_role("button", name=re.compile("^More for")).click()
    page.get_by_role("menuitem", name="Share…").click()
    return page.get_by_role("dialog", name=f"Share {name}")


def make_key(dialog: Locator, name: str) -> tuple[str, str]:
    """Make a key by click; return it, and the address for programs."""
    dialog.get_by_label("With", exact=True).select_option("key")
    dialog.get_by_label("Name of the key").fill(name)
    dialog.get_by_role("button", name="Share", exact=True).click()
    key = dialog.get_by_label("Key", exact=True)
    expect(key).to_have_value(re.compile(r"dsp-[\w-]{43}"))
    return key.input_value(), str(dialog.get_by_role("textbox", name="Address").input_value())


def test_programs_with_its_key_use_a_model_until_the_key_ends(
    opened: Opened, open_page: OpenPage, kept_site: DemoSite, person: Callable[[str], Person]
) -> None:
    live = opened("model", OPTIONS["model"], name="tiny")
    owner = open_page("alice")
    dialog = share_dialog(owner, "tiny")
    key, address = make_key(dialog, "evaluation")
    assert httpx2.URL(address).path == live.address

    answer = ask(kept_site, address, bearer(key))
    assert answer.status_code == 200, answer.text
    assert answer.json()["usage"]["completion_tokens"] == ASKED["max_tokens"]
    streamed = ask(kept_site, address, bearer(key), stream=True)
    pieces = [line[6:] for line in streamed.text.splitlines() if line.startswith("data: ")]
    assert pieces[-1] == "[DONE]"
    assert json.loads(pieces[0])["object"] == "chat.completion.chunk"

    # No other key, and nobody without one: not a colleague either, by a login of their own.
    wrong = key[:-1] + ("A" if key[-1] != "A" else "B")
    for headers in ({}, bearer(wrong), bearer("nonsense"), bearer(person("bob").token), bearer(person("admin").token)):
        assert ask(kept_site, address, headers).status_code == 403
    # The owner's own token still opens it, and the key nothing else of the session.
    assert ask(kept_site, address, bearer(live.owner.token)).status_code == 200
    for path in (".portal/session", ".portal/ssh", "proxy-port/8000/"):
        assert httpx2.get(kept_site.at(live.address + path), headers=bearer(key)).status_code in (403, 404)
    assert live.owner.web.get("/services/portal/api/sessions", headers=bearer(key)).status_code == 401

    # It is shown once, and ends by a click.
    dialog = share_dialog(owner, "tiny")
    expect(dialog.get_by_role("list", name="Shared now")).to_contain_text("evaluation")
    expect(dialog.get_by_label("Key", exact=True)).to_have_count(0)
    assert key not in owner.content()
    dialog.get_by_role("button", name="End the share with Key “evaluation”").click()
    kept_site.wait_for(lambda: ask(kept_site, address, bearer(key)).status_code == 403, "the key to end", ENDED_S)
    audit = person("admin").api("GET", "/audit", params={"target": live.id, "limit": 50}).json()["items"]
    noted = [(entry["actor"].partition(":")[0], entry["action"], entry["detail"].get("key")) for entry in audit]
    for who, action in (("alice", "share.start"), ("key", "share.access"), ("alice", "share.end")):
        assert (who, action, "evaluation") in noted
    assert key not in json.dumps(audit)


def test_a_key_ends_with_its_session(opened: Opened, kept_site: DemoSite) -> None:
    live = opened("model", OPTIONS["model"])
    made = live.owner.api("POST", f"/sessions/{live.id}/shares", json={"key": "short"}).json()["items"][-1]
    assert ask(kept_site, made["link"], bearer(made["key"])).status_code == 200
    live.stop()
    live.ended()
    assert ask(kept_site, made["link"], bearer(made["key"])).status_code != 200
