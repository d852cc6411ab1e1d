"""What a job is called by in an action."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from portal.jobs.schemas import JobRef

REF = TypeAdapter(JobRef)


@pytest.mark.parametrize("ref", ["7", "123_7", "123_[0-9,12]", f"1_[{'0,' * 500}1]"])
def test_a_job_its_task_or_some_of_its_tasks_is_taken(ref: str) -> None:
    assert REF.validate_python(ref) == ref


@pytest.mark.parametrize(
    "ref", ["", "0", "7\n", "1_", "1_[]", "1_[,]", "1;2", "\u0661\u0662", "1_[\u0663]", f"1_[{'0,' * 600}1]"]
)
def test_what_is_no_job_is_refused(ref: str) -> None:
    with pytest.raises(ValidationError):
        REF.validate_python(ref)
