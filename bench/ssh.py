"""SSH into a session compared with plain SSH to the same account, in alternation: throughput and latency.

For plain SSH, the OpenSSH client connects to an sshd that the user started by hand on a port of this machine: with the
cipher that ssh itself chooses (`plain`), and with that of the portal's hosts (`same_cipher`). For the portal, the same
client reaches the session by a websocket through the site's proxy.
The peak memory of portal and proxy during the transfers is compared with their memory before.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from agent.laptop.hosts import CIPHERS
from bench.testbed import report
from bench.testbed.report import Spread
from bench.testbed.site import inside, run_inside, testbed, warn_of_load
from tests.demo_site import DemoSite, free_port
from tests.laptop import Laptop, laptop
from tests.person import Live, Person

USER = "alice"
NAME = "bench"
KEY = "/root/.ssh/portal/id_ed25519"
PIECE = b"\0" * (1 << 20)
ECHOES = 200
SERVICES = ("portal", "proxy")
PLAIN = """
set -e
cd; rm -rf bench-ssh; mkdir -m 700 bench-ssh; cat >bench-ssh/keys
ssh-keygen -q -t ed25519 -N '' -f bench-ssh/host
exec /usr/sbin/sshd -D -e -f /dev/null -p "$1" -o ListenAddress=127.0.0.1 -o UsePAM=no -o StrictModes=no \
  -o PidFile=none -o HostKey="$HOME/bench-ssh/host" -o AuthorizedKeysFile="$HOME/bench-ssh/keys" >/dev/null 2>&1
"""


class Near(Laptop):
    """A laptop on this machine's network, so that both routes to the account are equally long."""

    def argv(self, *command: str) -> list[str]:
        first = self.first.pid
        return ["nsenter", f"--target={first}", "--user", "--mount", "--preserve-credentials", "--wd=/root", *command]


