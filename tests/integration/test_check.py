"""`portal check` on a site where everything is in place, from the head and from a node; and where something is not."""

from __future__ import annotations

from tests.demo_site import INSIDE, DemoSite
from tests.images import write_root

PORTAL = f"{INSIDE}/bin/portal"


def test_check_finds_the_site_in_place_from_the_head_and_from_a_node(site: DemoSite) -> None:
    done = site.process(PORTAL, "check", "--user", "alice", user="portal", timeout_s=120)
    text = " ".join(done.stdout.split())
    assert done.returncode == 0, done.stdout
    assert "✗" not in text
    assert "[info" not in done.stdout + done.stderr, "events of the log are none of it"
    for part in (
        "✓ Checks: run inside the running portal",
        "bound as cn=",
        "Slurm: version",
        "features to choose nodes by: nvme",
        "licences: matlab (2)",
        "parts of GPUs: 2 shards for each V100, V100 by MPS",
        "Door: acts as users",
        "the proxy answers",
        "✓ Node: Python 3.",
    ):
        assert part in text
    assert "✓ Node: this machine reaches" in text
    assert "✓ GPUs: AutoDetect is off in gres.conf on node" in text
    assert "! GPUs: NVML does not answer on node" in text
    assert "confinement was not tested" not in text
    if "proctrack/cgroup" in site.run("scontrol", "show", "config"):
        assert "✓ GPUs: a step without GPUs on node" in text, text[-1500:]
    assert not site.run("sh", "-c", f"ls {INSIDE}/home/alice | grep portal-check || true")


def test_check_says_what_is_missing_and_what_to_do(site: DemoSite) -> None:
    site.kill("proxy")
    wrong = ("env", "PORTAL_POLICY__DEFAULT_PARTITION=nowhere", "PORTAL_LDAP__SERVERS=['ldaps://127.0.0.1:1']")
    done = site.process(*wrong, PORTAL, "check", user="portal", timeout_s=120)
    text = " ".join(done.stdout.split())
    assert done.returncode == 1
    assert "there is no partition nowhere" in text
    assert "✗ Directory:" in text
    assert "the proxy does not answer" in text
    assert "systemctl start portal-proxy" in text
    assert "! Checks: run from this shell, which has more rights than the portal: it has other settings" in text
    assert text.endswith("3 to fix.")


def test_check_tells_of_an_image_that_is_to_serve_jupyter_and_cannot(site: DemoSite) -> None:
    name = "image-without-python"
    write_root(site.folder / "shared" / name)
    image = f'PORTAL_ENVIRONMENTS__BARE={{title = "Bare", kind = "image", path = "{INSIDE}/shared/{name}"}}'
    done = site.process("env", image, PORTAL, "check", "--user", "alice", user="portal", timeout_s=180)
    site.run("rm", "-r", f"{INSIDE}/shared/{name}")
    text = " ".join(done.stdout.split())
    assert done.returncode == 1
    assert "✗ Node: Bare cannot serve Jupyter on " in text
    assert "environments.bare.extends" in text
    assert text.endswith("1 to fix.")
