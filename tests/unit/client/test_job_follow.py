"""`portal jobs … --follow` bears a portal that restarts, and says that the job goes on when nobody follows any more."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner, Result

from portal.cli import app
from portal.client import job_follow
from portal.client.http import PortalUnavailable
from tests.unit.fake_portal import END, JOB, STREAM, FakePortal, fake_portal

SUBMITTED = JOB | {"array": None, "stdout": "/home/alice/slurm-7.out"}
FIRST, SECOND, REST = STREAM.partition('event: piece\ndata: {"text": "two"')


@pytest.fixture
def portal(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePortal]:
    monkeypatch.setenv("PORTAL_TOKEN", "hush")
    with fake_portal() as server:
        monkeypatch.setenv("PORTAL_URL", server.url)
        server.says("/jobs", SUBMITTED, 202)
        yield server


def jobs(*words: str) -> Result:
    return CliRunner().invoke(app, ["jobs", *words], input="#!/bin/bash\ntrue\n")


def while_it_waits(monkeypatch: pytest.MonkeyPatch, *steps: Callable[[], None]) -> None:
    left = iter(steps)
    sleeps = SimpleNamespace(sleep=lambda _: next(left)(), monotonic=time.monotonic)
    monkeypatch.setattr(job_follow, "time", sleeps)  # there alone: other threads sleep, too


def test_output_goes_on_where_it_was_when_the_portal_restarts(
    portal: FakePortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    portal.says("/jobs/7/output/follow", FIRST)
    portal.says("/jobs/7", "the proxy's page", 502)
    while_it_waits(
        monkeypatch,
        lambda: portal.says("/jobs/7/output/follow", "no portal", 503),
        lambda: portal.says("/jobs/7/output/follow", SECOND + REST),
        lambda: portal.says("/jobs/7", SUBMITTED | {"end": END}),
    )
    done = jobs("submit", "-", "--follow")
    assert (done.exit_code, done.stdout) == (0, "Submitted job 7.\none \n… 9 B skipped …\ntwo")
    assert "It finished." in done.stderr
    asked = [path.partition("offset=")[2] for path, _ in portal.asked if "follow" in path]
    assert asked == ["0", "4", "4"]


def test_portal_that_stays_away_is_told_and_so_is_a_refusal(
    portal: FakePortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_follow, "PATIENCE_S", 0)
    portal.says("/jobs/7/output/follow", "the proxy's page", 502)
    assert isinstance(jobs("tail", "7", "--follow").exception, PortalUnavailable)
    error = {"message": "There is no such job.", "hint": "Look at the list.", "fields": []}
    portal.says("/jobs/7/output/follow", {"error": error}, 404)
    refused = jobs("tail", "7", "--follow").exception
    assert not isinstance(refused, PortalUnavailable)
    assert str(refused) == "There is no such job."


def test_who_stops_following_hears_that_the_job_goes_on(portal: FakePortal, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    portal.says("/jobs/7/output/follow", FIRST)
    while_it_waits(monkeypatch, interrupt)
    done = jobs("tail", "7", "--follow")
    assert done.exit_code == 130
    assert "Job 7 continues. Follow it with: portal jobs tail 7 --follow" in done.stderr


def test_job_that_did_not_end_well_is_the_exit_status(portal: FakePortal) -> None:
    portal.says(
        "/jobs/7", SUBMITTED | {"end": {"code": "oom", "text": "It ran out of memory.", "advice": "Ask for more."}}
    )
    done = jobs("submit", "-", "--follow")
    assert done.exit_code == 1
    assert "It ran out of memory. Ask for more." in done.stderr
