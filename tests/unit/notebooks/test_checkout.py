"""Templates from real git repositories: fetched whole or not at all, and nothing in one of them is run."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from portal.errors import Conflict
from portal.notebooks import gallery
from portal.notebooks.checkout import Checkout, CheckoutFailed, checkouts, follow
from portal.settings import Repository, Settings, Templates
from tests.unit.notebooks.test_gallery import entry, notebook


def now() -> datetime:
    return datetime(2026, 11, 21, 18, tzinfo=UTC)


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., str]:
    """Run git in the team's own repository."""
    work = tmp_path / "team"
    work.mkdir()
    who = {"GIT_CONFIG_GLOBAL": "/dev/null", "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    names = {f"GIT_{role}_{what}": "team@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

    def run(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=work, env=who | names, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    run("init", "--quiet", "--initial-branch=main")
    return run


@pytest.fixture
def commit(git: Callable[..., str], tmp_path: Path) -> Callable[..., str]:
    def commit(**files: str) -> str:
        for name, content in files.items():
            path = tmp_path / "team" / {"index": "index.toml", "digits": "sk/digits.ipynb"}.get(name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        git("add", "--all")
        git("commit", "--quiet", "--message", "Templates")
        return git("rev-parse", "HEAD")

    return commit


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    repository = Repository(url=f"file://{tmp_path}/team", path=tmp_path / "shared" / "team")
    return Settings(templates=Templates(repositories={"team": repository}, refresh_s=60))


@pytest.fixture
def checkout(settings: Settings) -> Checkout:
    return checkouts(settings.templates, now)[0]


async def test_the_branch_is_fetched_and_its_templates_are_the_sites(
    commit: Callable[..., str], checkout: Checkout, settings: Settings
) -> None:
    first = commit(index=entry(), digits=notebook())
    assert gallery(settings).found == ()
    assert (await checkout.fetch()).commit == first
    (template,) = gallery(settings).found
    before = template.digest
    second = commit(digits=notebook() + "\n")
    assert (await checkout.fetch()).commit == second
    assert gallery(settings).found[0].digest != before
    assert checkout.last() == await checkout.fetch()


async def test_a_fetch_that_fails_leaves_what_was_there_and_is_remembered(
    commit: Callable[..., str], checkout: Checkout, settings: Settings, git: Callable[..., str]
) -> None:
    first = commit(index=entry(), digits=notebook())
    await checkout.fetch()
    git("branch", "--move", "main", "other")
    with pytest.raises(CheckoutFailed, match="couldn't find remote ref"):
        await checkout.fetch()
    assert len(gallery(settings).found) == 1
    last = checkout.last()
    assert last
    assert (last.commit, "couldn't find remote ref" in last.problem) == (first, True)


async def test_only_the_files_in_use_and_those_before_are_kept(
    commit: Callable[..., str], checkout: Checkout, tmp_path: Path
) -> None:
    commits = []
    for number in range(4):
        commits.append(commit(index=entry(), digits=notebook() + "\n" * number))
        await checkout.fetch()
    kept = {path.name for path in (tmp_path / "shared" / ".team" / "trees").iterdir()}
    assert commits[-1] in kept
    assert len(kept) == 2


async def test_links_and_hooks_of_a_repository_do_nothing(
    commit: Callable[..., str], checkout: Checkout, tmp_path: Path
) -> None:
    secret, ran = tmp_path / "secret", tmp_path / "ran"
    secret.write_text("hush")
    (tmp_path / "team" / "sk").mkdir()
    (tmp_path / "team" / "sk" / "stolen.ipynb").symlink_to(secret)
    commit(index=entry(), digits=notebook(), **{".gitattributes": "*.ipynb filter=evil"})
    await checkout.fetch()
    hook = tmp_path / "shared" / ".team" / "git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    commit(digits=notebook() + "\n")
    await checkout.fetch()
    stolen = checkout.path / "sk" / "stolen.ipynb"
    assert (stolen.is_symlink(), stolen.read_text()) == (False, str(secret))
    assert not ran.exists()


async def test_what_the_portal_did_not_make_is_never_replaced(commit: Callable[..., str], checkout: Checkout) -> None:
    commit(index=entry(), digits=notebook())
    checkout.path.mkdir(parents=True)
    with pytest.raises(CheckoutFailed, match="already exists and was not created by the portal"):
        await checkout.fetch()
    assert checkout.path.is_dir()


async def test_two_do_not_fetch_at_once(commit: Callable[..., str], checkout: Checkout) -> None:
    commit(index=entry(), digits=notebook())
    with checkout.locked(), pytest.raises(Conflict, match="already being fetched"):
        await checkout.fetch()


async def test_repositories_are_fetched_from_time_to_time_whatever_fails(
    commit: Callable[..., str], checkout: Checkout, settings: Settings
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 1:
            commit(index=entry(), digits=notebook())
        else:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        await follow(settings.templates, now, sleep)
    assert slept == [60, 60]
    assert len(gallery(settings).found) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "http://example.org/x"},
        {"url": "ext::sh -c touch% /tmp/x"},
        {"url": "--upload-pack=touch"},
        {"url": "https://me:secret@example.org/x"},
        {"url": "git@example.org:--x"},
        {"branch": "--force"},
        {"branch": "a..b"},
        {"folder": "../x"},
        {"folder": "/etc"},
    ],
)
def test_addresses_that_are_no_repositories_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Repository.model_validate({"url": "https://example.org/x", "path": "/shared/x"} | wrong)
