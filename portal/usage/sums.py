"""The sums of settled jobs, by day and by month: writes to both at once, and reads whole months from the latter.

A report on three years reads their months, and a few days at either end. A month always equals the sum of its days,
because both are written together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum, auto
from typing import Any, cast

from sqlalchemy import ColumnElement, Integer, Select, Table, func, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from portal.db import upsert
from portal.db.base import Base
from portal.usage import spread
from portal.usage.models import UsageDay, UsageMonth, UsageMonthWait, UsageWait, UsageWhose
from portal.usage.spread import Sums, WaitingTimes


class Step(Enum):
    DAY = auto()
    MONTH = auto()


#: What to group by: names (of owners, accounts, …: a column of `UsageWhose`), or times.
By = InstrumentedAttribute[str] | Step


@dataclass(frozen=True, slots=True)
class Span:
    """Days, both inclusive, of all users or of `whose` (a query for ids of `UsageWhose`)."""

    first: date
    last: date
    whose: Select[Any] | None = None


async def add(
    db: AsyncSession, sums: Mapping[tuple[int, int], Sums], waits: Mapping[tuple[int, int, int], int]
) -> None:
    """Add to the sums by (day, whose), to the counts by (day, whose, waiting time), and to their months."""
    months: dict[tuple[int, int], Sums] = {}
    for (day, whose_id), part in sums.items():
        months.setdefault((whose_id, day // 100), Sums()).add(part)
    month_waits: dict[tuple[int, int, int], int] = {}
    for (day, whose_id, bucket), jobs in waits.items():
        key = (whose_id, bucket, day // 100)
        month_waits[key] = month_waits.get(key, 0) + jobs
    for of_time, held in ((UsageDay, sums), (UsageMonth, months)):
        await _add(db, of_time, {key: [getattr(sums, name) for name in spread.NAMES] for key, sums in held.items()})
    for of_waits, counts in ((UsageWait, waits), (UsageMonthWait, month_waits)):
        await _add(db, of_waits, {key: [jobs] for key, jobs in counts.items()})


async def _add(db: AsyncSession, table: type[Base], rows: Mapping[tuple[int, ...], Sequence[int]]) -> None:
    if not rows:
        return
    columns = _table(table).columns.keys()
    keys = [column.name for column in _table(table).primary_key]
    values = [name for name in columns if name not in keys]
    insert = upsert.insert(db, table)
    more = {name: getattr(table, name) + insert.excluded[name] for name in values}
    # Always in the same order, so that two portals do not deadlock.
    rows_to_add = [dict(zip([*keys, *values], [*key, *row], strict=True)) for key, row in sorted(rows.items())]
    await db.execute(insert.on_conflict_do_update(index_elements=keys, set_=more), rows_to_add)


async def sums(db: AsyncSession, span: Span, by: By) -> dict[Any, Sums]:
    """Add up what was held, in the database."""
    by_key: dict[Any, Sums] = {}
    for source in _sources(span, by, UsageDay, UsageMonth):
        for key, *values in await db.execute(source.added(by, spread.NAMES)):
            by_key.setdefault(key, Sums()).add(Sums(*map(int, values)))
    return by_key


async def waits(db: AsyncSession, span: Span, by: By) -> dict[Any, WaitingTimes]:
    """Count the jobs that started in this time by how long they had waited, in the database."""
    by_key: dict[Any, WaitingTimes] = {}
    for source in _sources(span, by, UsageWait, UsageMonthWait):
        for key, bucket, jobs in await db.execute(source.added(by, ("jobs",), "bucket")):
            by_key.setdefault(key, WaitingTimes()).add(bucket, int(jobs))
    return by_key


@dataclass(frozen=True, slots=True)
class _Source:
    """A table, and which rows of it count: ranges of days, or a range of months."""

    table: Table
    time: ColumnElement[int]
    ranges: list[tuple[int, int]]
    whose: Select[Any] | None

    def added(self, by: By, values: Sequence[str], *apart: str) -> Select[Any]:
        """Add up `values`, grouped by `by` and by further columns."""
        columns = [self.table.c[name] for name in apart]
        totals = [func.sum(self.table.c[name]).label(name) for name in values]
        if isinstance(by, Step):
            time = self._step(by)
            return self._within(select(time, *columns, *totals)).group_by(time, *columns)
        # First by id, the order of the rows on disk, then by name: a tenth of the sorting.
        whose = self.table.c.whose_id
        inner = self._within(select(whose, *columns, *totals)).group_by(whose, *columns).subquery()
        rows_to_add = [inner.c[name] for name in apart]
        query = select(by, *rows_to_add, *(func.sum(inner.c[name]) for name in values))
        return query.join_from(inner, UsageWhose, UsageWhose.id == inner.c.whose_id).group_by(by, *rows_to_add)

    def _step(self, step: Step) -> ColumnElement[int]:
        if step is Step.DAY or self.time.key == "month":
            return self.time
        # A literal: PostgreSQL must see that the grouped and the selected expression are the same.
        return self.time // literal_column("100", Integer)

    def _within(self, query: Select[Any]) -> Select[Any]:
        query = query.where(or_(*(self.time.between(first, last) for first, last in self.ranges)))
        return query if self.whose is None else query.where(self.table.c.whose_id.in_(self.whose))


def _sources(span: Span, by: By, days: type[Base], months: type[Base]) -> list[_Source]:
    whole = None if by is Step.DAY else whole_months(span.first, span.last)
    if whole is None:
        ranges, rest = [], [(span.first, span.last)]
    else:
        begin, end = whole
        ranges = [(spread.number(begin) // 100, spread.number(end) // 100)]
        rest = [(span.first, begin - timedelta(days=1)), (end + timedelta(days=1), span.last)]
    edges = [(spread.number(first), spread.number(last)) for first, last in rest if first <= last]
    by_day, by_month = _table(days), _table(months)
    sources = [
        _Source(by_month, by_month.c.month, ranges, span.whose),
        _Source(by_day, by_day.c.day, edges, span.whose),
    ]
    return [source for source in sources if source.ranges]


def whole_months(first: date, last: date) -> tuple[date, date] | None:
    """Return the first and the last day of the whole months within these days."""
    begin = first if first.day == 1 else (first.replace(day=1) + timedelta(days=32)).replace(day=1)
    end = (last + timedelta(days=1)).replace(day=1) - timedelta(days=1)
    return (begin, end) if begin < end else None


def _table(of: type[Base]) -> Table:
    return cast(Table, of.__table__)
