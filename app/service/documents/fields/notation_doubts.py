"""What stays doubtful because a sign or a number of the page can be read in two ways, or because all amounts
may be in thousands or millions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from app.service.documents.extraction import Extraction, LineItem, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.values.money import SCALE, DocumentCurrency
from app.service.documents.values.origin import Origin
from app.service.values.currencies import CURRENCY_IN_TEXT
from app.service.values.folding import fold
from app.service.values.numbers_in_text import find_doubtful_numbers

_PRICES_OF_LINES = ("unit_price", "amount", "list_unit_price")
_SHORT = r"['’`]000s?|000s|tsd|mio"
_SCALE = rf"(?:{SCALE}|{_SHORT})(?![a-z\d])"
_IN_SCALE = re.compile(
    rf"(?<![a-z\d]){CURRENCY_IN_TEXT}\s?(?:in )?{_SCALE}"  # EUR thousands, USD '000
    rf"|(?:^|[(\[]|(?<![a-z])in ){_SCALE}\.? ?(?:of )?{CURRENCY_IN_TEXT}(?![a-z])"  # in thousands of EUR
    rf"|(?:^|[(\[])(?:[a-z]+ ){{0,3}}in {_SCALE}\.?(?:$|[)\]])"  # all amounts in thousands
    rf"|(?<![a-z\d])[tk](?:€|eur)(?![a-z])",  # TEUR
    re.IGNORECASE,
)


def mark_scale_doubt(extraction: Extraction, rows: Sequence[Row]) -> Extraction:
    """The extraction, its sums and the prices of its lines doubtful where a row states a scale."""
    stated = next((row.text for row in rows if _IN_SCALE.search(fold(row.text))), None)
    if stated is None:
        return extraction
    said = f"“{stated.strip()}”: amounts may be in thousands or millions; they are read as printed."
    items = tuple(
        replace(item, provenance=_weaken_all(item.provenance, _PRICES_OF_LINES))
        for item in extraction.line_items
    )
    return replace(
        extraction,
        line_items=items,
        provenance=_weaken_all(extraction.provenance, _SUMS),
        warnings=(*extraction.warnings, said),
    )


def _weaken_all(places: Mapping[str, Provenance], names: Sequence[str]) -> dict[str, Provenance]:
    return {name: place.doubted() if name in names else place for name, place in places.items()}


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
    return NotationDoubts(numbers, _describe_currency(origin.currency))


def _describe_currency(currency: DocumentCurrency) -> str | None:
    """What is doubtful about the currency; nothing where none was found, which the scope says."""
    if currency.named or currency.code is None:
        return None
    read = f"The currency is read as {currency.code}, but"
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
