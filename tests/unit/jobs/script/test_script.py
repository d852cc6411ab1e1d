"""Form and script follow each other: nothing is lost on the way, and no value becomes more than a value."""

from __future__ import annotations

import shlex
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from portal.jobs.presets import presets
from portal.jobs.script.compose import compose
from portal.jobs.script.form import JobForm
from portal.jobs.script.parse import directives, parse
from portal.jobs.script.walltime import read_memory, read_time, write_memory, write_time

TEXT = st.text(st.characters(blacklist_categories=["Cc", "Cs", "Zl", "Zp", "Cf"]), max_size=20)
PLAIN = TEXT.filter(lambda text: text.strip() == text and not set(text) & set("#\"'\\`$"))
NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,10}", fullmatch=True)
FORMS = st.builds(
    JobForm,
    name=PLAIN.filter(bool),
    partition=st.none() | NAMES,
    account=st.none() | NAMES,
    nodes=st.integers(1, 100),
    tasks_per_node=st.none() | st.integers(1, 64),
    cpus_per_task=st.none() | st.integers(1, 64),
    memory_mib_per_node=st.none() | st.integers(1, 10**6),
    walltime_s=st.none() | st.integers(60, 10**6),
    modules=st.lists(st.sampled_from(["cuda/12.1", "gcc", "a.b/c+d"]), max_size=3),
    env=st.lists(
        st.builds(dict, name=st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True), value=TEXT), max_size=3
    ),
    array=st.none()
    | st.builds(dict, range=st.sampled_from(["0-9", "1,3,5", "0-90:10"]), at_once=st.none() | st.just(4)),
    dependencies=st.lists(
        st.builds(dict, kind=st.sampled_from(["afterok", "afterany"]), job=st.sampled_from(["12", "13_4"])), max_size=2
    ),
    workdir=st.none() | PLAIN.filter(bool).map(lambda text: f"/{text}"),
    output=st.none() | st.sampled_from(["%x-%j.out", "/tmp/a b.out"]),
    command=st.sampled_from(
        ["", "python train.py", "# note\nfor x in 1 2; do\n  echo $x\ndone", "echo '#SBATCH -N 9'"]
    ),
    notify=st.booleans(),
    gpus_per_node=st.integers(0, 8),
    environment=st.none() | st.sampled_from(["base", "pytorch"]),
)


@given(FORMS)
def test_script_of_a_form_is_read_back_as_the_form(form: JobForm) -> None:
    entry = ["module load x/1", "export PATH=/opt/x/bin:$PATH"] if form.environment else []
    script = compose(form, entry)
    parsed = parse(script)
    assert parsed.complete
    expected = form.model_copy(update={"command": form.command.strip("\n")})
    if not form.gpus_per_node:
        expected = expected.model_copy(update={"gpu_type": None})
    assert parsed.form == expected
    assert compose(parsed.form, entry) == script


@given(st.text(max_size=200))
def test_any_text_can_be_read_and_what_is_read_stays_the_same_script(text: str) -> None:
    parsed = parse(text)
    script = compose(parsed.form, kept=[line for line in parsed.kept if line.startswith("#SBATCH")])
    again = parse(script)
    assert again.form == parse(compose(again.form, kept=again.kept)).form


@given(st.dictionaries(st.from_regex(r"[A-Z]{1,5}", fullmatch=True), TEXT, max_size=3))
def test_variables_reach_the_program_as_they_were_typed(values: dict[str, str]) -> None:
    form = JobForm(
        env=[{"name": f"T_{name}", "value": value} for name, value in values.items()],  # type: ignore[list-item]
        command="env -0",
    )
    done = subprocess.run(["/bin/bash", "-c", compose(form)], env={}, capture_output=True, check=True)
    results = dict(line.split("=", 1) for line in done.stdout.decode().split("\0") if line.startswith("T_"))
    assert results == {f"T_{name}": value for name, value in values.items()}


@pytest.mark.parametrize("field", ["name", "workdir", "output", "error"])
@pytest.mark.parametrize("value", ["a\nb", "a#b", 'a"b', "a\\b", "$(id)", "`id`", "a\x00b", ""])
def test_what_a_directive_cannot_carry_is_refused(field: str, value: str) -> None:
    with pytest.raises(ValidationError):
        JobForm.model_validate({field: value})


@pytest.mark.parametrize(
    "bad",
    [
        {"array": {"range": "0-9;id"}},
        {"array": {"range": "0-9\n#SBATCH -p x"}},
        {"dependencies": [{"kind": "afterok", "job": "1,2"}]},
        {"dependencies": [{"kind": "singleton", "job": "1"}]},
        {"modules": ["cuda; id"]},
        {"modules": ["-x"]},
        {"env": [{"name": "A B", "value": ""}]},
        {"env": [{"name": "A", "value": "x\ny"}]},
        {"partition": "a b"},
        {"nodes": 0},
        {"sbatch": "x"},
    ],
)
def test_forms_that_are_none_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        JobForm.model_validate(bad)


