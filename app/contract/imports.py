"""Imports of files of purchases, catalog entries, exchange rates and agreements: records beyond the
interface, see `/v1/openapi`.

A file is checked first, which stores nothing. Once it is confirmed its rows are imported, for the caller's
organisation alone, and for a day after that the import can be undone.
"""

from datetime import timedelta
from typing import Annotated, Any, Literal, get_args

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
    """A file to import: the id of an upload, CSV, CSV.gz, XLSX or Parquet. `kind` is recognised by the
    columns where it is not given. `mapping` leads from our field to the file's column, "" to leave the field
    without one; the other columns are recognised by their names. `ignore` names columns to leave out.
    `base_currency` is that of exchange rates which name none, EUR where it is not given. `date_order` says
    how the file writes dates such as 03/04/2026, where no date of it shows that. `sheet` is the sheet of a
    workbook to read, `encoding` that of a text, `number_format` which mark of its numbers parts the decimals,
    `currency` that of amounts whose currency the file does not state, `price_per` what the prices of
    purchases with a term are for, `states` says of words in a column of states whether such orders are
    purchases, and `blank_cells` whether suppliers and days that stand in the first row of several alone count
    for those below it. The check asks for what the file does not say (`preview.asks`); nothing is imported
    before it is answered."""

    file_id: Id
    kind: ImportKind | None = None
    mapping: Annotated[
        dict[Annotated[str, StringConstraints(strict=True, max_length=40)], ColumnName],
        Field(max_length=MAX_COLUMNS),
    ] = Field(default_factory=dict[str, str])
    ignore: Annotated[list[ColumnName], Field(max_length=MAX_COLUMNS)] = Field(default_factory=list[str])
    base_currency: CurrencyCode | None = None
    date_order: DateOrder | None = None
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

    name: str
    field: str | None = None
    use: Annotated[str, open_words("field", "dimension", "currency", "ignored")]
    suggestion: str | None = None


class ImportField(Reply):
    """A field that a file of this kind may have."""

    name: str
    required: Flag


class RefusedRow(Reply):
    """A row that is not imported, by its line in the file, with the column that is wrong; absent where it is
    the row as a whole."""

    line: int
    column: str | None = None
    reason: str


class ImportDoubt(Reply):
    """A value of a row that is left out, or read in one of several ways, by the line in the file. The row is
    imported."""

    line: int
    column: str | None = None
    reason: str


class ImportKindMatch(Reply):
    """A kind of files, and the needed fields of it that no column was recognised for."""

    kind: Annotated[str, open_words(*get_args(ImportKind))]
    missing: list[str]


class ImportSheet(Reply):
    """A sheet of a workbook; `columns` are the headings of its table, none where it holds no table."""

    name: str
    hidden: Flag = False
    rows: int
    columns: list[str] = Field(default_factory=list[str])


class ImportOption(Reply):
    """An answer to a question about a file: the value to send, and what it would mean, with an example of the
    file."""

    value: str
    meaning: str


class ImportQuestion(Reply):
    """What the file does not say and a person must: `name` is the field of a new import that answers it, and
    `question` a sentence. Without `options` any value of that field may be sent."""

    name: Annotated[str, open_words(*get_args(QuestionName))]
    question: str
    options: list[ImportOption] = Field(default_factory=list[ImportOption])


class LeftOutColumn(Reply):
    """A column that has no place, and what its values look like: money, dates, mail addresses, quantities."""

    name: str
    looks_like: Annotated[str, open_words("money", "dates", "mail", "numbers")]


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

    columns: list[ImportColumn]
    fields: list[ImportField]
    missing: list[str]
    rows: list[list[str]]
    total: int | None = None
    new: int | None = None
    changed: int | None = None
    repeated: int | None = None
    refused: int | None = None
    companies: int | None = None
    products: int | None = None
    categories: int | None = None
    kinds: list[ImportKindMatch] = Field(default_factory=list[ImportKindMatch])
    refusals: list[RefusedRow] = Field(default_factory=list[RefusedRow])
    recognised_as: Annotated[str, open_words(*get_args(ExportName))] | None = None
    doubtful: int | None = None
    doubts: list[ImportDoubt] = Field(default_factory=list[ImportDoubt])
    header_line: int | None = None
    sheet: str | None = None
    sheets: list[ImportSheet] = Field(default_factory=list[ImportSheet])
    encoding: str | None = None
    notes: list[str] = Field(default_factory=list[str])
    asks: list[ImportQuestion] = Field(default_factory=list[ImportQuestion])
    sentences: list[str] = Field(default_factory=list[str])
    left_out: list[LeftOutColumn] = Field(default_factory=list[LeftOutColumn])


class ImportTable(Reply):
    """What a file is to an import that stores nothing: the kind that it was recognised as, the line of its
    headings, its sheet and encoding, what its columns hold, what is missing, asked, left out and noted."""

    recognised_as: Annotated[str, open_words(*get_args(ImportKind))]
    header: int
    sheet: str | None = None
    encoding: str | None = None
    columns: list[ImportColumn]
    missing: list[str]
    asks: list[ImportQuestion]
    left_out: list[LeftOutColumn]
    notes: list[str]


class ImportRows(Reply):
    """What importing a file would put on record: the file, and its first rows. A row is its line (`row`) with
    its values, `doubt` where one is doubtful, or `refused` with the reason."""

    file: ImportTable
    rows: list[dict[str, Any]]


class ImportResult(Reply):
    """What an import brought: new rows and new entries of the catalog."""

    imported: int
    repeated: int
    refused: int
    changed: int | None = None
    companies: int | None = None
    products: int | None = None
    categories: int | None = None


class ImportRemoval(Reply):
    """What undoing took back: rows and entries that were removed, and entries that are as they were before.
    What other data still refers to stays: `kept` says in words what and why."""

    rows: int
    entries: int
    restored: int | None = None
    kept: list[str] = Field(default_factory=list[str])


class Import(Reply):
    """An import. `preview` is there once its file is checked, `result` once it is completed, `removal` once
    its rows were taken back."""

    id: Id
    status: Annotated[str, open_words(*get_args(ImportStatus))]
    kind: Annotated[str, open_words(*get_args(ImportKind))] | None = None
    file_id: Id
    filename: str
    mapping: dict[str, str] = Field(default_factory=dict[str, str])
    ignore: list[str] = Field(default_factory=list[str])
    base_currency: str | None = None
    date_order: Annotated[str, open_words(*get_args(DateOrder))] | None = None
    sheet: str | None = None
    encoding: str | None = None
    number_format: Annotated[str, open_words(*get_args(NumberFormat))] | None = None
    currency: str | None = None
    price_per: Annotated[str, open_words(*get_args(PricePer))] | None = None
    states: dict[str, bool] = Field(default_factory=dict[str, bool])
    blank_cells: Annotated[str, open_words(*get_args(BlankCells))] | None = None
    preview: ImportPreview | None = None
    rows_done: int
    result: ImportResult | None = None
    removal: ImportRemoval | None = None
    error: str | None = None
    created_at: ReplyInstant
    updated_at: ReplyInstant
    undo_until: ReplyInstant | None = None
