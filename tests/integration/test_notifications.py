"""A real session tells its owner by mail and webhook that it is ready, ends soon and has ended badly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.demo_site import INSIDE, DemoSite, setting
from tests.person import Live, Person
from tests.receivers import PASSWORD, USERNAME, certificate, mail_server, receiver

CA, SECRET = f"{INSIDE}/portal/receivers.pem", f"{INSIDE}/portal/mail_password"
SETTINGS = """
[notifications.mail]
server = "localhost"
port = {mail}
ca_file = "{ca}"
username = "{username}"
password_file = "{secret}"
sender = "{username}"

[notifications.webhooks]
private_hosts = ["{hook}"]
ca_file = "{ca}"
"""
EVENTS = ["ready", "ending_soon", "ended_badly"]


@pytest.mark.slow
def test_session_tells_its_owner_by_mail_and_webhook(
    site: DemoSite, person: Callable[[str], Person], tmp_path: Path
) -> None:
    own, alice = certificate(tmp_path), person("alice")
    site.run("tee", CA, stdin=own.ca.read_text())
    site.run("tee", SECRET, stdin=f"{PASSWORD}\n")
    with mail_server(own.context()) as smtp, receiver(own.context()) as hook:
        text = SETTINGS.format(mail=smtp.port, hook=hook.host, ca=CA, secret=SECRET, username=USERNAME)
        with setting(site, text):
            for channel, wanted in (("mail", {}), ("webhook", {"url": hook.url(), "shape": "json"})):
                answer = alice.api("PUT", f"/notifications/{channel}", json={**wanted, "events": EVENTS})
                assert answer.is_success, answer.text
            # Its last quarter, in which the news is due, is twice as long as the pause between two looks.
            live = alice.ready("bert-finetune", gpus=0, partition="debug", walltime_s=240)
            site.wait_for(lambda: len(hook.posts) == 2, "the news that it ends soon", 300)
            site.run("scancel", str(live.now()["job_id"]))
            live.ended()
            site.wait_for(lambda: len(smtp.letters) == len(hook.posts) == len(EVENTS), "mail and webhook", 60)
            site.wait_for(lambda: states(alice, live) == ["sent"] * 6, "the log to say so")
            assert alice.api("DELETE", "/notifications/webhook").is_success
            assert alice.api("PUT", "/notifications/mail", json={"events": []}).is_success
    assert [post["event"] for post in hook.posts] == EVENTS
    assert {post["session"] for post in hook.posts} == {live.id}
    assert hook.posts[-1]["url"].endswith(f"/sessions/{live.id}")
    assert {letter["To"] for letter in smtp.letters} == {"alice@example.org"}
    assert smtp.letters[0]["Subject"] == "bert-finetune is ready"
    assert hook.posts[-1]["url"] in smtp.letters[-1].get_content()


def states(who: Person, live: Live) -> list[str]:
    log = who.api("GET", "/notifications/log").json()["items"]
    return [delivery["state"] for delivery in log if delivery["session_id"] == live.id]
