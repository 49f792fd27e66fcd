"""The kinds of files that can be imported, and which of them a file is."""

from collections.abc import Mapping, Sequence

from app.contract.imports import ImportKindMatch
from app.service.imports.agreement_files import AGREEMENTS
from app.service.imports.catalog_files import CATALOG
from app.service.imports.file_kind import FileKind
from app.service.imports.purchase_files import PURCHASES
from app.service.imports.rate_files import RATES

FILE_KINDS: Mapping[str, FileKind] = {kind.name: kind for kind in (PURCHASES, CATALOG, RATES, AGREEMENTS)}
"""The kinds by their names."""


def recognise_kind(header: Sequence[str]) -> FileKind:
    """Return the kind that knows most of the columns by their names: of several, one that misses no column,
    else the first. A file of purchases without a date is thus not taken for a list of suppliers. Raises
    UnreadableTable for a header that no file may have."""

    def rank(kind: FileKind) -> tuple[int, bool]:
        matched = kind.match(header, {}, ())
        return matched.recognised if matched.typical else 0, not matched.missing

    return max(FILE_KINDS.values(), key=rank)


def match_kinds(header: Sequence[str]) -> list[ImportKindMatch]:
    """Return for each kind which needed fields no column is recognised for."""
    return [
        ImportKindMatch(kind=kind.name, missing=list(kind.match(header, {}, ()).missing))
        for kind in FILE_KINDS.values()
    ]
