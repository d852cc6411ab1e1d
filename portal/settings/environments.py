"""The software of sessions: environments, environment modules, images, and the image registry."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from portal.settings.base import Name, Section
from portal.shipped import REQUIREMENTS

ModuleName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.+-]*(/[A-Za-z0-9_+][A-Za-z0-9_.+-]*)*$", max_length=128)
]
"""A module as `module load` takes it: no character special to a shell, and never an option."""

HOST = r"^[A-Za-z0-9.-]+(:\d+)?$"
"""A registry's host, with its port unless that is 443."""
REPOSITORY = r"^[a-z0-9]+([._/-][a-z0-9_]+)*$"
Tag = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$")]
"""As in the OCI distribution specification."""


class Environment(Section):
    title: str = Field(description="Shown in New session.")
    description: str = Field("", description="What it holds, in a sentence; shown beneath the title.")
    kind: Literal["path", "modules", "image"] = Field(
        "path",
        description="`path`: a folder with `bin/python`; `modules`: what `module load` provides; `image`: an "
        "Apptainer or Singularity image.",
    )
    path: Path | None = Field(
        None,
        description="As the compute nodes see it: for `path` a virtual or conda environment, for `image` a SIF file or "
        "a sandbox folder.",
    )
    modules: tuple[ModuleName, ...] = Field(
        (), description="For `modules` and `path`: environment modules to load, in this order."
    )
    packages: tuple[Path, ...] = Field(
        (),
        description="Locked requirements: a file, or a list of files of which the first that this machine can "
        "install is used; a name alone is one of the locks that ship with the portal, such as `session.txt`. With "
        "them, `portal environments install NAME` creates the environment.",
    )
    extends: Name | None = Field(None, description="Environment that serves Jupyter; this one is then a kernel in it.")
    version: str = Field("", description="Shown with the title.")
    reference: str = Field("", description="For `image`: what it was built from; recorded with each session.")
    digest: str = Field(
        "",
        description="For `image`: its digest in the registry; recorded with each session.",
        pattern=r"^(sha256:[0-9a-f]{64})?$",
    )
    size_mb: int = Field(0, description="Approximate size once installed; shown before installing.")

    @field_validator("packages", mode="before")
    @classmethod
    def _locks(cls, value: Any) -> Any:
        locks = [value] if isinstance(value, str | Path) else value
        if not isinstance(locks, list | tuple):
            return value
        return tuple(_shipped(lock) if isinstance(lock, str) and "/" not in lock else lock for lock in locks)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.kind == "modules") == (self.path is not None):
            raise ValueError("the kinds `path` and `image` need `path`; `modules` must not have it")
        if self.kind == "modules" and not self.modules:
            raise ValueError("the kind `modules` needs `modules`")
        if self.kind == "image" and self.modules:
            raise ValueError("modules cannot be loaded inside an image")
        if self.kind != "path" and self.packages:
            raise ValueError("`packages` is allowed only for the kind `path`")
        if self.path is not None and not self.path.is_absolute():
            raise ValueError("`path` must begin with /")
        return self

    @property
    def programs(self) -> Path | None:
        """Its bin folder, if known in advance."""
        return self.path / "bin" if self.kind == "path" and self.path else None


class Modules(Section):
    command: Path | None = Field(
        None,
        description="The program behind `module`, at the same path on this machine and the nodes: Lmod's "
        "`libexec/lmod`, or `modulecmd.tcl` of Environment Modules from version 5 on. None: this site has no modules.",
    )
    paths: tuple[Path, ...] = Field(
        (), description="Folders of module files (MODULEPATH), in this order, at the same paths here and on the nodes."
    )
    refresh_s: float = Field(900.0, ge=10, description="How often the list of modules is read.")
    timeout_s: float = Field(60.0, gt=0, description="How long reading the list may take.")
    try_loading: bool = Field(
        True,
        description="Before a session is submitted, check on this machine that the chosen modules load. Turn it off "
        "if module files load on compute nodes only.",
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.command and not self.paths:
            raise ValueError("`paths` must name the folders of module files")
        if any(not path.is_absolute() for path in (*self.paths, *filter(None, [self.command]))):
            raise ValueError("`command` and `paths` must begin with /")
        return self


class Images(Section):
    apptainer: Path = Field(Path("/usr/bin/apptainer"), description="Apptainer or Singularity, on the compute nodes.")
    options: tuple[str, ...] = Field(
        (), description="Extra options of `apptainer exec`, such as `--unsquash` if the nodes have no FUSE."
    )
    binds: tuple[Path, ...] = Field(
        (), description="Folders that images see at the same path, in addition to the home and `mounts`: scratch, data."
    )
    user_folder: str = Field(
        "~/images", description="Where users' images are stored; `~` is the user's home.", pattern=r"^(~/|/)[^\s]+$"
    )
    site_folder: Path | None = Field(
        None, description="Where administrators pull images for everybody; they must be able to write there."
    )
    registries: list[Annotated[str, Field(pattern=HOST)]] = Field(
        default_factory=lambda: [
            *("docker.io", "index.docker.io", "registry-1.docker.io", "auth.docker.io", "nvcr.io", "authn.nvidia.com"),
            *("ghcr.io", "quay.io", "gcr.io", "registry.gitlab.com", "gitlab.com", "mcr.microsoft.com"),
            *("public.ecr.aws", "registry.k8s.io"),
        ],
        description="Registries, with their token services, that the portal may contact: names in public DNS with "
        "public addresses, over HTTPS. Images from other registries cannot be pulled through the portal. `ngc.host` "
        "is always included.",
        max_length=200,
    )
    private_registries: list[Annotated[str, Field(pattern=HOST)]] = Field(
        default_factory=list, description="The same for registries inside your network.", max_length=200
    )
    pull_partition: str = Field("", description="Partition of the jobs that pull; empty: as for sessions.")
    pull_cpus: int = Field(4, ge=1, description="Cores of a pull, for unpacking and packing.")
    pull_memory_mib: int = Field(16_384, ge=512, description="Memory of a pull.")
    pull_walltime_s: int = Field(14_400, ge=60, description="Time limit of a pull.")


class Framework(Section):
    title: str = Field(description="Shown on the page Environments.")
    description: str = Field("", description="What it holds, in a sentence.")
    repository: str = Field(description="Under the registry's host, such as `nvidia/pytorch`.", pattern=REPOSITORY)
    tags: dict[Tag, str] = Field(description="Tags to suggest, newest first, each with a note for users.")


class Ngc(Section):
    host: str = Field(
        "nvcr.io", description="The registry that users' API keys are for.", pattern=r"^[A-Za-z0-9.-]+(:\d+)?$"
    )
    username: str = Field("$oauthtoken", description="User name that goes with an API key.")
    plain_http: bool = Field(False, description="Use HTTP without TLS, for a registry on the same machine.")
    timeout_s: float = Field(10.0, gt=0, description="Deadline of one request to the registry.")
    frameworks: list[Framework] = Field(
        default_factory=lambda: [
            Framework.model_validate(shipped_framework) for shipped_framework in shipped_frameworks()
        ],
        description="The catalogue of images.",
    )


def shipped_frameworks() -> list[dict[str, Any]]:
    return list(tomllib.loads(Path(__file__).with_name("frameworks.toml").read_text())["frameworks"])


def _shipped(name: str) -> Path:
    """Return the path of a lock that ships with the program; the path depends on the program's Python."""
    if not (path := REQUIREMENTS / name).is_file():
        raise ValueError(f"no lock called {name!r} ships with the portal; for a lock of your own, write its full path")
    return path
