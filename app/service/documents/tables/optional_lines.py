"""Lines at the end that no sum counts: options, by arithmetic where no word says so."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.values.rounding import is_close

_ROUNDING = Decimal("0.05")


def mark_uncounted(items: Sequence[LineItem], stated: Decimal) -> list[LineItem]:
    """The lines, of which the last ones are optional where the others alone add up to the stated sum.

    What is as much as the sum itself are its parts, as those of a bundle, rather than options.
    """
    counted = [(number, item.amount) for number, item in enumerate(items) if not item.optional]
    amounts = [amount for _, amount in counted if amount is not None]
    if len(amounts) < len(counted) or any(amount < 0 for amount in amounts):
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
    return [replace(item, optional=True) if number in options else item for number, item in enumerate(items)]
