"""The kinds of files that can be imported, and which of them a file is."""

from collections.abc import Mapping, Sequence

from app.service.imports.file_kind import FileKind
from app.service.imports.purchase_files import PURCHASES
from app.service.table_files.table import UnreadableTable

FILE_KINDS: Mapping[str, FileKind] = {kind.name: kind for kind in (PURCHASES,)}
"""The kinds by their names. Of the kinds that a file may be, it is the first."""


def recognise_kind(header: Sequence[str]) -> FileKind:
    """Return the first kind whose needed fields all have a column; else purchases, whose columns a person can
    then name."""
    for kind in FILE_KINDS.values():
        try:
            if not kind.match(header, {}, ()).missing:
                return kind
        except UnreadableTable:
            continue
    return PURCHASES
