"""Parses a script, once: the form that shows it, lines that no field shows, and the options as sbatch reads them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from portal.jobs.script.compose import OWN
from portal.jobs.script.entry import is_entry
from portal.jobs.script.form import JobForm
from portal.jobs.script.walltime import read_memory, read_time
from portal.numbers import whole_number

_BASH = re.compile(r"#!\s*(/usr)?/bin/(env )?bash\s*")
_DIRECTIVE = re.compile(r"#SBATCH(?=\s|$)")
HETEROGENEOUS = re.compile(r"\b(hetjob|packjob)\b")
_NOTHING = re.compile(rf"#SBATCH\s*(#.*|{HETEROGENEOUS.pattern}\s*)?$")
_EXPORT = re.compile(r"export ([A-Za-z_][A-Za-z0-9_]*)=(.*)")
#: The form's short sbatch options, by their long names.
_SHORT = {
    "J": "job-name",
    "p": "partition",
    "A": "account",
    "q": "qos",
    "N": "nodes",
    "c": "cpus-per-task",
    "t": "time",
    "a": "array",
    "d": "dependency",
    "D": "chdir",
    "o": "output",
    "e": "error",
    "G": "gpus",
    "n": "ntasks",
    "w": "nodelist",
    "F": "nodefile",
    "C": "constraint",
    "L": "licenses",
}
#: Short options without a value: others may follow in the same word, as in `-HG4`.
_FLAGS = frozenset("hHIkOQsuvVW")
#: Options that are read by name though they may be cut, and how many letters identify each.
_CUT = {
    "partition": 2,
    "comment": 3,
    "job-name": 2,
    "output": 2,
    "error": 2,
    "chdir": 2,
    "array": 2,
    "exclusive": 6,
    "constraint": 4,
    "licenses": 2,
    "wckey": 2,
    "gpus-per-node": 10,
    "gpus-per-socket": 10,
    "gpus-per-task": 10,
    "ignore-pbs": 2,
    "nodefile": 5,
    "nodelist": 5,
    "ntasks-per-gpu": 12,
    "ntasks-per-node": 12,
    "sockets-per-node": 2,
    "tres-per-task": 6,
}
NOTIFY = f"{OWN}notify".split()
#: Maximum length of a quoted variable value to parse: shlex reads it character by character.
LONGEST_VALUE = 16_384
Values = dict[str, Any]


Options = list[tuple[str, str | None]]


@dataclass(frozen=True, slots=True)
class Script:
    """`kept`: the lines that the form does not show; `options`: those of sbatch by name, the last of each kind.

    `parts`: the same for each part of a heterogeneous job; `unread`: directives that cannot be parsed.
    """

    text: str
    form: JobForm
    kept: list[str]
    options: dict[str, str]
    directives: list[str]
    parts: list[dict[str, str]]
    unread: list[str]

    @property
    def complete(self) -> bool:
        """Whether the form shows everything."""
        return not self.kept


def parse(text: str) -> Script:
    """Parse a script. Refuses nothing: unusual lines are kept as they are."""
    lines = text.split("\n")
    options = {at: _options(lines[at]) for at in _directives(lines)}
    values: Values = {}
    kept: list[str] = []
    comments: list[str] = []  # comments between directives move to the top of the command
    at = 1 if lines[0].startswith("#!") else 0
    if at and not _BASH.fullmatch(lines[0]):
        kept.append(lines[0])
    while at < len(lines) and (not lines[at].strip() or lines[at].startswith("#")):
        line = lines[at]
        if at in options:
            if not _take(options[at], values):
                kept.append(line)
        elif line.split() == NOTIFY:
            values["notify"] = True
        elif line.startswith(OWN):
            break
        elif line.strip():
            comments.append(line)
        at += 1
    at = _prologue(lines, at, values)
    values["command"] = "\n".join([*comments, *lines[at:]]).strip("\n")
    return Script(
        text=text,
        form=JobForm.model_validate(values),
        kept=kept,
        options=_by_name(option for options in options.values() for option in options),
        directives=[lines[at] for at in options],
        parts=_parts(lines, options),
        unread=[lines[at] for at, options in options.items() if not options and not _NOTHING.match(lines[at])],
    )


def _parts(lines: Sequence[str], value: dict[int, Options]) -> list[dict[str, str]]:
    """Return the options of each part of a job: one, unless the script separates several."""
    parts: list[Options] = [[]]
    for at, options in value.items():
        if HETEROGENEOUS.search(lines[at]):
            parts.append([])
        parts[-1] += options
    return [_by_name(part) for part in parts]


def _by_name(options: Iterable[tuple[str, str | None]]) -> dict[str, str]:
    return {_whole(name): value or "" for name, value in options}


def directives(text: str) -> list[str]:
    """Return the `#SBATCH` lines that sbatch reads: those before the first command."""
    lines = text.split("\n")
    return [lines[at] for at in _directives(lines)]


def _directives(lines: Sequence[str]) -> Iterator[int]:
    for at, line in enumerate(lines):
        if line.strip() and not line.startswith("#"):
            return
        if _DIRECTIVE.match(line):
            yield at


def _options(line: str) -> Options:
    """Return the options of a directive as (long name or letter, value); empty if it cannot be parsed."""
    try:
        words = shlex.split(line.removeprefix("#SBATCH"), comments=True)
    except ValueError:
        return []
    options: Options = []
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            options.append((name, value if equals else None))
        elif len(word) > 1 and word.startswith("-"):
            letters = word[1:]
            while letters[:1] in _FLAGS and letters:
                options.append((letters[0], ""))
                letters = letters[1:]
            if letters:
                options.append((_SHORT.get(letters[0], letters[0]), letters[1:] or next(rest, None)))
        elif options and options[-1][1] is None:
            options[-1] = (options[-1][0], word)  # `--nodes 2`
        else:
            return []
    return options


def _whole(name: str) -> str:
    """Slurm accepts `--part` for `--partition`: a name may be cut as long as it stays unambiguous."""
    return next((whole for whole, least in _CUT.items() if len(name) >= least and whole.startswith(name)), name)


def _take(options: Options, values: Values) -> bool:
    """Put a directive's options into the form: all of them, or none if one does not fit."""
    taken: Values = {}
    for name, value in options:
        reader = READERS.get(name)
        if reader is None or (value is None and name != "exclusive"):
            return False
        news = reader(value or "")
        if news is None or not _fits(news):
            return False
        taken |= news
    values |= taken
    return bool(options)


