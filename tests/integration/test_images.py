"""Images for real: registered, run as a kernel and as everything a session has, and got from a registry.

The images are made of the machine's own programs, the registry is one on loopback with logins as NGC's.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import registry as stand_in
from tests.demo_site import CLONE, INSIDE, DemoSite, setting
from tests.images import STANDARD_LIBRARY, add_python_kernel, small_root, write_root
from tests.person import Kernel, Live, Person

SHARED = INSIDE / "shared" / "images"
BASE = CLONE / ".cache" / "environments" / "base"
PULL_TIMEOUT_S = 120
GIVE_KEY = {"key": stand_in.KEY}


@pytest.fixture(scope="module")
def folder(shared_site: DemoSite) -> Iterator[Path]:
    """A folder of images that all the site's people can read; on this side of its namespace."""
    where = shared_site.folder / "shared" / "images"
    where.mkdir(exist_ok=True)
    shared_site.run("chown", "admin:scientists", str(SHARED))
    yield where
    shared_site.run("rm", "-rf", str(SHARED))


@pytest.fixture(scope="module")
def sandbox(shared_site: DemoSite, folder: Path) -> str:
    """An image as a folder, with Python 3 and its kernel."""
    root = write_root(folder / "python")
    add_python_kernel(root, BASE / "lib" / STANDARD_LIBRARY.name / "site-packages")
    (root / "etc" / "made-for").write_text("the test of images\n")
    return str(SHARED / "python")


@pytest.fixture(scope="module")
def registry(shared_site: DemoSite) -> Iterator[stand_in.Registry]:
    """A registry that the portal takes for NGC's."""
    small = [*small_root("/bin/sh", "/bin/cat")]
    large = os.urandom(16 << 20)  # more than the buffers of a socket hold
    layers = [
        stand_in.layer(*small, ("etc/passwd", b"root:x:0:0::/root:/bin/sh\n"), ("usr/share/large", large)),
        stand_in.layer(("etc/made-for", b"the test of pulling\n")),
    ]
    with (
        stand_in.serving(layers) as running,
        setting(shared_site, f'[ngc]\nhost = "{running.host}"\nplain_http = true'),
    ):
        yield running


@pytest.fixture
def alice(person: Callable[[str], Person]) -> Iterator[Person]:
    alice = person("alice")
    yield alice
    alice.api("DELETE", "/ngc")
    for image in alice.api("GET", "/images").json()["items"]:
        alice.api("DELETE", f"/images/{image['id']}")
    alice.site.run("rm", "-rf", str(INSIDE / "home" / "alice" / "images"))


def session(owner: Person, **ask: Any) -> Live:
    response = owner.api("POST", "/sessions", json={"app": "jupyterlab", "resources": {"gpus": 0}, **ask})
    assert response.status_code == 202, response.text
    live = Live(owner, response.json()["id"])
    live.until("ready")
    return live


def kernel(live: Live, name: str) -> Kernel:
    response = live.owner.web.post(f"{live.address}api/kernels", json={"name": name})
    assert response.status_code == 201, response.text
    return Kernel(live.owner, live.address, response.json()["id"])


def add(owner: Person, **body: Any) -> dict[str, Any]:
    response = owner.api("POST", "/images", json=body)
    assert response.status_code == 202, response.text
    return dict(response.json())


def refusal(owner: Person, **body: Any) -> str:
    response = owner.api("POST", "/images", json=body)
    assert response.status_code in (403, 404, 409, 422), response.text
    return str(response.json()["error"]["message"])


def test_a_registered_image_is_an_environment_whose_kernel_comes_first(
    site: DemoSite, alice: Person, sandbox: str
) -> None:
    image = add(alice, path=sandbox, title="Mine")
    assert image["state"] == "ready"
    environment = image["environment"]
    briefs = {environment["name"]: environment for environment in alice.api("GET", "/options").json()["environments"]}
    assert (briefs[environment]["kind"], briefs[environment]["own"]) == ("image", True)

    live = session(alice, environment=environment)
    shown = live.now()
    assert shown["environment_title"] == "Mine"
    assert shown["image"] == {"title": "Mine", "reference": None, "path": sandbox, "digest": None}
    specs = alice.web.get(f"{live.address}api/kernelspecs").json()
    assert specs["default"] == environment
    assert {environment, "python3"} <= set(specs["kernelspecs"])

    inside = kernel(live, environment)
    assert inside.run("print(open('/etc/made-for').read())").strip() == "the test of images"
    assert inside.run("import os; print(os.path.exists('/run/portal-demo/portal'))").strip() == "False"
    assert inside.run("print(os.environ['SLURM_JOB_ID'], os.getcwd())").split() == [
        str(shown["job_id"]),
        "/run/portal-demo/home/alice",
    ]
    names = json.loads(inside.run("import json; print(json.dumps(sorted(os.environ)))"))
    assert not [name for name in names if name.startswith("DSP_")]
    assert inside.run("open('from-inside', 'w').write('x'); print(os.listdir('/run/portal-demo/shared'))")
    assert site.run("stat", "-c", "%U", "/run/portal-demo/home/alice/from-inside").strip() == "alice"

    interrupted = alice.web.post(f"{live.address}api/kernels/{inside.id}/interrupt")
    assert interrupted.status_code == 204
    assert inside.run("print(1 + 1)").strip() == "2"
    live.stop()
    live.ended()
    assert not site.run("pgrep", "-u", "alice", "-f", "ipykernel", check=False)


