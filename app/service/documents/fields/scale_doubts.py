"""A statement that all amounts are in thousands or millions: what they are read as is then doubtful."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.service.documents.extraction import Extraction, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.values.money import SCALE
from app.service.values.currencies import CURRENCY_IN_TEXT
from app.service.values.folding import fold

_SUMS = ("net_total", "tax_total", "total")
_OF_LINES = ("unit_price", "amount", "list_unit_price")
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
        replace(item, provenance=_weaken(item.provenance, _OF_LINES)) for item in extraction.line_items
    )
    return replace(
        extraction,
        line_items=items,
        provenance=_weaken(extraction.provenance, _SUMS),
        warnings=(*extraction.warnings, said),
    )


def _weaken(places: Mapping[str, Provenance], names: Sequence[str]) -> dict[str, Provenance]:
    return {name: place.doubted() if name in names else place for name, place in places.items()}
