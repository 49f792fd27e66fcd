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
Place: TypeAlias = tuple[int | None, Box | None]


def is_bundle(text: str) -> bool:
    """Whether a text names one price for several things."""
    return _BUNDLE.search(fold(text)) is not None


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
