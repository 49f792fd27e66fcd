"""Lines that no sum counts: options, by a word or, at the end, by arithmetic."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Row
from app.service.documents.lexicon.vocabulary import OPTIONAL
from app.service.documents.tables.line_kinds import is_paid_again
from app.service.documents.tables.surplus_lines import multiplies, sum_all
from app.service.values.folding import fold
from app.service.values.rounding import is_close

_ROUNDING = Decimal("0.05")
_LONGEST_HEADING = 8
"""Words of a heading over options."""


def mark_named_options(
    items: Sequence[LineItem], rows: Sequence[Row], sums: Sequence[Decimal]
) -> list[LineItem]:
    """The lines, of which those are optional that a word names so, by itself or as a heading above, or that
    brackets set apart, around a product or beside such a word, where the others alone add up to one of the
    sums."""
    heads = [
        (row.page, row.box.middle)
        for row in rows
        if not row.figures and len(row.words) <= _LONGEST_HEADING and OPTIONAL.search(fold(row.text))
    ]
    named = [_is_named(item, heads) for item in items]
    whole = sum_all(item for item in items if not item.optional)
    rest = sum_all(
        item for item, is_named in zip(items, named, strict=True) if not item.optional and not is_named
    )
    if not rest or not any(is_close(rest, one, _ROUNDING) for one in sums):
        return list(items)
    if any(is_close(whole, one, _ROUNDING) for one in sums):
        return list(items)
    return [
        # In brackets an amount is in no total, and none below zero.
        replace(
            item,
            optional=True,
            amount=item.amount and abs(item.amount),
            unit_price=item.unit_price and abs(item.unit_price),
        )
        if is_named
        else item
        for item, is_named in zip(items, named, strict=True)
    ]


def _is_named(item: LineItem, heads: Sequence[tuple[int, float]]) -> bool:
    position = item.position
    if OPTIONAL.search(fold(item.description or "")):
        return True
    if (
        item.amount is not None
        and item.amount < 0
        and (heads or multiplies(replace(item, amount=-item.amount)))
    ):
        return True
    return position is not None and any(head < position for head in heads)


def mark_uncounted(items: Sequence[LineItem], stated: Decimal) -> list[LineItem]:
    """The lines, of which the last ones are optional where the others alone add up to the stated sum.

    What is as much as the sum itself are its parts, as those of a bundle, rather than options; and the sum of
    what is paid each month leaves out what is paid each year, option or not.
    """
    counted = [(number, item.amount) for number, item in enumerate(items) if not item.optional]
    amounts = [amount for _, amount in counted if amount is not None]
    periods = {item.period_months for item in items} - {None}
    if len(amounts) < len(counted) or any(amount < 0 for amount in amounts) or len(periods) > 1:
        return list(items)
    rest = sum(amounts, Decimal(0)) - stated
    if rest >= stated:
        return list(items)
    options: set[int] = set()
    for number, amount in reversed(counted[1:]):
        if rest <= _ROUNDING or amount is None:
            break
        rest -= amount
        options.add(number)
    if not options or not is_close(rest, Decimal(0), _ROUNDING):
        return list(items)
    left, kept = (
        {is_paid_again(items[at]) for at, _ in counted if (at in options) is one} for one in (True, False)
    )
    if (left, kept) == ({False}, {True}):
        return list(items)  # paid once, beside a sum of what is paid again
    return [replace(item, optional=True) if number in options else item for number, item in enumerate(items)]
