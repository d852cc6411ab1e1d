"""Asks a registry about keys and manifests (OCI distribution specification, and Docker's token authentication).

A key goes to the registry's own token service and nowhere else: over TLS, and never into a message or a log.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import httpx2

from portal.circuit import Circuit
from portal.errors import FieldProblem, InvalidRequest, Unavailable
from portal.fetch import Answer, Fetcher, NotReached
from portal.images.reference import Reference
from portal.settings import Images, Ngc

MANIFESTS = ", ".join(
    f"application/vnd.{kind}+json"
    for kind in (
        "oci.image.index.v1",
        "oci.image.manifest.v1",
        "docker.distribution.manifest.list.v2",
        "docker.distribution.manifest.v2",
    )
)
MOST_LAYERS = 1_000
OURS = ("linux", "amd64")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_CHALLENGE = re.compile(r'(\w+)="([^"]*)"')


class RegistryUnavailable(Unavailable):
    code = "registry_unavailable"
    hint = "Try again, or ask the administrators whether this machine may reach the registry."


class KeyRefused(InvalidRequest):
    code = "key_refused"
    hint = "Create a new key on the registry's website, and store it here."


class RegistryRefused(InvalidRequest):
    code = "registry_refused"
    hint = (
        "Pull the image with `apptainer pull` in a terminal, and register the file under Environments, Images; "
        "administrators allow a registry with `images.registries`."
    )


class NoSuchImage(InvalidRequest):
    code = "no_such_image"
    hint = "Check the repository and the tag on the registry's website."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a tag refers to now: its digest, and the compressed size of its layers."""

    digest: str | None
    size_bytes: int | None


class Circuits:
    """One circuit for each registry, shared by all users."""

    def __init__(self, timeout_s: float) -> None:
        self._slow_s = timeout_s / 2
        self._circuits: dict[str, Circuit] = {}

    def of(self, host: str) -> Circuit:
        name, hint = f"The registry {host}", RegistryUnavailable.hint
        return self._circuits.setdefault(host, Circuit(name, RegistryUnavailable, slow_s=self._slow_s, hint=hint))

    def open(self) -> list[Circuit]:
        return [circuit for circuit in self._circuits.values() if circuit.open_since is not None]


