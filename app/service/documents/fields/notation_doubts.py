"""What stays doubtful because a sign or a number of the page can be read in two ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from app.service.documents.extraction import Extraction, LineItem, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.values.locale import CROWNS
from app.service.documents.values.money import DocumentCurrency
from app.service.documents.values.origin import Origin
from app.service.values.numbers_in_text import find_doubtful_numbers

_SUMS = ("net_total", "tax_total", "total")
_OF_LINES = ("quantity", "unit_price", "amount", "list_unit_price")


@dataclass(frozen=True)
class NotationDoubts:
    """The numbers that can be read in two ways, by the value that they are read as, and a sentence about the
    currency where the page does not name it beyond doubt."""

    numbers: Mapping[Decimal, str] = field(default_factory=dict[Decimal, str])
    currency: str | None = None


def find_notation_doubts(rows: Sequence[Row], origin: Origin) -> NotationDoubts:
    """Return the doubts of a document that comes from there."""
    numbers: Mapping[Decimal, str] = {}
    if rows and rows[0].number_format is None:
        numbers = find_doubtful_numbers((row.text for row in rows), origin.usual_mark)
    return NotationDoubts(numbers, _describe_currency(origin.currency, origin.crowns))


def _describe_currency(currency: DocumentCurrency, crowns: Sequence[str]) -> str | None:
    """What is doubtful about the currency; nothing where none was found, which the scope says."""
    if currency.named or currency.code is None:
        return None
    read = f"The currency is read as {currency.code}, but"
    if currency.sign == "kr":
        *others, last = (one for one in (crowns if len(crowns) > 1 else CROWNS) if one != currency.code)
        return (
            f"{read} kr may also be {', '.join(others)} or {last}."
            if others
            else f"{read} kr may also be {last}."
        )
    if currency.sign:
        return f"{read} the document does not say which country's {currency.sign} it means."
    if currency.other:
        return f"{read} {currency.other} is named too."
    return f"The document names no currency; {currency.code} is assumed from the country it points to."


def mark_notation_doubts(extraction: Extraction, doubts: NotationDoubts) -> Extraction:
    """The extraction with these doubts in its provenance and its warnings."""
    warnings = list(extraction.warnings)
    if doubts.currency and extraction.currency:
        warnings.append(doubts.currency)
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
                weaker[name] = place.doubted()
    return weaker
