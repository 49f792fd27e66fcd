"""Imports of files of purchases, catalog entries, exchange rates and agreements: records beyond the
interface, see `/v1/openapi`.

A file is checked first, which stores nothing. Once it is confirmed its rows are imported, for the caller's
organisation alone, and for a day after that the import can be undone.
"""

from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from .model import Reply, Request
from .page import ListQuery
from .values import CurrencyCode, Flag, Id, ReplyInstant, open_words

ImportKind = Literal["purchases", "catalog", "rates", "agreements"]
ExportName = Literal[
    "coupa_order_lines",
    "focus_contract_commitments",
    "microsoft_365_licences",
    "parley_agreements",
    "quickbooks_general_ledger",
    "xero_bills",
]
"""Exports of other systems, and our own, that are recognised by their headings without a mapping."""
DateOrder = Literal["day_first", "month_first"]
NumberFormat = Literal["point", "comma"]
"""Which mark parts the decimals: a point in 1,234.50, a comma in 1.234,50."""
PricePer = Literal["month", "quarter", "half_year", "year", "term"]
"""What the price of something that is bought for a term is for."""
BlankCells = Literal["above", "missing"]
"""Whether blank suppliers and days are those of the row above, or not known."""
QuestionName = Literal[
    "sheet",
    "encoding",
    "number_format",
    "date_order",
    "currency",
    "price_per",
    "states",
    "blank_cells",
]
"""What a person may be asked of a file: the field of `NewImport` that answers it."""
ImportStatus = Literal[
    "checking", "incomplete", "ready", "importing", "completed", "undoing", "undone", "cancelled", "failed"
]
OPEN_STATUSES: tuple[ImportStatus, ...] = ("checking", "incomplete", "ready", "importing", "undoing")
"""An import in one of these waits for a person or for the background work."""
RUNNING_STATUSES: tuple[ImportStatus, ...] = ("checking", "importing", "undoing")
"""The background work is at an import in one of these."""

UNDO_TIME = timedelta(days=1)
"""How long after its end an import can be undone."""
PREVIEW_ROWS = 5
MAX_DRY_ROWS = 1_000
"""Of a file, whose values are listed without importing them."""
MAX_LISTED_REFUSALS = 100
MAX_COLUMNS = 200
MAX_COLUMN_NAME = 200
MAX_SHEET_NAME = 255
MAX_STATES = 100

ColumnName = Annotated[str, StringConstraints(strict=True, max_length=MAX_COLUMN_NAME)]


class ImportQuery(ListQuery, total=False):
    """Which imports are listed."""

    status: ImportStatus | None


class NewImport(Request):
    """A file to import: the id of an upload, CSV, CSV.gz, XLSX, XLS, ODS or Parquet. `kind` is recognised by
    the columns where it is not given. `mapping` leads from our field to the file's column, "" to leave the
    field without one; the other columns are recognised by their names. `ignore` names columns to leave out.
    `base_currency` is that of exchange rates which name none, EUR where it is not given. `date_order` says
    how the file writes dates such as 03/04/2026, where no date of it shows that. `sheet` is the sheet of a
    workbook to read, `encoding` that of a text, `number_format` which mark of its numbers parts the decimals,
    `currency` that of amounts whose currency the file does not state, `price_per` what the prices of
    purchases with a term are for, `states` says of words in a column of states whether such orders are
    purchases, and `blank_cells` whether suppliers and days that stand in the first row of several alone count
    for those below it. The check asks for what the file does not say (`preview.asks`); nothing is imported
    before it is answered."""

    file_id: Id
    kind: ImportKind | None = Field(
        default=None, description="What the file holds; recognised by its columns where it is not given."
    )
    mapping: Annotated[
        dict[Annotated[str, StringConstraints(strict=True, max_length=40)], ColumnName],
        Field(max_length=MAX_COLUMNS),
    ] = Field(default_factory=dict[str, str])
    ignore: Annotated[list[ColumnName], Field(max_length=MAX_COLUMNS)] = Field(default_factory=list[str])
    base_currency: CurrencyCode | None = Field(
        default=None, description="The base of exchange rates that name none; EUR where it is not given."
    )
    date_order: DateOrder | None = Field(
        default=None,
        description="How the file writes dates such as 03/04/2026, where no date of it shows that.",
    )
    sheet: Annotated[str, StringConstraints(strict=True, max_length=MAX_SHEET_NAME)] | None = None
    encoding: Annotated[str, StringConstraints(strict=True, max_length=40)] | None = None
    number_format: NumberFormat | None = None
    currency: CurrencyCode | None = None
    price_per: PricePer | None = None
    states: Annotated[
        dict[Annotated[str, StringConstraints(strict=True, max_length=MAX_COLUMN_NAME)], Flag],
        Field(max_length=MAX_STATES),
    ] = Field(default_factory=dict[str, bool])
    blank_cells: BlankCells | None = None


