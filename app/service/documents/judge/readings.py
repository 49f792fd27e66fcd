"""What a reader read of the lines and sums of a document, in one form for both readers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from app.service.documents.extraction import LineItem, TotalName
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.learned.reading import LearnedReading
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.values.rounding import is_close

ROUNDING = Decimal("0.05")
"""What sums of many rounded amounts may differ by."""
HIGHEST_TAX = Decimal("0.3")
"""The highest share of a net that is taken for a tax."""


@dataclass(frozen=True)
class Reading:
    """The lines and sums that one reader read. `margins` says by how much its best reading was more probable
    than the next, from 0 to 1, by `line_items` and the names of the sums; the rules give none."""

    items: Sequence[LineItem] = ()
    totals: Totals = field(default_factory=Totals)
    margins: Mapping[str, float] = field(default_factory=dict[str, float])


def convert_learned(read: LearnedReading) -> Reading:
    """The reading of the learned reader."""
    totals = Totals(read.net_total, read.tax_total, read.total, provenance=dict(read.provenance))
    return Reading(read.line_items, totals, read.margins)


def get_total(totals: Totals, name: TotalName) -> Decimal | None:
    """The sum of that name."""
    return {"net_total": totals.net, "tax_total": totals.tax, "total": totals.total}[name]


def sum_lines(items: Sequence[LineItem]) -> Decimal | None:
    """What the lines that count add up to; None when a line shows no amount."""
    counted = [item for item in items if not item.optional]
    amounts = [item.amount for item in counted if item.amount is not None]
    return sum(amounts, Decimal(0)) if amounts and len(amounts) == len(counted) else None


def is_sum_of_lines(totals: Totals, items: Sequence[LineItem]) -> bool:
    """Whether the lines, less the discount of the document, are its net."""
    whole = sum_lines(items)
    return (
        whole is not None
        and totals.net is not None
        and is_close(totals.net + totals.discount, whole, ROUNDING)
    )


def are_with_tax(totals: Totals, whole: Decimal) -> bool:
    """Whether what the lines add up to is the total, which a net and a likely tax make."""
    made, total = totals.made, totals.total
    closes = made is not None and total is not None and is_close(made, total, ROUNDING)
    return closes and bool(totals.tax) and fits_tax(totals) and is_close(whole, made or whole, ROUNDING)


def is_printed(figures: PrintedFigures, totals: Totals, name: TotalName) -> bool:
    """Whether a sum stands on the page where it was read; a sum that follows from others does not."""
    return figures.shows(totals.provenance.get(name), get_total(totals, name))


def disagree(totals: Totals) -> bool:
    """Whether the sums do not make the total."""
    made, total = totals.made, totals.total
    return made is not None and total is not None and not is_close(made, total, ROUNDING)


def fits_tax(totals: Totals) -> bool:
    """Whether the tax, if there is one, may be that of the net."""
    return not totals.net or not totals.tax or 0 < totals.tax / totals.net <= HIGHEST_TAX


def is_told_apart(figures: PrintedFigures, totals: Totals, items: Sequence[LineItem]) -> bool:
    """Whether the page names what the lines add up to a total, and another net closes with a likely tax and
    another total: what is left to pay of an order, or what charges that are printed too make of it."""
    lines, net = sum_lines(items), totals.net
    if lines is None or net is None or lines == totals.total:
        return False
    others = figures.list_sums_outside(items)
    named = [one for one in others if total_kind(figures.label_of(one)) in ("net", "gross")]
    if not any(is_close(one.value, lines, ROUNDING) for one in named):
        return False
    is_charged = any(is_close(abs(one.value), abs(net - lines), ROUNDING) for one in others)
    closes = (
        bool(totals.tax)
        and fits_tax(totals)
        and not disagree(totals)
        and is_printed(figures, totals, "total")
    )
    return closes_with_tax(figures, totals) or (is_charged and closes)


def closes_with_tax(figures: PrintedFigures, totals: Totals) -> bool:
    """Whether a printed net (or a net after a discount), a plausible tax and a printed total make a sum."""
    net, made, total = totals.net, totals.made, totals.total
    if net is None or made is None or total is None or not totals.tax or not fits_tax(totals):
        return False
    place = totals.provenance.get("net_total")
    net_printed = figures.shows(place, net) or figures.shows(place, net + totals.discount)
    return net_printed and is_printed(figures, totals, "total") and is_close(made, total, Decimal("0.02"))
