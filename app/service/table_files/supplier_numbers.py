"""Tell numbers of suppliers from their names, and find the names by number in another sheet. Pure but for
reading that sheet."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice

from app.service.table_files.column_cells import list_texts
from app.service.table_files.column_headings import read_heading
from app.service.table_files.columns import ColumnPositions
from app.service.table_files.exports import resolve_columns
from app.service.table_files.field_matching import MatchedFields
from app.service.table_files.heading_words import list_word_group, squeeze
from app.service.table_files.options import FileOptions
from app.service.table_files.reading import HEADING_ROWS, add_column
from app.service.tables.headings import LINE_ABOVE, fold_column_name, take_first
from app.service.tables.table import (
    CellError,
    RejectedRow,
    Sheet,
    Table,
    TableRow,
    UnreadableTable,
    format_cell,
)

MAX_NAMES = 200_000
_NUMBER = re.compile(r"[A-Za-z]{0,4}[-_./ ]?\d{2,}[\d\-_./]*")
_NAME = re.compile(r"[^\W\d_]{4,}|[^\W\d_] +[^\W\d_]")
_NUMBERED = re.compile(r"([A-Z]{1,4}-?\d{3,}|\d{4,})(?:\s*[-–:/|]\s*|\s+)(?=\S*[^\W\d_])")
_LABELLED = re.compile(r"(?P<label>[^:]{2,40}?)\s*[:：]\s*(?P<value>\S.*)")
_TITLE = "Title above"
"""The heading of the first title where lines stand above groups too."""
_TITLE_PARTS = re.compile(r"\s+[-–—|]\s+")
_UNKNOWN = "is the number of a supplier that the sheet of their names lacks"

Rows = Iterator[TableRow | RejectedRow]


def take_out_numbers(matched: MatchedFields, name: str) -> None:
    """Find the column that numbers what the field `name` should name, by its heading or by its first cells.
    It is offered then, not read, unless a person has mapped it."""
    fields = matched.fields
    at = fields.get(name, matched.codes.get(name))
    if at is None or name in matched.mapping:
        return
    cells = list_texts(matched.rows, at)
    if name not in fields and any(map(_NAME.search, cells)):
        fields[name] = at
    if name in fields and not (cells and all(map(_NUMBER.fullmatch, cells))):
        matched.offered.pop(at, None)
        return
    beside = matched.find_text_of(at)
    if beside is not None and any(map(_NAME.search, list_texts(matched.rows, beside))):
        matched.take(name, beside)
        return
    fields.pop(name, None)
    matched.offered[at], matched.supplier_number = name, at
    example = f", such as {cells[0][:40]}" if cells else ""
    matched.notes.append(
        f"The column {matched.header[at]} has numbers of suppliers{example}, and no column has their names."
        " Choose it as the supplier where the numbers are to be on record as names."
    )


def prepare_table(
    table: Table, said: FileOptions, kind: type[MatchedFields]
) -> tuple[Table, FileOptions, list[str]]:
    """Return a table of a kind with the names of its suppliers, as far as they are known; what somebody said,
    with what is known of the export that the table is; and sentences on it."""
    field, (first, rows) = kind.supplier_field, take_first(table.rows, HEADING_ROWS)
    header = [title.strip() for title in table.head.headings]
    mapping, ignored = resolve_columns(header, kind.kind, said.mapping, said.ignored_columns)
    table, said = replace(table, rows=rows), replace(said, mapping=mapping, ignored_columns=ignored)
    if mapping.get(field) and ColumnPositions(header).find(mapping[field]) is None:
        return _name_in_title(table), said, []
    matched = kind.match(header, mapping, ignored, [cells for _, cells in first])
    names, number = matched.fields.get(field), matched.supplier_number
    if names is None and number is None and field not in mapping:
        return _name_in_title(table), said, []
    table, at, notes = name_suppliers(table, first, names, number)
    return table, said if at is None else replace(said, mapping={**mapping, field: header[at]}), notes


def _name_in_title(table: Table) -> Table:
    """Return the table with a column of the supplier whom a title calls so, `Vendor: Alder GmbH`; else with
    the first title, which a person may choose, or with the only part of it without figures: `Alder GmbH -
    Price list 2025`."""
    suppliers, names = list_word_group("supplier"), list_word_group("name")
    for found in filter(None, map(_LABELLED.fullmatch, table.head.titles)):
        words = {*read_heading(found["label"]).words}
        if words & suppliers and words <= suppliers | names:
            return add_column(table, found["label"], found["value"])
    if not table.head.titles:
        return table
    heading = _TITLE if LINE_ABOVE in table.head.headings else LINE_ABOVE
    title = table.head.titles[0]
    names = [part for part in _TITLE_PARTS.split(title) if not any(map(str.isdigit, part))]
    return add_column(table, heading, names[0] if len(names) == 1 else title)


def name_suppliers(
    table: Table, first: Sequence[TableRow], names: int | None, number: int | None
) -> tuple[Table, int | None, list[str]]:
    """Return the table with the names that one visible other sheet has by the numbers of suppliers in the
    column `number`, else without numbers before those in the column `names`, as the `first` rows show them;
    the position of the numbers that names stand in the place of; and sentences on it."""
    if number is not None and (found := _find_supplier_names(table, number)):
        sheet, known = found
        title = table.head.headings[number].strip()
        told = f"The names of the suppliers in the column {title} were taken from the sheet {sheet}."
        rows = _change_cells(table.rows, number, partial(_find_name, known))
        return replace(table, rows=rows), number, [told]
    if names is not None and _have_numbers_before(first, names):
        title = table.head.headings[names].strip()
        told = f"The numbers before the names in the column {title} were left out."
        rows = _change_cells(
            table.rows, names, lambda cell: _NUMBERED.sub("", format_cell(cell).strip(), count=1)
        )
        return replace(table, rows=rows), None, [told]
    return table, None, []


def _have_numbers_before(rows: Sequence[TableRow], at: int) -> bool:
    """Whether each name in the column at a position stands behind its number, as SAP lists suppliers:
    `0000100234 Alder GmbH`. A single name may begin with a number of its own."""
    texts = {*list_texts([cells for _, cells in rows], at)}
    numbers = {found[1] for text in texts if (found := _NUMBERED.match(text))}
    if len(numbers) < len(texts) or len({re.sub(r"\d", "0", number) for number in numbers}) != 1:
        return False
    return len(numbers) > 1 or next(iter(numbers)).startswith("0")


def _change_cells(rows: Rows, at: int, change: Callable[[object], object]) -> Rows:
    for row in rows:
        if isinstance(row, RejectedRow) or at >= len(row[1]):
            yield row
        else:
            yield row[0], [*row[1][:at], change(row[1][at]), *row[1][at + 1 :]]


def _find_name(names: Mapping[str, str], cell: object) -> object:
    """Return the name in the place of a number; one that has none is no value."""
    number = _fold(cell)
    return (names.get(number) or CellError(format_cell(cell)[:40], _UNKNOWN)) if number else cell


def _find_supplier_names(table: Table, at: int) -> tuple[str, Mapping[str, str]] | None:
    """Return a sheet and its names by the numbers in the column at a position, where one visible sheet
    besides the table's own has them and gives each number one name."""
    for sheet in table.head.sheets:
        is_other = not sheet.hidden and sheet.name != table.head.sheet
        columns = _find_columns(sheet, table.head.headings[at]) if is_other else None
        if columns is None or table.open_sheet is None:
            continue
        with suppress(UnreadableTable), table.open_sheet(sheet.name) as other:
            if names := _read_names(islice(other.rows, MAX_NAMES), *columns):
                return sheet.name, names
    return None


