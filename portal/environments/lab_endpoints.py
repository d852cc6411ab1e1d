"""Serves JupyterLab's shared files. They need no login and name no user: scripts and styles of public packages."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse

from portal.environments.dependencies import SharedLabFiles
from portal.errors import NotFound
from portal.routing import Router

router = Router(prefix="/jupyterlab", include_in_schema=False)

HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    # Sessions' pages on other hosts load these; opened by themselves they can do nothing on this one.
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}


@router.get("/{build}/{name:path}")
def lab_file(request: Request, build: str, name: str, files: SharedLabFiles) -> FileResponse:
    file = files.find(build, name, request.url.query)
    if file is None:
        raise NotFound("There is no such file.")
    # Every browser accepts gzip.
    headers = {**HEADERS, "Content-Encoding": "gzip"} if file.gzipped else HEADERS
    return FileResponse(file.path, media_type=file.media_type, headers=headers)
