"""The judge: of what two readers read, the lines and sums that are taken, and how certain each value is.

Quantity x price x periods = amount, lines less discounts = net, net + tax = total; every figure printed where
it was read, none used twice. That sums close proves nothing alone (the year of a ramp closes too): a value is
certain when values with the same facts were right on layouts that no reader had seen: `calibration.json`
holds for each field the weights of its facts (a logistic regression) and the least probability with which a
value is called certain. `python -m tests.reader_training.calibration` makes it, from classes of layouts that
neither the rules nor the model of the learned reader were made with.
"""

import json
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from app.service.documents.extraction import TOTAL_NAMES, LineItem, Provenance
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.case import Case
from app.service.documents.judge.closing_sums import is_likely_rate
from app.service.documents.judge.facts import CONTRADICTIONS
from app.service.documents.judge.line_check import LINE_VALUES
from app.service.documents.judge.readings import (
    disagree,
    get_total,
    is_printed,
    is_sum_of_lines,
    is_told_apart,
    sum_lines,
)
from app.service.documents.judge.sentences import (
    describe_amounts_alone,
    describe_doubt,
    describe_further_line,
    describe_lines,
    describe_missing,
    describe_other_count,
    describe_other_line,
    describe_other_reading,
    describe_separate_sums,
    describe_several_totals,
    describe_sums,
    say_of_some,
)
from app.service.documents.layout.rows import LEGIBLE
from app.service.values.rounding import is_close

DOUBTFUL = 0.9
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
    places: dict[str, Provenance] = {
        name: _judge_place(case, name, case.totals.provenance.get(name), value, case.list_total_facts(name))
        for name in TOTAL_NAMES
        if (value := get_total(case.totals, name)) is not None
    }
    items = tuple(_judge_line(case, number) for number in range(len(case.items)))
    totals = replace(case.totals, provenance=places)
    return Judgement(items, totals, tuple(dict.fromkeys(_list_warnings(case, totals, items))))


def _judge_line(case: Case, number: int) -> LineItem:
    """The line with the places of its quantity, price and amount judged."""
    item = case.items[number]
    judged: dict[str, Provenance] = {}
    for name, place in item.provenance.items():
        value: Decimal | None = getattr(item, name, None)
        if name in LINE_VALUES and value is not None:
            facts = case.list_line_facts(number, next(one for one in LINE_VALUES if one == name))
            judged[name] = _judge_place(case, f"line {name}", place, value, facts)
        else:
            judged[name] = place
    return replace(item, provenance=judged)


def _judge_place(
    case: Case, field: str, place: Provenance | None, value: Decimal, facts: Collection[str]
) -> Provenance:
    """The place of a value, and how likely it is right. A value that is printed nowhere has no box and is
    never certain."""
    calibration = _load_calibration()[field]
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
        *([describe_doubt("charge", case.charge, totals.net)] if case.charge and totals.net else []),
        *describe_sums(totals, items, case.figures),
        *describe_missing(totals, items, case.figures),
        *_list_other_totals(case),
        *_list_several_totals(case),
    ]
    yield from of_sums[:_MOST_OF_SUMS] or _list_unproven(case, totals)
    yield from describe_lines(items, case.checks, totals, case.figures)
    yield from say_of_some(list(_list_doubtful_lines(case, items)))
    yield from _list_amounts_alone(case, items)
    further = list(_list_further_lines(case))
    yield from say_of_some(further)
    if not items or further or is_sum_of_lines(totals, items):
        return
    if case.other_count and case.other_count != len(items):
        yield describe_other_count(items, case.other_count)


def _list_several_totals(case: Case) -> Iterator[str]:
    if case.closing and case.closing.others and case.totals.total is not None:
        yield describe_several_totals((case.totals.total, *case.closing.others))
    elif case.larger_due is not None and case.totals.total is not None:
        yield describe_other_reading("total", case.totals.total, case.larger_due)


def _list_unproven(case: Case, totals: Totals) -> Iterator[str]:
    total = totals.provenance.get("total")
    if totals.tax and "rate of the tax is odd" in case.list_total_facts("tax_total"):
        yield describe_doubt("odd tax", totals.tax)
    elif totals.tax and case.is_tax_unnamed:
        yield describe_doubt("unnamed tax", totals.tax)
    elif (
        totals.total is not None
        and total
        and total.confidence < DOUBTFUL
        and not totals.discount
        and not _is_made_of_lines(case)
        and not is_told_apart(case.figures, case.totals, case.items)
    ):
        whole = sum_lines(case.items)
        is_made = whole is not None and is_close(whole, totals.total)
        yield describe_doubt("total of lines" if is_made else "unproven total", totals.total)


