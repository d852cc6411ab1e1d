"""Fixtures for every kind of test: the demo site, started once for all tests that use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests import certificates
from tests.demo_site import DemoSite, demo_site, keep_logs
from tests.person import Person

certificates.read_once()


@pytest.fixture(scope="session")
def shared_site(request: pytest.FixtureRequest) -> Iterator[DemoSite]:
    with demo_site() as site:
        site.reads_as_chosen()
        yield site
        if request.session.testsfailed:
            print(f"\nThe site's logs are in {keep_logs(site)}")


@pytest.fixture(scope="session")
def one_host_site() -> Iterator[DemoSite]:
    """A site with one host for portal, Hub and everybody's sessions, without a wildcard name."""
    with demo_site(hosts="one") as site:
        yield site


@pytest.fixture
def site(shared_site: DemoSite) -> Iterator[DemoSite]:
    """A complete demo site; after each test its services are restored and its jobs ended."""
    yield shared_site
    shared_site.tidy()


@pytest.fixture(scope="module")
def kept_site(shared_site: DemoSite) -> Iterator[DemoSite]:
    """The same site, tidied after each module, for sessions that many tests use."""
    yield shared_site
    shared_site.tidy()


@pytest.fixture(scope="session")
def person(shared_site: DemoSite) -> Iterator[Callable[[str], Person]]:
    """Return a user of the site by name; each logs in once for all tests."""
    known: dict[str, Person] = {}

    def by_name(name: str) -> Person:
        if name not in known:
            known[name] = Person.of(shared_site, name)
        return known[name]

    yield by_name
    for person in known.values():
        person.close()
