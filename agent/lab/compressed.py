"""Compresses the session's large answers: JupyterLab's settings (140 KB), the list of language servers (40 KB) and,
where the portal does not hold them, its files. It leaves users' files alone: they may be large, and Jupyter does
everything in one thread.
"""

from __future__ import annotations

from typing import Any

from tornado import httputil, web

PARTS = ("api/", "lab/api/", "lab/extensions/", "lsp/", "static/")
MOST_BYTES = 8 << 20


class Compressed(web.GZipContentEncoding):
    """Compresses what is below `base_url` and in `PARTS`."""

    GZIP_LEVEL = 5
    base_url = "/"

    def __init__(self, request: httputil.HTTPServerRequest) -> None:
        super().__init__(request)
        wanted = request.path.startswith(tuple(self.base_url + part for part in PARTS))
        self._gzipping = self._gzipping and wanted and "Range" not in request.headers

    def transform_first_chunk(
        self, status_code: int, headers: httputil.HTTPHeaders, chunk: bytes, finishing: bool
    ) -> tuple[int, httputil.HTTPHeaders, bytes]:
        self._gzipping = self._gzipping and len(chunk) <= MOST_BYTES
        return super().transform_first_chunk(status_code, headers, chunk, finishing)


def compress(application: Any) -> None:
    """Compress the application's large answers, unless it compresses all."""
    transforms = application.transforms
    if not any(issubclass(transform, web.GZipContentEncoding) for transform in transforms):
        base = {"base_url": application.settings["base_url"]}
        transforms.append(type("Compressed", (Compressed,), base))