def test_script_as_people_write_it_is_read() -> None:
    parsed = parse(
        "#!/bin/bash\n# my training\n#SBATCH -J train -N2\n#SBATCH --time 1-02:00 --mem=4G\n#SBATCH -a 0-9%3\n"
        "#SBATCH --gres=gpu:v100:2\n#SBATCH --exclusive=user   # alone\n##SBATCH -p nowhere\n\nmodule load cuda/12\n"
        "export LR=0.1\nexport DATA=$HOME/x\npython train.py\n"
    )
    form = parsed.form
    assert (form.name, form.nodes, form.walltime_s, form.memory_mib_per_node) == ("train", 2, 93_600, 4096)
    assert (form.gpus_per_node, form.gpu_type, form.modules) == (2, "v100", ["cuda/12"])
    assert form.array
    assert (form.array.range, form.array.at_once) == ("0-9", 3)
    assert [(variable.name, variable.value) for variable in form.env] == [("LR", "0.1")]
    assert form.partition is None
    assert form.command == "# my training\n##SBATCH -p nowhere\nexport DATA=$HOME/x\npython train.py"
    assert (parsed.kept, parsed.complete) == (["#SBATCH --exclusive=user   # alone"], False)


@pytest.mark.parametrize(
    "line", ["#SBATCH --mem=lots", "#SBATCH 'open", "#SBATCH --nodes=2-4", "#SBATCH -n", "#SBATCH x"]
)
def test_lines_that_no_field_shows_are_kept(line: str) -> None:
    assert parse(f"#!/bin/bash\n{line}\ntrue\n").kept == [line]


@pytest.mark.parametrize("first", ["#!/bin/bash -l", "#!/usr/bin/env python3", "#!/bin/sh"])
def test_what_runs_the_script_stays_when_the_form_changes(first: str) -> None:
    parsed = parse(f"{first}\n#SBATCH --nodes=2\n#SBATCH --exclusive=user\nprint(1)\n")
    again = compose(parsed.form.model_copy(update={"nodes": 3}), kept=parsed.kept)
    assert again.splitlines()[0] == first
    assert again.count("#!") == 1
    assert parse(again).form.nodes == 3
    assert parse(again).kept == [first, "#SBATCH --exclusive=user"]


def test_what_a_site_has_besides_sizes_is_read_and_written() -> None:
    lines = ["-C a100&nvme", "-L matlab:2,ansys", "--wckey=thesis", "--exclusive", "--gres=shard:v100:2"]
    form = parse("\n".join(["#!/bin/bash", *(f"#SBATCH {line}" for line in lines), "true", ""])).form
    assert (form.constraint, form.licenses, form.wckey, form.exclusive) == (
        "a100&nvme",
        "matlab:2,ansys",
        "thesis",
        True,
    )
    assert (form.shards_per_node, form.gpu_type, form.gpus_per_node) == (2, "v100", 0)
    by_mps = parse("#!/bin/bash\n#SBATCH --gres=mps:v100:50\ntrue\n").form
    assert (by_mps.mps_per_node, by_mps.gpu_type, by_mps.gpus_per_node) == (50, "v100", 0)
    assert parse(compose(form)).form.model_dump() == form.model_dump()


@pytest.mark.parametrize("line", ["--constraint=a|b", "--constraint=[a*2&b]", "-C a,b", "--licenses=a;b", "-L a|b"])
def test_expressions_that_the_form_does_not_have_stay_in_the_script(line: str) -> None:
    assert parse(f"#!/bin/bash\n#SBATCH {line}\ntrue\n").kept == [f"#SBATCH {line}"]


def test_directives_end_where_slurm_stops_reading() -> None:
    assert directives("#!/bin/bash\n#SBATCH -N 1\n\necho\n#SBATCH -N 2\n") == ["#SBATCH -N 1"]
    assert parse("#!/bin/bash\necho\n#SBATCH -N 2\n").form.nodes == 1


def test_presets_are_whole_scripts_and_bash_reads_them() -> None:
    names = set()
    for preset in presets({}, 0):
        script = compose(preset.form)
        assert parse(script).form == preset.form.model_copy(update={"command": preset.form.command.strip("\n")})
        subprocess.run(["/bin/bash", "-n"], input=script.encode(), check=True)
        names.add(preset.name)
    assert {"torchrun", "horovod", "sweep", "notebook", "tensorflow", "bandwidth"} <= names


@given(st.integers(0, 10**8))
def test_times_are_read_as_they_are_written(seconds: int) -> None:
    assert read_time(write_time(seconds)) == seconds


@given(st.integers(1, 10**9))
def test_sizes_are_read_as_they_are_written(mib: int) -> None:
    assert read_memory(write_memory(mib)) == mib


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30", 1800), ("30:15", 1815), ("1:00:00", 3600), ("1-0", 86_400), ("1-2:30", 95_400), ("x", None), ("", None)],
)
def test_times_are_read_as_sbatch_does(text: str, seconds: int | None) -> None:
    assert read_time(text) == seconds


def test_quoting_is_the_shells_own() -> None:
    assert shlex.quote("it's") in compose(JobForm(env=[{"name": "A", "value": "it's"}]))  # type: ignore[list-item]