class Registry:
    """One registry, used with one user's key or with none."""

    def __init__(
        self, host: str, settings: Ngc, key: str | None, images: Images | None = None, circuits: Circuits | None = None
    ) -> None:
        self._host = host
        self._key = key
        self._keys_for = settings.host
        self._circuits = circuits or Circuits(settings.timeout_s)
        self._username = settings.username
        plain = settings.host if settings.plain_http else None
        self.address = f"{'http' if host == plain else 'https'}://{host}"
        images = images or Images()
        self.fetcher = Fetcher(
            allowed=images.registries,
            trusted=[settings.host, *images.private_registries],
            plain=plain,
            timeout_s=settings.timeout_s,
        )

    async def __aenter__(self) -> Registry:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.fetcher.close()

    async def reach(self) -> None:
        """Check that the registry answers. Raises RegistryUnavailable."""
        await self._get(f"{self.address}/v2/")

    async def check_key(self, repository: str) -> None:
        """Log in for `repository`. Raises KeyRefused, RegistryUnavailable."""
        await self._authorization(await self._get(f"{self.address}/v2/"), repository)

    async def manifest(self, reference: Reference) -> Manifest:
        """Look up the reference. Raises NoSuchImage, KeyRefused, RegistryUnavailable."""
        url = f"{self.address}/v2/{reference.repository}/manifests/"
        headers = {"Accept": MANIFESTS}
        answer = await self._get(url + reference.of, headers)
        if answer.status == 401:
            headers |= await self._authorization(answer, reference.repository)
            answer = await self._get(url + reference.of, headers)
        if answer.status in (401, 403):
            raise self.refused()
        if answer.status == 404:
            raise _field(
                NoSuchImage, "reference", f"{self._host} has no {reference.repository} with the tag {reference.of}."
            )
        digest = answer.headers.get("docker-content-digest")
        content = self._read(answer)
        if (chosen := _for_this_machine(content)) is not None:
            content = self._read(await self._get(url + chosen, headers))
        sizes = [_size(layer) for layer in _listed(content, "layers")]
        return Manifest(digest if digest and _DIGEST.fullmatch(digest) else None, sum(sizes) or None)

    async def _authorization(self, answer: Answer, repository: str) -> dict[str, str]:
        """Return the header that the registry's challenge requires; empty if it requires none."""
        scheme, _, rest = answer.headers.get("www-authenticate", "").partition(" ")
        challenge = dict(_CHALLENGE.findall(rest))
        basic = httpx2.BasicAuth(self._username, self._key) if self._key else None
        if answer.status != 401:
            return {}
        if scheme.lower() == "bearer" and "realm" in challenge:
            wanted = {"scope": f"repository:{repository}:pull"} | (
                {"service": challenge["service"]} if "service" in challenge else {}
            )
            given = await self._get(challenge["realm"], params=wanted, auth=basic)
            if given.status in (400, 401, 403):
                raise self.refused()
            content = self._read(given)
            token = str(content.get("token") or content.get("access_token") or "")
            if not token.isascii() or not token.isprintable():
                raise RegistryUnavailable(f"The registry {self._host} sent a token that cannot be used.")
            return {"Authorization": f"Bearer {token}"}
        if basic is None:
            raise self.refused()
        checked = await self._get(f"{self.address}/v2/", auth=basic)
        if checked.status in (401, 403):
            raise self.refused()
        return {"Authorization": str(checked.asked.get("authorization", ""))}

    def refused(self) -> InvalidRequest:
        if self._key is not None:
            return _field(KeyRefused, "key", f"{self._host} refuses this key.")
        if self._host == self._keys_for:
            hint = "Store yours under Environments, Images, and pull it again."
            return _field(KeyRefused, "reference", f"{self._host} requires a key for this image.", hint)
        hint = "Pull it with `apptainer pull` in a terminal, and register the file under Environments, Images."
        message = f"{self._host} requires a login for this image; the portal keeps keys only for {self._keys_for}."
        return _field(KeyRefused, "reference", message, hint)

    async def _get(
        self,
        url: str,
        headers: dict[str, str] | None = None,
        params: dict[str, str] | None = None,
        auth: httpx2.BasicAuth | None = None,
    ) -> Answer:
        """Request a URL of the registry or of its token service. Raises RegistryRefused, RegistryUnavailable."""
        if not self.fetcher.may(self._host):
            message = f"This site does not allow the registry {self._host}."
            raise _field(RegistryRefused, "reference", message, RegistryRefused.hint)
        with self._circuits.of(self._host).attempt():
            try:
                answer = await self.fetcher.get(url, headers=headers or {}, params=params, auth=auth)
            except NotReached as error:
                raise RegistryUnavailable(f"The registry {self._host} {error}.") from error
        if answer.status >= 500 or answer.status == 429:
            raise RegistryUnavailable(f"The registry {self._host} answered HTTP {answer.status}.")
        return answer

    def _read(self, answer: Answer) -> dict[str, Any]:
        try:
            content = json.loads(answer.content) if 200 <= answer.status < 300 else None
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            raise RegistryUnavailable(
                f"The registry {self._host} sent an answer that cannot be read (HTTP {answer.status})."
            )
        return content


def _for_this_machine(content: dict[str, Any]) -> str | None:
    """Return the digest of an index's image for Linux on x86-64; None if it is not an index."""
    for manifest in _listed(content, "manifests"):
        platform = manifest.get("platform")
        is_ours = isinstance(platform, dict) and (platform.get("os"), platform.get("architecture")) == OURS
        if is_ours and _DIGEST.fullmatch(str(manifest.get("digest"))):
            return str(manifest["digest"])
    return None


def _listed(content: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the objects of a list in a registry's answer, which may contain anything."""
    result = content.get(name)
    return [layer for layer in result[:MOST_LAYERS] if isinstance(layer, dict)] if isinstance(result, list) else []


def _size(layer: dict[str, Any]) -> int:
    size = layer.get("size")
    return size if isinstance(size, int) and 0 <= size < 1 << 50 else 0


def _field(kind: type[InvalidRequest], field: str, message: str, hint: str | None = None) -> InvalidRequest:
    return kind(message, hint=hint, fields=[FieldProblem(field, message)])
