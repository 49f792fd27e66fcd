"""What stays doubtful because a sign or a number of the page can be read in two ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from app.service.documents.extraction import Extraction, LineItem, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.values.locale import CROWNS
from app.service.documents.values.undecided_numbers import find_doubtful_numbers, find_usual_mark

_DOUBTFUL = 0.5
_SUMS = ("net_total", "tax_total", "total")
_OF_LINES = ("quantity", "unit_price", "amount", "list_unit_price")


@dataclass(frozen=True)
class NotationDoubts:
    """The numbers that can be read in two ways, by the value that they are read as, and the crowns that `kr`
    may stand for where that is not known, else nothing."""

    numbers: Mapping[Decimal, str] = field(default_factory=dict[Decimal, str])
    crowns: tuple[str, ...] = ()


def find_notation_doubts(
    rows: Sequence[Row], language: str | None, currency: str | None, crowns: Sequence[str], *, named: bool
) -> NotationDoubts:
    """The doubts of a document. `named` says that its currency is beyond doubt, `crowns` are the currencies
    that the page points to."""
    numbers: Mapping[Decimal, str] = {}
    if rows and rows[0].number_format is None:
        numbers = find_doubtful_numbers((row.text for row in rows), find_usual_mark(language, currency))
    if named or currency not in CROWNS:
        return NotationDoubts(numbers)
    return NotationDoubts(numbers, tuple(crowns if len(crowns) > 1 else CROWNS))


def mark_notation_doubts(extraction: Extraction, doubts: NotationDoubts) -> Extraction:
    """The extraction with these doubts in its provenance and its warnings."""
    warnings = list(extraction.warnings)
    if doubts.crowns and extraction.currency:
        *others, last = (one for one in doubts.crowns if one != extraction.currency)
        listed = f"{', '.join(others)} or {last}" if others else last
        warnings.append(f"The currency is read as {extraction.currency}, but kr may also be {listed}.")
    if not doubts.numbers:
        return replace(extraction, warnings=tuple(warnings))
    read: list[Decimal] = []
    provenance = _weaken(extraction, extraction.provenance, _SUMS, doubts.numbers, read)
    items = tuple(
        replace(item, provenance=_weaken(item, item.provenance, _OF_LINES, doubts.numbers, read))
        for item in extraction.line_items
    )
    if read:
        digits = doubts.numbers[read[0]]
        decimal = digits.replace(",", ".")
        warnings.append(
            f'"{digits}" is read as {read[0]:,}, but it may also be {decimal} with three decimals:'
            " no other number of the document tells."
        )
    return replace(extraction, provenance=provenance, line_items=items, warnings=tuple(warnings))


def _weaken(
    holder: Extraction | LineItem,
    places: Mapping[str, Provenance],
    names: Sequence[str],
    numbers: Mapping[Decimal, str],
    read: list[Decimal],
) -> dict[str, Provenance]:
    """The places with those of doubtful numbers made doubtful; the values of these are added to `read`."""
    weaker = dict(places)
    for name in names:
        value: Decimal | None = getattr(holder, name)
        if value is not None and abs(value) in numbers:
            read.append(abs(value))
            if place := places.get(name):
                weaker[name] = replace(place, confidence=min(place.confidence, _DOUBTFUL), verified=False)
    return weaker