class ImportColumn(Reply):
    """A column of the file. `field` is what it holds, absent where it is none of our fields; `use` says what
    becomes of it: `currency` holds the rates of the currency that it is named after. `suggestion` is a field
    that its heading resembles, which a person may map it to."""

    name: str = Field(description="The column's name in the file.")
    field: str | None = Field(default=None, description="The field that the column holds.")
    use: Annotated[str, open_words("field", "dimension", "currency", "read", "ignored")] = Field(
        description="What becomes of the column: a field, a pricing dimension, rates, what the fields are"
        " read with, such as for how many a price is, or nothing."
    )
    suggestion: str | None = Field(
        default=None, description="A field that the heading resembles, for a person to choose."
    )


class ImportField(Reply):
    """A field that a file of this kind may have."""

    name: str
    required: Flag = Field(description="Whether a file needs a column for it.")


class RefusedRow(Reply):
    """A row that is not imported, by its line in the file, with the column that is wrong; absent where it is
    the row as a whole."""

    line: int = Field(description="The line in the file, of which the first is 1.")
    column: str | None = Field(default=None, description="The column in the file that is wrong.")
    reason: str


class ImportDoubt(Reply):
    """A value of a row that is left out, or read in one of several ways, by the line in the file. The row is
    imported."""

    line: int = Field(description="The line in the file; that of the headings is 1.")
    column: str | None = Field(
        default=None, description="The column that it stands in; absent where it is the row as a whole."
    )
    reason: str


class ImportKindMatch(Reply):
    """A kind of files, and the needed fields of it that no column was recognised for."""

    kind: Annotated[str, open_words(ImportKind)] = Field(description="A kind of files.")
    missing: list[str] = Field(description="Needed fields of this kind for which no column was recognised.")


class ImportSheet(Reply):
    """A sheet of a workbook; `columns` are the headings of its table, none where it holds no table."""

    name: str
    hidden: Flag = Field(default=False, description="Whether it is hidden.")
    rows: int = Field(description="How many rows it has, with those above and of the headings.")
    columns: list[str] = Field(
        default_factory=list[str], description="The headings of its table; none where it holds no table."
    )


class ImportOption(Reply):
    """An answer to a question about a file: the value to send, and what it would mean, with an example of the
    file."""

    value: str = Field(description="The value to send.")
    meaning: str = Field(description="What the answer would mean, with an example of the file.")


class ImportQuestion(Reply):
    """What the file does not say and a person must: `name` is the field of a new import that answers it, and
    `question` a sentence. Without `options` any value of that field may be sent."""

    name: Annotated[str, open_words(QuestionName)]
    question: str
    options: list[ImportOption] = Field(default_factory=list[ImportOption])


class LeftOutColumn(Reply):
    """A column that has no place, and what its values look like: money, dates, mail addresses, quantities."""

    name: str
    looks_like: Annotated[str, open_words("money", "dates", "mail", "numbers")] = Field(
        description="What its values look like."
    )


class ImportPreview(Reply):
    """What the check of a file found. `missing` are needed fields that no column was recognised for; the rows
    are counted once there are none: `new`, those that change what is on record, those that are there already,
    and those refused, of exchange rates each rate. `companies`, `products` and `categories` are the new
    entries of a catalog. `rows` are the first rows as the file has them; `kinds` says of each kind what a
    file of it would need. `recognised_as` is the export of another system that the file is; `doubts` are the
    first of the `doubtful` values. `sentences` say of three rows what would be on record. `header_line` is
    the line of the headings; `notes` say what was stepped over or left out before the rows; `sheet` is the
    one of `sheets` that was read, `encoding` that of a text. `asks` is what a person must say first; what
    is `left_out` are columns without a place whose values look as if they mattered."""

    columns: list[ImportColumn] = Field(description="The columns of the file, and what they hold.")
    fields: list[ImportField] = Field(description="The fields that such a file may have.")
    missing: list[str] = Field(description="Needed fields for which no column was recognised.")
    rows: list[list[str]] = Field(description="The first rows, as the file has them.")
    total: int | None = Field(default=None, description="How many rows the file has.")
    new: int | None = Field(
        default=None, description="How many rows would be imported that are not on record."
    )
    changed: int | None = Field(default=None, description="How many rows would change what is on record.")
    repeated: int | None = Field(default=None, description="How many rows are there already.")
    refused: int | None = Field(default=None, description="How many rows would be refused.")
    companies: int | None = Field(default=None, description="How many suppliers would be new.")
    products: int | None = Field(default=None, description="How many products would be new.")
    categories: int | None = Field(default=None, description="How many categories would be new.")
    kinds: list[ImportKindMatch] = Field(
        default_factory=list[ImportKindMatch],
        description="Of each kind of files, what this file misses to be one.",
    )
    refusals: list[RefusedRow] = Field(
        default_factory=list[RefusedRow], description="The first rows that are refused, each with the reason."
    )
    recognised_as: Annotated[str, open_words(ExportName)] | None = Field(
        default=None, description="The export of another system, or of ours, that the file is."
    )
    doubtful: int | None = Field(
        default=None, description="How many values are left out or read in one of several ways."
    )
    doubts: list[ImportDoubt] = Field(
        default_factory=list[ImportDoubt], description="The first of the doubtful values."
    )
    header_line: int | None = Field(default=None, description="The line of the headings.")
    sheet: str | None = None
    sheets: list[ImportSheet] = Field(
        default_factory=list[ImportSheet], description="All sheets of a workbook."
    )
    encoding: str | None = None
    notes: list[str] = Field(
        default_factory=list[str], description="What was stepped over or left out before the rows."
    )
    asks: list[ImportQuestion] = Field(default_factory=list[ImportQuestion])
    sentences: list[str] = Field(
        default_factory=list[str], description="What three of the rows would put on record."
    )
    left_out: list[LeftOutColumn] = Field(default_factory=list[LeftOutColumn])


