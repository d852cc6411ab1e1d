"""Templates in real homes: an edited copy survives an update, two people open one at once, a home that is full or
read-only says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from tests.demo_site import INSIDE, DemoSite, setting
from tests.person import Live, Person

SITE = INSIDE / "shared" / "our-templates"
FILE = "ours/digits.ipynb"
INDEX = f"""
[[template]]
id = "our-digits"
file = "{FILE}"
title = "Our digits"
framework = "scikit-learn"
task = "Image classification"
description = "A template of the site's own."
"""


def notebook(*cells: str) -> str:
    return json.dumps(
        {
            "cells": [
                {"cell_type": "code", "id": f"cell-{number}", "metadata": {}, "outputs": [], "source": source}
                | {"execution_count": None}
                for number, source in enumerate(cells)
            ],
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )


FIRST = notebook("import numpy", "rate = 0.1")
MINE = notebook("import numpy", "rate = 0.5", "print('mine')")
SECOND = notebook("import numpy", "rate = 0.1\nepochs = 3")


@pytest.fixture(scope="module")
def ours(kept_site: DemoSite) -> Iterator[Callable[[str], None]]:
    """A folder of the site's own templates; what it gives puts another version there."""

    def publish(content: str) -> None:
        for name, text in (("index.toml", INDEX), (FILE, content)):
            kept_site.run("install", "-D", "-m", "644", "/dev/stdin", str(SITE / name), stdin=text)

    publish(FIRST)
    folders = f'folders = ["{INSIDE}/src/templates"]'
    with setting(kept_site, "", replace=(folders, folders[:-1] + f', "{SITE}"]')):
        yield publish
    kept_site.run("rm", "-rf", str(SITE))


@pytest.fixture
def owner(person: Callable[[str], Person], ours: Callable[[str], None]) -> Iterator[Callable[[str], Person]]:
    """Give people who have no copy yet; afterwards they have none again."""
    given: list[Person] = []

    def give(name: str) -> Person:
        given.append(person(name))
        clean(given[-1])
        return given[-1]

    yield give
    for value in given:
        clean(value)


def clean(person: Person) -> None:
    person.site.run("rm", "-rf", f"{home(person)}/templates")


def home(person: Person) -> str:
    return str(INSIDE / "home" / person.name)


def read(person: Person, file: str = FILE) -> str:
    return person.site.run("cat", f"{home(person)}/templates/{file}", user=person.name)


def edit(person: Person, content: str) -> None:
    person.site.run("tee", f"{home(person)}/templates/{FILE}", user=person.name, stdin=content)


def state(person: Person) -> str:
    response = person.api("GET", "/templates/copies")
    assert response.status_code == 200, response.text
    return next(str(copy["state"]) for copy in response.json()["items"] if copy["id"] == "our-digits")


def settle(person: Person, how: str) -> dict[str, Any]:
    response = person.api("POST", "/templates/our-digits/copy", json={"how": how})
    assert response.status_code == 200, response.text
    return dict(response.json())


def open_in(live: Live, **more: str) -> str:
    response = live.owner.api("POST", "/templates/our-digits/open", json={"session": live.id, **more})
    assert response.status_code == 200, response.text
    return str(response.json()["url"])


