"""Which reading of the lines and which of the sums is taken: what arithmetic and agreement speak for most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from app.service.documents.extraction import TOTAL_NAMES, LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.closing_sums import ClosingSums, has_odd_rate, is_likely_rate
from app.service.documents.judge.line_check import LineCheck, check_lines
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import (
    ROUNDING,
    Reading,
    closes_with_tax,
    disagree,
    fits_tax,
    get_total,
    is_printed,
    is_sum_of_lines,
    sum_lines,
)
from app.service.documents.tables.surplus_lines import without_sums_of
from app.service.values.rounding import is_close

DECIDED = 0.5
"""The margin from which on the learned reader is decided."""

# What speaks for a reading of the sums.
_CLOSES_WITH_TAX = 4.0
_LINES_ADD_UP = 4.0
_COLUMN_ADDS_UP = 4.0  # from the sum of the lines to the total
_LINES_HOLD_TAX = 3.5  # they add up to the total
_DOES_NOT_CLOSE = -3.0
_TOTAL_IS_MISSING = -3.0
_TOTAL_IS_NOT_PRINTED = -1.0
_LABELLED_TOTAL_IS_LEFT_OUT = -4.0  # for one that is not printed
_HAS_LABELS = 1.0
_LABELLED = 0.5  # each
_ODD_RATE = -4.0  # proves nothing, unless a label calls it a tax
_LABEL_CALLS_IT_NET = -3.0  # what is taken for the total, though another figure has the label of one
_ANOTHER_AGREES = 1.5
_MARGIN = 2.0  # of the learned reader, from 0 to 1
_FAR_AHEAD = 3.0  # of another reading, which is then not mentioned

# What speaks for a reading of the lines.
_LINES_MAKE_PRINTED_SUM = 4.0
_SHARE_THAT_MULTIPLIES = 3.0
_FIGURES_ARE_SHARED = -3.0
_HEADED = 1.2  # rather the lines of the rules, where as much speaks for both
_OPTIONAL = -3.0  # the share of lines that the learned reader leaves out of the sum
_LINES_ARE_LEFT_OUT = -4.0  # that multiply as the rules read them
_NONE_PRICED = -1.0
_NONE = -2.0


@dataclass(frozen=True)
class ChosenTotals:
    """The sums that were taken, and other readings of them that nearly as much speaks for."""

    totals: Totals
    rivals: Sequence[Totals] = ()


def choose_lines(
    figures: PrintedFigures, rules: Reading, learned: Reading | None, sums: Sequence[Totals]
) -> Sequence[LineItem]:
    """The lines of one reader. `sums` are the sums that any reader or arithmetic found."""
    if learned is None:
        return rules.items
    # Of a sum of the discounts of single lines the net is what the lines make.
    found = [
        (one, one.net + less) for one in sums if one.net is not None for less in {one.discount, Decimal(0)}
    ]
    # A net that no page shows proves no lines, but those of the rules, who know what is taken off.
    shown = {one.value for one in figures.sums}
    nets = [net for one, net in found if one is rules.totals or net in shown]
    printed = (rules.totals.net, rules.totals.total)
    items = without_sums_of(rules.items, _without_needless_options(learned.items, rules.totals), printed)
    if _are_prices_taxes(rules.items, items) or _adds_prices(rules.items, items):
        return rules.items
    by_rules = _weigh_lines(figures, rules.items, nets) + _HEADED
    by_learned = _weigh_lines(figures, items, nets) + learned.margins.get("line_items", 0.0)
    by_learned += _OPTIONAL * sum(bool(item.optional) for item in items) / (len(items) or 1)
    counted = sum(not item.optional for item in rules.items), sum(not item.optional for item in items)
    proven = _count_proven(rules.items, check_lines(figures, rules.items))
    whole = sum_lines(items)
    makes_net = whole is not None and any(is_close(whole, one, ROUNDING) for one in nets)
    if counted[0] > counted[1] and (proven > counted[1] or not makes_net):
        by_learned += _LINES_ARE_LEFT_OUT
    return items if by_learned > by_rules else rules.items


def _adds_prices(rules: Sequence[LineItem], learned: Sequence[LineItem]) -> bool:
    """Whether the rules read the same amounts, and prices without an amount beside them."""
    amounts = [one.amount for one in rules if one.amount is not None]
    return bool(amounts) and len(amounts) < len(rules) and amounts == [one.amount for one in learned]


def _are_prices_taxes(rules: Sequence[LineItem], learned: Sequence[LineItem]) -> bool:
    """Whether what the learned reader takes for prices are mostly the taxes which, with quantity times price
    as the rules read them, make up the amounts."""
    pairs = [(one, other) for one in rules for other in learned if one.amount and one.amount == other.amount]
    taxes = [
        one.quantity is not None and one.unit_price is not None and other.unit_price is not None
        and one.amount is not None and one.unit_price != other.unit_price
        and is_close(one.quantity * one.unit_price + other.unit_price, one.amount, ROUNDING)
        for one, other in pairs
    ]  # fmt: skip
    return sum(taxes) * 2 > len(pairs)


def _without_needless_options(items: Sequence[LineItem], totals: Totals) -> Sequence[LineItem]:
    """The lines, none of them optional where all together make a sum that has a label."""
    whole = sum_lines([replace(item, optional=None) for item in items])
    stated = [one for one in (totals.net, totals.total) if one is not None]
    if whole is None or not any(is_close(whole, one, ROUNDING) for one in stated):
        return items
    return [replace(item, optional=None) for item in items]


def _weigh_lines(figures: PrintedFigures, items: Sequence[LineItem], nets: Sequence[Decimal]) -> float:
    """What speaks for these lines. A line that costs nothing, or is an option beside others, proves nothing,
    and is no fault either."""
    checks = check_lines(figures, items)
    shown = [item for item in items if not item.optional] or items
    priced = sum(bool(item.amount) for item in shown)
    if not priced:
        return _NONE_PRICED if items else _NONE
    of_shown = checks if len(shown) == len(items) else check_lines(figures, shown)
    weight = _SHARE_THAT_MULTIPLIES * _count_proven(shown, of_shown) / priced
    paid = ([item for item in items if item.recurring is not one] for one in (True, False))
    wholes = [whole for one in (items, *paid) if (whole := sum_lines(one)) is not None]  # or of one pace
    counted = sum(not item.optional for item in items) * 2 >= len(items)
    if counted and any(is_close(whole, one, ROUNDING) for whole in wholes for one in nets):
        weight += _LINES_MAKE_PRINTED_SUM
    if any(one.shares_figure for one in checks):
        weight += _FIGURES_ARE_SHARED
    return weight


def _count_proven(items: Sequence[LineItem], checks: Sequence[LineCheck]) -> int:
    """The lines that multiply as printed, or with a discount that the rules read beside or below them."""
    return sum(
        bool(item.amount) and (check.is_proven or any(one.verified for one in item.provenance.values()))
        for item, check in zip(items, checks, strict=True)
    )


def choose_totals(
    figures: PrintedFigures, rules: Reading, learned: Reading | None, closing: ClosingSums | None,
    items: Sequence[LineItem],
) -> ChosenTotals:  # fmt: skip
    """The sums that most speaks for; what they leave open is taken from a reading that agrees with them."""
    others = [*([learned.totals] if learned else []), *([closing.totals] if closing else [])]
    readings: list[Totals] = [one for one in (rules.totals, *others) if not _is_empty(one)]
    if learned and readings == [learned.totals] and _is_guess(figures, learned, items):
        readings = []
    if not readings:
        return ChosenTotals(Totals())

    def weigh(one: Totals) -> float:
        weight = sum(_weigh_totals(figures, one, items, rules.totals.tax), 0.0)
        if one is rules.totals:
            weight += _HAS_LABELS + _LABELLED * sum(get_total(one, name) is not None for name in TOTAL_NAMES)
        if learned and one is learned.totals:
            weight += _MARGIN * learned.margins.get("total", 0.0)
        if closing and one is closing.totals and closing.is_column and not _charges_tax(one, rules.totals):
            weight += _COLUMN_ADDS_UP
        if _takes_net_for_total(figures, one, rules.totals):
            weight += _LABEL_CALLS_IT_NET
        if is_printed(figures, rules.totals, "total") and not is_printed(figures, one, "total"):
            weight += _LABELLED_TOTAL_IS_LEFT_OUT
        return weight + _ANOTHER_AGREES * sum(
            other is not one and other.total is not None and other.total == one.total for other in readings
        )

    weighed = sorted(((weigh(one), -number) for number, one in enumerate(readings)), reverse=True)
    (weight, first), *rest = weighed
    best = readings[-first]
    rivals = [readings[-number] for other, number in rest if weight - other < _FAR_AHEAD]
    taxes = [one.totals.tax for one in (rules, learned) if one and one.totals.tax]
    return ChosenTotals(_take_out_tax(figures, best, taxes), rivals)


def _charges_tax(closing: Totals, labelled: Totals) -> bool:
    """Whether what is charged before the tax has the label of a tax, or of what stands behind the tax."""
    if labelled.tax is None or closing.net == labelled.net:
        return False
    return is_close((closing.tax or 0) - closing.discount, labelled.tax + labelled.after_tax)


def _is_guess(figures: PrintedFigures, learned: Reading, items: Sequence[LineItem]) -> bool:
    """Whether the learned reader is not decided on a total that the lines contradict, or found it in a
    sentence, or a figure is all that there is: a contract speaks of limits too."""
    whole, totals = sum_lines(items), learned.totals
    if whole is None:
        return not (items or closes_with_tax(figures, totals))
    if learned.margins.get("total", 0.0) >= DECIDED and not figures.stands_in_sentence(
        totals.provenance.get("total")
    ):
        return False
    return not any(one is not None and is_close(one, whole, ROUNDING) for one in (totals.net, totals.total))


def _is_empty(totals: Totals) -> bool:
    return totals.net is None and totals.tax is None and totals.total is None


def _weigh_totals(
    figures: PrintedFigures, totals: Totals, items: Sequence[LineItem], labelled_tax: Decimal | None
) -> Iterator[float]:
    if closes_with_tax(figures, totals):
        yield _CLOSES_WITH_TAX
        if has_odd_rate(figures, totals, labelled_tax):
            yield _ODD_RATE
    elif disagree(totals):
        yield _DOES_NOT_CLOSE
    whole = sum_lines(items)
    if is_sum_of_lines(totals, items):
        yield _LINES_ADD_UP
    elif totals.tax and totals.total and whole is not None and is_close(whole, totals.total, ROUNDING):
        yield _LINES_HOLD_TAX
    if totals.total is None:
        yield _TOTAL_IS_MISSING
    elif not is_printed(figures, totals, "total"):
        yield _TOTAL_IS_NOT_PRINTED


def _takes_net_for_total(figures: PrintedFigures, totals: Totals, labelled: Totals) -> bool:
    """Whether the total is what a label calls the net, while another figure has the label of a total."""
    net, total = labelled.provenance.get("net_total"), labelled.provenance.get("total")
    if net is None or total is None or net.box == total.box or totals.total == labelled.total:
        return False
    return totals.total == labelled.net and is_printed(figures, labelled, "total")


def _take_out_tax(figures: PrintedFigures, totals: Totals, taxes: Sequence[Decimal]) -> Totals:
    """The sums with the tax that a total holds, where a percentage says so: `incl. 19 % VAT  19.00`."""
    total = totals.total
    if totals.tax is not None or total is None or totals.net != total:
        return totals
    held = (one for one in taxes if fits_tax(Totals(total - one, one)))
    tax = next((one for one in held if is_likely_rate(figures.rates, total - one, one)), None)
    return totals if tax is None else replace(totals, net=total - tax, tax=tax)
