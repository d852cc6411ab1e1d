from __future__ import annotations

import os

import pytest
from hypothesis import settings

from tests.unit.slurm.recordings import SERIES, Recording

settings.register_profile("portal", deadline=None)  # a busy machine is no defect
settings.register_profile("long", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("DSP_HYPOTHESIS", "portal"))


@pytest.fixture(params=SERIES)
def recording(request: pytest.FixtureRequest) -> Recording:
    return Recording.of(request.param)
