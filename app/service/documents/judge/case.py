"""Everything that is known of the lines and sums of a document when they are judged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.choice import choose_lines, choose_totals
from app.service.documents.judge.closing_sums import ClosingSums, find_closing_sums
from app.service.documents.judge.facts import list_line_facts, list_total_facts
from app.service.documents.judge.line_check import LineCheck, LineValue, check_lines
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import (
    TOTAL_NAMES,
    Reading,
    TotalName,
    closes_with_tax,
    get_total,
    is_printed,
    is_sum_of_lines,
)
from app.service.documents.judge.separate_sums import find_separate_sums
from app.service.documents.layout.document import Document
from app.service.documents.values.rounding import is_close


@dataclass(frozen=True)
class Case:
    """The lines and sums that were chosen, and what speaks for each. `closing` are the sums that arithmetic
    alone found, `separate_sums` those of some lines each where none is of all."""

    figures: PrintedFigures
    rules: Reading
    learned: Reading | None
    closing: ClosingSums | None
    items: Sequence[LineItem]
    totals: Totals
    separate_sums: Sequence[Decimal] = ()

    @cached_property
    def checks(self) -> Sequence[LineCheck]:
        """What arithmetic says of each line."""
        return check_lines(self.figures, self.items)

    @property
    def is_read_by_rules(self) -> bool:
        """Whether the lines are those of the rules."""
        return self.items is self.rules.items

    @cached_property
    def other_items(self) -> Sequence[LineItem]:
        """The lines of the reader whose lines were not chosen."""
        other = self.learned if self.is_read_by_rules else self.rules
        return other.items if other else ()

    @cached_property
    def counterparts(self) -> Sequence[LineItem | None]:
        """For each line that of the other reader with its amount."""
        free = list(self.other_items)
        found: list[LineItem | None] = []
        for item in self.items:
            fitting = [one for one in free if _is_same_line(item, one)]
            best = max(fitting, key=lambda one: _count_same_values(item, one), default=None)
            if best is not None:
                free.remove(best)
            found.append(best)
        return found

    @cached_property
    def _lines_make_net(self) -> bool:
        return is_sum_of_lines(self.totals, self.items)

    @cached_property
    def _net_closes(self) -> bool:
        return closes_with_tax(self.figures, self.totals)

    def list_total_facts(self, name: TotalName) -> frozenset[str]:
        """What speaks for and against a sum."""
        return list_total_facts(
            name, self.figures, self.totals, self.items, self.checks, self.rules, self.learned, self.closing
        )

    def list_line_facts(self, number: int, name: LineValue) -> frozenset[str]:
        """What speaks for and against a value of a line."""
        return list_line_facts(
            name,
            self.items[number],
            self.checks[number],
            self.counterparts[number],
            read_by_rules=self.is_read_by_rules,
            lines_make_net=self._lines_make_net,
            net_closes=self._net_closes,
            learned=self.learned,
        )


def prepare_case(
    document: Document, rules: Reading, learned: Reading | None, *, has_sums: bool = True
) -> Case:
    """Choose the lines and the sums. A price list has no sums, whatever figures it shows."""
    figures = PrintedFigures(document.rows)
    if not has_sums:
        items = choose_lines(figures, rules, learned, [])
        return Case(figures, rules, learned, None, items, Totals())
    readings = [rules, *([learned] if learned else [])]
    found = [one for reading in readings if (one := find_closing_sums(figures, reading.items))]
    nets = [*(one.totals for one in readings), *(one.totals for one in found)]
    items = choose_lines(figures, rules, learned, nets)
    if separate := find_separate_sums(items, figures):
        return Case(figures, rules, learned, None, items, Totals(), separate)
    closing = find_closing_sums(figures, items)
    totals = _locate(figures, choose_totals(figures, rules, learned, closing, items), items)
    return Case(figures, rules, learned, closing, items, totals)


def _locate(figures: PrintedFigures, totals: Totals, items: Sequence[LineItem]) -> Totals:
    """The sums. One that is not printed where it was read stands where the page shows it last, outside the
    lines."""
    places = {(seen.page, seen.box) for item in items if (seen := item.provenance.get("amount"))}
    free = [one for one in figures.sums if (one.cell.page, one.cell.box) not in places]
    provenance = dict(totals.provenance)
    for name in TOTAL_NAMES:
        value = get_total(totals, name)
        if value is not None and not is_printed(figures, totals, name):
            cells = [one.cell for one in free if one.value == value]
            if cells:
                provenance[name] = cells[-1].locate(1.0)
    return replace(totals, provenance=provenance)


def _is_same_line(one: LineItem, other: LineItem) -> bool:
    if one.amount is None or other.amount is None:
        return one.amount is None and other.amount is None and one.unit_price == other.unit_price
    return is_close(one.amount, other.amount)


def _count_same_values(one: LineItem, other: LineItem) -> int:
    return sum(
        (
            one.quantity == other.quantity,
            one.unit_price == other.unit_price,
            one.description == other.description,
        )
    )
