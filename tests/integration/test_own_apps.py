"""A user's own app: the tutorial's commands as written, files that are wrong, and the site's folder of apps."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from demo.site import INSIDE
from tests.demo_site import CLONE, DemoSite
from tests.person import Live, Person

TUTORIAL = CLONE / "docs" / "tutorial" / "an-app-of-your-own.md"
HOME = INSIDE / "home" / "alice"
APPS = HOME / ".config" / "portal" / "apps"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TUTORIAL.read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture
def alice(site: DemoSite, person: Callable[[str], Person]) -> Person:
    site.run("rm", "-rf", str(APPS), user="alice")
    return person("alice")


def shell(alice: Person, command: str) -> tuple[int, str]:
    """Run a command as alice with the `portal` command logged in."""
    setting = f"PORTAL_URL={alice.site.url} PORTAL_TOKEN={alice.token} COLUMNS=200 HOME={HOME}"
    path = f"PATH={INSIDE}/src/.venv/bin:/usr/bin:/bin"
    done = alice.site.process("env", *setting.split(), path, "sh", "-c", command, user="alice", timeout_s=120)
    return done.returncode, done.stdout + done.stderr


def write(site: DemoSite, path: Path, text: str) -> None:
    site.run("mkdir", "-p", str(path.parent), user="alice")
    site.run("tee", str(path), user="alice", stdin=text)


def named(items: list[dict[str, object]], name: str) -> dict[str, object]:
    return next(item for item in items if item["name"] == name)


def test_the_tutorial_leads_from_nothing_to_a_working_app(alice: Person, site: DemoSite) -> None:
    started = time.monotonic()
    commands = [line.removeprefix("$ ") for block in blocks("console") for line in block.splitlines()]
    make, fox, try_it, spoil, try_wrong = commands
    assert shell(alice, make) == (0, "")
    [program], [declaration] = blocks("python"), blocks("toml")
    write(site, APPS / "words" / "words.py", program)
    write(site, APPS / "words" / "app.toml", declaration)
    assert shell(alice, fox) == (0, "")
    code, output = shell(alice, try_it)
    assert code == 0, output
    address = re.search(r"Open (\S+)", output)
    assert address is not None, output
    assert "2 of 9 words" in alice.web.get(f"{address[1]}?word=the").text
    assert time.monotonic() - started < 300

    assert shell(alice, spoil) == (0, "")
    code, output = shell(alice, try_wrong)
    assert code == 1
    assert "wrong.toml: " in output
    assert "comand" in output

    [session] = [item for item in alice.sessions() if item["app"] in ("my-words", "my-wrong")]
    assert (session["app"], session["app_title"]) == ("my-words", "Count words")
    offered = named(alice.api("GET", "/options").json()["apps"], "my-words")
    assert (offered["group"], offered["available"]) == ("My apps", True)
    live = Live(alice, str(session["id"]))
    live.stop()
    live.ended()
    again = alice.open("my-words", {"file": "~/fox.txt"}, resources={"gpus": 0})
    again.until("ready")


def test_a_wrong_file_says_why_and_breaks_nothing_else(
    alice: Person, site: DemoSite, person: Callable[[str], Person]
) -> None:
    write(site, APPS / "fine.toml", 'command = ["python", "-m", "http.server", "--bind={ip}", "{port}"]\n')
    write(site, APPS / "nested.toml", "a = " + "[" * 20_000)
    write(site, APPS / "open.toml", 'listen = "port"\ncommand = ["python", "{port}"]\n')
    write(site, APPS / "large.toml", "#" * 40_000)
    site.run("mkfifo", str(APPS / "pipe.toml"), user="alice")
    site.run("ln", "-s", "/etc/shadow", str(APPS / "shadow.toml"), user="alice")
    offers = alice.api("GET", "/options").json()["apps"]
    reasons = {str(app["name"]): app["reason"] for app in offers if str(app["name"]).startswith("my-")}
    assert reasons["my-fine"] is None
    assert "too deeply nested" in reasons["my-nested"] or "not valid TOML" in reasons["my-nested"]
    assert "any user of the node can connect" in reasons["my-open"]
    assert "larger than 32 KiB" in reasons["my-large"]
    assert reasons["my-pipe"]
    assert "ermission" in reasons["my-shadow"]
    refused = alice.api("POST", "/sessions", json={"app": "my-open"})
    assert (refused.status_code, refused.json()["error"]["fields"][0]["field"]) == (422, "app")
    origins = {item["name"]: item["origin"] for item in alice.api("GET", "/apps").json()["items"]}
    assert (origins["my-fine"], origins["tensorboard"]) == ("own", "portal")

    bob = person("bob")
    assert not [app for app in bob.api("GET", "/options").json()["apps"] if app["name"].startswith("my-")]
    theirs = bob.api("POST", "/sessions", json={"app": str(APPS / "fine.toml")})
    assert theirs.status_code == 422, "bob cannot read alice's files through it"
    assert bob.api("POST", "/sessions", json={"app": "my-fine"}).status_code == 422


def test_an_app_that_dies_says_why_in_the_shell(alice: Person, site: DemoSite) -> None:
    write(site, HOME / "dies.toml", 'command = ["python", "-c", "raise SystemExit(\'no model here\')", "{port}"]\n')
    code, output = shell(alice, "portal apps try ~/dies.toml --gpus 0")
    assert code == 1
    assert "no model here" in output
