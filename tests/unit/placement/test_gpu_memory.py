"""A GPU whose memory ran out, found in what programs wrote last (tests/recorded/gpu_oom)."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.placement import gpu_memory
from portal.slurm.nodes import GpuCount, Node, NodeState
from portal.slurm.snapshot import Snapshot

RECORDED = Path(__file__).parents[2] / "recorded" / "gpu_oom"
TYPES = ("v100", "h100", "h200", "a100_80gb", "mystery")
CLUSTER = Snapshot(
    nodes=tuple(
        Node(f"node{at}", NodeState.IDLE, gpus=(GpuCount(gpu_type, 4, 0),)) for at, gpu_type in enumerate(TYPES)
    )
)


def recorded(name: str) -> str:
    return (RECORDED / f"{name}.txt").read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytorch-2.11", "GPU 0 ran out of memory: it has 79.2 GB. H200 GPUs of this cluster have more."),
        (
            "pytorch-1.13",
            "GPU 1 ran out of memory: it has 15.8 GB. A100_80GB, H100 and H200 GPUs of this cluster have more.",
        ),
        ("tensorflow-2", "GPU 0 ran out of memory."),
        ("jax-0.11", "GPU 0 ran out of memory."),
        ("jax-0.11-autotuner", "GPU 0 ran out of memory."),
        ("cupy-14", "A GPU ran out of memory."),
        ("numba-cuda", "A GPU ran out of memory."),
    ],
)
def test_full_gpu_is_named_with_its_memory_as_far_as_the_output_says(name: str, text: str) -> None:
    assert gpu_memory.ran_out(recorded(name), CLUSTER) == text


def test_program_in_another_language_is_understood() -> None:
    output = "epoch 1\nCUDA error: cudaErrorMemoryAllocation out of memory\n"
    assert gpu_memory.ran_out(output, CLUSTER) == "A GPU ran out of memory."
    assert gpu_memory.ran_out(output + "epoch\n" * gpu_memory.LAST_LINES, CLUSTER) is None


def test_starter_that_reports_a_failed_program_does_not_hide_its_error() -> None:
    torchrun = """Traceback (most recent call last):
  File "/usr/bin/torchrun", line 8, in <module>
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
"""
    inside = recorded("pytorch-2.11").replace("torch.OutOfMemoryError", "[rank0]: torch.OutOfMemoryError")
    assert gpu_memory.ran_out(inside + torchrun, CLUSTER) is not None


@pytest.mark.parametrize(
    "after",
    [
        "Traceback (most recent call last):\nKeyError: 'loss'\n",
        "[rank0]: ValueError: no batch fits\n",
        "slurmstepd: error: Detected 1 oom_kill event\nMemoryError\n",
        "OSError: [Errno 28] No space left on device\n",
    ],
)
def test_error_that_the_program_survived_is_not_its_end(after: str) -> None:
    assert gpu_memory.ran_out(recorded("pytorch-2.11") + "trying half the batch\n" + after, CLUSTER) is None


@pytest.mark.parametrize(
    "output",
    [
        "",
        "grpc._channel._InactiveRpcError: RESOURCE_EXHAUSTED: received message larger than max",
        "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 858993459200 bytes.",
        "ResourceExhaustedError: OOM when allocating tensor with shape[9] on /job:x/device:CPU:0 by allocator cpu",
        "MemoryError: Unable to allocate 8.00 TiB for an array",
    ],
)
def test_other_memory_is_not_called_a_gpus(output: str) -> None:
    assert gpu_memory.ran_out(output, CLUSTER) is None


@pytest.mark.parametrize(
    ("name", "memory_gb"),
    [
        ("a100", 40),
        ("A100-SXM4-80GB", 80),
        ("nvidia_h200", 141),
        ("gpu", None),
        ("", None),
        ("a100_1g.10gb", 10),
        ("nvidia_a100_80gb_pcie_3g.40gb", 40),
        ("1g.5gb", 5),
        ("a100_mig", None),
    ],
)
def test_type_names_tell_the_least_memory(name: str, memory_gb: int | None) -> None:
    assert gpu_memory.memory_gb(name) == memory_gb


def test_hostile_output_is_searched_in_time() -> None:
    outputs = ("a." * 9000, "[" * 17_000, "GPU 1 " * 3000 + "CUDA out of memory", "9" * 16_000 + ".99 GiB")
    assert [gpu_memory.ran_out(output, CLUSTER) is None for output in outputs] == [True, True, False, True]