def _is_made_of_lines(case: Case) -> bool:
    """Whether the lines and a printed tax of a likely rate make the total."""
    totals = case.totals
    taxed = totals.net and totals.tax and is_likely_rate(case.figures.rates, totals.net, totals.tax)
    makes_total = is_sum_of_lines(totals, case.items) and not disagree(totals)
    return bool(taxed) and makes_total and is_printed(case.figures, totals, "tax_total")


def _list_other_totals(case: Case) -> Iterator[str]:
    """The sums that another reading, which is nearly as likely, has otherwise."""
    whole = sum_lines(case.items)
    for rival in case.rivals:
        # Between the figures of the page that make another total may stand what is no tax.
        names = ("total",) if case.closing and rival is case.closing.totals else TOTAL_NAMES
        for name in names:
            value, other = get_total(case.totals, name), get_total(rival, name)
            if value is None or other is None or is_close(value, other):
                continue
            if other != whole or not is_told_apart(case.figures, case.totals, case.items):
                yield describe_other_reading(name, value, other)


def _list_doubtful_lines(case: Case, items: tuple[LineItem, ...]) -> Iterator[str]:
    """The lines that were read in two ways, or may be."""
    for number, (item, other) in enumerate(zip(items, case.counterparts, strict=True)):
        differing = _find_difference(case, number, other.item) if other else None
        if differing is not None:
            yield describe_other_line(number, item, *differing)


def _list_amounts_alone(case: Case, items: tuple[LineItem, ...]) -> Iterator[str]:
    """The lines of which only the amount was found, where they do not make up the net."""
    alone = [
        number
        for number, item in enumerate(items)
        if item.quantity == 1
        and "quantity" not in item.provenance
        and _is_amount_doubtful(case, number)
        and case.figures.list_other_counts(item, number)
    ]
    if alone and not is_sum_of_lines(case.totals, items):
        yield describe_amounts_alone(alone[0], items[alone[0]], len(alone) - 1)


def _is_amount_doubtful(case: Case, number: int) -> bool:
    """Whether a line of an amount alone is doubtful: more may belong to it, or it may be no line."""
    if "only addition speaks for the line" in case.list_line_facts(number, "amount"):
        return True
    facts = case.list_line_facts(number, "quantity")
    return _load_calibration()["line quantity"].probability(facts) < DOUBTFUL


def _list_further_lines(case: Case) -> Iterator[str]:
    """The lines that only the other reader read, where the lines do not make up the net without them."""
    stepped = any(item.from_quantity is not None for item in case.items)
    if stepped or is_sum_of_lines(case.totals, case.items):
        return
    read = {case.figures.order_of_line(item) for item in case.items}
    for item in case.unmatched:
        # What stands in the row of a line is that line, with its tax or in another reading.
        if item.amount in (case.totals.net, case.totals.total):
            continue  # a sentence that says the sum
        if item.amount and not item.optional and case.figures.order_of_line(item) not in read - {None}:
            yield describe_further_line(item)


def _find_difference(case: Case, number: int, other: LineItem) -> tuple[str, Decimal, Decimal] | None:
    """The first value in which another reading of a line differs that is nearly as likely, with both."""
    for name in LINE_VALUES:
        value, second = getattr(case.items[number], name), getattr(other, name)
        if "another reading is nearly as likely" in case.list_line_facts(number, name):
            return name, value, second
    return None


PATH = Path(__file__).with_name("calibration.json")


@dataclass(frozen=True)
class _FieldCalibration:
    """The weights of one field. Facts that were never seen weigh nothing."""

    bias: float
    weights: Mapping[str, float]
    least: float
    """The least probability of a certain value."""

    def probability(self, facts: Collection[str]) -> float:
        """How likely a value with these facts is right."""
        score = self.bias + sum(self.weights.get(fact, 0.0) for fact in facts)
        return 1.0 / (1.0 + math.exp(-score))

    def is_certain(self, facts: Collection[str]) -> bool:
        """Whether a value with these facts is right so often that it is shown as certain."""
        return self.probability(facts) >= self.least


@cache
def _load_calibration() -> Mapping[str, _FieldCalibration]:
    """The calibration of each field."""
    stored: Mapping[str, Mapping[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))["fields"]
    return {
        name: _FieldCalibration(one["bias"], one["weights"], one["least"]) for name, one in stored.items()
    }
