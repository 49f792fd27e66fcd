"""Lines that a copy, a later sheet or page repeats, or breaks down, after the first has summed them up."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from itertools import accumulate

from app.service.documents.extraction import LineItem
from app.service.values.folding import fold

_MOST_COPIES = 4


def without_repeated_lines(items: Sequence[LineItem], sums: Collection[Decimal]) -> list[LineItem]:
    """The lines of the first page, where they add up to a printed sum, all lines add up to none, and those of
    each other page are the same ones again or what one of them is made of; so too of a copy on the same page;
    else all lines."""
    for count in range(2, _MOST_COPIES + 1):
        share, rest = divmod(len(items), count)
        parts = [items[at * share : (at + 1) * share] for at in range(count)]
        if share and not rest and all(_is_copy(parts[0], part) for part in parts[1:]):
            printed = _sum_amounts(parts[0]) in sums and _sum_amounts(items) not in sums
            return list(parts[0] if printed else items)
    pages: dict[int | None, list[LineItem]] = {}
    for item in items:
        place = next(iter(item.provenance.values()), None)
        pages.setdefault(place.page if place else None, []).append(item)
    first, *others = pages.values() if len(pages) > 1 else [list(items)]
    is_whole = _sum_amounts(first) in sums and _sum_amounts(items) not in sums
    if is_whole and all(_repeats(first, page) or _breaks_down(first, page) for page in others):
        return list(first)
    return list(items)


def _is_copy(items: Sequence[LineItem], others: Sequence[LineItem]) -> bool:
    return all(
        (one.description, one.quantity, one.unit_price, one.amount)
        == (other.description, other.quantity, other.unit_price, other.amount)
        for one, other in zip(items, others, strict=True)
    )


def _sum_amounts(items: Sequence[LineItem]) -> Decimal:
    return sum((item.amount for item in items if item.amount), Decimal(0))


def _repeats(first: Sequence[LineItem], page: Sequence[LineItem]) -> bool:
    known = {(fold(item.description or ""), item.quantity) for item in first}
    return all((fold(item.description or ""), item.quantity) in known for item in page)


def _breaks_down(first: Sequence[LineItem], page: Sequence[LineItem]) -> bool:
    """Whether the lines of a page make up one of the first, or all of them, one after the other."""
    runs, parts = (set(accumulate(item.amount or Decimal(0) for item in items)) for items in (first, page))
    whole = _sum_amounts(page)
    return bool(whole) and len(page) > 1 and (any(item.amount == whole for item in first) or runs <= parts)
