from __future__ import annotations

import pytest
from hypothesis import settings

from tests.unit.slurm.recordings import SERIES, Recording

settings.register_profile("portal", deadline=None)  # a busy machine is no defect
settings.load_profile("portal")


@pytest.fixture(params=SERIES)
def recording(request: pytest.FixtureRequest) -> Recording:
    return Recording.of(request.param)
