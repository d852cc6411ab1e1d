"""Serves one TensorBoard on a Unix socket: `python serve_tensorboard.py SOCKET FOLDER PREFIX`.

Anyone on the node can reach a port of the loopback interface; a socket in a folder of mode 0700 is its owner's alone.
For the same reason TensorBoard reads the events itself (`load_fast=false`): its data server would listen on a port.
Prints "ready" when it can be reached, and ends when its input is closed, however its parent died.
"""

from __future__ import annotations

import os
import sys
from typing import Any


def main(socket: str, folder: str, prefix: str) -> int:
    from tensorboard import program
    from werkzeug import serving

    class Quiet(serving.WSGIRequestHandler):
        def log_request(self, *_code_and_size: Any) -> None:
            """Log nothing: the Jupyter server already logs requests."""

    class OnSocket(program.TensorBoardServer):
        def __init__(self, app: Any, _flags: Any) -> None:
            os.umask(0o077)
            self._server = serving.make_server(f"unix://{socket}", 0, app, threaded=True, request_handler=Quiet)

        def serve_forever(self) -> None:
            self._server.serve_forever()

        def get_url(self) -> str:
            return f"http://localhost{prefix}/"

    board = program.TensorBoard(server_class=OnSocket)
    board.configure(
        ["tensorboard", "--logdir", folder, "--path_prefix", prefix, "--load_fast", "false", "--reload_interval", "5"]
    )
    board.launch()
    print("ready", flush=True)
    sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.path.pop(0)  # this file's folder: TensorBoard must import from its environment alone
    os._exit(main(*sys.argv[1:]))  # exit without waiting for TensorBoard's threads
