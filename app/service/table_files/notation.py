"""Find out how a file writes its dates and numbers: whether 03/04/2026 is the third of April or the fourth of
March, whether 1.500 is fifteen hundred or one and a half. Nothing is guessed."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from app.contract.imports import DateOrder, NumberFormat
from app.service.table_files.table import RejectedRow, TableRow
from app.service.values.blanks import is_blank
from app.service.values.dates import DateReadings, DayOrder, NotADate, read_date
from app.service.values.numbers import DecimalMark, NotANumber, NumberReadings, read_number

MAX_ROWS = 500_000
"""How far a file is read for a date and a number that show its notation."""
_ORDERS: Mapping[DateOrder, DayOrder] = {"day_first": "day first", "month_first": "month first"}
_MARKS: Mapping[NumberFormat, DecimalMark] = {"point": ".", "comma": ","}

Rows = Iterable[TableRow | RejectedRow]


@dataclass(frozen=True)
class FileNotation:
    """How a file writes dates and numbers; None is what nothing decides.

    A column whose numbers decide for themselves has its own mark in `marks`, by its position; the others have
    that of the file, which columns agree on. `ambiguous_date` and `ambiguous_number` are examples that need a
    decision which nothing made: a person can be asked with them.
    """

    order: DayOrder | None = None
    file_mark: DecimalMark | None = None
    marks: Mapping[int, DecimalMark | None] = field(default_factory=dict[int, DecimalMark | None])
    ambiguous_date: DateReadings | None = None
    ambiguous_number: NumberReadings | None = None

    def mark(self, position: int) -> DecimalMark | None:
        """Return which mark parts the decimals of a column."""
        return self.marks.get(position, self.file_mark)


def find_notation(
    sample: Sequence[TableRow | RejectedRow],
    rest: Rows,
    *,
    dates: Collection[int],
    numbers: Collection[int],
    others: Collection[int] = (),
    date_order: DateOrder | None = None,
    number_format: NumberFormat | None = None,
) -> tuple[FileNotation, Rows]:
    """Return the notation of the dates and the numbers in the columns at these positions, and all rows.

    `others` are columns that may hold numbers or anything else: they show their own notation, not the file's.

    What is stated wins; else it is what the cells show that only one notation allows. Where those of the
    sample leave an ambiguous cell undecided, the file is read on to the first that decides.
    """
    evidence = _Evidence(
        [at for at in dates if at >= 0] if date_order is None else [],
        [at for at in numbers if at >= 0] if number_format is None else [],
        others if number_format is None else [],
    )
    for row in sample:
        evidence.take(row)
    further: list[TableRow | RejectedRow] = []
    rows = iter(rest)
    if not evidence.is_decided():
        for row in rows:
            further.append(row)
            if (evidence.take(row) and evidence.is_decided()) or len(further) == MAX_ROWS:
                break
    found = evidence.conclude()
    if date_order is not None or number_format is not None:
        found = FileNotation(
            _ORDERS[date_order] if date_order is not None else found.order,
            _MARKS[number_format] if number_format is not None else found.file_mark,
            {} if number_format is not None else found.marks,
            found.ambiguous_date,
            found.ambiguous_number,
        )
    return found, chain(sample, further, rows)


class _Evidence:
    """What the cells seen so far show. Cells of one text are read once."""

    def __init__(self, dates: Sequence[int], numbers: Sequence[int], others: Collection[int]) -> None:
        self._dates, self._numbers = dates, frozenset(numbers)
        self._numeric = [*numbers, *others]
        self._seen: set[tuple[int, str]] = set()
        self._orders: set[DayOrder] = set()
        self._ambiguous_date: DateReadings | None = None
        self._marks: defaultdict[int, set[DecimalMark]] = defaultdict(set)
        self._ambiguous: dict[int, NumberReadings] = {}

    def take(self, row: TableRow | RejectedRow) -> bool:
        """Take the cells of a row; return whether one of them shows anything new."""
        if isinstance(row, RejectedRow):
            return False
        cells, news = row[1], False
        for at in self._dates:
            if at < len(cells) and isinstance(cell := cells[at], str) and self._is_new(-1, cell):
                news = self._take_date(cell) or news
        for at in self._numeric:
            if (
                at < len(cells)
                and isinstance(cell := cells[at], str)
                and not cell.isdigit()
                and self._is_new(at, cell)
            ):
                news = self._take_number(at, cell) or news
        return news

    def _is_new(self, column: int, cell: str) -> bool:
        if (column, cell) in self._seen:
            return False
        if len(self._seen) > 100_000:
            self._seen.clear()
        self._seen.add((column, cell))
        return True

    def _take_date(self, cell: str) -> bool:
        try:
            readings = read_date(cell.strip())
        except NotADate:
            return False
        if readings.is_ambiguous and self._ambiguous_date is None:
            self._ambiguous_date = readings
        if readings.order is None or readings.order in self._orders:
            return False
        self._orders.add(readings.order)
        return True

    def _take_number(self, at: int, cell: str) -> bool:
        text = cell.strip().removeprefix("'")
        try:
            readings = None if is_blank(text) else read_number(text)
        except NotANumber:
            readings = None
        if readings is None:
            return False
        if readings.is_ambiguous and at in self._numbers:
            self._ambiguous.setdefault(at, readings)
        if readings.mark is None or readings.mark in self._marks[at]:
            return False
        self._marks[at].add(readings.mark)
        return True

    def is_decided(self) -> bool:
        """Whether nothing ambiguous waits for a decision that later cells may bring."""
        if self._ambiguous_date is not None and not self._orders:
            return False
        return not self._ambiguous or bool(self._shown())

    def _shown(self) -> set[DecimalMark]:
        return {mark for at, own in self._marks.items() if at in self._numbers for mark in own}

    def conclude(self) -> FileNotation:
        """Return the notation that the cells show."""
        order = next(iter(self._orders)) if len(self._orders) == 1 else None
        shown = self._shown()
        file_mark: DecimalMark | None = next(iter(shown)) if len(shown) == 1 else None
        marks: dict[int, DecimalMark | None] = {
            at: next(iter(own)) if len(own) == 1 else None for at, own in self._marks.items() if own
        }
        undecided = next(
            (one for at, one in self._ambiguous.items() if marks.get(at, file_mark) is None), None
        )
        return FileNotation(order, file_mark, marks, None if order else self._ambiguous_date, undecided)
