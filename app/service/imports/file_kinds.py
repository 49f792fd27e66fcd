"""The kinds of files that can be imported, and which of them a file is."""

from collections.abc import Mapping, Sequence

from app.contract.imports import ImportKindMatch
from app.service.imports.agreement_files import AGREEMENTS
from app.service.imports.catalog_files import CATALOG
from app.service.imports.file_kind import FileKind
from app.service.imports.purchase_files import PURCHASES
from app.service.imports.rate_files import RATES
from app.service.purchases.columns import PurchaseColumns

FILE_KINDS: Mapping[str, FileKind] = {kind.name: kind for kind in (PURCHASES, CATALOG, RATES, AGREEMENTS)}
"""The kinds by their names."""
_MOST_NEEDED = 9
"""More than any kind needs."""


def recognise_kind(header: Sequence[str]) -> FileKind:
    """Return the kind of which the most columns are known by their headings, where a needed one that is
    missing counts half against it: a list of suppliers with their currencies is thus no file of purchases.
    Of several that counts which a heading names, else the first, a catalog last, for any list may have a
    name. Purchases without a day, a quantity and a total are one: a price list. Raises UnreadableTable for a
    header that no file may have."""

    def rank(kind: FileKind) -> tuple[int, bool, bool]:
        matched = kind.columns.match(header)
        columns = {*matched.fields.values(), *matched.uses.get("currency", ())}
        known = len(columns) if matched.typicality else 0
        points = 2 * known - len(matched.missing) if known else -_MOST_NEEDED
        return points, bool(known) and matched.typicality > 1, kind is not CATALOG

    found = max(FILE_KINDS.values(), key=rank)
    if found is not PURCHASES:
        return found
    bought = PurchaseColumns.match(header)
    known = {*bought.fields, *bought.offered.values()}
    is_list = known.isdisjoint(("purchase_date", "quantity", "total_price"))
    has_entries = not CATALOG.columns.match(header).missing or "product_key" in bought.fields
    return CATALOG if is_list and has_entries else found


def match_kinds(header: Sequence[str]) -> list[ImportKindMatch]:
    """Return for each kind which needed fields no column is recognised for."""
    return [
        ImportKindMatch(kind=kind.name, missing=kind.columns.match(header).missing)
        for kind in FILE_KINDS.values()
    ]
