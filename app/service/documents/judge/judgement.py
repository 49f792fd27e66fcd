"""The judge: of what two readers read, the lines and sums that are taken, and how certain each value is.

Quantity x price x periods = amount, lines less discounts = net, net + tax = total; every figure printed where
it was read, none used twice. That sums close proves nothing alone (the year of a ramp closes too): a value is
certain when values with the same facts were right on layouts that no reader had seen.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.calibration import load_calibration
from app.service.documents.judge.case import Case, prepare_case
from app.service.documents.judge.facts import CONTRADICTIONS
from app.service.documents.judge.line_check import LINE_VALUES, LineValue
from app.service.documents.judge.readings import TOTAL_NAMES, Reading, get_total
from app.service.documents.judge.sentences import (
    describe_ambiguous_line,
    describe_computed_net,
    describe_lines,
    describe_missing,
    describe_other_line,
    describe_other_reading,
    describe_other_sum,
    describe_separate_sums,
    describe_sums,
    describe_unproven_total,
    say_of_some,
)
from app.service.documents.layout.document import Document
from app.service.documents.layout.rows import LEGIBLE
from app.service.documents.values.rounding import is_close

_DOUBTFUL = 0.9
"""The confidence below which a value that nothing contradicts is warned about."""
_MOST_OF_SUMS = 3
"""Sentences about the sums; what else is wrong follows from the first ones."""


@dataclass(frozen=True)
class Judgement:
    """The lines and sums of a document, each with its place and how likely it is right.

    `warnings` are sentences about what is doubtful.
    """

    items: tuple[LineItem, ...]
    totals: Totals
    warnings: tuple[str, ...]


def judge(case: Case) -> Judgement:
    """Say how certain each value of a case is, and what about it is doubtful."""
    places = {
        name: _judge_place(case, name, case.totals.provenance.get(name), value, case.list_total_facts(name))
        for name in TOTAL_NAMES
        if (value := get_total(case.totals, name)) is not None
    }
    items = tuple(_judge_line(case, number) for number in range(len(case.items)))
    totals = replace(case.totals, provenance=places)
    return Judgement(items, totals, tuple(dict.fromkeys(_list_warnings(case, totals, items))))


def judge_readings(document: Document, rules: Reading, learned: Reading | None = None) -> Judgement:
    """Judge what the readers read of a document; `learned` is None where only the rules read."""
    return judge(prepare_case(document, rules, learned))


def _judge_line(case: Case, number: int) -> LineItem:
    """The line with the places of its quantity, price and amount judged."""
    item = case.items[number]
    judged: dict[str, Provenance] = {}
    for name, place in item.provenance.items():
        value: Decimal | None = getattr(item, name, None)
        if name in LINE_VALUES and value is not None:
            facts = case.list_line_facts(number, _as_line_value(name))
            judged[name] = _judge_place(case, f"line {name}", place, value, facts)
        else:
            judged[name] = place
    return replace(item, provenance=judged)


def _as_line_value(name: str) -> LineValue:
    return next(one for one in LINE_VALUES if one == name)


def _judge_place(
    case: Case, field: str, place: Provenance | None, value: Decimal, facts: Collection[str]
) -> Provenance:
    """The place of a value, and how likely it is right. A value that is printed nowhere has no box and is
    never certain."""
    calibration = load_calibration()[field]
    recognition = case.figures.recognition_at(place)
    probability = calibration.probability(facts) * recognition
    if place is None:
        return Provenance(None, None, probability)
    if not case.figures.shows(place, value):
        return Provenance(place.page, None, probability)
    undisputed = CONTRADICTIONS.isdisjoint(facts) and recognition > LEGIBLE
    certain = undisputed and calibration.is_certain(facts)
    return Provenance(place.page, place.box, probability, certain)


def _list_warnings(case: Case, totals: Totals, items: tuple[LineItem, ...]) -> Iterator[str]:
    if case.separate_sums:
        yield describe_separate_sums(case.separate_sums)
        return
    of_sums = [
        *describe_sums(totals, items, case.figures),
        *describe_missing(totals, items, case.figures),
        *_list_other_totals(case),
        *_list_other_sums(case),
    ]
    yield from of_sums[:_MOST_OF_SUMS] or _list_unproven(totals)
    yield from describe_lines(items, case.checks)
    yield from say_of_some(list(_list_doubtful_lines(case, items)))


def _list_unproven(totals: Totals) -> Iterator[str]:
    net, total = totals.provenance.get("net_total"), totals.provenance.get("total")
    if totals.net is not None and net and net.box is None and net.confidence < _DOUBTFUL:
        yield describe_computed_net(totals.net)
    elif totals.total is not None and total and total.confidence < _DOUBTFUL:
        yield describe_unproven_total(totals.total)


def _list_other_totals(case: Case) -> Iterator[str]:
    """The sums that the other reader read otherwise."""
    for name in TOTAL_NAMES:
        value = get_total(case.totals, name)
        readings = [case.rules.totals, *([case.learned.totals] if case.learned else [])]
        seconds = (get_total(one, name) for one in readings)
        other = next((one for one in seconds if one is not None and value is not None and one != value), None)
        if value is not None and other is not None:
            yield describe_other_reading(name, value, other)


def _list_other_sums(case: Case) -> Iterator[str]:
    """The figures of the page that make another total."""
    other = case.closing.totals if case.closing else Totals()
    if case.totals.total is not None and other.total is not None and other.total != case.totals.total:
        yield describe_other_sum(case.totals.total, other)


def _list_doubtful_lines(case: Case, items: tuple[LineItem, ...]) -> Iterator[str]:
    """The lines that were read in two ways, or may be."""
    for number, (item, other) in enumerate(zip(items, case.counterparts, strict=True)):
        place = item.provenance.get("quantity")
        differing = _find_difference(item, other) if other else None
        second = case.checks[number].other_quantity
        if differing is not None:
            yield describe_other_line(number, item, *differing)
        elif second is not None and (place is None or place.confidence < _DOUBTFUL):
            yield describe_ambiguous_line(number, item, second)


def _find_difference(item: LineItem, other: LineItem) -> tuple[str, Decimal, Decimal] | None:
    """The first value that two readings of a line differ in, with both."""
    for name in ("quantity", "unit_price"):
        value, second = getattr(item, name), getattr(other, name)
        if value is not None and second is not None and not is_close(value, second):
            return name, value, second
    return None
