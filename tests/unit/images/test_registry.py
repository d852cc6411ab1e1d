"""A registry asked for real: keys taken and refused, tags there and not, and one that nobody answers for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from portal.images.reference import Reference
from portal.images.registry import KeyRefused, NoSuchImage, Registry, RegistryUnavailable
from portal.settings import Ngc
from tests import registry as fake_registry

LAYERS = [fake_registry.layer(("a", b"first")), fake_registry.layer(("b", b"second"))]


@pytest.fixture(scope="module")
def site() -> Iterator[fake_registry.Registry]:
    with fake_registry.serving(LAYERS) as running:
        yield running


def asking(site: fake_registry.Registry, key: str | None) -> Registry:
    return Registry(site.host, Ngc(host=site.host, plain_http=True), key)


async def test_a_key_that_is_taken(site: fake_registry.Registry) -> None:
    given = site.tokens_given
    async with asking(site, fake_registry.KEY) as registry:
        await registry.check_key(fake_registry.REPOSITORY)
    assert site.tokens_given == given + 1


async def test_a_key_that_is_refused_is_told_without_the_key(site: fake_registry.Registry) -> None:
    async with asking(site, "nvapi-wrong-key") as registry:
        with pytest.raises(KeyRefused) as refused:
            await registry.check_key(fake_registry.REPOSITORY)
    assert refused.value.message == f"{site.host} refuses this key."
    assert "nvapi" not in str(refused.value.__dict__)


async def test_a_manifest_has_its_digest_and_the_size_of_its_layers(site: fake_registry.Registry) -> None:
    async with asking(site, fake_registry.KEY) as registry:
        manifest = await registry.manifest(Reference.parse(site.reference()))
    assert manifest.digest == fake_registry.digest(site.manifest)
    assert manifest.size_bytes == sum(map(len, LAYERS))


async def test_a_tag_that_is_not_there(site: fake_registry.Registry) -> None:
    async with asking(site, fake_registry.KEY) as registry:
        with pytest.raises(NoSuchImage, match="has no nvidia/tiny"):
            await registry.manifest(Reference.parse(site.reference("9.9")))


async def test_an_image_that_needs_a_key_says_so(site: fake_registry.Registry) -> None:
    async with asking(site, None) as registry:
        with pytest.raises(KeyRefused, match="requires a key") as refused:
            await registry.manifest(Reference.parse(site.reference()))
    assert "Store yours" in refused.value.hint


async def test_a_key_is_not_asked_for_where_none_would_be_sent() -> None:
    async with Registry("registry.example", Ngc(host="nvcr.io"), None) as registry:
        refused = registry.refused()
    assert "keeps keys only for nvcr.io" in refused.message
    assert "register the file" in refused.hint


async def test_a_registry_that_nobody_answers_for() -> None:
    async with Registry("localhost:9", Ngc(host="localhost:9", plain_http=True), "key") as registry:
        with pytest.raises(RegistryUnavailable):
            await registry.check_key("x")


async def test_a_key_never_goes_to_a_registry_in_clear_that_is_not_the_sites() -> None:
    settings = Ngc(host="localhost:9", plain_http=True)
    async with Registry("localhost:10", settings, None) as registry:
        assert registry.address.startswith("https:")


@pytest.mark.parametrize(
    "wrong",
    [
        "nvcr.io/nvidia/pytorch:1",
        "docker://nvcr.io/nvidia/pytorch",
        "docker://nvcr.io/nvidia/../pytorch:1",
        "docker://nvcr.io/nvidia/pytorch:1 --force",
        "docker://-x/y:1@",
        "docker://user:pw@nvcr.io/x:1",
    ],
)
def test_what_is_no_reference_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is not an image reference"):
        Reference.parse(wrong)


def test_a_reference_is_pinned_to_a_digest() -> None:
    reference = Reference.parse("docker://nvcr.io/nvidia/pytorch:24.05-py3")
    digest = "sha256:" + "0" * 64
    assert reference.pinned(digest) == f"docker://nvcr.io/nvidia/pytorch@{digest}"
    assert reference.pinned(None) == "docker://nvcr.io/nvidia/pytorch:24.05-py3"
    assert (reference.name, reference.file_name) == ("pytorch 24.05-py3", "pytorch_24.05-py3.sif")
