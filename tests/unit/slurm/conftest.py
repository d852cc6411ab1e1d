from __future__ import annotations

import pytest

from tests.unit.slurm.recordings import SERIES, Recording


@pytest.fixture(params=SERIES)
def recording(request: pytest.FixtureRequest) -> Recording:
    return Recording.of(request.param)
