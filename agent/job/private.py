"""Runs a program in its own network, which has a loopback device and nothing else.

`agent.pyz in-private-network FD PROGRAM …` creates a user and a network namespace (unshare(2), user_namespaces(7); no
privileges are needed where the node allows it). The program in it may listen on any address without being reachable
from outside. A helper that stays inside creates sockets for the agent to connect: the agent requests a number of them
over the socket FD, and the helper sends them back (SCM_RIGHTS, unix(7)). Nobody else holds the other end of FD.
"""

from __future__ import annotations

import array
import ctypes
import fcntl
import os
import socket
import struct
import sys
from contextlib import ExitStack, suppress

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1
NOT_ALLOWED = 126
NOT_FOUND = 127


def run(arguments: list[str]) -> int:
    """Exec the program; return only if that fails."""
    channel = socket.socket(fileno=int(arguments[0]))
    program = arguments[1:]
    try:
        _enter()
    except OSError as error:
        print(f"This node does not let users create network namespaces: {error.strerror}.", file=sys.stderr)
        return NOT_ALLOWED
    _start_helper(channel)
    channel.close()
    try:
        os.execvp(program[0], program)  # noqa: S606 - no shell is wanted
    except OSError as error:
        print(f"{program[0]}: {error.strerror}", file=sys.stderr)
        return NOT_FOUND


def _enter() -> None:
    """Enter new namespaces as the same user, and bring the loopback device up. Raises OSError."""
    user, group = os.getuid(), os.getgid()
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def _start_helper(channel: socket.socket) -> None:
    """Fork twice, so that the program does not get a child that it did not start."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    if os.fork() == 0:
        _serve(channel)
    os._exit(0)


def _serve(channel: socket.socket) -> None:
    """Create as many sockets as each message requests, until the agent exits."""
    while True:
        request = channel.recv(16)
        if not request:
            return
        with ExitStack() as made:
            try:
                sockets = [made.enter_context(socket.socket(socket.AF_INET)) for _ in range(int(request))]
                rights = array.array("i", [socket.fileno() for socket in sockets])
                channel.sendmsg([b"+"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            except OSError as error:
                with suppress(OSError):
                    channel.send((error.strerror or "no answer").encode()[:190])