#: More than the 64 MB that an image's /tmp has by itself; the blocks are on the disk, not only promised.
FILLS_TMP = """
import os
block = os.urandom(1 << 20)
for folder, blocks in ("/tmp", 1024), ("/var/tmp", 128):
    with open(folder + "/weights", "wb") as file:
        for _ in range(blocks):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
        print(os.fstat(file.fileno()).st_blocks * 512 >> 20)
"""


def test_an_image_has_the_nodes_disk_for_temporary_files_until_the_session_ends(
    site: DemoSite, alice: Person, sandbox: str
) -> None:
    live = session(alice, environment=add(alice, path=sandbox, title="Mine")["environment"])
    inside = kernel(live, live.now()["environment"])
    assert [int(written) for written in inside.run(FILLS_TMP).split()] == pytest.approx([1024, 128], abs=1)
    # Other programs of this machine create and delete there, too.
    mine = ["find", "/tmp", "-ignore_readdir_race", "-maxdepth", "3", "-user", "alice", "-name", "weights"]
    assert len(site.run(*mine).split()) == 2
    live.stop()
    live.ended()
    assert site.run(*mine) == ""


def test_bobs_images_are_not_alices(person: Callable[[str], Person], alice: Person, sandbox: str) -> None:
    image = add(alice, path=sandbox)
    bob = person("bob")
    assert image["id"] not in [item["id"] for item in bob.api("GET", "/images").json()["items"]]
    response = bob.api(
        "POST", "/sessions", json={"app": "jupyterlab", "environment": image["environment"], "resources": {"gpus": 0}}
    )
    assert response.status_code == 422
    assert bob.api("DELETE", f"/images/{image['id']}").status_code == 404


def test_what_is_no_image_is_refused_in_words(site: DemoSite, alice: Person, sandbox: str) -> None:
    site.run("cp", "/etc/hostname", "/run/portal-demo/home/alice/notes.sif", user="alice")
    site.run("mkdir", "-p", "/run/portal-demo/home/alice/empty", user="alice")
    assert refusal(alice, path="~/no-such.sif") == "~/no-such.sif does not exist."
    assert refusal(alice, path="~/notes.sif").startswith("~/notes.sif is not an image")
    assert "not the root of an image" in refusal(alice, path="~/empty")
    assert "You do not have permission" in refusal(alice, path="/run/portal-demo/portal/secrets/x.sif")
    add(alice, path=sandbox)
    assert refusal(alice, path=sandbox) == f"{sandbox} is already on the list."


def test_an_image_that_went_away_is_refused_before_anything_is_submitted(
    site: DemoSite, alice: Person, folder: Path
) -> None:
    write_root(folder / "gone")
    image = add(alice, path=str(SHARED / "gone"))
    shutil.rmtree(folder / "gone")
    listed = {item["id"]: item for item in alice.api("GET", "/images").json()["items"]}
    assert listed[image["id"]]["state"] == "missing"
    before = site.jobs()
    response = alice.api(
        "POST", "/sessions", json={"app": "jupyterlab", "environment": image["environment"], "resources": {"gpus": 0}}
    )
    assert response.status_code == 422
    assert "does not exist" in response.json()["error"]["message"]
    assert site.jobs() == before


def until_pulled(owner: Person, image_id: str) -> dict[str, Any]:
    def over() -> dict[str, Any] | None:
        image = next(item for item in owner.api("GET", "/images").json()["items"] if item["id"] == image_id)
        return image if image["state"] != "pulling" else None

    return owner.site.wait_for(over, "the image", PULL_TIMEOUT_S, every_s=0.5) or {}


def test_a_key_that_the_registry_refuses_is_not_stored(alice: Person, registry: stand_in.Registry) -> None:
    response = alice.api("PUT", "/ngc", json={"key": "nvapi-some-other-key"})
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "key_refused"
    assert "nvapi-some-other-key" not in response.text
    assert alice.api("GET", "/ngc").json()["stored"] is False
    assert "requires a key" in refusal(alice, reference=registry.reference())
    assert alice.api("PUT", "/ngc", json=GIVE_KEY).json()["message"] == f"{registry.host} accepts this key."
    assert "has no nvidia/tiny with the tag 0.0" in refusal(alice, reference=registry.reference("0.0"))


