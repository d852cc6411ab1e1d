"""Every template runs from top to bottom, as a session would run it, and shows the result that it promises.

Every test run includes the light ones; `./dev test templates` runs all.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from portal.environments.service import EnvironmentService
from portal.notebooks import gallery
from portal.settings import Settings
from tests.templates.ran import Ran

Run = Callable[[str], Ran]


class Promise(NamedTuple):
    """A run's result: at least `least` in the group of `pattern` in the last cell's output, so many `plots`, these
    `files`, and the texts in `says`."""

    pattern: str
    least: float
    plots: int
    files: tuple[str, ...] = ()
    says: tuple[str, ...] = ()


NUMBER = r"([\d,]+(?:\.\d+)?)"
DIGITS = rf"Accuracy on .*: {NUMBER}"
BOARD = "events.out.tfevents.*"
LIGHT = {
    "scikit-learn-handwritten-digits": Promise(DIGITS, 0.95, 7, ("results/scikit-learn-digits/model.joblib",)),
    "pytorch-handwritten-digits": Promise(
        DIGITS,
        0.95,
        4,
        ("results/pytorch-digits/model.pt", f"results/pytorch-digits/runs/*/{BOARD}"),
        ("GPUs of this session (CUDA_VISIBLE_DEVICES): 0,1", "scikit-learn's digits"),
    ),
}
HEAVY = {
    "tensorflow-handwritten-digits": Promise(
        DIGITS, 0.95, 4, ("results/tensorflow-digits/model.keras", f"results/tensorflow-digits/runs/*/train/{BOARD}")
    ),
    "tensorflow-mixed-precision": Promise(
        rf"Accuracy on .*: {NUMBER} \(",
        0.95,
        3,
        (
            "results/tensorflow-mixed-precision/model.keras",
            f"results/tensorflow-mixed-precision/runs/*/*/train/{BOARD}",
        ),
    ),
    "tensorflow-mirrored-strategy": Promise(
        rf"Accuracy on the digits.*: {NUMBER}",
        0.95,
        1,
        ("results/mirrored/model.keras", f"results/mirrored/runs/*/replicas-2/train/{BOARD}"),
        ("comparing 1, 2 replicas",),
    ),
    "keras-handwritten-digits": Promise(
        DIGITS,
        0.95,
        4,
        ("results/keras-digits/model.keras", f"results/keras-digits/runs/*/{BOARD}"),
        ("trained with jax, loaded with jax",),
    ),
    "xgboost-handwritten-digits": Promise(
        DIGITS, 0.95, 5, ("results/xgboost-digits/model.ubj", f"results/xgboost-digits/runs/*/{BOARD}")
    ),
    "pytensor-handwritten-digits": Promise(
        DIGITS, 0.95, 5, ("results/pytensor-digits/model.npz", f"results/pytensor-digits/runs/*/{BOARD}")
    ),
    "mxnet-handwritten-digits": Promise(DIGITS, 0.95, 3, ("results/mxnet-digits/model-0000.params",)),
    "r-handwritten-digits": Promise(DIGITS, 0.95, 6, ("results/r-digits/model.rds",)),
    "jax-handwritten-digits": Promise(DIGITS, 0.95, 4, ("results/jax-digits/model.npz",)),
    "pytorch-resnet50-mixed-precision": Promise(
        rf"float32 {NUMBER} images a second", 0, 1, (f"results/resnet50/runs/*/{BOARD}",)
    ),
    "pytorch-data-parallel": Promise(
        rf"Accuracy on the digits.*: {NUMBER},", 0.95, 1, ("results/data-parallel/world-2.json.pt",)
    ),
    "pytorch-input-pipeline": Promise(rf"Shards against small files: {NUMBER}", 0.3, 1),
    "pytorch-bert-fine-tuning": Promise(
        rf"Accuracy with 5 labelled .*: {NUMBER} pre-trained", 0.75, 2, ("results/bert/model/model.safetensors",)
    ),
    "pytorch-translation-transformer": Promise(
        rf"Translated without a mistake: {NUMBER}", 0.95, 2, ("results/translation/model.pt",)
    ),
    "pytorch-object-detection-ssd": Promise(
        rf"Mean average precision on .*: {NUMBER}", 0.8, 3, ("results/ssd/model.pt",)
    ),
    "pytorch-recommendation-dlrm": Promise(
        rf"AUC on .*: {NUMBER}", 0.8, 1, ("results/dlrm/model.pt", f"results/dlrm/runs/*/{BOARD}")
    ),
    "pytorch-inference": Promise(rf"Most pictures a second: {NUMBER}", 0, 1, ("results/inference/resnet50-int8.onnx",)),
    "machine-storage": Promise(rf"Best read throughput .*: {NUMBER}", 0.01, 1, ("results/storage/*.json",)),
    "machine-gpu-health": Promise(rf"Memory bandwidth of .*: {NUMBER}", 0.5, 2, ("results/gpu-health/*.json",)),
    "machine-all-reduce": Promise(rf"Best bus bandwidth: {NUMBER}", 0.01, 1, ("results/all-reduce/figures.json",)),
}

#: Run by hand, in a Python or an image that the tests do not install, or on a cluster: docs/how-to/templates.md.
ELSEWHERE = {
    *(f"{framework}-handwritten-digits" for framework in ("chainer", "theano", "caffe", "caffe2", "cntk")),
    "pytorch-torchrun-slurm",
}


def keeps(run: Run, template_id: str, promise: Promise) -> None:
    ran = run(template_id)
    assert ran.result(promise.pattern) >= promise.least
    assert ran.plots == promise.plots
    assert ran.complaints == []
    for pattern in promise.files:
        assert list(ran.folder.glob(pattern)), f"{pattern} is missing"
    for words in promise.says:
        assert words in ran.printed()


@pytest.mark.parametrize("template_id", LIGHT)
def test_a_light_template_keeps_its_promise(run: Run, template_id: str) -> None:
    keeps(run, template_id, LIGHT[template_id])


@pytest.mark.slow
@pytest.mark.parametrize("template_id", HEAVY)
def test_a_heavy_template_keeps_its_promise(run: Run, template_id: str) -> None:
    keeps(run, template_id, HEAVY[template_id])


def test_every_template_was_run_or_says_why_not(settings: Settings) -> None:
    templates = [template.template for template in gallery(settings).found]
    assert {template.id for template in templates if not template.not_run} == {*LIGHT, *HEAVY, *ELSEWHERE}


@pytest.mark.slow
def test_an_environment_is_renewed_under_a_kernel_that_runs(
    settings: Settings, installed: Callable[[str], Path]
) -> None:
    """Real venv and pip: what a session started from stays whole while a newer build takes its place."""
    path = installed("pytorch")
    before = path.resolve()
    kernel = subprocess.Popen(
        [str(before / "bin" / "python"), "-c", "input(); import sklearn; print(sklearn.__file__)"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    asyncio.run(EnvironmentService(settings).install("pytorch"))
    assert path.resolve() != before
    output, _ = kernel.communicate("\n", timeout=60)
    assert output.startswith(str(before))
