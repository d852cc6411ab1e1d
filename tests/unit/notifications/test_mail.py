"""Mail against a real SMTP server that requires STARTTLS and a login, fails, hangs, and comes back."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from portal.check import mail as check
from portal.check.findings import Mark
from portal.errors import Conflict
from portal.health import notifications as health
from portal.health.monitor import State
from portal.notifications.mail import Mailer, MailServerUnavailable, address_of
from portal.notifications.models import Channel
from portal.settings import Notifications, Settings
from tests.receivers import USERNAME, Certificate, MailServer, mail_server
from tests.unit.notifications.conftest import Harness, mail_settings

SESSION = "abcdefghijkm"
OOM = {"end_code": "oom", "end_text": "It ran out of memory."}


async def test_session_that_is_ready_and_ends_badly_is_told_by_mail(harness: Harness, smtp: MailServer) -> None:
    await harness.wants("alice", mail=True)
    await harness.session(SESSION, name="bert-finetune")
    await harness.becomes(SESSION, "ready", node="node003")
    await harness.becomes(SESSION, "ended", **OOM)
    await harness.mail()
    ready, ended = smtp.letters
    assert (ready["To"], ready["X-Envelope-To"]) == ("alice@cluster.example", "alice@cluster.example")
    assert (ready["Subject"], ended["Subject"]) == ("bert-finetune is ready", "bert-finetune has ended")
    assert f"https://portal.example/services/portal/sessions/{SESSION}" in ready.get_content()
    assert "It ran out of memory. Start it again with more memory" in ended.get_content()
    assert ready["Auto-Submitted"] == "auto-generated"
    assert smtp.logins == [USERNAME.encode()]  # one connection for both
    assert [(delivery.state, delivery.attempts) for delivery in await harness.log()] == [("sent", 1), ("sent", 1)]


@pytest.mark.parametrize("code", ["stopped", "cancelled", "finished"])
async def test_end_that_its_owner_chose_is_not_told(harness: Harness, code: str) -> None:
    await harness.wants("alice", mail=True)
    await harness.session(SESSION)
    await harness.becomes(SESSION, "ended", end_code=code)
    assert await harness.log() == []


async def test_nobody_is_told_what_they_did_not_ask_for(harness: Harness, smtp: MailServer) -> None:
    await harness.wants("bob", mail=True)
    await harness.session(SESSION)
    await harness.becomes(SESSION, "ready")
    await harness.mail()
    assert (await harness.log(), await harness.log("bob"), smtp.letters) == ([], [], [])


async def test_change_that_is_rolled_back_tells_nobody(harness: Harness) -> None:
    await harness.wants("alice", mail=True)

    async def fail() -> None:
        async with harness.work() as db:
            await harness.services.outbox.message(db, "alice", "admin", "Please stop.", None)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await harness.log() == []


async def test_name_cannot_add_headers_or_recipients(harness: Harness, smtp: MailServer) -> None:
    name = "x\r\nBcc: eve@evil.example\r\n\r\n<b>hello</b>\u202e"
    await harness.wants("alice", mail=True)
    await harness.session(SESSION, name=name)
    await harness.becomes(SESSION, "ready")
    await harness.mail()
    (letter,) = smtp.letters
    assert letter["Bcc"] is None
    assert letter["X-Envelope-To"] == "alice@cluster.example"
    assert letter["Subject"] == "x Bcc: eve@evil.example <b>hello</b> is ready"
    assert letter.get_content_type() == "text/plain"


@pytest.mark.parametrize(
    "mail",
    ["", "alice", "a@b\r\nBcc: eve@evil.example", "a@b, eve@evil.example", "Al <a@b.example>", "ü@b.example", "@b",
     "a@", "a" * 250 + "@b.example"],
)  # fmt: skip
async def test_address_that_is_none_is_not_used(harness: Harness, smtp: MailServer, mail: str) -> None:
    assert address_of(mail) is None
    harness.directory.mails["alice"] = mail
    await harness.wants("alice", mail=True)
    await harness.session(SESSION)
    await harness.becomes(SESSION, "ready")
    await harness.mail()
    (delivery,) = await harness.log()
    assert (delivery.state, smtp.letters) == ("failed", [])
    assert "no mail address in the directory" in delivery.result
    with pytest.raises(Conflict, match="no mail address"):
        await harness.services.channels.test("alice", Channel.MAIL)


async def test_server_that_fails_is_tried_again_and_the_log_says_so(harness: Harness, smtp: MailServer) -> None:
    await harness.wants("alice", mail=True)
    smtp.failing = "451 4.3.0 try later"
    await harness.services.channels.test("alice", Channel.MAIL)
    await harness.mail()
    (delivery,) = await harness.log()
    assert (delivery.state, delivery.attempts) == ("pending", 1)
    assert "451" in delivery.result
    await harness.mail()
    assert (await harness.log())[0].attempts == 1  # not before its time
    smtp.failing = None
    harness.clock.pass_(16)
    await harness.mail()
    assert [(delivery.state, delivery.attempts) for delivery in await harness.log()] == [("sent", 2)]


async def test_refused_address_is_not_tried_again_and_stops_nobody_else(harness: Harness, smtp: MailServer) -> None:
    harness.directory.mails["alice"] = "nobody@cluster.example"
    for owner in ("alice", "bob"):
        await harness.wants(owner, mail=True)
        await harness.services.channels.test(owner, Channel.MAIL)
    await harness.mail()
    assert [delivery.state for delivery in await harness.log()] == ["failed"]
    assert "550" in (await harness.log())[0].result
    assert [delivery.state for delivery in await harness.log("bob")] == ["sent"]


async def test_server_that_hangs_holds_up_one_message_and_comes_back(
    harness: Harness, smtp: MailServer, own_certificate: Certificate, tmp_path: Path
) -> None:
    for owner in ("alice", "bob"):
        await harness.wants(owner, mail=True)
        await harness.services.channels.test(owner, Channel.MAIL)
    smtp.hangs = threading.Event()
    patient = harness.services.mail
    patient.mailer = Mailer(mail_settings(smtp, own_certificate, tmp_path, timeout_s=0.5), "")
    await harness.mail()
    finding = await health.check(harness.services.outbox, patient, harness.services.webhooks).look()
    assert finding.state is State.DOWN
    assert "did not answer in time. Messages: 2 waiting" in finding.message
    (alices,), (bobs,) = await harness.log(), await harness.log("bob")
    assert [(delivery.state, delivery.attempts) for delivery in (alices, bobs)] == [("pending", 1), ("pending", 0)]
    smtp.hangs.set()
    smtp.hangs = None
    harness.clock.pass_(61)
    patient.mailer = Mailer(mail_settings(smtp, own_certificate, tmp_path), "")
    await harness.mail()
    assert [delivery.state for delivery in [*await harness.log(), *await harness.log("bob")]] == ["sent", "sent"]
    ids = [letter["Message-ID"] for letter in smtp.letters]
    assert len(ids) == 3  # the server had the first one, so it came twice,
    assert len(set(ids)) == 2  # as the same message
    assert (await health.check(harness.services.outbox, patient, harness.services.webhooks).look()).state is State.OK


async def test_portal_that_dies_sends_again_and_at_most_a_few_times(harness: Harness, smtp: MailServer) -> None:
    await harness.wants("alice", mail=True)
    await harness.services.channels.test("alice", Channel.MAIL)
    for _ in range(6):
        rows = await harness.services.outbox.claim(Channel.MAIL, 10)  # and then the portal is killed
        harness = harness.again()
        harness.clock.pass_(121)
        if not rows:
            break
    (delivery,) = await harness.log()
    assert (delivery.state, delivery.attempts) == ("failed", 4)
    assert "may have arrived" in delivery.result
    await harness.services.channels.test("alice", Channel.MAIL)
    await harness.services.outbox.claim(Channel.MAIL, 10)
    harness = harness.again()
    harness.clock.pass_(121)
    await harness.mail()
    assert [delivery.state for delivery in await harness.log()] == ["sent", "failed"]
    assert len(smtp.letters) == 1


async def test_old_message_is_dropped_and_the_log_says_so(harness: Harness, smtp: MailServer) -> None:
    await harness.wants("alice", mail=True)
    await harness.session(SESSION)
    await harness.becomes(SESSION, "ready")
    harness.clock.pass_(3601)
    await harness.mail()
    (delivery,) = await harness.log()
    assert (delivery.state, delivery.result, smtp.letters) == ("dropped", "Too old to be sent.", [])


async def test_directory_that_does_not_answer_only_delays(harness: Harness, smtp: MailServer) -> None:
    await harness.wants("alice", mail=True)
    await harness.session(SESSION)
    await harness.becomes(SESSION, "ready")
    harness.directory.away = True
    await harness.mail()
    assert (await harness.log())[0].state == "pending"
    harness.directory.away = False
    harness.clock.pass_(16)
    await harness.mail()
    assert len(smtp.letters) == 1


async def test_one_user_gets_so_many_messages_an_hour(harness: Harness) -> None:
    await harness.wants("alice", mail=True)
    most = harness.base.settings.notifications.hourly_per_user
    for number in range(most + 10):
        await harness.session(f"s{number:011}", server_name=f"s{number}")
        await harness.becomes(f"s{number:011}", "ready")
    log = await harness.log()
    assert [delivery.state for delivery in log[:4]] == ["dropped", "dropped", "dropped", "pending"]
    assert log[0].result == f"More than {most} messages in an hour."
    harness.clock.pass_(3601)
    await harness.session(SESSION)
    await harness.becomes(SESSION, "ready")
    assert (await harness.log())[0].state == "pending"


async def test_site_that_sends_nothing_writes_nothing(harness: Harness) -> None:
    await harness.wants("alice", mail=True)
    off = harness.base.settings.model_copy(update={"notifications": Notifications()})
    quiet = replace(harness, base=replace(harness.base, settings=off)).again()
    await quiet.session(SESSION)
    await quiet.becomes(SESSION, "ready")
    assert await quiet.log() == []
    assert (await quiet.services.channels.of("alice")).mail.offered is False


# --- the connection ---


async def refusal(**changes: object) -> str:
    with pytest.raises(MailServerUnavailable) as caught:
        async with Mailer(changes.pop("settings"), "").connected():  # type: ignore[arg-type]
            pass
    return caught.value.message


async def test_certificate_that_is_not_trusted_ends_the_connection(
    smtp: MailServer, own_certificate: Certificate, tmp_path: Path
) -> None:
    settings = mail_settings(smtp, own_certificate, tmp_path, ca_file=None)
    assert "not trusted" in await refusal(settings=settings)
    assert smtp.logins == []


async def test_server_without_starttls_gets_no_password(own_certificate: Certificate, tmp_path: Path) -> None:
    with mail_server(None) as plain:
        settings = mail_settings(plain, own_certificate, tmp_path)
        assert "STARTTLS" in await refusal(settings=settings)
        assert plain.logins == []


async def test_wrong_password_and_silent_server_are_said(
    smtp: MailServer, own_certificate: Certificate, tmp_path: Path
) -> None:
    settings = mail_settings(smtp, own_certificate, tmp_path)
    (tmp_path / "password").write_text("wrong")
    assert "refuses the login as portal@cluster.example (535)" in await refusal(settings=settings)
    (tmp_path / "password").unlink()
    assert "cannot be read" in await refusal(settings=settings)
    nobody = mail_settings(MailServer(port=9), own_certificate, tmp_path)
    assert await refusal(settings=nobody) == "localhost:9 cannot be reached."


async def test_portal_check_logs_in_at_the_mail_server(
    smtp: MailServer, own_certificate: Certificate, tmp_path: Path
) -> None:
    mail = mail_settings(smtp, own_certificate, tmp_path)
    good, soon = await check.mail(Settings(notifications=Notifications(mail=mail)))
    assert (good.mark, soon.mark) == (Mark.GOOD, Mark.WARNING)  # its certificate is for two days
    assert f"localhost:{smtp.port} answers (starttls), as {USERNAME}" in good.text
    assert "expires on" in soon.text
    (tmp_path / "password").write_text("wrong")
    (bad,) = await check.mail(Settings(notifications=Notifications(mail=mail)))
    assert bad.mark is Mark.BAD
    (off,) = await check.mail(Settings())
    assert off.mark is Mark.GOOD
