"""What stands for a session that is changed, held or suspended; one that ended badly stays on top until seen."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests import chromium
from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.fillers import fill
from tests.person import Person

LAUNCH = chromium.launch  # the headless shell shows no notifications


def test_a_waiting_session_is_changed_and_the_page_first_says_what_that_does_to_its_place(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    fill(site)
    live = person("alice").start("Too large", gpus=2)
    before = live.until("queued")["job_id"]
    page = open_page("alice")
    page.get_by_role("link", name="Too large").click()

    page.get_by_role("button", name="Change").click()
    dialog = page.get_by_role("dialog", name="Change what Too large requests")
    expect(dialog.get_by_text("This is what it already requests.")).to_be_visible()
    dialog.get_by_role("button", name="One GPU fewer").click()
    expect(dialog.get_by_text(re.compile("^It keeps its position in the queue"))).to_be_visible()
    expect(dialog.get_by_role("textbox", name="Cores")).to_have_value("8")
    dialog.get_by_role("button", name="Change", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("1 × V100").first).to_be_visible()
    job = live.job()
    assert (live.now()["job_id"], job["TresPerNode"]) == (before, "gres:gpu:v100:1")
    assert job["MinCPUsNode"] == "8"

    page.get_by_role("button", name="Change").click()
    dialog.get_by_role("button", name="One GPU fewer").click()
    expect(dialog.get_by_text("A new job takes over, at the end of the queue")).to_be_visible()
    dialog.get_by_role("button", name="Change with a new job").click()
    expect(dialog).to_have_count(0)
    assert live.now()["job_id"] != before
    # Without GPUs it finds room beside the jobs that hold them.
    live.until("ready")
    assert live.now()["resources"]["gpus"] == 0
    assert [job["id"] for job in site.jobs() if job["name"] == f"dsp-{live.id}"] == [str(live.now()["job_id"])]


#: Calls the browser's own Notification, and keeps what it was given and whether the browser has shown it.
RECORDER = """
    window.raised = [];
    window.Notification = class extends window.Notification {
      constructor(title, options) {
        super(title, options);
        const record = { title, ...options, shown: false };
        window.raised.push(record);
        this.addEventListener("show", () => (record.shown = true));
      }
    };
