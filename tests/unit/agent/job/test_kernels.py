"""The kernels of an image as kernels of the host, and how a failed pull is reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.job import kernels
from agent.job.pull import Pull, PullError, explain

R = {
    "argv": ["R", "--slave", "-e", "IRkernel::main()", "--args", "{connection_file}"],
    "display_name": "R",
    "language": "R",
}
PYTHON2 = {
    "argv": ["/usr/bin/python2", "-m", "ipykernel_launcher", "-f", "{connection_file}", "{resource_dir}"],
    "display_name": "Python 2",
    "language": "python",
}
SAID = f"""
dsp-kernel /usr/share/jupyter/kernels/ir
{json.dumps(R)}
dsp-kernel /usr/share/jupyter/kernels/python2
{json.dumps(PYTHON2)}
dsp-kernel /usr/share/jupyter/kernels/broken
{{"argv": 7}}
"""


def test_declared_kernels_are_found_and_broken_ones_passed_over() -> None:
    results = kernels.parse(SAID)
    assert [spec["name"] for spec in results] == ["ir", "python2"]
    assert results[1]["argv"][-1] == "/usr/share/jupyter/kernels/python2"


def test_a_python_with_ipykernel_is_a_kernel_unless_one_is_declared() -> None:
    three, two = "\ndsp-kernel python 3 /opt/conda/bin/python3\n", "\ndsp-kernel python 2 /usr/bin/python2\n"
    assert kernels.parse(three)[0]["argv"][0] == "/opt/conda/bin/python3"
    assert [spec["display_name"] for spec in kernels.parse(two + three)] == ["Python 2", "Python 3"]
    assert [spec["name"] for spec in kernels.parse(SAID + two)] == ["ir", "python2"]
    assert [spec["name"] for spec in kernels.parse(SAID + three)] == ["ir", "python2", "python3"]


def test_the_first_python_has_the_environments_own_name() -> None:
    python3 = {**PYTHON2, "name": "python3"}
    specs = [{**R, "name": "ir"}, python3]
    assert [name for name, _ in kernels.named("image-x", specs)] == ["image-x", "image-x-ir"]
    assert [name for name, _ in kernels.named("image-x", specs[:1])] == ["image-x"]


def test_a_kernel_goes_into_the_image_with_its_connection_file() -> None:
    spec = kernels.hosted(R, ["python3", "-I", "agent", "enter-image", "--"], "My image")
    assert spec["argv"] == ["python3", "-I", "agent", "enter-image", "--", *R["argv"]]
    assert spec["display_name"] == "R · My image"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("FATAL: While making image: write /x: no space left on device", "quota is full"),
        ("unexpected status code 401 Unauthorized", "registry refused"),
        ("MANIFEST_UNKNOWN: manifest unknown", "no such image or tag"),
        ("GET https://r.example/v2/a/manifests/1: unexpected status code 404 Not Found", "no such image or tag"),
        ("BLOB_UNKNOWN: blob unknown to registry", "lost a layer"),
        ("GET https://r.example/v2/a/blobs/sha256:ab: unexpected status code 404 Not Found", "lost a layer"),
        ("reading blob sha256:ab: fetching blob: StatusCode: 404, <html>", "lost a layer"),
        ("dial tcp: lookup nvcr.io: no such host", "could not be reached"),
        ("x509: certificate signed by unknown authority", "does not trust"),
        ("FATAL:   something new", "something new"),
    ],
)
def test_a_failed_pull_is_told_in_words(value: str, words: str) -> None:
    assert words in explain(value, {"reference": "docker://x/y:1"})


def test_the_key_is_in_one_environment_and_in_no_output(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "apptainer"
    program.write_text('#!/bin/sh\necho "login with $APPTAINER_DOCKER_PASSWORD"\necho "$@"\nexit 1\n')
    program.chmod(0o755)
    order = {
        "reference": "docker://x/y:1",
        "apptainer": str(program),
        "target": str(tmp_path / "images" / "y.sif"),
        "work": str(tmp_path / "images" / ".pull-1"),
        "username": "$oauthtoken",
        "password": "nvapi-secret",
    }
    with pytest.raises(PullError) as failed:
        Pull(order, lambda message, progress: None).run()
    out = capfd.readouterr().out
    assert "login with …" in out
    assert "docker://x/y:1" in out
    assert "nvapi-secret" not in out + str(failed.value)
    assert (tmp_path / "images" / ".pull-1").is_dir()
