"""The portal with mail and webhooks switched on, beside a real SMTP server and a real receiver."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import psycopg
import pytest

from portal import sealing
from portal.auth.people import People
from portal.base import Base
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.directory import DirectoryUser
from portal.errors import DirectoryUnavailable
from portal.events.bus import Bus
from portal.notifications.models import Happening
from portal.notifications.schemas import DeliveryOut, MailIn, WebhookIn
from portal.notifications.webhook import Poster
from portal.notifications.wiring import NotificationServices, wire_notifications
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import SessionOut
from portal.sessions.store import SessionStore
from portal.settings import Notifications, Server, Settings
from portal.settings.notifications import Mail, Webhooks
from portal.tasks import Tasks
from tests.postgresql import Cluster
from tests.receivers import PASSWORD, USERNAME, Certificate, MailServer, Receiver, certificate, mail_server, receiver
from tests.unit.conftest import BACKENDS, MIGRATED, sqlite
from tests.unit.http.rows import session_row
from tests.unit.sessions.conftest import Clock

KEY = "a key of the tests"
WRITTEN = ("notifications", "notification_channels", "sessions", "session_events")
EVERYTHING = [event.value for event in Happening]


@pytest.fixture(scope="session")
def own_certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="session")
def emptied_postgresql(migrated_postgresql: Cluster) -> Iterator[str]:
    with migrated_postgresql.database(template=MIGRATED) as url:
        yield url


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The same for all tests here, emptied after each, since a new PostgreSQL database takes a third of a second."""
    if request.param == "sqlite":
        file = tmp_path / "portal.sqlite"
        shutil.copyfile(request.getfixturevalue("migrated_sqlite"), file)
        yield sqlite(file)
        return
    url = request.getfixturevalue("emptied_postgresql")
    yield url
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        connection.execute(f"TRUNCATE {', '.join(WRITTEN)} RESTART IDENTITY CASCADE".encode())


@pytest.fixture
def smtp(own_certificate: Certificate) -> Iterator[MailServer]:
    with mail_server(own_certificate.context()) as server:
        yield server


@pytest.fixture
def hook(own_certificate: Certificate) -> Iterator[Receiver]:
    with receiver(own_certificate.context()) as result:
        yield result


def mail_settings(server: MailServer, own: Certificate, folder: Path, **changes: object) -> Mail:
    password = folder / "password"
    password.write_text(f"{PASSWORD}\n")
    values: dict[str, object] = {
        "server": "localhost",
        "port": server.port,
        "ca_file": own.ca,
        "username": USERNAME,
        "password_file": password,
        "sender": USERNAME,
        "timeout_s": 5.0,
    }
    return Mail.model_validate(values | changes)


@dataclass
class Directory:
    """Accounts' mail addresses, as the test says."""

    mails: dict[str, str] = field(default_factory=dict)
    away: bool = False

    async def account(self, username: str) -> DirectoryUser | None:
        if self.away:
            raise DirectoryUnavailable("The directory does not answer.")
        mail = self.mails.get(username, f"{username}@cluster.example")
        return DirectoryUser(username, username.title(), mail, 1, 1, (), allowed=True, admin=False)


@dataclass
class Harness:
    """The parts, steered by hand: the clock stands still, and nothing is sent unless the test says so."""

    clock: Clock
    work: UnitOfWork
    base: Base
    directory: Directory
    services: NotificationServices
    store: SessionStore

    async def wants(self, owner: str, *, mail: bool = False, hook: Receiver | None = None, shape: str = "json") -> None:
        if mail:
            await self.services.channels.set_mail(owner, MailIn(events=EVERYTHING))
        if hook is not None:
            asked = {"url": hook.url(f"hooks/{owner}"), "shape": shape, "events": EVERYTHING}
            await self.services.channels.set_webhook(owner, WebhookIn.model_validate(asked))

    async def session(self, session_id: str, owner: str = "alice", **changes: object) -> SessionRecord:
        record = session_row(session_id, owner=owner, at=self.clock(), **({"state": "starting"} | changes))
        await self.store.add(record, "Submitted.")
        return record

    async def becomes(self, session_id: str, state: str, **values: object) -> None:
        async with self.store.change(session_id) as draft:
            draft.set(state=state, **values)

    async def mail(self) -> None:
        await self.services.mail.step()

    async def post(self, poster: Poster) -> None:
        await self.services.webhooks.step(poster)
        await self.services.webhooks.wait()

    async def log(self, owner: str = "alice") -> list[DeliveryOut]:
        return (await self.services.channels.log(owner)).items

    def again(self, key: str = KEY) -> Harness:
        """The same portal after a restart: nothing that was only in memory is left."""
        wired = wire_notifications(self.base, people=People(self.directory), cipher=sealing.fernet(key))  # type: ignore[arg-type]
        return replace(self, services=wired, store=store_of(self.base, wired))


def unseen(record: SessionRecord) -> SessionOut:
    return SessionOut.model_construct(id=record.id)


def store_of(base: Base, services: NotificationServices) -> SessionStore:
    return SessionStore(base.work, base.bus, base.now, unseen, services.outbox.session_changed)


@pytest.fixture
async def harness(
    database: str, smtp: MailServer, hook: Receiver, own_certificate: Certificate, tmp_path: Path
) -> AsyncIterator[Harness]:
    engine = make_engine(database)
    clock, work = Clock(), unit_of_work(engine)
    notifications = Notifications(
        mail=mail_settings(smtp, own_certificate, tmp_path),
        webhooks=Webhooks(private_hosts=[hook.host], ca_file=own_certificate.ca, timeout_s=5.0),
    )
    settings = Settings(
        server=Server(public_url="https://portal.example"), notifications=notifications, data_dir=tmp_path
    )
    base = Base(
        settings=settings,
        work=work,
        bus=Bus(),
        tasks=Tasks(),
        slurm=None,  # type: ignore[arg-type]  # not used
        watcher=None,  # type: ignore[arg-type]  # not used
        now=clock,
    )
    directory = Directory()
    services = wire_notifications(base, people=People(directory), cipher=sealing.fernet(KEY))  # type: ignore[arg-type]
    yield Harness(clock, work, base, directory, services, store_of(base, services))
    await engine.dispose()


@pytest.fixture
async def poster(harness: Harness) -> AsyncIterator[Poster]:
    poster = Poster(harness.base.settings.notifications.webhooks)
    yield poster
    await poster.close()
