"""`portal jobs …` asks the portal for jobs alone: what names none is refused in a sentence, and asked nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from portal.cli import app
from portal.client import http
from portal.client import jobs as client
from portal.errors import InvalidRequest
from tests.unit.fake_portal import JOB, FakePortal, fake_portal

ROOT = Path(__file__).parents[3]


@pytest.fixture
def portal(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePortal]:
    monkeypatch.setenv("PORTAL_TOKEN", "hush")
    with fake_portal() as server:
        monkeypatch.setenv("PORTAL_URL", server.url)
        yield server


def jobs(*words: str) -> Result:
    return CliRunner().invoke(app, ["jobs", *words])


@pytest.mark.parametrize(
    "rubbish",
    ["rubbish", "", "presets", "../sessions", "0", "7 8", "7.0", "7_", "7_x", "७", "99999999999", "7\n", "[1-2]"],
)
def test_what_names_no_job_is_refused_and_asked_nowhere(portal: FakePortal, rubbish: str) -> None:
    for command in ("show", "tail", "again", "cancel"):
        done = jobs(command, rubbish)
        assert done.exit_code == 1
        assert isinstance(done.exception, InvalidRequest), command
        assert done.exception.message == f"“{rubbish}” is not a job number."
        assert "portal jobs list --all" in done.exception.hint
    assert portal.asked == []


def test_task_is_refused_where_whole_jobs_are_wanted(portal: FakePortal) -> None:
    refused = jobs("again", "7_3").exception
    assert isinstance(refused, InvalidRequest)
    assert refused.hint == "Use: `portal jobs again 7`."
    assert portal.asked == []


def test_job_whose_script_is_not_known_is_not_submitted_without_one(portal: FakePortal) -> None:
    portal.says("/jobs/7", JOB | {"script": None})
    assert "it was not submitted through the portal" in str(jobs("again", "7").exception)
    assert [path for path, _ in portal.asked] == ["/jobs/7"]


@pytest.mark.parametrize(
    ("correction", "value"),
    [
        (("memory_mib_per_node", 10_240, 20_480), "Memory per node: 10 GB → 20 GB. It ran out of it.\n"),
        (("memory_mib_per_node", None, 40), "Memory per node: Slurm’s default → 40 MB. It ran out of it.\n"),
        (("walltime_s", 3600, 7200), "Time limit: 1 h → 2 h. It ran out of it.\n"),
    ],
)
def test_what_changes_when_a_job_is_done_again_is_said_as_the_form_says_it(
    portal: FakePortal, correction: tuple[str, int | None, int], value: str
) -> None:
    field, before, after = correction
    change = {"field": field, "from": before, "to": after, "why": "It ran out of it."}
    portal.says("/jobs/7", JOB | {"script": "#!/bin/bash\n"})
    portal.says("/jobs/7/again", {"script": "#!/bin/bash\n", "workdir": None, "corrections": [change]})
    assert value in jobs("again", "7").output


def test_what_may_be_corrected_has_the_web_apps_names() -> None:
    strings = (ROOT / "frontend/src/strings/jobs.ts").read_text()
    for field, (label, _) in client.LABELS.items():
        assert f'{field}: "{label}"' in strings


def test_exit_status_says_whether_each_job_was_cancelled(portal: FakePortal) -> None:
    done = {"id": "7", "ok": True, "changed": True, "message": "Cancelled."}
    over = {"id": "8", "ok": True, "changed": False, "message": "It had already ended."}
    portal.says("/jobs/actions", {"results": [done, done | {"id": "7_[1-3]"}]})
    assert (jobs("cancel", "7", "7_[1-3]").exit_code) == 0
    portal.says("/jobs/actions", {"results": [done, over]})
    result = jobs("cancel", "7", "8")
    assert (result.exit_code, result.output) == (1, "7: Cancelled.\n8: It had already ended.\n")


def test_output_that_is_not_there_is_said(portal: FakePortal) -> None:
    portal.says("/jobs/7/output", {"text": "", "size": 0, "path": "/home/alice/slurm-7.out"})
    assert "Nothing has been written to /home/alice/slurm-7.out yet." in jobs("tail", "7").stderr
    portal.says("/jobs/7/output", {"text": "", "size": 0, "path": ""})
    assert "Its output file is unknown" in jobs("tail", "7").stderr


def test_a_submission_without_an_answer_is_sent_again_as_the_same_request(
    portal: FakePortal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.client.http.PAUSES_S", (0, 0))
    monkeypatch.setattr(http.PortalUnavailable, "was_sent", property(lambda _: portal.says("/jobs", JOB, 202) or True))
    portal.says("/jobs", {"error": {"code": "outcome_unknown", "message": "It is being looked for."}}, 503)
    (script := tmp_path / "job.sh").write_text("#!/bin/bash\n")
    assert jobs("submit", str(script)).output == "Submitted job 7.\n"
    first, again = portal.keys
    assert first
    assert first == again


def test_only_a_lost_answer_is_asked_for_again() -> None:
    assert http.PortalUnavailable({"code": "outcome_unknown"}).was_sent
    assert not http.PortalUnavailable({"code": "slurm_unavailable"}).was_sent
