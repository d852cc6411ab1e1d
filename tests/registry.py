"""A registry with one image on loopback: token logins as on NGC, and layers that can be removed."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

USERNAME = "$oauthtoken"
KEY = "nvapi-the-one-key-that-is-taken"
REPOSITORY, TAG = "nvidia/tiny", "1.0"
MISSING_AFTER_S = 3.0
"""Longer than the other blobs take, so that they are there when one fails."""
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def layer(*files: tuple[str, Path | bytes]) -> bytes:
    """Make a layer from names, each with a host file or with content."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, source in files:
            content = source if isinstance(source, bytes) else source.read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755
            tar.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), mtime=0)


class Registry:
    """Its contents, and a record of what was fetched completely."""

    def __init__(self, layers: list[bytes]) -> None:
        tars = [gzip.decompress(layer) for layer in layers]
        config = json.dumps(
            {
                "architecture": "amd64",
                "os": "linux",
                "config": {},
                "rootfs": {"type": "layers", "diff_ids": [digest(tar) for tar in tars]},
            }
        ).encode()
        self.blobs = {digest(value): value for value in [config, *layers]}
        described = [
            {"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": digest(layer), "size": len(layer)}
            for layer in layers
        ]
        self.manifest = json.dumps(
            {
                "schemaVersion": 2,
                "mediaType": MANIFEST,
                "config": {
                    "mediaType": "application/vnd.oci.image.config.v1+json",
                    "digest": digest(config),
                    "size": len(config),
                },
                "layers": described,
            }
        ).encode()
        self.layers = [digest(layer) for layer in layers]
        self.served: list[str] = []
        self.tokens_given = 0
        self.port = 0

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def reference(self, tag: str = TAG) -> str:
        return f"docker://{self.host}/{REPOSITORY}:{tag}"


@contextmanager
def serving(layers: list[bytes]) -> Iterator[Registry]:
    registry = Registry(layers)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"registry": registry}))
    registry.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    registry: ClassVar[Registry]
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        where = urlsplit(self.path)
        if where.path == "/token":
            self._token(parse_qs(where.query))
        elif self.headers.get("Authorization") != f"Bearer token-of-{KEY}":
            challenge = f'Bearer realm="http://{self.registry.host}/token",service="tiny",scope="repository:x:pull"'
            self._answer(401, b"{}", {"WWW-Authenticate": challenge})
        elif where.path == "/v2/":
            self._answer(200, b"{}")
        elif where.path.startswith(f"/v2/{REPOSITORY}/manifests/"):
            self._manifest(where.path.rpartition("/")[2])
        else:
            self._blob(where.path.rpartition("/")[2])

    def _token(self, asked: dict[str, list[str]]) -> None:
        wanted = base64.b64encode(f"{USERNAME}:{KEY}".encode()).decode()
        if self.headers.get("Authorization") != f"Basic {wanted}":
            self._answer(401, b'{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}')
        else:
            assert asked["scope"][0].startswith("repository:")
            self.registry.tokens_given += 1
            self._answer(200, json.dumps({"token": f"token-of-{KEY}"}).encode())

    def _manifest(self, of: str) -> None:
        content = self.registry.manifest
        if of not in (TAG, digest(content)):
            self._answer(404, b'{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}')
            return
        self._answer(200, content, {"Content-Type": MANIFEST, "Docker-Content-Digest": digest(content)})

    def _blob(self, name: str) -> None:
        content = self.registry.blobs.get(name)
        if content is None:
            time.sleep(MISSING_AFTER_S)
            self._answer(404, b"{}")
        else:
            self._answer(200, content, {"Content-Type": "application/octet-stream"})

    def _answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            try:
                self.wfile.write(content)
            except ConnectionError:  # the client already has it
                return
            self.registry.served.append(self.path)

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""