def test_an_edited_copy_survives_an_update_and_the_difference_is_shown(
    kept_site: DemoSite, ours: Callable[[str], None], owner: Callable[[str], Person]
) -> None:
    ours(FIRST)
    alice = owner("alice")
    assert state(alice) == "absent"
    live = alice.ready(gpus=0, cpus=1, memory_mib=2048)
    assert open_in(live).endswith(f"/lab/tree/templates/{FILE}")
    assert (read(alice), state(alice)) == (FIRST, "same")

    edit(alice, MINE)
    assert state(alice) == "changed"
    ours(SECOND)
    assert state(alice) == "outdated"
    open_in(live)
    alice.ready(gpus=0, cpus=1, memory_mib=2048)  # a new session brings the templates, and leaves this one alone
    assert (read(alice), state(alice)) == (MINE, "outdated")

    cells = alice.api("GET", "/templates/our-digits/difference").json()["cells"]
    assert [(cell["change"], [line["text"] for line in cell["lines"]]) for cell in cells] == [
        ("same", ["import numpy"]),
        ("changed", ["rate = 0.5", "rate = 0.1", "epochs = 3"]),
        ("mine", ["print('mine')"]),
    ]

    url = open_in(live, version="new")
    assert url.endswith("/lab/tree/templates/ours/digits%20%28new%29.ipynb")
    contents = url.replace("/lab/tree/", "/api/contents/")
    assert alice.web.get(contents, params={"content": 0}).status_code == 200
    assert (read(alice), read(alice, "ours/digits (new).ipynb"), state(alice)) == (MINE, SECOND, "changed")

    ours(FIRST)
    assert state(alice) == "outdated"
    settle(alice, "keep")
    assert (read(alice), state(alice)) == (MINE, "changed")
    replaced = settle(alice, "replace")
    assert (read(alice), read(alice, replaced["backup"]), state(alice)) == (FIRST, MINE, "same")
    owners = kept_site.run("stat", "-c", "%U", f"{home(alice)}/templates/{FILE}", f"{home(alice)}/templates/ours")
    assert set(owners.split()) == {"alice"}


def test_two_people_open_the_same_template_at_once(ours: Callable[[str], None], owner: Callable[[str], Person]) -> None:
    ours(FIRST)
    people = [owner("alice"), owner("bob")]
    lives = [person.start(gpus=0, cpus=1, memory_mib=2048) for person in people]
    for live in lives:
        live.until("ready")
    for person in people:
        clean(person)
    with ThreadPoolExecutor() as pool:
        urls = list(pool.map(open_in, lives * 3))
    for person, live, url in zip(people, lives, urls, strict=False):
        assert url.startswith(live.site.at(live.address))
        assert (read(person), state(person)) == (FIRST, "same")
    leftover = people[0].site.run("find", f"{home(people[0])}/templates", "-name", "*.new")
    assert leftover == ""


@contextmanager
def full(person: Person) -> Iterator[None]:
    """A file system without any room in place of the person's templates."""
    where = f"{home(person)}/templates"
    person.site.run("install", "-d", "-o", person.name, where)
    person.site.run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", where)
    try:
        person.site.run("chown", person.name, where)
        person.site.run("dd", "if=/dev/zero", f"of={where}/everything", check=False)
        yield
    finally:
        person.site.run("umount", "--lazy", where)


def test_a_full_home_is_told_by_the_session_and_when_the_template_is_opened(
    ours: Callable[[str], None], owner: Callable[[str], Person]
) -> None:
    ours(FIRST)
    carol = owner("carol")
    with full(carol):
        live = carol.ready(gpus=0, cpus=1, memory_mib=2048)
        results = live.site.wait_for(
            lambda: [event["message"] for event in live.events() if "could not be copied" in event["message"]],
            "the session to say that its home is full",
        )
        assert "No space left on device" in results[0]
        response = carol.api("POST", "/templates/our-digits/open", json={"session": live.id})
        error = response.json()["error"]
        assert response.status_code == 409
        assert "No space left on device" in error["message"]
        assert "free some space" in error["hint"]
    assert open_in(live), "with room again it opens"


def test_a_read_only_home_is_told_and_what_is_there_still_opens(
    kept_site: DemoSite, ours: Callable[[str], None], owner: Callable[[str], Person]
) -> None:
    ours(FIRST)
    dave = owner("dave")
    live = dave.ready(gpus=0, cpus=1, memory_mib=2048)
    where = f"{home(dave)}/templates"
    open_in(live)
    edit(dave, MINE)
    ours(SECOND)
    kept_site.run("mount", "--bind", where, where)
    kept_site.run("mount", "-o", "remount,bind,ro", where)
    try:
        assert open_in(live).endswith(FILE)
        for how in ("keep", "replace"):
            response = dave.api("POST", "/templates/our-digits/copy", json={"how": how})
            assert response.status_code == 409
            assert "Read-only file system" in response.json()["error"]["message"]
        assert (read(dave), state(dave)) == (MINE, "outdated")
    finally:
        kept_site.run("umount", "--lazy", where)
