"""The services of files, for routes."""

from __future__ import annotations

from typing import Annotated

from portal.files.folders import Folders
from portal.files.operations import Operations
from portal.files.transfers import Transfers
from portal.files.uploads import Uploads
from portal.provided import provided

FileOperations = Annotated[Operations, provided(Operations)]
FileTransfers = Annotated[Transfers, provided(Transfers)]
FileUploads = Annotated[Uploads, provided(Uploads)]
UserFolders = Annotated[Folders, provided(Folders)]
