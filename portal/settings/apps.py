"""The apps that a session can open, and a site's settings for each.

The shipped catalogue is `apps.toml` beside this file. An app of the same name in `portal.toml` is merged over it, key
by key, and so are the tables in it (`env`, `headers`, `resources`); a new name adds an app. `enabled = false` switches
an app off, as some of the shipped ones are; `enabled = true` switches it on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from portal.settings.base import Name, Section

OptionName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,30}$")]
CookieName = Annotated[str, Field(pattern=r"^[!#$%&'*+.^_`|~A-Za-z0-9-]{1,100}$")]
HeaderName = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,60}$")]
SHIPPED = Path(__file__).with_name("apps.toml")
OWN_PREFIX = "my-"
"""Beginning of the names of users' own apps."""

INSIDE = "{inside}"
"""A word of a command that stands for the words entering the environment; without it, the whole command runs inside."""
PLACEHOLDER = re.compile(r"\{(ip|port|socket|base_url|home|user|secret|folder|agent|python|inside|option:[a-z0-9_]+)\}")
WHOLE = re.compile(r"-?[0-9]{1,15}")
NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
LIKE_A_PLACEHOLDER = re.compile(r"\{[a-z_:]+\}")


class AppOption(Section):
    """A field of the app's start form."""

    name: OptionName = Field(description="How the command and the API name it, such as `logdir`.")
    label: str = Field(description="Shown beside the field.")
    kind: Literal["folder", "file", "text", "number", "choice", "bool"] = "text"
    default: str | bool | None = Field(
        None, description="The value if the user gives none; for `number` also a number without quotes."
    )
    required: bool = Field(False, description="Whether the form insists on a value.")
    help: str = Field("", description="Shown beneath the field.")
    choices: list[str] = Field(default_factory=list, description="For `choice`: the values to choose from.")
    pattern: str = Field("", description="For `text`: a regular expression that the whole text must match.")
    least: float | None = Field(None, allow_inf_nan=False, description="For `number`: the smallest that is allowed.")
    most: float | None = Field(None, allow_inf_nan=False, description="For `number`: the largest that is allowed.")
    whole: bool = Field(False, description="For `number`: whole numbers only.")
    create: bool = Field(False, description="For `folder`: created in the job if it does not exist.")
    holds: str = Field(
        "", description="For `folder`: a pattern such as `*.log`; the form warns if no file in it matches."
    )

    @field_validator("default", mode="before")
    @classmethod
    def _number_as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value

    @property
    def is_path(self) -> bool:
        return self.kind in ("folder", "file")

    def wrong_number(self, text: str) -> str | None:
        """Return what is wrong with the value of a `number`; None if nothing is."""
        kind = "whole number" if self.whole else "number"
        if not (WHOLE if self.whole else NUMBER).fullmatch(text):
            return f"enter a {kind}, such as {'8' if self.whole else '0.5'}"
        if self.least is not None and float(text) < self.least:
            return f"enter a {kind} of at least {self.least:g}"
        if self.most is not None and float(text) > self.most:
            return f"enter a {kind} of at most {self.most:g}"
        return None

    @model_validator(mode="after")
    def _consistent_number(self) -> Self:
        if self.kind != "number":
            if self.whole or self.least is not None or self.most is not None:
                raise ValueError("only kind `number` has `least`, `most` and `whole`")
            return self
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError("`least` is larger than `most`")
        if isinstance(self.default, str) and (wrong := self.wrong_number(self.default)) is not None:
            raise ValueError(f"the default {self.default!r} does not fit: {wrong}")
        return self

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.kind == "choice") != bool(self.choices):
            raise ValueError("kind `choice` needs `choices`, and no other kind has them")
        if self.default is not None and isinstance(self.default, bool) != (self.kind == "bool"):
            raise ValueError(f"the default does not fit kind `{self.kind}`")
        if self.kind == "choice" and self.default is not None and self.default not in self.choices:
            raise ValueError(f"the default {self.default!r} is not one of the choices")
        if self.pattern:
            try:
                re.compile(self.pattern)
            except re.error as error:
                raise ValueError(f"`pattern` is not a regular expression: {error}") from error
        return self


class AppResources(Section):
    """What a session of the app gets if its user asks for nothing; policy decides the rest."""

    gpus: int | None = Field(None, ge=0, description="GPUs on each node.")
    cpus: int | None = Field(None, ge=1, description="Cores on each node.")
    memory_mib: int | None = Field(None, ge=1, description="Memory on each node.")
    walltime_s: int | None = Field(None, ge=60, description="Time limit.")
    partition: str | None = Field(None, description="Slurm's partition.")


