"""The kernel that a session's Jupyter starts while the browser loads JupyterLab's page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from tests.demo_site import INSIDE, DemoSite
from tests.person import Kernel, Live, Person

HOME = INSIDE / "home" / "carol"
FOLDER = HOME / "ahead"


@pytest.fixture
def lab(site: DemoSite, person: Callable[[str], Person]) -> Iterator[Live]:
    carol = person("carol")
    site.run("rm", "-rf", str(FOLDER), user="carol")
    site.run("mkdir", str(FOLDER), user="carol")
    live = carol.ready(gpus=0)
    carol.web.get(f"{live.address}api/status").raise_for_status()  # not a page that came before the server
    yield live
    print(live.log()["text"])
    live.stop()
    live.ended()
    assert running(site) == [], "a waiting kernel ends with its session"


def running(site: DemoSite) -> list[int]:
    """Return the processes of carol's kernels."""
    processes = site.process("ps", "-ww", "-u", "carol", "-o", "pid=,args=").stdout.splitlines()
    return [int(line.split()[0]) for line in processes if "/runtime/kernel-" in line]


def visit(live: Live, path: str = "") -> None:
    live.owner.web.get(f"{live.address}lab{path}").raise_for_status()


def visited(site: DemoSite, live: Live, path: str = "") -> int:
    """Open JupyterLab's page as a browser does; return the process of the kernel that then waits."""
    before = set(running(site))
    visit(live, path)
    return site.wait_for(lambda: sorted(set(running(site)) - before), "a kernel to be started ahead")[0]


def listed(live: Live) -> list[str]:
    return [value["id"] for value in live.owner.web.get(f"{live.address}api/kernels").json()]


def opened(live: Live, path: str, name: str = "python3") -> Kernel:
    """Request the notebook's kernel as JupyterLab does."""
    body = {"path": path, "name": path.rpartition("/")[2], "type": "notebook", "kernel": {"name": name}}
    response = live.owner.web.post(f"{live.address}api/sessions", json=body)
    assert response.status_code == 201, response.text
    return Kernel(live.owner, live.address, response.json()["kernel"]["id"])


def write(site: DemoSite, name: str, kernel: str) -> str:
    """Make a notebook in the folder; return its path as Jupyter has it."""
    metadata = {"kernelspec": {"name": kernel, "display_name": kernel}}
    notebook = {"cells": [], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    site.run("tee", str(FOLDER / name), user="carol", stdin=json.dumps(notebook))
    return f"{FOLDER.name}/{name}"


def test_launchers_first_notebook_gets_the_waiting_kernel_and_restarts_as_any_other(site: DemoSite, lab: Live) -> None:
    waiting = visited(site, lab)
    assert listed(lab) == []
    new = lab.owner.web.post(f"{lab.address}api/contents", json={"type": "notebook"}).json()["path"]
    try:
        kernel = opened(lab, new)
        assert kernel.value("[__import__('os').getpid(), __session__, __import__('os').getcwd()]") == [
            waiting,
            str(HOME / new),
            str(HOME),
        ]
        assert listed(lab) == [kernel.id]
        visit(lab)
        visit(lab, f"/tree/{new}")
        lab.owner.web.post(f"{lab.address}api/kernels/{kernel.id}/restart").raise_for_status()
        again = kernel.value("[__import__('os').getpid(), __session__]")
        assert again[0] != waiting
        assert again[1] == str(HOME / new)
        assert running(site) == [again[0]], "nothing waits beside the notebook's own"
    finally:
        site.run("rm", str(HOME / new), user="carol")


def test_notebook_that_the_page_opens_gets_a_kernel_of_its_own_language_and_folder(site: DemoSite, lab: Live) -> None:
    path = write(site, "model.ipynb", "ir")
    waiting = visited(site, lab, f"/tree/{path}")
    visit(lab, f"/tree/{path}")
    kernel = opened(lab, path, "ir")
    assert kernel.run("cat(Sys.getpid(), getwd(), Sys.getenv('JPY_SESSION_NAME'))").split() == [
        str(waiting),
        str(FOLDER),
        str(FOLDER / "model.ipynb"),
    ]
    assert running(site) == [waiting]


def test_page_that_came_before_its_server_gets_its_kernel_once_it_arrives(site: DemoSite, lab: Live) -> None:
    path = write(site, "early.ipynb", "python3")
    answer = lab.owner.web.get(f"{lab.address}portal/arrival/tree/{path}", params={"page": "another"})
    assert answer.text == "other"
    waiting = site.wait_for(lambda: running(site), "a kernel to be started ahead")
    assert [opened(lab, path).value("__import__('os').getpid()")] == waiting


def test_kernel_that_was_not_asked_for_ends_when_another_starts(site: DemoSite, lab: Live) -> None:
    path = write(site, "other.ipynb", "python3")
    waiting = visited(site, lab)
    kernel = opened(lab, path)
    mine = kernel.value("__import__('os').getpid()")
    assert mine != waiting
    site.wait_for(lambda: running(site) == [mine], "the waiting kernel to end")


def test_page_of_another_notebook_replaces_the_waiting_kernel(site: DemoSite, lab: Live) -> None:
    first = visited(site, lab, f"/tree/{write(site, 'first.ipynb', 'python3')}")
    second = visited(site, lab, f"/tree/{write(site, 'second.ipynb', 'python3')}")
    site.wait_for(lambda: running(site) == [second], "only the second kernel to be left")
    assert opened(lab, f"{FOLDER.name}/second.ipynb").value("__import__('os').getpid()") == second
    assert first != second


@pytest.mark.parametrize("content", ["no JSON", json.dumps({"cells": []})])
def test_notebook_that_names_no_kernel_gets_none_and_its_page_opens(site: DemoSite, lab: Live, content: str) -> None:
    site.run("tee", str(FOLDER / "broken.ipynb"), user="carol", stdin=content)
    visit(lab, f"/tree/{FOLDER.name}/broken.ipynb")
    visit(lab, f"/tree/{FOLDER.name}/missing.ipynb")
    assert lab.owner.web.get(f"{lab.address}api/status").json()["kernels"] == 0
    kernel = opened(lab, write(site, "whole.ipynb", "python3"))
    assert running(site) == [kernel.value("__import__('os').getpid()")]
