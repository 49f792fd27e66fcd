"""Everything that is known of the lines and sums of a document when they are judged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import permutations

from app.service.documents.extraction import TOTAL_NAMES, LineItem, TotalName
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.choice import DECIDED, choose_lines, choose_totals
from app.service.documents.judge.closing_sums import ClosingSums, find_closing_sums, is_likely_rate
from app.service.documents.judge.facts import (
    OtherLine,
    do_lines_differ,
    find_lines_of_sums,
    hold_tax,
    list_line_facts,
    list_total_facts,
)
from app.service.documents.judge.line_check import LineCheck, LineValue, check_lines
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import (
    ROUNDING,
    Reading,
    closes_with_tax,
    fits_tax,
    get_total,
    is_printed,
    is_sum_of_lines,
)
from app.service.documents.judge.separate_sums import are_sums_of_paces, find_separate_sums
from app.service.documents.judge.tax_labels import is_tax_unnamed, without_misnamed_tax
from app.service.documents.layout.document import Document
from app.service.documents.lexicon.vocabulary import OPTIONAL, total_kind
from app.service.values.folding import fold
from app.service.values.rounding import is_close

_MOST_IN_ROW = 9
"""Figures of a row that are put together."""


@dataclass(frozen=True)
class Case:
    """The lines and sums that were chosen, and what speaks for each. `closing` are the sums that arithmetic
    alone found, `rivals` readings of the sums that nearly as much speaks for, `separate_sums` those of some
    lines each where none is of all."""

    figures: PrintedFigures
    rules: Reading
    learned: Reading | None
    closing: ClosingSums | None
    items: Sequence[LineItem]
    totals: Totals
    rivals: Sequence[Totals]
    is_read_by_rules: bool
    """Whether the lines are those of the rules."""
    separate_sums: Sequence[Decimal] = ()
    is_tax_unnamed: bool = False
    """Whether no word says that the tax is one, though the language is known."""
    charge: Decimal | None = None
    """What would make a tax of the total, but for its label or that of the total."""

    @cached_property
    def checks(self) -> Sequence[LineCheck]:
        """What arithmetic says of each line."""
        return check_lines(self.figures, self.items)

    @cached_property
    def counterparts(self) -> Sequence[OtherLine | None]:
        """For each line that of the other reader with its amount."""
        return self._matched[0]

    @cached_property
    def unmatched(self) -> Sequence[LineItem]:
        """The lines that only the other reader read."""
        return self._matched[1]

    @property
    def other_count(self) -> int | None:
        """How many lines the rules read, where the learned reader, whose lines these are, is not decided."""
        if self.learned is None or self.is_read_by_rules:
            return None
        decided = self.learned.margins.get("line_items", 0.0) >= DECIDED
        return None if decided else len(self.rules.items)

    @cached_property
    def _matched(self) -> tuple[Sequence[OtherLine | None], Sequence[LineItem]]:
        other = self.learned if self.is_read_by_rules else self.rules
        items = other.items if other else ()
        free = [OtherLine(*pair) for pair in zip(items, check_lines(self.figures, items), strict=True)]
        found: list[OtherLine | None] = []
        for item in self.items:
            fitting = [one for one in free if is_same_line(item, one.item)]
            best = max(fitting, key=lambda one: _count_same_values(item, one.item), default=None)
            if best is not None:
                free.remove(best)
            found.append(best)
        return found, [one.item for one in free]

    @cached_property
    def _lines_hold_tax(self) -> bool:
        return hold_tax(self.totals, self.items)

    @cached_property
    def _lines_make_net(self) -> bool:
        return is_sum_of_lines(self.totals, self.items)

    @cached_property
    def _lines_differ(self) -> bool:
        return do_lines_differ(self.totals, self.items)

    @cached_property
    def _lines_of_sums(self) -> frozenset[int]:
        if self._lines_make_net and not any(item.optional for item in self.items):
            return frozenset()
        return find_lines_of_sums(self.items)

    @cached_property
    def _names_options(self) -> bool:
        """Whether a word says that lines are options; else arithmetic alone leaves them out of the sum."""
        return any(OPTIONAL.search(fold(row.text)) for row in self.figures.rows)

    @cached_property
    def _are_factors_alike(self) -> bool:
        """Whether no unit, sign, decimals or groups of thousands tell quantities from prices."""
        quantities, prices = (
            [self.figures.looks_like_money(item.provenance.get(name)) for item in self.items]
            for name in ("quantity", "unit_price")
        )
        return any(quantities) == any(prices) and not any(item.unit for item in self.items)

    @cached_property
    def _most_do_not_multiply(self) -> bool:
        """Whether more lines do not multiply than do: what multiplies may do so by chance, as eight hours do
        with a price of a day of eight hours."""
        proven = sum(one.is_proven for one in self.checks)
        return sum(one.multiplies is False and one.rate is None for one in self.checks) > proven

    @cached_property
    def _rows_of_sums(self) -> frozenset[int | None]:
        return frozenset(map(self.figures.order_of, self.totals.provenance.values())) - {None}

    def _borrows_from_sums(self, item: LineItem) -> bool:
        """Whether the quantity or the price of a line stands in the row of a sum, and its amount does not."""
        rows = {name: self.figures.order_of(place) for name, place in item.provenance.items()}
        return any(
            rows.get(name) in self._rows_of_sums and rows[name] != rows.get("amount")
            for name in ("quantity", "unit_price")
        )

    @cached_property
    def _net_closes(self) -> bool:
        return closes_with_tax(self.figures, self.totals)

    @cached_property
    def _closes_larger(self) -> bool:
        """Whether a net and a tax in one row make a larger total than the one that was taken, which may then
        be that of one lot of several."""
        total = self.totals.total or self.totals.net or Decimal(0)
        for row in self.figures.rows:
            money = [one.value for one in row.figures if one.may_be_money and one.value > 0]
            if total and 2 < len(money) <= _MOST_IN_ROW and max(money) > total:
                larger = [pair for pair in permutations(money, 2) if total < sum(pair) in money]
                if any(is_likely_rate(self.figures.rates, *pair) for pair in larger):
                    return True
        return False

    @cached_property
    def larger_due(self) -> Decimal | None:
        """What a label below the total says is to be paid where it is more, as with what others were paid."""
        total, place = self.totals.total, self.totals.provenance.get("total")
        at = self.figures.order_of(place) if place else None
        if total is None or at is None:
            return None
        below = [one for one in self.figures.list_sums_outside(self.items) if one.order > at]
        larger = [one for one in below if one.value - total > ROUNDING]
        named = (one.value for one in larger if total_kind(self.figures.label_of(one)) in ("gross", "due"))
        return next(named, None)

    def list_total_facts(self, name: TotalName) -> frozenset[str]:
        """What speaks for and against a sum."""
        return list_total_facts(
            name, self.figures, self.totals, self.items, self.checks, self.rules, self.learned, self.closing,
            self.rivals, is_tax_unnamed=self.is_tax_unnamed, closes_larger=self._closes_larger,
            is_less_than_due=self.larger_due is not None,
        )  # fmt: skip

    def list_line_facts(self, number: int, name: LineValue) -> frozenset[str]:
        """What speaks for and against a value of a line."""
        return list_line_facts(
            name,
            self.items[number],
            self.checks[number],
            self.counterparts[number],
            read_by_rules=self.is_read_by_rules,
            lines_make_net=self._lines_make_net,
            lines_differ=self._lines_differ,
            in_sum=self._lines_make_net or self._lines_hold_tax,
            net_closes=self._net_closes,
            is_of_sum=number in self._lines_of_sums,
            is_uncounted=bool(self.items[number].optional) and not self._names_options,
            factors_are_alike=self._are_factors_alike,
            most_do_not_multiply=self._most_do_not_multiply,
            borrows_from_sums=self._borrows_from_sums(self.items[number]),
            has_other_reader=self.learned is not None,
        )


def prepare_case(
    document: Document, rules: Reading, learned: Reading | None, *, has_sums: bool = True
) -> Case:
    """Choose the lines and the sums. A price list has no sums, whatever figures it shows."""
    figures, language = PrintedFigures(document.rows), document.origin.language
    taxed = [learned.totals] if learned else []
    if learned:
        learned = replace(learned, totals=without_misnamed_tax(figures, learned.totals, language))
    readings = [rules, *([learned] if learned else [])]
    found = [find_closing_sums(figures, reading.items) for reading in readings] if has_sums else []
    sums = [*(one.totals for one in readings), *(one.totals for one in found if one)]
    # A sentence may state the sum of all parts: `Overall value: R$ 95,160.00 (ninety-five thousand ...)`.
    in_sentence = rules.totals.total not in {one.value for one in figures.sums}
    is_whole = in_sentence and is_sum_of_lines(rules.totals, rules.items)
    counted = [replace(item, optional=None) for item in rules.items]  # arithmetic may have left some out
    separate = find_separate_sums(counted, figures) if has_sums and not is_whole else []
    # Only words tell what the prices of a price list are for, and which lines are alternatives.
    undecided = bool(separate or not has_sums) and bool(rules.items)
    items = rules.items if undecided else choose_lines(figures, rules, learned, sums)
    by_rules = items is rules.items
    if not by_rules:
        items = [_describe_as(item, rules.items) for item in items]
    elif learned and items:
        items = _with_quantities(figures, items, learned.items)
    if separate or not has_sums or are_sums_of_paces(items, figures):
        return Case(figures, rules, learned, None, items, Totals(), (), by_rules, separate)
    closing = find_closing_sums(figures, items)
    if closing:
        taxed.append(closing.totals)
        closing = replace(closing, totals=without_misnamed_tax(figures, closing.totals, language))
    chosen = choose_totals(figures, rules, learned, closing, items)
    totals = _take_larger_total(figures, _locate(figures, chosen.totals, items), items)
    items = _without_tax(figures, totals, items)
    unnamed = totals.tax != rules.totals.tax and is_tax_unnamed(figures, totals, language)
    explained = totals.tax or totals.net == rules.totals.net
    charges = [one.tax for one in taxed if one.tax and one.total == totals.net] if not explained else []
    return Case(
        figures, rules, learned, closing, items, totals, chosen.rivals, by_rules,
        is_tax_unnamed=unnamed, charge=next(iter(charges), None),
    )  # fmt: skip


def _without_tax(figures: PrintedFigures, totals: Totals, items: Sequence[LineItem]) -> Sequence[LineItem]:
    """The lines without the row of the tax, where the others make the net."""
    place = totals.provenance.get("tax_total")
    row = figures.order_of(place) if place else None
    if row is None or is_sum_of_lines(totals, items):
        return items
    others = [one for one in items if one.amount != totals.tax or figures.order_of_line(one) != row]
    return others if is_sum_of_lines(totals, others) else items


def _with_quantities(
    figures: PrintedFigures, items: Sequence[LineItem], others: Sequence[LineItem]
) -> Sequence[LineItem]:
    """The lines, those without a quantity with that of the other reader, where it multiplies as printed."""
    proven = [one for one, check in zip(others, check_lines(figures, others), strict=True) if check.is_proven]
    filled: list[LineItem] = []
    for item in items:
        same = (one for one in proven if is_same_line(item, one) and one.unit_price == item.unit_price)
        if item.quantity is None and item.amount and (one := next(same, None)):
            places = {**item.provenance, "quantity": one.provenance["quantity"]}
            item = replace(item, quantity=one.quantity, provenance=places)
        filled.append(item)
    return filled


def _describe_as(item: LineItem, others: Sequence[LineItem]) -> LineItem:
    """The line with the words of the same one as the rules read it, which know the columns of words."""
    same = [one for one in others if is_same_line(item, one)]
    other = min(same, key=lambda one: _measure_distance(item, one), default=None)
    if other is None:
        return item
    return replace(
        item,
        description=other.description or item.description,
        item_id=other.item_id or item.item_id,
        unit=other.unit or item.unit,
    )


def _measure_distance(item: LineItem, other: LineItem) -> tuple[int, float]:
    """How many pages and points apart the amounts of two lines stand; years of a ramp may cost the same."""
    here, there = (one.provenance.get("amount") for one in (item, other))
    if here is None or there is None or here.box is None or there.box is None:
        return 0, 0.0
    pages = abs((here.page or 0) - (there.page or 0))
    return pages, abs(here.box.middle - there.box.middle) + abs(here.box.centre - there.box.centre)


def _locate(figures: PrintedFigures, totals: Totals, items: Sequence[LineItem]) -> Totals:
    """The sums. One that is not printed where it was read stands where the page shows it last, outside the
    lines."""
    free = figures.list_sums_outside(items)
    provenance = dict(totals.provenance)
    for name in TOTAL_NAMES:
        value = get_total(totals, name)
        if name == "total" and name not in provenance and value == totals.net:
            continue  # what is printed is a net without a tax
        if value is not None and not is_printed(figures, totals, name):
            cells = [one.cell for one in free if one.value == value]
            if cells:
                provenance[name] = cells[-1].locate(1.0)
    return replace(totals, provenance=provenance)


def _take_larger_total(figures: PrintedFigures, totals: Totals, items: Sequence[LineItem]) -> Totals:
    """The sums; where they have no tax, and labels name one and a larger total, with these, though they do
    not add up: the smaller total may be the sum of the lines alone."""
    if totals.total is None or totals.tax:
        return totals
    sums = [(total_kind(figures.label_of(one)), one) for one in figures.list_sums_outside(items)]
    taxes = [one for kind, one in sums if kind == "tax" and one.value > 0]
    larger = [one for kind, one in sums if kind == "gross" and one.value - totals.total > ROUNDING]
    if not taxes or not larger:
        return totals
    provenance = totals.provenance | {"total": larger[0].cell.locate(1.0)}
    if len(taxes) == 1:
        provenance["tax_total"] = taxes[0].cell.locate(1.0)
    tax = sum((one.value for one in taxes), Decimal(0))
    taken = replace(totals, net=totals.total, tax=tax, total=larger[0].value, provenance=provenance)
    return taken if fits_tax(taken) and larger[0].value < 2 * totals.total else totals


def is_same_line(one: LineItem, other: LineItem) -> bool:
    """Whether two readers read the same line: by its amount, or its price where there is none."""
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
