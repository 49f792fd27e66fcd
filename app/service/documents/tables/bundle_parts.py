"""The parts of bundles: lines whose price stands in another line."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeAlias

from app.service.documents.extraction import Box, LineItem, list_places
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.values.folding import fold
from app.service.values.rounding import adds_up

_BUNDLE = phrase(WORDS.lines.bundle)
_MOST_PARTS = 100
Place: TypeAlias = tuple[int | None, Box | None]


def is_bundle(text: str) -> bool:
    """Whether a text names one price for several things."""
    return _BUNDLE.search(fold(text)) is not None


def mark_priced_parts(items: Sequence[LineItem], sums: Sequence[Decimal]) -> list[LineItem]:
    """The lines, of which those are parts that make the amount of the line above them once more: with them
    the lines are no printed sum, and without them they are one."""
    if _make_sum(items, sums):
        return list(items)
    for fewest in (2, 1):  # where others have several parts, one has a single part
        found: dict[int, LineItem] = {}
        at = 0
        while at < len(items):
            end = _find_end_of_parts(items, at, fewest)
            found |= dict.fromkeys(range(at + 1, end), items[at])
            at = end
        if len(found) < 2 or _make_sum([one for n, one in enumerate(items) if n not in found], sums):
            break
    else:
        return list(items)
    return [_join(one, found[number]) if number in found else one for number, one in enumerate(items)]


def add_parts(
    items: Sequence[LineItem], unpriced: Mapping[Place, Sequence[LineItem]], sums: Sequence[Decimal]
) -> list[LineItem]:
    """The lines, of which those that cost nothing below a bundle are its parts, and with them the rows that
    state no price, by the place of the amount of the line above them, where the others make a printed sum."""
    are_proved = bool(unpriced) and _make_sum(items, sums)
    amounts = list_places(items, "amount")
    bundle: LineItem | None = None
    whole: list[LineItem] = []
    for item in items:
        if item.amount and not item.optional:
            bundle = item if is_bundle(item.description or "") else None
        whole.append(_join(item, bundle) if bundle is not None and item.amount == 0 else item)
        place = item.provenance.get("amount")
        if are_proved and place is not None:
            parts = unpriced.get((place.page, place.box), ())
            whole += [
                _join(part, item) for part in parts if amounts.isdisjoint(list_places([part], "quantity"))
            ]
    return whole


def _join(part: LineItem, bundle: LineItem) -> LineItem:
    return replace(part, part_of=bundle.description, optional=True)


def _make_sum(items: Iterable[LineItem], sums: Sequence[Decimal]) -> bool:
    amounts = [one.amount for one in items if one.amount is not None and not one.optional]
    return any(adds_up(amounts, one) for one in sums)


def _find_end_of_parts(items: Sequence[LineItem], at: int, fewest: int) -> int:
    """The position behind the lines that make the amount of the line at this one; of none, the next."""
    whole = items[at].amount
    if not whole or whole < 0:
        return at + 1
    total = Decimal(0)
    for end in range(at + 1, min(len(items), at + 1 + _MOST_PARTS)):
        amount = items[end].amount
        if amount is None or amount < 0 or items[end].optional:
            break
        total += amount
        if total == whole and end >= at + fewest:
            return end + 1
        if total > whole:
            break
    return at + 1
