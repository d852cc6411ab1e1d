"""Fixtures for every kind of test: the demo site, brought up once for all tests that ask for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.demo_site import DemoSite, demo_site, keep_logs


@pytest.fixture(scope="session")
def shared_site(request: pytest.FixtureRequest) -> Iterator[DemoSite]:
    with demo_site() as site:
        yield site
        if request.session.testsfailed:
            print(f"\nThe site's logs are in {keep_logs(site)}")


@pytest.fixture
def site(shared_site: DemoSite) -> Iterator[DemoSite]:
    """A whole demo site; services that a test ends come back, and its jobs are ended, after the test."""
    yield shared_site
    shared_site.tidy()
