"""The kernel's counters of TCP connections, on real ones."""

from __future__ import annotations

import os
import socket

from agent.job import traffic

SENT = 100_000


def test_counts_what_this_users_connections_carry() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        accepted, _ = server.accept()
        with accepted:
            before = traffic.carried()
            client.sendall(b"x" * SENT)
            received = 0
            while received < SENT:
                received += len(accepted.recv(1 << 16))
            accepted.sendall(b"y")  # its acknowledgement acknowledges the rest
            assert client.recv(1) == b"y"
            after = traffic.carried()
    assert sum(count - before.get(key, 0) for key, count in after.items()) >= SENT


def test_leaves_out_other_users() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        assert traffic.carried()
        assert traffic.carried(os.getuid() + 1) == {}
