"""How to run a command inside an environment: what precedes its argv, and its environment variables.

The portal only says what to enter. The agent does it on the node (`agent/job/enter.py`), where the GPUs, the folders
and the module files are, and fills in `{python}` and `{agent}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from portal.settings import Environment, Settings

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class Entry:
    """`wrap` precedes the command's argv; `programs` is the environment's own bin folder, if known."""

    wrap: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    programs: Path | None = None

    @property
    def python(self) -> str:
        """The word that starts its Python."""
        return str(self.programs / "python") if self.programs else "python3"


def entry(environment: Environment, settings: Settings, *, modules: Sequence[str] = ()) -> Entry:
    """Return how to enter `environment` with `modules` loaded on top.

    An image takes no modules; callers that let users choose modules refuse that first.
    """
    if environment.kind == "image":
        return Entry(wrap=["{python}", "-I", "{agent}", "enter-image", *image_words(environment, settings), "--"])
    path = f"{environment.programs}:{SYSTEM_PATH}" if environment.programs else SYSTEM_PATH
    loaded = list(dict.fromkeys([*environment.modules, *modules]))
    return Entry(
        wrap=["{python}", "-I", "{agent}", "enter-modules", *_module_words(loaded, settings), "--"] if loaded else [],
        env={"PATH": path},
        programs=environment.programs,
    )


def image_words(environment: Environment, settings: Settings) -> list[str]:
    """Return the options of `enter-image`: the image, its settings, and the folders it sees."""
    images = settings.images
    folders = dict.fromkeys([*(mount.path for mount in settings.mounts), *images.binds])
    return [
        f"--apptainer={images.apptainer}",
        f"--image={environment.path}",
        *(f"--option={option}" for option in images.options),
        *(f"--bind={folder}" for folder in folders),
    ]


def own_image(
    settings: Settings, *, title: str, path: str, reference: str | None, digest: str | None, size_mb: int | None = None
) -> Environment:
    """Return a user's image as an environment: a kernel of the site's first environment that serves Jupyter."""
    server = next((name for name, environment in settings.environments.items() if environment.extends is None), None)
    return Environment(
        title=title,
        kind="image",
        path=Path(path),
        reference=reference or "",
        version=(digest or "").removeprefix("sha256:")[:12],
        digest=digest or "",
        size_mb=size_mb or 0,
        extends=server,
    )


def _module_words(modules: Sequence[str], settings: Settings) -> list[str]:
    return [
        f"--command={settings.modules.command}",
        *(f"--path={path}" for path in settings.modules.paths),
        *(f"--load={module}" for module in modules),
    ]
