"""The job that pulls an image from a registry: gets its task from the portal, runs `apptainer pull`, reports progress.

The user's registry key comes from the portal and goes into the environment of that one program; it is never written to
disk. Partial downloads stay next to the image's final path, so that another attempt resumes from there.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Mapping

from .launch import SYSTEM_PATH, home
from .portal import AgentError, Portal

MIB = 1 << 20
LOOK_EVERY_S = 1.0
FETCHED = 70  # percent once all layers are there
KILL_AFTER_S = 3.0
SIF_MAGIC, SIF_MAGIC_AT = b"SIF_MAGIC\x00", 32
TAIL_LINES = 60


class PullError(Exception):
    """The pull failed; carries a sentence for the user."""


def run(environ: Mapping[str, str]) -> int:
    """Pull one image; return 0 if it is in its place."""
    key = secrets.token_hex(32)
    portal = Portal(environ["DSP_PORTAL"], environ["DSP_SESSION"], key)
    body = {"session": environ["DSP_SESSION"], "secret": environ["DSP_SECRET"], "key": key}
    try:
        _, order = portal.call("pull/hello", body)
    except (AgentError, OSError) as error:
        print(f"The portal did not say what to pull: {error}", flush=True)
        return 1
    pull = Pull(order, lambda message, progress: _tell(portal, message, progress))
    signal.signal(signal.SIGTERM, lambda *_: pull.stop())
    try:
        result: dict[str, Any] = {"ok": True, **pull.run()}
    except PullError as error:
        result = {"ok": False, "message": str(error)}
    except OSError as error:
        result = {"ok": False, "message": words_of(error)}
    print(result.get("message") or "The image is ready.", flush=True)
    for wait in (0.5, 2.0, 8.0, 0.0):
        with suppress(AgentError):
            portal.call("pull/ended", result)
            break
        time.sleep(wait)
    return 0 if result["ok"] else 1


def _tell(portal: Portal, message: str, progress: int) -> None:
    with suppress(AgentError):
        portal.call("pull/progress", {"message": message[:500], "progress": progress})


class Pull:
    def __init__(self, order: Mapping[str, Any], tell: Callable[[str, int], None]) -> None:
        self._order = order
        self._tell = tell
        self._target = Path(str(order["target"]))
        self._work = Path(str(order["work"]))
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._stage = "Fetching the layers"
        self._said: list[str] = []

    def stop(self) -> None:
        """Stop the pull; partial downloads stay."""
        self._stopped = True
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)

    def run(self) -> dict[str, Any]:
        """Pull the image into its place; return its size and digest. Raises PullError, OSError."""
        for folder in (self._target.parent, self._work, self._work / "tmp"):
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        beside = self._work / "image.sif"
        with suppress(FileNotFoundError):
            beside.unlink()
        if self._fetch(beside) != 0:
            raise PullError("The pull was cancelled." if self._stopped else explain("\n".join(self._said), self._order))
        self._tell("Checking the image", 97)
        self._verify(beside)
        digest = self._order.get("digest") or file_digest(beside)
        size_mb = -(-beside.stat().st_size // MIB)
        os.chmod(beside, 0o755)  # noqa: S103 - others may use an image if they may enter its folder
        os.replace(beside, self._target)
        shutil.rmtree(self._work, ignore_errors=True)
        return {"size_mb": size_mb, "digest": digest}

    def _fetch(self, beside: Path) -> int:
        order = self._order
        options = ["--force", *(["--no-https"] if order.get("plain_http") else [])]
        try:
            self._process = subprocess.Popen(
                [str(order["apptainer"]), "pull", *options, str(beside), str(order["reference"])],
                env=self._environment(),
                cwd=str(self._work),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise PullError(
                "Apptainer cannot be started on this node ({}: {}); tell the administrators.".format(
                    order["apptainer"], error.strerror
                )
            ) from error
        watching = threading.Thread(target=self._watch, daemon=True)
        watching.start()
        assert self._process.stdout is not None  # noqa: S101 - asked for with PIPE
        with self._process.stdout:
            for raw in self._process.stdout:
                self._hear(raw.decode(errors="replace").rstrip())
        code = self._process.wait()
        watching.join(KILL_AFTER_S)
        return code

    def _environment(self) -> dict[str, str]:
        environment = {
            "PATH": SYSTEM_PATH + ":/usr/sbin:/sbin",
            "HOME": home(),
            "LANG": "C.UTF-8",
            "APPTAINER_CACHEDIR": str(self._work / "cache"),
            "APPTAINER_TMPDIR": str(self._work / "tmp"),
        }
        for name in ("https_proxy", "http_proxy", "no_proxy", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_FILE"):
            if name in os.environ:
                environment[name] = os.environ[name]
        if self._order.get("password"):
            environment["APPTAINER_DOCKER_USERNAME"] = str(self._order.get("username") or "")
            environment["APPTAINER_DOCKER_PASSWORD"] = str(self._order["password"])
        environment.update(
            (name.replace("APPTAINER_", "SINGULARITY_"), value)
            for name, value in list(environment.items())
            if name.startswith("APPTAINER_")
        )
        return environment

    def _hear(self, line: str) -> None:
        secret = str(self._order.get("password") or "")
        line = re.sub(r"\x1b\[[0-9;]*m", "", line)
        print(line.replace(secret, "…") if secret else line, flush=True)
        self._said = [*self._said[1 - TAIL_LINES :], line.replace(secret, "…") if secret else line]
        if "Creating SIF" in line or "Extracting" in line or "Inserting" in line:
            self._stage = "Packing the image file" if "Creating" in line else "Unpacking the layers"

    def _watch(self) -> None:
        """Report progress: the bytes fetched so far, then the stage."""
        total = int(self._order.get("size_bytes") or 0)
        reported = ("", -1)
        while self._process is not None and self._process.poll() is None:
            got = size_of(self._work / "cache")
            if self._stage == "Packing the image file":
                now = (self._stage, 85)
            elif self._stage == "Unpacking the layers" or (total and got >= total):
                now = ("Unpacking the layers", FETCHED)
            elif total:
                now = (f"Fetching: {got // MIB:,} of {-(-total // MIB):,} MB", FETCHED * got // total)
            else:
                now = (f"Fetching: {got // MIB:,} MB so far", 5)
            if now != reported:
                reported = now
                self._tell(*now)
            time.sleep(LOOK_EVERY_S)

    def _verify(self, image: Path) -> None:
        """Check that Apptainer can read the image; its content was already checked against the registry's digests."""
        with image.open("rb") as file:
            if SIF_MAGIC not in file.read(SIF_MAGIC_AT + len(SIF_MAGIC)):
                raise PullError("The download is not an image file. Pull the image again.")
        done = subprocess.run(
            [str(self._order["apptainer"]), "sif", "list", str(image)],
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise PullError(
                "The image file cannot be read: {}".format(done.stderr.decode(errors="replace")[-200:].strip())
            )


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder, including unfinished ones."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(where, name)).st_size
    return total


def file_digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for piece in iter(lambda: file.read(MIB), b""):
            digest.update(piece)
    return "sha256:" + digest.hexdigest()


# Apptainer's error messages and what they mean; the first match is reported.
WORDS = (
    (
        r"no space left|disk quota exceeded",
        "The disk or your quota is full. Free some space, then pull the image again.",
    ),
    (
        r"unauthorized|authentication required|access denied|denied: |403 \(?forbidden|401 \(?unauthorized",
        "The registry refused access: store a key that may pull this image, then pull it again.",
    ),
    (
        r"blob[ _]unknown|(reading|fetching|copying|parsing) blob.*(404|not found)|/blobs/.*(404|not found)",
        "The registry has lost a layer of this image. Pull the image again; if this happens again, choose another tag.",
    ),
    (r"manifest unknown|not found: manifest|404 \(?not found|name unknown", "The registry has no such image or tag."),
    (
        r"no such host|connection refused|i/o timeout|network is unreachable|connection reset|tls handshake"
        r"|server misbehaving",
        "The registry could not be reached from the compute node. Pull the image again; it continues where it stopped.",
    ),
    (
        r"unexpected eof|eof$|digest did not match|invalid checksum",
        "The connection was lost. Pull the image again; it continues where it stopped.",
    ),
    (
        r"x509|certificate",
        "The compute node does not trust the registry's certificate; tell the administrators.",
    ),
)


def explain(output: str, order: Mapping[str, Any]) -> str:
    """Return what went wrong as a sentence; Apptainer's own last line if the error is unknown."""
    for pattern, words in WORDS:
        if re.search(pattern, output, re.IGNORECASE | re.MULTILINE):
            return words
    fatal = [line for line in output.splitlines() if "FATAL" in line or "ERROR" in line]
    return "Apptainer could not pull {}: {}".format(order["reference"], (fatal or ["no reason is given"])[-1][:300])


def words_of(error: OSError) -> str:
    return "{} cannot be written: {}.".format(error.filename or "The image's folder", error.strerror)
