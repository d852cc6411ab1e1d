"""Replaces JupyterLab where hundreds of servers must fit on one machine: answers and reports like one.

The session's environment starts it like its server, with the same variables. It answers every request with 200, and
reports activity to the Hub as often as jupyterhub-singleuser does. Standard library only.
"""

from __future__ import annotations

import json
import os
import threading
import time
import urllib.request
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

ANSWER = json.dumps({"version": "light"}).encode()
ACTIVITY_EVERY_S = float(os.environ.get("JUPYTERHUB_ACTIVITY_INTERVAL", "300"))


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, *_: object) -> None:
        pass


def report_activity() -> None:
    while True:
        now = datetime.now(UTC).isoformat()
        server = os.environ.get("JUPYTERHUB_SERVER_NAME", "")
        body = {"servers": {server: {"last_activity": now}}, "last_activity": now}
        request = urllib.request.Request(  # noqa: S310 - the Hub's own address
            os.environ["JUPYTERHUB_ACTIVITY_URL"],
            data=json.dumps(body).encode(),
            headers={"Authorization": f"token {os.environ['JUPYTERHUB_API_TOKEN']}"},
        )
        try:
            urllib.request.urlopen(request, timeout=30).close()  # noqa: S310 - same
        except OSError as error:
            print(f"activity: {error}", flush=True)
        time.sleep(ACTIVITY_EVERY_S)


def main() -> None:
    address = urlsplit(os.environ["JUPYTERHUB_SERVICE_URL"])
    server = ThreadingHTTPServer((address.hostname or "127.0.0.1", address.port or 0), Answers)
    threading.Thread(target=report_activity, daemon=True).start()
    server.serve_forever()


if __name__ == "__main__":
    main()
