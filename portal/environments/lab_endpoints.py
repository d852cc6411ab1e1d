"""Serves JupyterLab's shared files. They need no login and name no user: scripts and styles of public packages."""

from __future__ import annotations

from typing import Annotated

from starlette.responses import FileResponse

from portal.environments.lab_files import LabFiles
from portal.errors import NotFound
from portal.provided import provided
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
def lab_file(build: str, name: str, files: Annotated[LabFiles, provided(LabFiles)]) -> FileResponse:
    file = files.find(build, name)
    if file is None:
        raise NotFound("There is no such file.")
    # Every browser accepts gzip.
    headers = {**HEADERS, "Content-Encoding": "gzip"} if file.gzipped else HEADERS
    return FileResponse(file.path, media_type=file.media_type, headers=headers)
