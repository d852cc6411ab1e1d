"""Asks a registry about keys and manifests (OCI distribution specification, and the token way of Docker registries).

A key goes to the registry's own token service and nowhere else: over TLS, and never into a message or a log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2

from portal.errors import FieldProblem, InvalidRequest, Unavailable
from portal.images.reference import Reference
from portal.settings import Ngc

MANIFESTS = ", ".join(
    f"application/vnd.{kind}+json"
    for kind in (
        "oci.image.index.v1",
        "oci.image.manifest.v1",
        "docker.distribution.manifest.list.v2",
        "docker.distribution.manifest.v2",
    )
)
MAX_MANIFEST = 4 << 20
_CHALLENGE = re.compile(r'(\w+)="([^"]*)"')


class RegistryUnavailable(Unavailable):
    code = "registry_unavailable"
    hint = "Nothing is lost; try again, or ask the administrators whether this machine may reach the registry."


class KeyRefused(InvalidRequest):
    code = "key_refused"
    hint = "Make a new key on the registry's own page, and store that one."


class NoSuchImage(InvalidRequest):
    code = "no_such_image"
    hint = "Check repository and tag on the registry's own page."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a tag stands for now: its digest, and the compressed size of its layers."""

    digest: str | None
    size_bytes: int | None


class Registry:
    """One registry, spoken to with one user's key or with none."""

    def __init__(self, host: str, settings: Ngc, key: str | None) -> None:
        self._host = host
        self._key = key
        self._keys_for = settings.host
        self._username = settings.username
        self._insecure = settings.plain_http and host == settings.host
        self._base = f"{'http' if self._insecure else 'https'}://{host}"
        self._http = httpx2.AsyncClient(timeout=settings.timeout_s, follow_redirects=False)

    async def __aenter__(self) -> Registry:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def reach(self) -> None:
        """See that it answers at all. Raises RegistryUnavailable."""
        await self._get(f"{self._base}/v2/")

    async def check_key(self, repository: str) -> None:
        """Log in for `repository`. Raises KeyRefused, RegistryUnavailable."""
        await self._authorization(await self._get(f"{self._base}/v2/"), repository)

    async def manifest(self, reference: Reference) -> Manifest:
        """Look the reference up. Raises NoSuchImage, KeyRefused, RegistryUnavailable."""
        url = f"{self._base}/v2/{reference.repository}/manifests/"
        headers = {"Accept": MANIFESTS}
        answer = await self._get(url + reference.of, headers)
        if answer.status_code == 401:
            headers |= await self._authorization(answer, reference.repository)
            answer = await self._get(url + reference.of, headers)
        if answer.status_code in (401, 403):
            raise self._refused()
        if answer.status_code == 404:
            raise _field(
                NoSuchImage, "reference", f"{self._host} has no {reference.repository} with the tag {reference.of}."
            )
        digest = answer.headers.get("docker-content-digest")
        content = self._read(answer)
        if (chosen := _for_this_machine(content)) is not None:
            content = self._read(await self._get(url + chosen, headers))
        sizes = [int(layer.get("size", 0)) for layer in content.get("layers", [])]
        return Manifest(digest if digest and re.fullmatch(r"sha256:[0-9a-f]{64}", digest) else None, sum(sizes) or None)

    async def _authorization(self, answer: httpx2.Response, repository: str) -> dict[str, str]:
        """Return the header that the registry's challenge asks for; none where it asks for nothing."""
        scheme, _, rest = answer.headers.get("www-authenticate", "").partition(" ")
        said = dict(_CHALLENGE.findall(rest))
        basic = httpx2.BasicAuth(self._username, self._key) if self._key else None
        if answer.status_code != 401:
            return {}
        if scheme.lower() == "bearer" and "realm" in said:
            if urlsplit(said["realm"]).scheme != ("http" if self._insecure else "https"):
                raise RegistryUnavailable(f"{self._host} names a token service that is not safe to send a key to.")
            wanted = {"scope": f"repository:{repository}:pull"} | (
                {"service": said["service"]} if "service" in said else {}
            )
            given = await self._get(said["realm"], params=wanted, auth=basic)
            if given.status_code in (400, 401, 403):
                raise self._refused()
            content = self._read(given)
            return {"Authorization": f"Bearer {content.get('token') or content.get('access_token') or ''}"}
        if basic is None:
            raise self._refused()
        checked = await self._get(f"{self._base}/v2/", auth=basic)
        if checked.status_code in (401, 403):
            raise self._refused()
        return {"Authorization": str(checked.request.headers.get("authorization", ""))}

    def _refused(self) -> InvalidRequest:
        if self._key is not None:
            return _field(KeyRefused, "key", f"{self._host} refuses this key.")
        if self._host == self._keys_for:
            hint = "Store yours under Environments, Images, and get it again."
            return _field(KeyRefused, "reference", f"{self._host} wants a key for this image.", hint)
        hint = "Get it with `apptainer pull` in a terminal, and register the file under Environments, Images."
        message = f"{self._host} wants a login for this image; the portal keeps keys for {self._keys_for} alone."
        return _field(KeyRefused, "reference", message, hint)

    async def _get(
        self,
        url: str,
        headers: dict[str, str] | None = None,
        params: dict[str, str] | None = None,
        auth: httpx2.BasicAuth | None = None,
    ) -> httpx2.Response:
        try:
            answer = await self._http.get(url, headers=headers, params=params, auth=auth)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise RegistryUnavailable(f"The registry {self._host} cannot be reached from the portal.") from error
        if answer.status_code >= 500 or answer.status_code == 429:
            raise RegistryUnavailable(f"The registry {self._host} answers HTTP {answer.status_code}.")
        return answer

    def _read(self, answer: httpx2.Response) -> dict[str, Any]:
        try:
            content = answer.json() if answer.is_success and len(answer.content) <= MAX_MANIFEST else None
        except ValueError:
            content = None
        if not isinstance(content, dict):
            raise RegistryUnavailable(
                f"The registry {self._host} gives an answer that is none (HTTP {answer.status_code})."
            )
        return content


def _for_this_machine(content: dict[str, Any]) -> str | None:
    """Return the digest of an index's image for Linux on x86-64; None for what is no index."""
    for one in content.get("manifests", []):
        platform = one.get("platform", {})
        if platform.get("os") == "linux" and platform.get("architecture") == "amd64":
            return str(one["digest"])
    return None


def _field(kind: type[InvalidRequest], field: str, message: str, hint: str | None = None) -> InvalidRequest:
    return kind(message, hint=hint, fields=[FieldProblem(field, message)])