class ImportTable(Reply):
    """What a file is to an import that stores nothing: the kind that it was recognised as, the line of its
    headings, its sheet and encoding, what its columns hold, what is missing, asked, left out and noted."""

    recognised_as: Annotated[str, open_words(ImportKind)] = Field(description="The kind of file.")
    header: int = Field(description="The line of the headings.")
    sheet: str | None = None
    encoding: str | None = None
    columns: list[ImportColumn] = Field(description="What each column holds.")
    missing: list[str] = Field(description="Needed fields that no column was recognised for.")
    asks: list[ImportQuestion]
    left_out: list[LeftOutColumn]
    notes: list[str] = Field(description="What was stepped over or left out before the rows.")


class ImportRows(Reply):
    """What importing a file would put on record: the file, and its first rows. A row is its line (`row`) with
    its values, `doubt` where one is doubtful, or `refused` with the reason."""

    file: ImportTable
    rows: list[dict[str, Any]] = Field(description="The values of each row, or why it is refused.")


class ImportResult(Reply):
    """What an import brought: new rows and new entries of the catalog."""

    imported: int = Field(description="How many rows were imported.")
    repeated: int = Field(description="How many rows were there already.")
    refused: int = Field(description="How many rows were refused.")
    changed: int | None = Field(
        default=None, description="How many suppliers or exchange rates were changed."
    )
    companies: int | None = Field(default=None, description="How many suppliers are new.")
    products: int | None = Field(default=None, description="How many products are new.")
    categories: int | None = Field(default=None, description="How many categories are new.")


class ImportRemoval(Reply):
    """What undoing took back: rows and entries that were removed, and entries that are as they were before.
    What other data still refers to stays: `kept` says in words what and why."""

    rows: int = Field(description="How many imported rows were taken back.")
    entries: int = Field(description="How many entries of the catalog were taken back.")
    restored: int | None = Field(
        default=None, description="How many suppliers have the values again that they had before."
    )
    kept: list[str] = Field(default_factory=list[str], description="What stays, and why, in sentences.")


class Import(Reply):
    """An import. `preview` is there once its file is checked, `result` once it is completed, `removal` once
    its rows were taken back."""

    id: Id
    status: Annotated[str, open_words(ImportStatus)]
    kind: Annotated[str, open_words(ImportKind)] | None = Field(
        default=None, description="What the file holds."
    )
    file_id: Id
    filename: str
    mapping: dict[str, str] = Field(default_factory=dict[str, str])
    ignore: list[str] = Field(default_factory=list[str])
    base_currency: str | None = Field(
        default=None, description="The base of exchange rates that name none, as it was asked for."
    )
    date_order: Annotated[str, open_words(DateOrder)] | None = Field(
        default=None, description="How the file writes dates such as 03/04/2026, as it was asked for."
    )
    sheet: str | None = None
    encoding: str | None = None
    number_format: Annotated[str, open_words(NumberFormat)] | None = None
    currency: str | None = None
    price_per: Annotated[str, open_words(PricePer)] | None = None
    states: dict[str, bool] = Field(default_factory=dict[str, bool])
    blank_cells: Annotated[str, open_words(BlankCells)] | None = None
    preview: ImportPreview | None = Field(default=None, description="What the check of the file found.")
    rows_done: int = Field(description="How many rows were worked on so far.")
    result: ImportResult | None = Field(default=None, description="What was imported.")
    removal: ImportRemoval | None = Field(default=None, description="What was taken back.")
    error: str | None = None
    created_at: ReplyInstant
    updated_at: ReplyInstant
    undo_until: ReplyInstant | None = Field(default=None, description="Until when the import can be undone.")
