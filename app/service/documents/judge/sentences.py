"""The sentences about what two readings, or reading and arithmetic, disagree on: each with both values."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from app.contract.money import format_count
from app.service.documents.extraction import LineItem, TotalName
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.closing_sums import is_likely_rate
from app.service.documents.judge.line_check import LineCheck, list_factors, multiplies_with
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import (
    ROUNDING,
    are_with_tax,
    disagree,
    fits_tax,
    is_told_apart,
    sum_lines,
)
from app.service.values.rounding import is_close, round_to_cents

NAMES: dict[TotalName, str] = {
    "net_total": "price before tax", "tax_total": "tax", "total": "total",
}  # fmt: skip
_DOUBTS = {
    "odd tax": "A tax of {} was read, but no label and no percentage says that it is one.",
    "unnamed tax": "A tax of {} was read, but no label says that it is one.",
    "charge": "No label calls {} a tax: it is taken for a charge, and {} for the price before tax.",
    "contradicted net": "The price before tax is printed as {}, but the other sums make {}, which is taken.",
    "total of lines": "The total is read as {}, as the lines add up, but the page may state another one.",
    "unproven total": "The total is read as {}, but nothing else on the page adds up to it.",
}
_MOST_LINES = 3
"""Lines of one kind that are named; the others are counted."""


def format_money(value: Decimal) -> str:
    """1,234.50, as many decimals as it has, but two where it has any."""
    rounded = round_to_cents(value)
    if not is_close(rounded, value, Decimal(0)):
        return f"{value.normalize():,f}"
    return f"{value.quantize(Decimal(1)):,f}" if value == value.to_integral_value() else f"{rounded:,f}"


def describe_doubt(doubt: str, *amounts: Decimal) -> str:
    """The sentence about a doubt of this name, with the amounts that it is about."""
    return _DOUBTS[doubt].format(*map(format_money, amounts))


def describe_sums(totals: Totals, items: Sequence[LineItem], figures: PrintedFigures) -> Iterator[str]:
    """What of the sums does not add up."""
    net, tax, made, total = totals.net, totals.tax, totals.made, totals.total
    lines = sum_lines(items)
    taken_off = max(totals.discount, Decimal(0))  # what is charged beside the lines is none of them
    if lines is not None and net is not None:
        makes_up = any(is_close(one, lines, ROUNDING) for one in (net, net + taken_off))
        if not (makes_up or are_with_tax(totals, lines) or is_told_apart(figures, totals, items)):
            yield _describe_lines_and_net(net + taken_off, lines, figures)
    if net is not None and tax and not fits_tax(totals):
        yield f"A tax of {format_money(tax)} does not fit the price before tax of {format_money(net)}."
    if net is None or made is None or total is None or not disagree(totals):
        return
    held = replace(totals, tax=total - net)  # a tax that is printed nowhere
    if tax or not (fits_tax(held) and is_likely_rate(figures.rates, net, total - net)):
        parts = f" and the tax of {format_money(tax)} add up to" if tax else " and no tax make"
        yield (
            f"The total is read as {format_money(total)}, but the price before tax of {format_money(net)}"
            f"{parts} {format_money(made)}."
        )


def _describe_lines_and_net(net: Decimal, lines: Decimal, figures: PrintedFigures) -> str:
    """Why the lines do not add up to the net, where the page tells."""
    read = (
        f"The price before tax is read as {format_money(net)}, but the lines add up to {format_money(lines)}"
    )
    difference = abs(net - lines)
    if any(is_close(abs(one.value), difference, ROUNDING) for one in figures.sums):
        return f"{read}; the difference of {format_money(difference)} is printed."
    return f"{read}."


def describe_other_reading(name: TotalName, value: Decimal, other: Decimal) -> str:
    """A sum that was read in two ways."""
    return f"The {NAMES[name]} is read as {format_money(value)}, but it may also be {format_money(other)}."


def describe_separate_sums(sums: Sequence[Decimal]) -> str:
    """Sums of which none is that of all lines."""
    named = ", ".join(format_money(one) for one in sums[:_MOST_LINES])
    more = f" and {len(sums) - _MOST_LINES} more" if len(sums) > _MOST_LINES else ""
    return f"The document states separate sums ({named}{more}) and none of all lines: choose what is bought."


def describe_several_totals(totals: Sequence[Decimal]) -> str:
    """Sums that close each by itself."""
    return f"The document shows several totals: {' and '.join(format_money(one) for one in totals[:3])}."


def describe_other_count(items: Sequence[LineItem], other: int) -> str:
    """A document of which two readers read a different number of lines."""
    return f"{format_count(len(items), 'line was', 'lines were')} read, but another reading finds {other}."


def describe_amounts_alone(number: int, item: LineItem, others: int) -> str:
    """The lines of which only the amount was found, by the first of them."""
    more = f" and of {format_count(others, 'more line')}" if others else ""
    return f"{name_line(number, item)}: only its amount was found{more}; the quantity is taken to be one."


def describe_missing(totals: Totals, items: Sequence[LineItem], figures: PrintedFigures) -> Iterator[str]:
    """What a document with prices should show and was not found."""
    if not items and totals.total is not None:
        yield f"A total of {format_money(totals.total)} was read, but no lines."
    elif not items and figures.shows_money:
        yield "The document shows prices, but no lines were read."


def describe_lines(
    items: Sequence[LineItem], checks: Sequence[LineCheck], totals: Totals, figures: PrintedFigures
) -> Iterator[str]:
    """The lines whose own figures do not multiply, not even with the tax of the document or another number
    or percentage of their row, and those that share a figure."""
    with_tax = [totals.made / totals.net] if totals.net and totals.made and fits_tax(totals) else []
    returned = Decimal(-1)
    wrong = [
        number
        for number, (item, one) in enumerate(zip(items, checks, strict=True))
        if one.multiplies is False
        and (one.rate is None or (one.rate > 1 and not totals.tax))
        and not multiplies_with([*with_tax, returned, *figures.list_other_counts(item, number)], item)
    ]
    yield from say_of_some([_describe_product(number, items[number]) for number in wrong])
    yield from say_of_some(
        [
            f"{name_line(number, item)}: the amount of {format_money(item.amount)} is not the price of "
            f"{format_money(item.unit_price)}, but no quantity was found."
            for number, item in enumerate(items)
            if item.quantity is None and item.unit_price and item.amount and item.unit_price != item.amount
        ]
    )
    shared = [str(number + 1) for number, one in enumerate(checks) if one.shares_figure]
    if shared:
        yield f"The lines {', '.join(shared)} take their amounts from the same figure."


def describe_further_line(item: LineItem) -> str:
    """A line that only one reader read."""
    assert item.amount is not None
    words = f" ({_shorten(item.description)})" if item.description else ""
    return f"There may be a further line of {format_money(item.amount)}{words}."


def describe_other_line(number: int, item: LineItem, name: str, value: Decimal, other: Decimal) -> str:
    """A value of a line that was read in two ways."""
    field = name.replace("_", " ")
    return (
        f"{name_line(number, item)}: the {field} is read as {format_money(value)}, but it may also be "
        f"{format_money(other)}."
    )


def say_of_some(sentences: Sequence[str]) -> Iterator[str]:
    """The first sentences, and how many more there are."""
    yield from sentences[:_MOST_LINES]
    if (more := len(sentences) - _MOST_LINES) > 0:
        yield f"{format_count(more, 'more line is', 'more lines are')} doubtful for the same reason."


def name_line(number: int, item: LineItem) -> str:
    """`Line 2 (Support)`, counted from 1."""
    words = _shorten(item.description or "")
    return f"Line {number + 1} ({words})" if words else f"Line {number + 1}"


def _shorten(words: str) -> str:
    words = words.strip()
    return words if len(words) <= 40 else f"{words[:39].rstrip()}…"


def _describe_product(number: int, item: LineItem) -> str:
    assert item.quantity is not None
    assert item.unit_price is not None
    assert item.amount is not None
    factors = list_factors(item)
    products = [item.quantity * item.unit_price * factor for factor in factors]
    nearest = min(range(len(products)), key=lambda one: abs(products[one] - (item.amount or 0)))
    return (
        f"{name_line(number, item)}: {format_money(item.quantity)} × {format_money(item.unit_price)}"
        f"{_describe_factor(item, factors[nearest])} is {format_money(round_to_cents(products[nearest]))}, "
        f"but the amount is read as {format_money(item.amount)}."
    )


def _describe_factor(item: LineItem, factor: Decimal) -> str:
    """What else a product takes in, so that the reader can multiply it too: ` per 100 × 24 months`."""
    basis = item.price_basis_quantity or 1
    per = f" per {format_money(basis)}" if basis != 1 else ""
    if item.period_months in (None, 1) or factor * basis == 1:
        return per
    if factor * basis == item.period_months:
        return f"{per} × {item.period_months} months"
    return f"{per} × {format_money(round_to_cents(factor * basis))} years"
