"""Follows a site's git repositories of templates. A command or a timer fetches them, never a page.

<parent>/NAME                 link to the current files, switched in one step
<parent>/.NAME/trees/COMMIT/  the files of a commit: the current one, and the one before (agents may still copy from it)
<parent>/.NAME/git/           git's own data
<parent>/.NAME/state.json     the last fetch: when, which commit, or why not

Nothing in a repository is run: no hooks, no filters, no submodules. A link in it becomes a file with its target's name,
so that none leads to what only the portal's account may read.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime

import structlog

from portal.errors import Conflict, SlurmUnavailable, Unavailable
from portal.loops import pause
from portal.settings import Repository, Templates
from portal.slurm import process

log = structlog.get_logger()

KEPT_TREES = 2
COMPLETE = ".complete"
REF = "refs/heads/fetched"
OPTIONS = (
    "core.hooksPath=/dev/null",
    "core.symlinks=false",
    "core.fsmonitor=false",
    "submodule.recurse=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "transfer.fsckObjects=true",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "protocol.file.allow=always",
    "gc.auto=0",
)
#: Passed on from this process's environment; git's other settings, such as credentials, come from its configuration.
PASSED_ON = ("HOME", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSH_AUTH_SOCK")


class CheckoutFailed(Unavailable):
    code = "checkout_failed"
    hint = "The version fetched before stays in use. Fix the cause and run `portal templates fetch`."


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of the last fetch; `problem` is empty if it succeeded."""

    at: datetime
    commit: str
    problem: str = ""


class Checkout:
    """The files of one repository."""

    def __init__(self, name: str, repository: Repository, *, timeout_s: float, now: Callable[[], datetime]) -> None:
        self.name = name
        self.path = repository.path
        self._repository = repository
        self._timeout_s = timeout_s
        self._now = now
        self._root = self.path.parent / f".{self.path.name}"
        self._trees = self._root / "trees"
        self._git_dir = self._root / "git"
        self._state = self._root / "state.json"

    def last(self) -> Fetched | None:
        """Return the result of the last fetch; None before the first."""
        try:
            kept = json.loads(self._state.read_text())
            return Fetched(datetime.fromisoformat(kept["at"]), str(kept["commit"]), str(kept["problem"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    async def fetch(self) -> Fetched:
        """Fetch and activate the newest commit of the branch. Raises CheckoutFailed, Conflict; either changes
        nothing.
        """
        try:
            with self.locked():
                commit = await self._newest()
                if not (self._trees / commit / COMPLETE).exists():
                    await self._check_out(commit)
                self._activate(commit)
                return self._keep(Fetched(self._now(), commit))
        except (OSError, CheckoutFailed) as error:
            message = error.message if isinstance(error, CheckoutFailed) else f"{error.filename}: {error.strerror}."
            before = self.last()
            if self._root.is_dir():
                self._keep(Fetched(self._now(), before.commit if before else "", message))
            raise CheckoutFailed(f"{self.name} could not be fetched: {message}") from error

    async def _newest(self) -> str:
        if not self._git_dir.exists():
            await self._git("init", "--quiet", "--bare", "--template=", str(self._git_dir))
        source = f"+refs/heads/{self._repository.branch}:{REF}"
        await self._in_git(
            *("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"),
            *("--force", "--", self._repository.url, source),
        )
        return (await self._in_git("rev-parse", "--verify", f"{REF}^{{commit}}")).strip()

    async def _check_out(self, commit: str) -> None:
        new = self._trees / f"{commit}.new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        (self._git_dir / "index").unlink(missing_ok=True)
        await self._in_git(f"--work-tree={new}", "checkout", "--quiet", "--force", commit, "--", ".")
        for where, _, files in os.walk(new):
            os.chmod(where, 0o755)  # noqa: S103 - the agents of all users copy from here, whatever our umask is
            for file in files:
                os.chmod(os.path.join(where, file), 0o644)
        (new / COMPLETE).touch()
        shutil.rmtree(self._trees / commit, ignore_errors=True)
        new.rename(self._trees / commit)

    def _activate(self, commit: str) -> None:
        """Switch the link atomically, so that it always leads somewhere."""
        target = self._trees / commit
        if os.path.lexists(self.path) and not (self.path.is_symlink() and self.path.readlink().parent == self._trees):
            raise CheckoutFailed(f"{self.path} already exists and was not created by the portal. Move it away.")
        beside = self.path.with_name(f".{self.path.name}.next")
        beside.unlink(missing_ok=True)
        beside.symlink_to(target)
        beside.replace(self.path)
        (target / COMPLETE).touch()
        trees = sorted(self._trees.iterdir(), key=lambda tree: tree.stat().st_mtime, reverse=True)
        for tree in [tree for tree in trees if tree != target][KEPT_TREES - 1 :]:
            shutil.rmtree(tree, ignore_errors=True)

    def _keep(self, fetched: Fetched) -> Fetched:
        beside = self._state.with_suffix(".new")
        beside.write_text(json.dumps(asdict(fetched) | {"at": fetched.at.isoformat()}))
        beside.replace(self._state)
        return fetched

    async def _in_git(self, *words: str) -> str:
        return await self._git(f"--git-dir={self._git_dir}", *words)

    async def _git(self, *words: str) -> str:
        options = [word for option in OPTIONS for word in ("-c", option)]
        try:
            done = await process.run(["git", *options, *words], env=environment(), timeout_s=self._timeout_s)
        except SlurmUnavailable as error:  # the runner's word for "did not answer"; here it is not Slurm
            raise CheckoutFailed(error.message) from error
        if done.code:
            message = [line for line in done.err.splitlines() if line.strip()] or [f"git ended with {done.code}"]
            fatal = next((line for line in message if line.startswith("fatal:")), message[-1])
            raise CheckoutFailed(f"{fatal.removeprefix('fatal:').strip()[:300]}.")
        return done.out

    @contextmanager
    def locked(self) -> Iterator[None]:
        for folder in (self._root, self._trees):
            if not folder.exists():
                folder.mkdir(parents=True)
                folder.chmod(0o755)
        handle = os.open(self._root / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise Conflict(f"{self.name} is already being fetched.", hint="Wait until that is done.") from None
        finally:
            os.close(handle)


def environment(ours: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return git's whole environment, set so that it never prompts."""
    passed = {name: ours[name] for name in PASSED_ON if name in ours}
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "/bin/true",
        "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
        **passed,
    }


def checkouts(settings: Templates, now: Callable[[], datetime]) -> list[Checkout]:
    return [
        Checkout(name, repository, timeout_s=settings.fetch_timeout_s, now=now)
        for name, repository in settings.repositories.items()
    ]


async def follow(
    settings: Templates, now: Callable[[], datetime], sleep: Callable[[float], Awaitable[None]] = pause
) -> None:
    """Fetch every repository at intervals, forever. If a fetch fails, the current files stay."""
    while settings.repositories and settings.refresh_s:
        for checkout in checkouts(settings, now):
            try:
                fetched = await checkout.fetch()
                log.info("templates.fetched", repository=checkout.name, commit=fetched.commit)
            except (CheckoutFailed, Conflict) as error:
                log.warning("templates.not_fetched", repository=checkout.name, error=error.message)
        await sleep(settings.refresh_s)
