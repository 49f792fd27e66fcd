"""For which part of the term the lines of a document are priced, proved by its printed sums."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Literal, TypeAlias

from app.service.charges.charge import (
    ALL_KINDS,
    FIRM,
    MONTHS_PER,
    Charge,
    Kind,
    Number,
    Per,
    Status,
    Tax,
    smallest_amount,
)
from app.service.charges.faults import OutsideTerm
from app.service.charges.schedule import Schedule, list_years

SpanReading: TypeAlias = Literal["whole term", "each period", "in a row"]
"""Prices are for the whole term; for a month or a year of it, and paid again in each; or each for the part of
the term that follows that of the line before."""
_LESS_CREDITS: frozenset[Status] = frozenset({*FIRM, "credit"})
_PAID_AGAIN: frozenset[Kind] = frozenset({"recurring"})


@dataclass(frozen=True, slots=True)
class Reading:
    """The lines of a document as a schedule, read in one way. `fits` says whether each printed sum is a total
    of it: over the term, a year, or a period that a price is for."""

    spans: SpanReading
    schedule: Schedule
    fits: bool


def find_readings(
    lines: Sequence[Charge], *, term_months: int, currency: str, tax: Tax, sums: Sequence[Number]
) -> list[Reading]:
    """Return the ways to read lines that do not say when they begin: those that the `sums` of the document
    prove, else all that are possible. One alone is proved; of several nobody knows which.

    A line has a `price`, and `per` says what that is for, None where the line does not: then only a sum that
    is as many times as much makes it one for a month or a year. A line whose start and months are stated
    keeps them. Lines of the same `what` may follow each other.
    """
    found: list[Reading] = []
    for spans, charges, assumed in _list_ways(lines, term_months):
        try:
            schedule = Schedule(charges, currency, term_months, tax)
        except OutsideTerm:
            continue
        fits = _fits(schedule, sums)
        whole = [schedule.total(statuses=statuses).value for statuses in (FIRM, _LESS_CREDITS)]
        proved = fits and any(_is_sum(schedule, total, one) for total in whole for one in sums)
        if (proved or not assumed) and all(schedule != other.schedule for other in found):
            found.append(Reading(spans, schedule, fits))
    return [one for one in found if one.fits] or found


def _list_ways(lines: Sequence[Charge], term: int) -> Iterator[tuple[SpanReading, list[Charge], bool]]:
    """The ways to read the lines, each with whether a period is assumed that no line states."""
    open_lines = [one for one in lines if _is_open(one)]
    if all(one.per is None or MONTHS_PER.get(one.per) == term for one in open_lines):
        yield "whole term", _read_each(lines, partial(_run_all, per="term", term=term)), False
    yield "each period", _read_each(lines, partial(_repeat, assumed="term", term=term)), False
    if any(one.per is None and one.kind == "recurring" for one in open_lines):
        for per, months in MONTHS_PER.items():
            if months < term:
                yield "each period", _read_each(lines, partial(_repeat, assumed=per, term=term)), True
    followed = _follow(lines, term)
    if followed is not None:
        yield "in a row", followed, False


def _is_open(line: Charge) -> bool:
    """Whether it is to be found out when a line begins and for how long it runs."""
    return line.kind != "one_time" and (line.start_month is None or line.months is None)


def _read_each(lines: Sequence[Charge], read: Callable[[Charge], Charge]) -> list[Charge]:
    return [read(one) if _is_open(one) else _settle(one) for one in lines]


def _settle(line: Charge) -> Charge:
    """A line with a span: a price that says nothing else is for all of it."""
    if line.kind == "one_time":
        return replace(line, per=line.per or "once", start_month=line.start_month or 0)
    return replace(line, per=line.per or "term")


def _run_all(line: Charge, per: Per, term: int) -> Charge:
    return replace(line, per=per, start_month=0, months=term)


def _repeat(line: Charge, assumed: Per, term: int) -> Charge:
    """A line that is paid again in each period of the term; `assumed` is that of one that states none."""
    per = line.per or (assumed if line.kind == "recurring" else "term")
    return _run_all(line, per if MONTHS_PER.get(per, 0) < term else "term", term)


def _follow(lines: Sequence[Charge], term: int) -> list[Charge] | None:
    """The lines where those of the same thing follow each other and fill the term together; None where no
    lines do. The other lines are paid again in each of their periods."""
    counts = Counter(one.what for one in lines if _is_open(one))
    lengths: dict[str, set[int]] = defaultdict(set)
    for one in lines:
        if _is_open(one) and counts[one.what] > 1:
            lengths[one.what].add(MONTHS_PER.get(one.per or "term") or term // counts[one.what])
    in_row = {
        what: months.copy().pop()
        for what, months in lengths.items()
        if len(months) == 1 and counts[what] * sum(months) == term
    }
    if not in_row:
        return None
    passed: Counter[str] = Counter()
    followed: list[Charge] = []
    for one in lines:
        if not _is_open(one):
            followed.append(_settle(one))
        elif one.what in in_row:
            months = in_row[one.what]
            followed.append(replace(one, per="term", start_month=passed[one.what], months=months))
            passed[one.what] += months
        else:
            followed.append(_repeat(one, "term", term))
    return followed


def _fits(schedule: Schedule, sums: Sequence[Number]) -> bool:
    assert schedule.term_months is not None  # the readings are of a term
    periods = {MONTHS_PER[one.per] for one in schedule.charges if one.per and one.per in MONTHS_PER}
    spans = [*list_years(schedule.term_months), *((0, one) for one in periods if one < schedule.term_months)]
    has_credits = any(one.status == "credit" for one in schedule.charges)
    is_mixed = any(one.kind != "recurring" for one in schedule.charges)
    totals = [
        schedule.total(span=span, kinds=kinds, statuses=statuses).value
        for span in (None, *spans)
        for kinds in ((ALL_KINDS, _PAID_AGAIN) if is_mixed else (ALL_KINDS,))
        for statuses in ((FIRM, _LESS_CREDITS) if has_credits else (FIRM,))
    ]
    return bool(sums) and all(any(_is_sum(schedule, total, one) for total in totals) for one in sums)


def _is_sum(schedule: Schedule, total: Number, printed: Number) -> bool:
    """Whether a printed sum is this total, granting the rounding of each line."""
    slack = Fraction(len(schedule.charges) + 1, 2) * smallest_amount(schedule.currency)
    return abs(printed - total) <= slack
