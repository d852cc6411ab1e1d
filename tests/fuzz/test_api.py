"""Generated requests against every route of a real site, from a user with a token who wants others' data.

`./dev test fuzz` runs it: FUZZ_EXAMPLES sets how many requests each route gets from the generator.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.demo_site import API, RESULTS, DemoSite
from tests.person import Person

HERE = Path(__file__).parent
EXAMPLES = os.environ.get("FUZZ_EXAMPLES", "5")
STREAMS = r"/(events|follow)$"  # they end when their reader does
SCRIPT = "#!/bin/bash\nsleep 3600\n"


def test_generated_requests_find_nothing_undocumented_and_nothing_of_others(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    live = alice.ready(gpus=0)
    submitted = alice.api("POST", "/jobs", json={"script": SCRIPT})
    assert submitted.status_code == 202, submitted.text
    job = submitted.json()["id"]
    done = _schemathesis(site, person("bob").token, {"session_id": live.id, "job_id": job})
    report = RESULTS / "schemathesis.txt"
    report.write_text(done.stdout + done.stderr)
    summary = done.stdout[done.stdout.rfind("= SUMMARY =") :]
    print(summary)
    assert done.returncode == 0, f"{summary}\nThe whole report is in {report}"
    assert live.now()["state"] == "ready"
    assert alice.api("GET", f"/jobs/{job}").json()["state"] in ("PENDING", "RUNNING")


def _schemathesis(site: DemoSite, token: str, others: dict[str, object]) -> subprocess.CompletedProcess[str]:
    """Run schemathesis over the whole API; return 0 if no check failed."""
    RESULTS.mkdir(exist_ok=True)
    return subprocess.run(
        [
            *(Path(sys.executable).with_name("schemathesis"), "--config-file", HERE / "schemathesis.toml", "run"),
            f"{site.url}{API}/openapi.json",
            *("--header", f"Authorization: token {token}"),
            *("--phases", "examples,coverage,fuzzing"),
            *("--max-examples", EXAMPLES),
            *("--exclude-path-regex", STREAMS),
            *("--request-timeout", "30"),
            *("--continue-on-failure", "--no-color", "--warnings", "off"),
        ],
        env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.fuzz.hooks", "FUZZ_OTHERS": json.dumps(others)},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
