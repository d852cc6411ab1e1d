"""Offers the kernels of an image to a Jupyter server on the host.

The image is asked for its kernels once; the answer is cached in the home until the image's file changes. Each becomes a
kernel of this session whose argv runs inside the image; the connection file is in the session's folder, which is bound
into the image.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .launch import agent_path, home

if TYPE_CHECKING:
    from agent import wire

KEPT = Path(".portal", "kernels")
PROBE_TIMEOUT_S = 90.0
MARK = "dsp-kernel"
# The same for every image: where kernels are declared, and whether there is an undeclared one.
PROBE = r"""
for kernel in /usr/share/jupyter /usr/local/share/jupyter /opt/*/share/jupyter /opt/*/*/share/jupyter; do
  for file in "$kernel"/kernels/*/kernel.json; do
    [ -f "$file" ] && printf '\n%s %s\n' dsp-kernel "${file%/kernel.json}" && cat "$file"
  done
done
for python in python3 python python2; do
  "$python" -c 'import ipykernel, sys
print("\n%s python %d %s" % ("dsp-kernel", sys.version_info[0], sys.executable))' 2>/dev/null
done
exit 0
"""


class NoKernels(Exception):
    """The image has no kernel or does not start; carries a sentence."""


def offer(image: wire.Image, folder: Path) -> None:
    """Write the image's kernels below `folder` for Jupyter. Raises NoKernels, OSError.

    `image` has `name` (of the environment), `title`, and `words`, the options of `enter-image`.
    """
    words = [str(word) for word in image["words"]]
    path = next(word.partition("=")[2] for word in words if word.startswith("--image="))
    kernels = _kept(path) or _ask(words)
    if not kernels:
        raise NoKernels(
            "{} has no Jupyter kernel: install ipykernel, or another kernel, in the image.".format(image["title"])
        )
    _keep(path, kernels)
    for name, spec in named(str(image["name"]), kernels):
        where = folder / "kernels" / name
        where.mkdir(parents=True, exist_ok=True)
        enter = [sys.executable, "-I", agent_path(), "enter-image", *words, "--"]
        (where / "kernel.json").write_text(json.dumps(hosted(spec, enter, str(image["title"])), indent=1))


def named(environment: str, specs: Sequence[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Name the kernels: the first Python 3, or else the first of all, gets the environment's own name."""
    first = next((spec for spec in specs if spec["name"] in ("python3", "python")), specs[0])
    rest = [spec for spec in specs if spec is not first]
    return [(environment, first), *((f"{environment}-{spec['name']}".lower(), spec) for spec in rest)]


def hosted(spec: Mapping[str, Any], enter: Sequence[str], title: str) -> dict[str, Any]:
    """Turn the image's kernel into one of the host, with an argv that runs inside and the image's title in its name."""
    kernel = {name: spec[name] for name in ("language", "metadata", "interrupt_mode", "env") if name in spec}
    return {"argv": [*enter, *spec["argv"]], "display_name": f"{spec['display_name']} · {title}", **kernel}


def _ask(words: Sequence[str]) -> list[dict[str, Any]]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DSP_")}
    try:
        done = subprocess.run(
            [sys.executable, "-I", agent_path(), "enter-image", *words, "--", "/bin/sh", "-c", PROBE],
            env={**environment, "HOME": home()},
            cwd=home(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NoKernels(f"The image did not start within {PROBE_TIMEOUT_S:.0f} seconds.") from None
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip().splitlines()
        raise NoKernels("The image does not start: {}".format(message[-1][:300] if message else "no reason is given"))
    return parse(done.stdout.decode(errors="replace"))


def parse(message: str) -> list[dict[str, Any]]:
    """Parse the probe's output: each declared kernel, and each Python with an undeclared ipykernel."""
    kernels: list[dict[str, Any]] = []
    for block in message.split(f"\n{MARK} ")[1:]:
        head, _, text = block.partition("\n")
        if head.startswith("python "):
            _, major, python = head.split(" ", 2)
            if not any(spec["name"] in ("python", f"python{major}") for spec in kernels):
                kernels.append(_undeclared(major, python.strip()))
            continue
        with suppress(ValueError, KeyError, TypeError):
            spec = json.loads(text)
            argv = [str(word).replace("{resource_dir}", head) for word in spec["argv"]]
            kernels.append({**spec, "name": Path(head).name, "argv": argv, "display_name": str(spec["display_name"])})
    unique = {spec["name"]: spec for spec in reversed(kernels)}
    return [unique[name] for name in reversed(list(unique))]


def _undeclared(major: str, python: str) -> dict[str, Any]:
    return {
        "name": f"python{major}",
        "argv": [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": f"Python {major}",
        "language": "python",
    }


def _file(path: str) -> Path:
    return Path(home()) / KEPT / (hashlib.sha256(path.encode()).hexdigest()[:24] + ".json")


def _stamp(path: str) -> list[int]:
    stat = os.stat(path)
    return [stat.st_size, stat.st_mtime_ns, stat.st_ino]


def _kept(path: str) -> list[dict[str, Any]]:
    """Return the image's cached answer if its file is unchanged."""
    try:
        kept = json.loads(_file(path).read_text())
        return list(kept["kernels"]) if kept["stamp"] == _stamp(path) else []
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _keep(path: str, kernels: Sequence[Mapping[str, Any]]) -> None:
    with suppress(OSError):
        file = _file(path)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_text(json.dumps({"stamp": _stamp(path), "kernels": list(kernels)}))
