"""Which reading of the lines and which of the sums is taken: what arithmetic and agreement speak for most."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.closing_sums import ClosingSums, is_likely_rate
from app.service.documents.judge.line_check import check_lines
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import (
    ROUNDING,
    TOTAL_NAMES,
    Reading,
    closes_with_tax,
    get_total,
    is_printed,
    is_sum_of_lines,
    sum_lines,
)
from app.service.documents.values.rounding import is_close

# What speaks for a reading of the sums.
_CLOSES_WITH_TAX = 4.0
_LINES_ADD_UP = 4.0
_DOES_NOT_CLOSE = -3.0
_TOTAL_IS_MISSING = -3.0
_TOTAL_IS_NOT_PRINTED = -1.0
_HAS_LABELS = 1.0
_LABELLED = 0.5  # each
_ODD_RATE = -1.5
_ANOTHER_AGREES = 1.5
_MARGIN = 2.0  # of the learned reader, from 0 to 1

# What speaks for a reading of the lines.
_LINES_MAKE_PRINTED_SUM = 4.0
_SHARE_THAT_MULTIPLIES = 3.0
_FIGURES_ARE_SHARED = -3.0
_HEADED = 1.0
_NONE = -2.0


def choose_lines(
    figures: PrintedFigures, rules: Reading, learned: Reading | None, sums: Sequence[Totals]
) -> Sequence[LineItem]:
    """The lines of one reader. `sums` are the sums that any reader or arithmetic found."""
    if learned is None:
        return rules.items
    nets = [one.net + one.discount for one in sums if one.net is not None]
    by_rules = _weigh_lines(figures, rules.items, nets) + _HEADED
    by_learned = _weigh_lines(figures, learned.items, nets)
    by_learned += _MARGIN * learned.margins.get("line_items", 0.0)
    return learned.items if by_learned > by_rules else rules.items


def _weigh_lines(figures: PrintedFigures, items: Sequence[LineItem], nets: Sequence[Decimal]) -> float:
    if not items:
        return _NONE
    checks = check_lines(figures, items)
    proven = [one for one in checks if one.is_proven]
    weight = _SHARE_THAT_MULTIPLIES * len(proven) / len(items)
    whole = sum_lines(items)
    if whole is not None and any(is_close(whole, one, ROUNDING) for one in nets):
        weight += _LINES_MAKE_PRINTED_SUM
    if any(one.shares_figure for one in checks):
        weight += _FIGURES_ARE_SHARED
    return weight


def choose_totals(
    figures: PrintedFigures, rules: Reading, learned: Reading | None, closing: ClosingSums | None,
    items: Sequence[LineItem],
) -> Totals:  # fmt: skip
    """The sums that most speaks for; what they leave open is taken from a reading that agrees with them."""
    others = [*([learned.totals] if learned else []), *([closing.totals] if closing else [])]
    readings = [one for one in (rules.totals, *others) if not _is_empty(one)]
    if not readings:
        return Totals()

    def weigh(one: Totals) -> float:
        weight = sum(_weigh_totals(figures, one, items), 0.0)
        if one is rules.totals:
            weight += _HAS_LABELS + _LABELLED * sum(get_total(one, name) is not None for name in TOTAL_NAMES)
        if learned and one is learned.totals:
            weight += _MARGIN * learned.margins.get("total", 0.0)
        return weight + _ANOTHER_AGREES * sum(
            other is not one and other.total is not None and other.total == one.total for other in readings
        )

    best = max(readings, key=weigh)
    for other in readings:
        if other.total == best.total or (other.net is not None and other.net == best.net):
            best = _complete(best, other)
    return best


def _is_empty(totals: Totals) -> bool:
    return totals.net is None and totals.tax is None and totals.total is None


def _weigh_totals(figures: PrintedFigures, totals: Totals, items: Sequence[LineItem]) -> Iterator[float]:
    if closes_with_tax(figures, totals):
        yield _CLOSES_WITH_TAX
        if not is_likely_rate(figures.rates, totals.net or Decimal(0), totals.tax or Decimal(0)):
            yield _ODD_RATE
    elif _disagree(totals):
        yield _DOES_NOT_CLOSE
    if is_sum_of_lines(totals, items):
        yield _LINES_ADD_UP
    if totals.total is None:
        yield _TOTAL_IS_MISSING
    elif not is_printed(figures, totals, "total"):
        yield _TOTAL_IS_NOT_PRINTED


def _disagree(totals: Totals) -> bool:
    net, total = totals.net, totals.total
    return net is not None and total is not None and not is_close(net + (totals.tax or 0), total, ROUNDING)


def _complete(totals: Totals, other: Totals) -> Totals:
    """The sums with those of another reading where they have none."""
    missing = {
        name: value
        for name in ("net", "tax", "total")
        if getattr(totals, name) is None and (value := getattr(other, name)) is not None
    }
    if not missing:
        return totals
    provenance = {**other.provenance, **totals.provenance}
    return replace(totals, **missing, discount=totals.discount or other.discount, provenance=provenance)
