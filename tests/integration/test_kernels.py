"""Kernels of other languages in a session's JupyterLab: R of the node, Python 2 of an image (`./dev kernels`)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.demo_site import INSIDE, DemoSite
from tests.integration.test_images import add, kernel, session
from tests.person import Person

PYTHON2 = INSIDE / "src" / ".cache" / "images" / "python2"


@pytest.fixture
def dave(site: DemoSite, person: Callable[[str], Person]) -> Person:
    dave = person("dave")
    for image in dave.api("GET", "/images").json()["items"]:
        dave.api("DELETE", f"/images/{image['id']}")
    return dave


def test_r_of_the_node_and_python_2_of_an_image_stand_in_the_launcher_and_run(dave: Person) -> None:
    environment = add(dave, path=str(PYTHON2), title="Python 2.7 (Debian 11)")["environment"]
    live = session(dave, environment=environment)
    specs = dave.web.get(f"{live.address}api/kernelspecs").json()
    names = {name: spec["spec"]["display_name"] for name, spec in specs["kernelspecs"].items()}
    assert specs["default"] == environment
    assert names[environment] == "Python 2 · Python 2.7 (Debian 11)"
    assert names["ir"] == "R"
    assert "python3" in names

    two = kernel(live, environment)
    assert two.run("import sys; print 'two', sys.version_info[0], 7 / 2").split() == ["two", "2", "3"]
    assert two.run("import os; print os.getcwd(), os.environ['SLURM_JOB_ID']").split() == [
        f"{INSIDE}/home/dave",
        str(live.now()["job_id"]),
    ]
    r = kernel(live, "ir")
    assert r.run("x <- c(1, 2, 4); cat(sum(x), Sys.getenv('SLURM_JOB_ID'))").split() == ["7", str(live.now()["job_id"])]
