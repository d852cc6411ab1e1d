"""HTTP routes for the environments: all users see them, administrators install them."""

from __future__ import annotations

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import AdminUser, CurrentUser
from portal.environments.dependencies import Environments, SharedLabFiles
from portal.environments.schemas import EnvironmentOut, EnvironmentPage, LabFilesOut
from portal.images.dependencies import EnvironmentChoices
from portal.routing import Router

router = Router(prefix="/environments", tags=["environments"])


@router.get("")
async def page(user: CurrentUser, environment_list: EnvironmentChoices) -> EnvironmentPage:
    """List the site's environments with the state of their last installation, and your images."""
    return EnvironmentPage(items=await environment_list.overview(user.username))


@router.get("/{name}/lab-files")
def lab_files(name: str, _: CurrentUser, files: SharedLabFiles) -> LabFilesOut:
    """List what JupyterLab's page loads first in sessions of this environment, for browsers to fetch early."""
    return LabFilesOut(urls=files.loaded_first(name))


@router.post(
    "/{name}/install",
    status_code=202,
    responses={409: {"description": "It is already installed, or cannot be installed here."}},
)
async def install(name: str, user: AdminUser, audit: AuditLog, environments: Environments) -> EnvironmentOut:
    """Install or update an environment in the background; `GET /events` reports its progress."""
    async with audit.noted(user, "environment.install", name):
        return environments.start(name)