"""


def test_the_browser_notifies_a_user_in_another_tab_that_a_session_is_ready(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    fill(site)
    live = person("alice").start("Wanted one", gpus=1)
    live.until("queued")
    page = open_page("alice")
    page.context.grant_permissions(["notifications"])
    page.context.add_init_script(RECORDER)
    page.get_by_role("link", name="Wanted one").click()
    page.reload()
    page.get_by_role("button", name="Notify me when it is ready").click()
    # A headless browser shows all its tabs.
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    site.run("scancel", "--name=filler")
    live.until("ready")
    page.wait_for_function("() => window.raised.some(({ shown }) => shown)")
    title, body = page.evaluate("[window.raised[0].title, window.raised[0].body]")
    assert title == "Wanted one is ready"
    assert body.startswith("JupyterLab on node")
    assert page.evaluate("window.raised.length") == 1


def test_the_first_button_after_a_node_failure_starts_elsewhere(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    live = person("carol").ready("Unlucky one", gpus=1)
    node = live.now()["node"]
    site.kill(node)
    live.ended(timeout_s=120)
    site.start(node)
    page = open_page("carol")
    page.goto(f"/services/portal/sessions/{live.id}")
    card = page.get_by_role("region", name="The node failed")
    card.get_by_role("button", name="Start again on another node").click()
    page.wait_for_url("**/user/**/lab**")
    again = next(one for one in person("carol").api("GET", "/sessions").json()["items"] if one["state"] == "ready")
    assert (again["name"], again["node"] == node) == ("Unlucky one", False)


def test_the_first_button_after_an_app_that_failed_opens_its_log(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    live = person("carol").ready("Broken one", gpus=0)
    site.run("pkill", "-KILL", "-u", "carol", "-f", "agent.pyz serve-jupyter")
    assert live.ended()["end"]["code"] == "app_failed"
    page = open_page("carol")
    page.set_viewport_size({"width": 1280, "height": 400})
    late: list[Route] = []
    page.route("**/log?*", lambda lines: late.append(lines))
    page.goto(f"/services/portal/sessions/{live.id}")
    page.get_by_role("button", name="Read the log").click()
    expect(page.get_by_role("button", name="Hide log")).to_be_focused()
    for lines in late:
        lines.continue_()  # the panel above shows the last ones, and grows
    expect(page.get_by_role("region", name="Last lines of the log")).to_be_attached()
    expect(page.get_by_role("heading", name="Log", exact=True)).to_be_in_viewport()
    site.wait_for(lambda: live.now()["end"]["seen"], "the end to be seen")


def test_a_held_session_says_so_instead_of_a_position_in_the_queue(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    fill(site)
    live = person("bob").start("Held one", gpus=1)
    job_id = str(live.until("queued")["job_id"])
    page = open_page("bob")
    expect(page.get_by_role("article").get_by_text("1st of 1 in the queue")).to_be_visible()
    site.run("scontrol", "hold", job_id)
    expect(page.get_by_role("article").get_by_text("Held", exact=True)).to_be_visible()
    expect(page.get_by_text("in the queue")).to_have_count(0)


def test_session_that_slurm_suspends_says_so_until_it_goes_on(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    live = person("bob").ready("Paused one", gpus=1)
    page = open_page("bob")
    card = page.get_by_role("article", name="Paused one")
    expect(card.get_by_text("Ready", exact=True)).to_be_visible()
    site.run("scontrol", "suspend", str(live.now()["job_id"]))
    expect(card.get_by_text("Suspended", exact=True)).to_be_visible(timeout=30_000)
    expect(card.get_by_text("Ready", exact=True)).to_have_count(0)
    assert live.now()["suspended"] is True
    site.run("scontrol", "resume", str(live.now()["job_id"]))
    expect(card.get_by_text("Ready", exact=True)).to_be_visible(timeout=30_000)
    assert live.now()["suspended"] is False


#: Delays what the stream brings by 1.5 s, and lists which ends it has reported as seen.
LATE_EVENTS = """
    window.ends = [];
    const prompt = window.fetch;
    window.fetch = async (url, options) => {
      const answer = await prompt(url, options);
      if (options?.headers?.Accept !== "text/event-stream" || !answer.ok) return answer;
      const later = new TransformStream({
        transform: (chunk, stream) => void setTimeout(() => {
          const seen = new TextDecoder().decode(chunk).matchAll(/"seen":(true|false)/g);
          window.ends.push(...Array.from(seen, (match) => match[1]));
          stream.enqueue(chunk);
        }, 1500),
      });
      return new Response(answer.body.pipeThrough(later), answer);
    };
"""

#: Notes when a session has left the ones that ended badly.
WATCH = """(id) => {
    const there = () => document.querySelector(`[aria-labelledby=ended-badly-title] [data-session="${id}"]`) !== null;
    window.wasAway = !there();
    const look = () => (window.wasAway ||= !there());
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""


def test_what_ended_badly_stands_on_top_until_it_was_seen(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    live = person("carol").ready("Killed one", gpus=1)
    site.run("scancel", str(live.now()["job_id"]))
    live.ended()
    page = open_page("carol")
    page.add_init_script(LATE_EVENTS)  # the stream is another connection than the responses
    page.reload()
    top = page.get_by_role("region", name="Ended badly")
    expect(top.get_by_role("link", name="Killed one")).to_be_visible()
    expect(top.get_by_role("button", name="Start again")).to_be_visible()
    below = page.get_by_role("region", name="Ended", exact=True)
    expect(below.get_by_role("link", name="Killed one")).to_have_count(0)

    top.get_by_role("button", name="Dismiss: Killed one").click()
    expect(top.get_by_role("link")).to_have_count(0)
    assert live.now()["end"]["seen"] is True
    top.get_by_role("button", name="Undo").click()
    expect(top.get_by_role("link", name="Killed one")).to_be_visible()
    page.evaluate(WATCH, live.id)
    site.wait_for(lambda: page.evaluate("window.ends.slice(-2)") == ["true", "false"], "both events to arrive")
    assert page.evaluate("window.wasAway") is False, "an event overtaken by the answer to a later change took it away"

    top.get_by_role("link", name="Killed one").click()
    card = page.get_by_role("region", name="Cancelled in Slurm")
    expect(card.get_by_text("The job was cancelled in Slurm.")).to_be_visible()
    expect(card.get_by_text("Ran for")).to_be_visible()
    site.wait_for(lambda: live.now()["end"]["seen"], "the end to be seen")
    page.goto("/services/portal/")
    expect(page.get_by_role("region", name="Ended", exact=True).get_by_role("listitem").first).to_contain_text(
        "Killed one"
    )
    expect(top).to_have_count(0)
