"""Short helpers for what a user does with batch jobs over the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.demo_site import API
from tests.person import Person, frames

SMALL = "#SBATCH --mem=50M --time=5 --cpus-per-task=1"


def script(body: str, *directives: str) -> str:
    return "\n".join(["#!/bin/bash", SMALL, *(f"#SBATCH {directive}" for directive in directives), body, ""])


def submit(who: Person, text: str, **more: Any) -> str:
    response = who.api("POST", "/jobs", json={"script": text, **more})
    assert response.status_code == 202, response.text
    return str(response.json()["id"])


def job(who: Person, job_id: str) -> dict[str, Any]:
    response = who.api("GET", f"/jobs/{job_id}")
    response.raise_for_status()
    return dict(response.json())


def ended(who: Person, job_id: str, timeout_s: float = 60) -> dict[str, Any]:
    """Wait until the job is over and accounting has said what it used."""

    def over() -> dict[str, Any] | None:
        results = job(who, job_id)
        return results if results["end"] and results["usage"] else None

    return who.site.wait_for(over, f"job {job_id} to end", timeout_s) or {}


def output(who: Person, job_id: str, **where: Any) -> dict[str, Any]:
    response = who.api("GET", f"/jobs/{job_id}/output", params=where)
    response.raise_for_status()
    return dict(response.json())


def act(who: Person, action: str, *ids: str, **more: Any) -> list[dict[str, Any]]:
    response = who.api("POST", "/jobs/actions", json={"ids": list(ids), "action": action, **more})
    response.raise_for_status()
    return list(response.json()["results"])


def follow(who: Person, job_id: str, **where: Any) -> Iterator[tuple[str, Any]]:
    with who.web.stream("GET", f"{API}/jobs/{job_id}/output/follow", params=where, timeout=60) as response:
        assert response.status_code == 200
        for kind, data in frames(response):
            if kind in ("piece", "end"):
                yield kind, data
            if kind == "end":
                return