class _Named(MatchedFields):
    kind, of = "catalog", "a supplier"


class _Numbered(MatchedFields):
    kind, of = "purchases", "a purchase"


def _find_columns(sheet: Sheet, title: str) -> tuple[int, int] | None:
    """Return the positions of the number and of the name in a sheet of suppliers."""
    if not any(map(fold_column_name, sheet.headings)):
        return None
    named, numbered = _Named.match(sheet.headings), _Numbered.match(sheet.headings)
    name, key = named.fields.get("name"), named.positions.get(fold_column_name(title))
    if key is None:
        key = numbered.codes.get("supplier")
    if key is None:
        words = list_word_group("number") | list_word_group("code")
        key = next((at for at, heading in enumerate(sheet.headings) if squeeze(heading) in words), None)
    if name == key and key is not None:
        others = [one for one, heading in enumerate(sheet.headings) if "name" in squeeze(heading)]
        name = next((one for one in others if one != key), None)
    return None if name is None or key is None or name == key else (key, name)


def _read_names(rows: Iterator[TableRow | RejectedRow], key: int, name: int) -> dict[str, str]:
    """Return the names by number; none at all where a number has several, or a name is a number too."""
    names: dict[str, str] = {}
    for row in rows:
        if isinstance(row, RejectedRow) or max(key, name) >= len(row[1]):
            continue
        number, text = _fold(row[1][key]), format_cell(row[1][name]).strip()
        if not number or not text:
            continue
        if names.setdefault(number, text) != text or _NUMBER.fullmatch(text):
            return {}
    return names


def _fold(cell: object) -> str:
    """Return a number as it is compared: `00100234` is `100234`."""
    return format_cell(cell).strip().lstrip("0").casefold()
