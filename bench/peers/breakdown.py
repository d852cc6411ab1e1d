"""Where the time of one start goes: the session's events and every log line of the site, on one time line.

Everything runs on one machine, so all clocks agree. Lines whose time has no fraction of a second are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from bench.peers.portal import PortalPeer
from tests.demo_site import DemoSite

STAMP = re.compile(r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,]\d{3,6})(Z|\+00:00)?\]?\s*(.*)")
LOGS = ("portal", "hub", "proxy", "slurmctld", "node")
SHOWN = 110


@dataclass(frozen=True, order=True)
class Moment:
    at: datetime
    source: str
    text: str


def trace(site: DemoSite, portal: PortalPeer) -> str:
    """Start one session and return its time line; the session is left running."""
    asked = datetime.now(UTC)
    portal.ask()
    moments = [Moment(asked, "client", "POST /sessions"), Moment(datetime.now(UTC), "client", "POST answered")]
    for event in portal.events():
        moments.append(Moment(datetime.fromisoformat(event["at"]), "session", f"{event['state']}: {event['message']}"))
        if event["state"] == "ready":
            break
    ready = datetime.now(UTC)
    moments.append(Moment(ready, "client", "ready seen on the event stream"))
    for path in sorted((site.folder / "log").glob("*.log")):
        if path.stem.startswith(LOGS):
            moments += _in_log(path.stem, path.read_text(errors="replace").splitlines())
    moments += _in_log("server", portal.log().splitlines())
    return "\n".join(_lines(sorted(moment for moment in moments if asked <= moment.at <= ready)))


def _in_log(source: str, lines: Iterable[str]) -> Iterator[Moment]:
    for line in lines:
        if match := STAMP.search(line):
            at = datetime.fromisoformat(match[1].replace(",", "."))
            at = at.replace(tzinfo=UTC) if match[2] else at.astimezone(UTC)
            yield Moment(at, source, match[3])


def _lines(moments: list[Moment]) -> Iterator[str]:
    yield "     ms    +ms  where        what"
    before = moments[0].at
    for moment in moments:
        since_start = (moment.at - moments[0].at).total_seconds() * 1000
        since_last = (moment.at - before).total_seconds() * 1000
        before = moment.at
        yield f"{since_start:7.0f} {since_last:6.0f}  {moment.source:11}  {moment.text[:SHOWN]}"
