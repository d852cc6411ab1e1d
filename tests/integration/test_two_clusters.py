"""Two clusters share one slurmdbd: what it knows of the other one counts for nothing here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.demo_site import INSIDE, DemoSite
from tests.person import Person

PORTAL = f"{INSIDE}/bin/portal"
OTHER, ACCOUNT = "elsewhere", "of-elsewhere"
ADDED = (
    f"cluster {OTHER}",
    f"account {ACCOUNT} cluster={OTHER}",
    f"user alice account={ACCOUNT} cluster={OTHER} DefaultAccount={ACCOUNT} GrpTRES=gres/gpu=0 WCKey=elsewheres",
)


@pytest.fixture
def shared(kept_site: DemoSite) -> Iterator[DemoSite]:
    """The site, whose slurmdbd has a second cluster with an account of alice's that is her default there."""
    for words in ADDED:
        kept_site.run("sacctmgr", "-i", "add", *words.split())
    kept_site.restart("portal")
    yield kept_site
    kept_site.run("sacctmgr", "-i", "delete", "user", "alice", f"account={ACCOUNT}", f"cluster={OTHER}")
    kept_site.run("sacctmgr", "-i", "delete", "account", ACCOUNT, f"cluster={OTHER}")
    kept_site.run("sacctmgr", "-i", "delete", "cluster", OTHER)
    kept_site.restart("portal")


def test_another_clusters_accounts_keys_and_limits_count_for_nothing(
    shared: DemoSite, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    shared.wait_for(lambda: alice.api("GET", "/options").json()["accounts"], "the accounts to be read")
    assert {account["name"] for account in alice.api("GET", "/options").json()["accounts"]} == {"physics", "vision"}
    live = alice.open("terminal", name="here", resources={"gpus": 1, "cpus": 1, "memory_mib": 1024})
    live.until("ready")
    asked = {"script": "#!/bin/sh\n#SBATCH --gres=gpu:1 --hold\n"}
    answer = alice.api("POST", "/jobs", json=asked)
    assert answer.status_code in (200, 201, 202), answer.text
    queue = shared.run("squeue", "--noheader", "--user=alice", "--format=%a").split()
    assert queue == ["physics", "physics"]
    for name, path in (("alice", "/options"), ("admin", "/admin/limits/slurm")):
        answer = person(name).api("GET", path)
        assert answer.status_code == 200, answer.text
        assert "elsewhere" not in answer.text


def test_check_says_which_cluster_this_is(shared: DemoSite) -> None:
    done = shared.process(PORTAL, "check", user="portal", timeout_s=120)
    text = " ".join(done.stdout.split())
    assert f"the cluster is “portal”; accounts of other clusters in its slurmdbd ({OTHER}) are not used" in text