class Way:
    """A route to the account: ssh with its options."""

    def __init__(self, machine: Laptop, *options: str) -> None:
        self._machine = machine
        self.options = options

    @contextmanager
    def runs(self, command: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run a command at the other end, which first waits for a byte and echoes it."""
        argv = self._machine.argv("ssh", *self.options, f"head -c 1; {command}")
        pipe = subprocess.PIPE
        with subprocess.Popen(argv, env=self._machine.environment, stdin=pipe, stdout=pipe, bufsize=0) as process:
            _give(process, b"\n")
            _take(process, 1)
            yield process

    def up(self, mib: int) -> float:
        """Send this many MiB and return MiB/s."""
        with self.runs(f"head -c {mib << 20} >/dev/null; echo") as process:
            began = time.perf_counter()
            for _ in range(mib):
                _give(process, PIECE)
            _take(process, 1)
            return mib / (time.perf_counter() - began)

    def down(self, mib: int) -> float:
        """Receive this many MiB and return MiB/s."""
        with self.runs(f"head -c {mib << 20} /dev/zero") as process:
            began = time.perf_counter()
            _take(process, mib << 20)
            return mib / (time.perf_counter() - began)

    def echo(self) -> float:
        """Return the median round trip of a byte, in milliseconds."""
        seconds = []
        with self.runs("cat") as process:
            for _ in range(ECHOES):
                began = time.perf_counter()
                _give(process, b"x")
                _take(process, 1)
                seconds.append(time.perf_counter() - began)
            assert process.stdin is not None
            process.stdin.close()
        return 1000 * statistics.median(seconds)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench ssh", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write medians, ratios and all samples there")
    parser.add_argument("-n", type=int, default=5, help="transfers each way (default: 5)")
    parser.add_argument("--mib", type=int, default=512, help="size of a transfer (default: 512)")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site (default: a fresh one)")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site, session(site), laptop(site, Near) as machine:
        machine.log_in(USER)
        machine.portal("ssh-config")
        with plain_sshd(site, machine) as plain:
            same = Way(machine, "-o", f"Ciphers={CIPHERS}", *plain.options)
            ways = {"portal": Way(machine, f"{NAME}.portal"), "plain": plain, "same_cipher": same}
            samples, memory = measure(site, ways, options.n, options.mib)
    result = result_of(samples)
    for measure_name, spreads in samples.items():
        for name, values in spreads.items():
            print(f"{measure_name:6} {name:11} {Spread(tuple(values))} {'ms' if measure_name == 'echo' else 'MiB/s'}")
    for name, value in {**result, **memory}.items():
        print(f"{name:34} {value}")
    spread = {
        key: {name: Spread(tuple(values)).as_json() for name, values in of.items()} for key, of in samples.items()
    }
    report.write(options.json, {**result, **memory, **spread, "machine": report.machine(load)})
    return 0


Samples = dict[str, dict[str, list[float]]]


def result_of(samples: Samples) -> dict[str, float]:
    """Return the ratios of the medians of throughput, and the latency added, in milliseconds."""
    medians = {key: {name: statistics.median(values) for name, values in of.items()} for key, of in samples.items()}
    ratios = {
        f"{key}_ratio_{name}": round(medians[key]["portal"] / median, 3)
        for key in ("up", "down")
        for name, median in medians[key].items()
        if name != "portal"
    }
    return {**ratios, "added_ms": round(medians["echo"]["portal"] - medians["echo"]["plain"], 3)}


def measure(site: DemoSite, ways: dict[str, Way], n: int, mib: int) -> tuple[Samples, dict[str, float]]:
    """Return MiB/s `up` and `down` and the milliseconds of an `echo`, after a round that does not count, and by how
    many MiB each service's memory grew meanwhile.
    """
    samples: Samples = {key: {name: [] for name in ways} for key in ("up", "down", "echo")}
    before: dict[str, float] = {}
    for number in range(n + 1):
        for name, way in ways.items():
            seen = {"up": way.up(mib), "down": way.down(mib), "echo": way.echo()}
            if number:
                for key, value in seen.items():
                    samples[key][name].append(value)
        if not number:
            before = {name: _peak(site, name, reset=True) for name in SERVICES}
    return samples, {f"{name}_growth_mib": round(_peak(site, name) - before[name], 1) for name in SERVICES}


@contextmanager
def session(site: DemoSite) -> Iterator[Live]:
    person = Person.of(site, USER)
    live = person.ready(NAME, gpus=0)
    try:
        yield live
    finally:
        live.stop()
        live.ended()
        person.close()


@contextmanager
def plain_sshd(site: DemoSite, machine: Laptop) -> Iterator[Way]:
    """Run an sshd as the user; yield the way to it."""
    port = free_port()
    process = subprocess.Popen(inside(site, "sh", "-c", PLAIN, "sh", str(port), user=USER), stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write((machine.home / ".ssh/portal/id_ed25519.pub").read_bytes())
    process.stdin.close()
    trust = ("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR")
    way = Way(machine, "-F", "none", "-i", KEY, "-p", str(port), *trust, f"{USER}@127.0.0.1")
    try:
        answers = machine.argv("ssh-keyscan", "-p", str(port), "127.0.0.1")
        site.wait_for(
            lambda: subprocess.run(answers, env=machine.environment, capture_output=True, check=False).stdout,
            "the plain sshd to answer",
        )
        yield way
    finally:
        process.terminate()
        process.wait(10)


def _peak(site: DemoSite, service: str, *, reset: bool = False) -> float:
    """Return the peak of a service's resident memory in MiB (proc(5), VmHWM); from now on, if `reset`."""
    pid = site.service(service)["pid"]
    if reset:
        run_inside(site, "sh", "-c", f"echo 5 >/proc/{pid}/clear_refs")
    found = re.search(r"VmHWM:\s+(\d+) kB", run_inside(site, "cat", f"/proc/{pid}/status"))
    assert found is not None
    return int(found[1]) / 1024


def _give(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    view = memoryview(data)
    while view:
        view = view[process.stdin.write(view) :]


def _take(process: subprocess.Popen[bytes], count: int) -> None:
    assert process.stdout is not None
    while count > 0:
        piece = process.stdout.read(min(count, 1 << 20))
        if not piece:
            raise RuntimeError(f"ssh ended with {process.wait()} before everything had come.")
        count -= len(piece)


if __name__ == "__main__":
    raise SystemExit(main())
