"""What a table is before its rows are counted: the kind of file, what its columns hold, what is left out."""

from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, islice

from app.contract.imports import (
    MAX_COLUMN_NAME,
    MAX_COLUMNS,
    PREVIEW_ROWS,
    ImportColumn,
    ImportField,
    ImportKind,
    ImportPreview,
    ImportSheet,
    LeftOutColumn,
)
from app.contract.values import is_email_address
from app.service.imports.file_kind import FileKind, Rows
from app.service.imports.file_kinds import FILE_KINDS, match_kinds, recognise_kind
from app.service.table_files.column_cells import list_cells
from app.service.table_files.exports import recognise_export
from app.service.table_files.field_matching import MatchedFields
from app.service.table_files.heading_words import load_heading_words
from app.service.table_files.options import FileOptions
from app.service.table_files.questions import Questions
from app.service.table_files.reading import HEADING_ROWS
from app.service.tables.headings import take_first
from app.service.tables.table import FormattedNumber, Table, UnreadableTable, format_cell
from app.service.values.amount_units import names_money
from app.service.values.blanks import is_blank
from app.service.values.dates import NotADate, read_date
from app.service.values.money import find_heading_currency
from app.service.values.numbers import NotANumber, read_number
from app.service.values.price_basis import cut_price_end

MAX_CELL = 200
"""Characters of a cell that a preview shows."""
MAX_SHEETS = 50


@dataclass(frozen=True)
class CheckedTable:
    """A table whose kind is known, with its preview, whose rows are not counted yet, the options with what is
    known of the file besides, all rows, the headings first, and what the file leaves open."""

    kind: FileKind
    preview: ImportPreview
    options: FileOptions
    rows: Rows
    questions: Questions


@contextmanager
def open_checked(
    table: Table, options: FileOptions, kind: ImportKind | None, most: int | None = None
) -> Generator[CheckedTable]:
    """Find out what a table holds, of `most` rows where that is given; `kind` is the one that somebody asked
    for. Raises UnreadableTable."""
    with _choose_sheet(table, options, kind) as table:
        questions = Questions()
        questions.ask_about_table(table.head, options.sheet)
        yield _check_table(replace(table, rows=islice(table.rows, most)), options, kind, questions)


@contextmanager
def _choose_sheet(table: Table, options: FileOptions, kind: ImportKind | None) -> Generator[Table]:
    """Yield the table, or that of the first visible sheet whose headings have all that its kind needs, where
    the table has nothing of it and nobody named a sheet: a pivot or a list of codes may stand first."""
    head, name = table.head, None
    if options.sheet is None and len(head.sheets) > 1:
        matched = _match_headings(head.headings, kind)
        if matched.missing and {*matched.required} <= {*matched.missing}:
            others = (
                one for one in head.sheets if not one.hidden and one.name != head.sheet and one.headings
            )
            whole = (one.name for one in others if not _match_headings(one.headings, kind).missing)
            name = next(whole, None)
    if name is None or table.open_sheet is None:
        yield table
        return
    with table.open_sheet(name) as other:
        note = f"The sheet {name} was read: {table.head.sheet} has nothing that can be imported."
        notes = [note, *(one for one in other.head.notes if one != f"The sheet {name} was read.")]
        head = replace(other.head, sheet=name, sheets=table.head.sheets, notes=notes)
        yield replace(other, head=head, open_sheet=table.open_sheet)


def _match_headings(headings: Sequence[str], kind: ImportKind | None) -> MatchedFields:
    header = [name.strip() for name in headings[:MAX_COLUMNS]]
    return (FILE_KINDS[kind] if kind else recognise_kind(header)).match(header)


def _check_table(
    table: Table, options: FileOptions, kind: ImportKind | None, questions: Questions
) -> CheckedTable:
    head, header = table.head, [name.strip() for name in table.head.headings]
    if len(header) > MAX_COLUMNS:
        raise UnreadableTable(f"the file has {len(header):,} columns, and {MAX_COLUMNS} are taken at most")
    if any(len(name) > MAX_COLUMN_NAME for name in header):
        raise UnreadableTable(f"the name of a column has more than {MAX_COLUMN_NAME} characters")
    export = recognise_export(header)
    if export is not None and export.kind is None:
        raise UnreadableTable(export.refusal)
    proposed = kind or (export.kind if export else None)
    chosen = FILE_KINDS[proposed] if proposed else recognise_kind(header)
    table, said, notes = chosen.prepare(table, options)
    first, rows = take_first(table.rows, HEADING_ROWS)
    header, cells = [name.strip() for name in table.head.headings], [row[1] for row in first]
    matched = chosen.match(header, said.mapping, said.ignored_columns, cells)
    columns, sheets = _describe_columns(matched), head.sheets[:MAX_SHEETS]
    is_export = export is not None and export.kind == chosen.name
    preview = ImportPreview(
        columns=columns,
        fields=[
            ImportField(name=name, required=name in matched.required)
            for name in load_heading_words(chosen.name).fields
        ],
        missing=matched.missing,
        rows=[[format_cell(cell)[:MAX_CELL] for cell in row] for row in cells[:PREVIEW_ROWS]],
        kinds=match_kinds(header),
        recognised_as=export.name if export is not None and is_export else None,
        header_line=head.line,
        sheet=head.sheet,
        sheets=[ImportSheet.build_from(one, columns=one.headings[:MAX_COLUMNS]) for one in sheets],
        encoding=head.encoding,
        notes=[*head.notes, *matched.notes, *notes],
        left_out=_list_left_out(columns, cells, () if is_export else said.ignored_columns),
    )
    return CheckedTable(chosen, preview, said, chain([(table.head.line, header)], rows), questions)


def _describe_columns(matched: MatchedFields) -> list[ImportColumn]:
    """Return what each column holds: a field, else the first use that has its position."""
    field_at = {position: name for name, position in matched.fields.items()}
    uses = [(use, {*positions}) for use, positions in matched.uses.items()]
    return [
        ImportColumn(
            name=name,
            field=field_at.get(at),
            use="field" if at in field_at else next((use for use, of in uses if at in of), "ignored"),
            suggestion=matched.offered.get(at),
        )
        for at, name in enumerate(matched.header)
    ]


def _list_left_out(
    columns: Sequence[ImportColumn], rows: Sequence[Sequence[object]], asked: Collection[str]
) -> list[LeftOutColumn]:
    """Return the columns without a place whose values look as if they mattered, and that nobody left out."""
    left_out: list[LeftOutColumn] = []
    for at, column in enumerate(columns):
        if column.use == "ignored" and column.name and column.name not in asked:
            cells = [cell for cell in list_cells(rows, at) if not is_blank(format_cell(cell).strip())]
            kinds = {_guess(column.name, cell) for cell in cells}
            if len(kinds) == 1 and (looks_like := kinds.pop()) is not None:
                left_out.append(LeftOutColumn(name=column.name, looks_like=looks_like))
    return left_out


def _guess(heading: str, cell: object) -> str | None:
    """Return what a cell looks like; None for a text."""
    text = format_cell(cell).strip()
    if isinstance(cell, date):
        return "dates"
    if is_email_address(text):
        return "mail"
    if isinstance(cell, str):
        with suppress(NotADate):
            read_date(text)
            return "dates"
    try:
        has_currency = read_number(cut_price_end(text)[0]).currency or isinstance(cell, FormattedNumber)
    except NotANumber:
        return None
    return "money" if has_currency or find_heading_currency(heading) or names_money(heading) else "numbers"