class App(Section):
    title: str = Field(description="Shown in New session and on the session's card.")
    description: str = Field("", description="What it is for, in a sentence; shown beneath the title.")
    icon: str = Field("app", description="A name the web app knows, or `app`.")
    group: str = Field("", description="Heading under which New session shows it.")
    enabled: bool = Field(
        True, description="Whether the site offers it. Some shipped apps are off unless `portal.toml` says true."
    )
    needs: str = Field("", description="What it takes to run it here, for administrators on the Apps page.")
    kind: Literal["jupyter", "web"] = Field(
        "jupyter", description="`jupyter`: Jupyter's own server; `web`: any web app, behind the app proxy in the job."
    )
    path: str | None = Field(
        None, description="Path to open below the session's URL; by default `lab` for Jupyter, else the app's root."
    )
    environments: list[Name] = Field(
        default_factory=list, description="Environments that it runs in; empty: all that have its program."
    )
    options: list[AppOption] = Field(default_factory=list, description="Fields of its start form.")
    resources: AppResources = AppResources()

    command: list[str] = Field(
        default_factory=list,
        description="For `web`: the program and its arguments, one word per item, with the placeholders of "
        "docs/how-to/apps.md. A word is left out if its option has no value.",
    )
    listen: Literal["private", "socket", "port"] = Field(
        "private",
        description="Where it listens: `private`, TCP at {ip}:{port} in a private network with no route out; "
        "`socket`, a Unix socket at {socket}; `port`, TCP on the node, for apps that check {secret} themselves.",
    )
    strip_prefix: bool = Field(
        False, description="The app serves from `/`: the app proxy strips {base_url} from requests."
    )
    ready_path: str = Field(
        "", description="Path below its URL that is polled until it answers, with neither a server error nor 404."
    )
    start_timeout_s: float | None = Field(
        None, gt=0, description="How long it may take to answer; None: `agent.start_timeout_s`."
    )
    env: dict[str, str] = Field(default_factory=dict, description="Its environment variables, with placeholders.")
    headers: dict[HeaderName, str] = Field(
        default_factory=dict, description="Headers set on each request to the app, with placeholders."
    )
    cookies: list[CookieName] = Field(
        default_factory=list,
        description="Names of its own cookies that the app proxy passes on; `name*` matches a prefix.",
    )
    user_header: str = Field("", description="Header in which it expects the user's name.")
    user_cookie: str = Field("", description="Cookie in which it expects the user's name.")
    bar: bool = Field(
        False,
        description="Whether a slim line in the corner of the app's pages shows its session: time left, use, messages, "
        "more time. The app proxy appends a script to pages that are opened in a tab; an app whose own "
        "Content-Security-Policy forbids scripts or frames of its host shows none.",
    )
    shareable: bool | Literal["look", "both"] = Field(
        False,
        description="For `web`: whether users may share it with colleagues, who then use it as its owner. Never for an "
        "app that runs commands or shows files of the owner's choice, such as a shell or an editor. `look`: colleagues "
        "only look; for apps that change nothing at requests with the header `X-Portal-Guest`, unless "
        "`X-Portal-Guest-Mode` is `use`. `both`: the owner chooses for each share.",
    )
    portal_token: bool = Field(
        False,
        description="Whether it gets the session's token, with which programs in it can use the portal as its user.",
    )

    @property
    def landing(self) -> str:
        if self.path is not None:
            return self.path
        return "lab" if self.kind == "jupyter" else ""

    @property
    def program(self) -> str:
        """The program that an environment must have to serve it; empty if any environment can."""
        inside = self.command[self.command.index(INSIDE) + 1 :] if INSIDE in self.command else self.command
        word = inside[0] if inside else ""
        return "" if PLACEHOLDER.search(word) else word

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.kind == "web") != bool(self.command):
            raise ValueError("a `web` app needs a `command`, and only a `web` app has one")
        names = [option.name for option in self.options]
        if len(set(names)) != len(names):
            raise ValueError("two options have the same name")
        texts = [*self.command, *self.env.values(), *self.headers.values()]
        if any("\0" in text for text in texts):
            raise ValueError("`command`, `env` and `headers` must not contain a NUL")
        for text in texts:
            _known_placeholders(text, names)
        if self.kind == "web":
            self._reachable_by_its_owner_only(texts)
        return self

    def _reachable_by_its_owner_only(self, texts: list[str]) -> None:
        everything = " ".join(texts)
        needed = "{socket}" if self.listen == "socket" else "{port}"
        if needed not in everything:
            raise ValueError(f"with listen = {self.listen!r} its command or env must contain {needed}")
        if self.listen == "port" and not (
            any("{secret}" in value for value in self.headers.values())
            and any("{secret}" in text for text in [*self.command, *self.env.values()])
        ):
            raise ValueError(
                "with listen = 'port' any user of the node can connect: pass {secret} to the app in command or env, "
                "so that it refuses requests without it, and send it in `headers`"
            )


def _known_placeholders(text: str, options: list[str]) -> None:
    for placeholder in LIKE_A_PLACEHOLDER.findall(text):
        if not PLACEHOLDER.fullmatch(placeholder):
            raise ValueError(f"there is no placeholder {placeholder}")
        if placeholder.startswith("{option:") and placeholder[8:-1] not in options:
            raise ValueError(f"{placeholder}: there is no such option")


def shipped() -> dict[str, Any]:
    """Return the shipped catalogue as written."""
    return tomllib.loads(SHIPPED.read_text())


def with_shipped(declared: Mapping[str, Any], in_files: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the shipped catalogue and the apps of the site's files, with the site's settings merged over them."""
    merged = shipped() | dict(in_files or {})
    for name, app in declared.items():
        merged[name] = _merged(merged[name], app) if name in merged and isinstance(app, Mapping) else app
    return {name: app for name, app in merged.items() if not _is_off(app)}


def switched_off(apps: Collection[str]) -> dict[str, App]:
    """Return the shipped apps that a site with these apps does not offer."""
    return {name: App.model_validate(app) for name, app in shipped().items() if name not in apps}


def _merged(shipped: Mapping[str, Any], declared: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shipped table with the declared keys over its own, and so for the tables in it."""
    return dict(shipped) | {
        key: _merged(shipped[key], value)
        if isinstance(value, Mapping) and isinstance(shipped.get(key), Mapping)
        else value
        for key, value in declared.items()
    }


def _is_off(app: Any) -> bool:
    return (app.get("enabled") if isinstance(app, Mapping) else getattr(app, "enabled", True)) is False