def test_a_pull_that_breaks_off_goes_on_where_it_stopped(
    site: DemoSite, alice: Person, registry: stand_in.Registry
) -> None:
    alice.api("PUT", "/ngc", json=GIVE_KEY).raise_for_status()
    # Apptainer itself asks again a few times when a line breaks; only one that stays away ends the pull.
    missing = registry.blobs.pop(registry.layers[1])
    image = add(alice, reference=registry.reference())
    failed = until_pulled(alice, image["id"])
    assert failed["state"] == "failed", failed
    assert failed["message"]

    registry.blobs[registry.layers[1]] = missing
    registry.served.clear()
    again = add(alice, reference=registry.reference())
    assert again["id"] == image["id"]
    pulled = until_pulled(alice, image["id"])
    assert (pulled["state"], pulled["digest"]) == ("ready", stand_in.digest(registry.manifest)), pulled
    assert not [path for path in registry.served if path.endswith(registry.layers[0])], "A layer was fetched twice."

    home = "/run/portal-demo/home/alice/images"
    assert site.run("ls", "-A", home).split() == ["tiny_1.0.sif"]
    assert stand_in.KEY not in site.run("bash", "-c", "cat /run/portal-demo/home/alice/.portal/sessions/*.log")
    assert stand_in.KEY not in site.log("portal")
    program = ["enter-image", f"--apptainer={apptainer(site)}", f"--image={home}/tiny_1.0.sif", "--"]
    agent = str(INSIDE / "libexec" / "agent.pyz")
    result = site.run("python3", "-I", agent, *program, "/bin/cat", "/etc/made-for", user="alice")
    assert result == "the test of pulling\n"


def test_a_disk_that_fills_up_while_an_image_is_pulled_is_told_and_the_pull_goes_on_with_room(
    site: DemoSite, alice: Person, registry: stand_in.Registry
) -> None:
    alice.api("PUT", "/ngc", json=GIVE_KEY).raise_for_status()
    home = "/run/portal-demo/home/alice/images"
    site.run("install", "-d", "-o", "alice", home)
    # Room enough to begin with, but not for so many files: what no look beforehand can tell.
    site.run("mount", "-t", "tmpfs", "-o", "size=256m,nr_inodes=16,mode=0777", "tmpfs", home)
    try:
        image = add(alice, reference=registry.reference())
        failed = until_pulled(alice, image["id"])
        assert failed["state"] == "failed", failed
        assert failed["message"] == "The disk or your quota is full. Free some space, then pull the image again."
        site.run("mount", "-o", "remount,nr_inodes=10000", home)
        assert add(alice, reference=registry.reference())["id"] == image["id"]
        pulled = until_pulled(alice, image["id"])
        assert pulled["state"] == "ready", pulled
        assert site.run("ls", "-A", home).split() == ["tiny_1.0.sif"]
    finally:
        site.run("umount", "--lazy", home)


def test_a_pull_that_has_no_room_is_refused_before_anything_is_submitted(
    site: DemoSite, alice: Person, registry: stand_in.Registry
) -> None:
    alice.api("PUT", "/ngc", json=GIVE_KEY).raise_for_status()
    home = "/run/portal-demo/home/alice/images"
    site.run("install", "-d", "-o", "alice", home)
    site.run("mount", "-t", "tmpfs", "-o", "size=32m,mode=0777", "tmpfs", home)
    try:
        before = site.jobs()
        assert "There is not enough disk space in ~/images" in refusal(alice, reference=registry.reference())
        page = alice.api("GET", "/images").json()
        assert page["quota"] == {"total_mb": 32, "free_mb": 32, "own": False}
        assert (page["items"], site.jobs()) == ([], before)
    finally:
        site.run("umount", "--lazy", home)


def apptainer(site: DemoSite) -> str:
    line = next(
        line for line in site.run("cat", str(INSIDE / "portal" / "portal.toml")).splitlines() if "apptainer =" in line
    )
    return line.partition('"')[2].rstrip('"')


def test_a_pull_taken_off_the_list_leaves_no_job(site: DemoSite, alice: Person, registry: stand_in.Registry) -> None:
    alice.api("PUT", "/ngc", json=GIVE_KEY).raise_for_status()
    image = add(alice, reference=registry.reference())
    assert alice.api("DELETE", f"/images/{image['id']}").status_code == 204
    site.wait_for(lambda: not [job for job in site.jobs() if job["name"] == f"dsp-{image['id']}"], "its job to end")
