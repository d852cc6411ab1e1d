"""A job that was submitted is found again by what stands in accounting of its submission."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from portal.slurm import queries
from portal.slurm.batch import BatchSlurm
from tests.demo_site import DemoSite
from tests.integration.jobs.batch import script, submit
from tests.person import Person


class InTheSite:
    """Asks the site's Slurm as the portal does."""

    def __init__(self, site: DemoSite) -> None:
        self._site = site

    async def keeps_accounts(self) -> bool:
        return True

    async def ask(self, argv: list[str]) -> str:
        variables = [f"{name}={value}" for name, value in queries.ENVIRONMENT.items()]
        return self._site.run("env", *variables, *argv)


@pytest.mark.parametrize("options", [[], ["--array=1-3"]], ids=["job", "array"])
def test_accounting_knows_a_job_by_its_submission(alice: Person, options: list[str]) -> None:
    """A portal that lost Slurm's answer finds the job by it, or says that there is none, if Slurm has forgotten it."""
    began = datetime.now(UTC)
    job_id = submit(alice, script("true", *options))
    (comment,) = {*alice.site.run("squeue", "--noheader", "--states=all", f"--jobs={job_id}", "--format=%k").split()}
    slurm = BatchSlurm(InTheSite(alice.site), deadline_s=10)  # type: ignore[arg-type]  # what it asks with

    def known(token: str) -> int | None:
        return asyncio.run(slurm.submitted("alice", token, began))

    token = comment.removeprefix("portal:")
    assert alice.site.wait_for(lambda: known(token), "accounting to know the job") == int(job_id)
    assert known("0" * len(token)) is None