def _fits(values: Values) -> bool:
    try:
        JobForm.model_validate(values)
    except ValidationError:
        return False
    return True


def _prologue(lines: list[str], at: int, values: Values) -> int:
    """Read the lines of modules, environment and variables; return the index where the command starts."""
    begin = at
    variables: list[dict[str, str]] = []
    while at < len(lines):
        line = lines[at].strip()
        if line.startswith(f"{OWN}environment "):
            name = {"environment": line.removeprefix(f"{OWN}environment ")}
            if not _fits(name):
                break
            values |= name
            while at + 1 < len(lines) and is_entry(lines[at + 1]):
                at += 1
        elif line.startswith("module load "):
            modules = {"modules": [*values.get("modules", []), *line.split()[2:]]}
            if variables or "environment" in values or not _fits(modules):
                break
            values |= modules
        elif (match := _EXPORT.fullmatch(line)) and (value := _plain(match[2])) is not None:
            news = {"env": [*variables, {"name": match[1], "value": value}]}
            if not _fits(news):
                break
            variables = news["env"]
        elif line:
            break
        at += 1
        begin = at
    if variables:
        values["env"] = variables
    return begin


def _plain(raw: str) -> str | None:
    """Return the value of an assignment that the shell would leave unchanged; otherwise None."""
    if len(raw) > LONGEST_VALUE:
        return None
    try:
        words = shlex.split(raw)
    except ValueError:
        return None
    if len(words) == 1 and (raw == shlex.quote(words[0]) or (raw == f'"{words[0]}"' and not set(raw) & set("$`\\!"))):
        return words[0]
    return None


def _count(name: str) -> Callable[[str], Values | None]:
    def read(value: str) -> Values | None:
        number = whole_number(value, digits=9)
        return None if number is None else {name: number}

    return read


def _text(name: str) -> Callable[[str], Values | None]:
    return lambda value: {name: value}


_GRES_FIELDS = {"gpu": "gpus_per_node", "shard": "shards_per_node", "mps": "mps_per_node"}


def _gres(value: str) -> Values | None:
    match = re.fullmatch(r"(gpu|shard|mps)(?::([A-Za-z][\w.+-]*))?(?::([0-9]{1,9}))?", value)
    if match is None:
        return None
    return {_GRES_FIELDS[match[1]]: int(match[3] or 1), "gpu_type": match[2]}


def _exclusive(value: str) -> Values | None:
    """Read only the flag: `--exclusive=user` means something else."""
    return None if value else {"exclusive": True}


def _gpus(value: str) -> Values | None:
    match = re.fullmatch(r"(?:([A-Za-z][\w.+-]*):)?([0-9]{1,9})", value)
    return {"gpus_per_node": int(match[2]), "gpu_type": match[1]} if match else None


def _memory(value: str) -> Values | None:
    mib = read_memory(value)
    return None if mib is None else {"memory_mib_per_node": mib}


def _time(value: str) -> Values | None:
    seconds = read_time(value)
    return None if seconds is None else {"walltime_s": seconds}


def _array(value: str) -> Values | None:
    tasks, percent, at_once = value.partition("%")
    most = whole_number(at_once, digits=9)
    if percent and most is None:
        return None
    return {"array": {"range": tasks, "at_once": most}}


def _dependency(value: str) -> Values | None:
    """Parse `afterok:1:2,afterany:3`; the form has no alternatives (`?`) and no singletons."""
    dependencies = []
    for part in value.split(","):
        kind, *jobs = part.split(":")
        if not jobs:
            return None
        dependencies += [{"kind": kind, "job": job} for job in jobs]
    return {"dependencies": dependencies}


READERS: dict[str, Callable[[str], Values | None]] = {
    "job-name": _text("name"),
    "partition": _text("partition"),
    "account": _text("account"),
    "qos": _text("qos"),
    "reservation": _text("reservation"),
    "constraint": _text("constraint"),
    "licenses": _text("licenses"),
    "wckey": _text("wckey"),
    "exclusive": _exclusive,
    "nodes": _count("nodes"),
    "ntasks-per-node": _count("tasks_per_node"),
    "cpus-per-task": _count("cpus_per_task"),
    "gres": _gres,
    "gpus-per-node": _gpus,
    "mem": _memory,
    "time": _time,
    "array": _array,
    "dependency": _dependency,
    "chdir": _text("workdir"),
    "output": _text("output"),
    "error": _text("error"),
}
