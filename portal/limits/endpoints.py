"""HTTP routes for users and their limits, for administrators."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header, Path, Query

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import Accounts, AdminUser
from portal.errors import NotFound
from portal.health.dependencies import Health
from portal.health.view import HealthView
from portal.limits.people import PeopleLists
from portal.limits.schemas import (
    ConfiguredLimit,
    DirectoryOut,
    EffectiveOut,
    GroupList,
    Kind,
    LimitIn,
    LimitList,
    LimitRow,
    PersonList,
    PersonOut,
    PoolOut,
    SiteLimits,
    SlurmLimit,
    SlurmLimits,
)
from portal.limits.service import LimitService
from portal.placement.dependencies import Views
from portal.policy.limits import limits_for
from portal.provided import provided
from portal.routing import Router
from portal.settings.dependencies import SiteSettings
from portal.slurm.dependencies import Slurm

router = Router(prefix="/admin", tags=["admin"])

Limits = Annotated[LimitService, provided(LimitService)]
DirectoryLists = Annotated[PeopleLists, provided(PeopleLists)]

Version = Annotated[
    str | None,
    Header(
        alias="If-Match",
        pattern=r'^"?[0-9]{1,9}"?$',
        description="The version that was read, 0 if nothing was set; if it has changed since, the request is refused.",
    ),
]
Query_ = Annotated[str, Query(max_length=100)]
Offset = Annotated[int, Query(ge=0, le=1_000_000)]
Limit = Annotated[int, Query(ge=1, le=200)]
Name = Annotated[str, Path(pattern=r"^[^\x00-\x1f\x7f/]{1,128}$")]


@router.get("/limits")
async def limits(_: AdminUser, settings: SiteSettings, service: Limits) -> LimitList:
    """List the limits set here, followed by those of portal.toml."""
    policy = settings.policy
    return LimitList(
        items=await service.rows(),
        configured=[ConfiguredLimit.model_validate(limit.model_dump()) for limit in policy.limits],
        site=SiteLimits(
            max_gpus=policy.max_gpus, max_sessions=policy.max_sessions, max_walltime_s=policy.max_walltime_s
        ),
    )


@router.get("/limits/slurm")
async def slurm_limits(_: AdminUser, slurm: Slurm) -> SlurmLimits:
    """List the limits that Slurm itself sets by association and QOS, beside those of the portal."""
    enforced, limits = await slurm.limits()
    items = [SlurmLimit.model_validate(limit, from_attributes=True) for limit in limits]
    return SlurmLimits(enforced=enforced, items=items)


@router.put(
    "/limits/{kind}/{name}", responses={412: {"description": "Somebody else has changed it since it was read."}}
)
async def set_limit(
    kind: Kind,
    name: Name,
    asked: LimitIn,
    admin: AdminUser,
    audit: AuditLog,
    service: Limits,
    lists: DirectoryLists,
    version: Version = None,
) -> LimitRow:
    """Set the limits of a user or group. They apply from the next start, however it is made.

    A user or group that the directory does not have is refused.
    """
    await lists.insist(kind, name)
    detail = asked.model_dump(mode="json", exclude_none=True)
    async with audit.noted(admin, "limit.set", f"{kind} {name}", **detail):
        return await service.set(kind, name, asked, admin.username, known=_number(version))


@router.delete(
    "/limits/{kind}/{name}", responses={412: {"description": "Somebody else has changed it since it was read."}}
)
async def remove_limit(
    kind: Kind,
    name: Name,
    admin: AdminUser,
    settings: SiteSettings,
    audit: AuditLog,
    service: Limits,
    version: Version = None,
) -> LimitList:
    """Remove the limits of a user or group; the next layer applies again."""
    async with audit.noted(admin, "limit.remove", f"{kind} {name}"):
        await service.remove(kind, name, known=_number(version))
    return await limits(admin, settings, service)


def _number(version: str | None) -> int | None:
    return None if version is None else int(version.strip('"'))


@router.get("/people")
async def people(
    _: AdminUser, lists: DirectoryLists, health: Health, query: Query_ = "", offset: Offset = 0, limit: Limit = 50
) -> PersonList:
    """List the directory's users, those who use most first; `query` matches part of a name or an address."""
    people = await lists.people(query=query, offset=offset, limit=limit)
    return people.model_copy(update={"directory": _since(health, people.directory)})


@router.get("/groups")
async def groups(
    _: AdminUser, lists: DirectoryLists, health: Health, query: Query_ = "", offset: Offset = 0, limit: Limit = 50
) -> GroupList:
    """List the directory's groups, with what their members hold and may use."""
    groups = await lists.groups(query=query, offset=offset, limit=limit)
    return groups.model_copy(update={"directory": _since(health, groups.directory)})


def _since(health: HealthView, directory: DirectoryOut) -> DirectoryOut:
    if directory.silent_since is None:
        return directory
    return directory.model_copy(update={"silent_since": health.since("directory", directory.silent_since)})


@router.get("/people/{username}")
async def person(username: Name, _: AdminUser, people: Accounts, views: Views, settings: SiteSettings) -> PersonOut:
    """Look up one user in the directory, with the limits that apply to them."""
    account = await people.account(username)
    if account is None:
        raise NotFound(f"The directory has no account “{username}”.", hint="Enter the full user name.")
    view = await views.of_account(account)
    limits = limits_for(view, settings.policy)
    return PersonOut(
        username=account.username,
        display_name=account.display_name,
        mail=account.mail,
        groups=list(account.groups),
        admin=account.admin,
        allowed=account.allowed,
        sessions=view.sessions_in_use,
        gpus=view.gpus_in_use,
        gpu_hours_used=round(view.gpu_hours_used, 1),
        gpu_hours_promised=round(view.gpu_hours_promised, 1),
        limits=EffectiveOut(
            max_gpus=limits.max_gpus,
            max_sessions=limits.max_sessions,
            max_walltime_s=limits.max_walltime_s,
            max_gpu_hours=limits.max_gpu_hours,
            partitions=None if limits.partitions is None else sorted(limits.partitions),
            gpu_types=None if limits.gpu_types is None else sorted(limits.gpu_types),
        ),
        pools=[PoolOut.model_validate(pool) for pool in view.pools],
    )
