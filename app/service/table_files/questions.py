"""What a file does not say and a person must, before its rows count: each question once, with an example of
the file. How a file writes its dates and numbers is one of them: whether 03/04/2026 is the third of April or
the fourth of March, whether 1.500 is fifteen hundred or one and a half. Nothing is guessed."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from sys import getsizeof
from typing import Any

from app.contract.imports import DateOrder, ImportOption, ImportQuestion, NumberFormat, QuestionName
from app.contract.money import format_exact_quantity
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.reading import TableStart
from app.service.tables.table import RejectedRow, TableHead, TableRow
from app.service.values.blanks import is_blank
from app.service.values.currencies import list_possible
from app.service.values.dates import (
    DateReadings,
    DayOrder,
    NotADate,
    describe_dates,
    read_date,
    read_date_form,
)
from app.service.values.notation import DateNotation, NumberNotation
from app.service.values.numbers import DecimalMark, NotANumber, NumberReadings, describe_readings, read_number
from app.service.values.price_basis import cut_price_end

_MAX_KEPT_BYTES = 128 << 20
"""How far a file is read for a date and a number that show its notation: what of it is kept in memory."""
_ROW_BYTES = 112
"""What a row takes beside its cells, with its place in a list."""
_MAX_SEEN = 100_000
_POINT_LETTERS = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
"""Letters of languages that all part decimals by a point."""
_BRACKETS = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
_ORDERS: Mapping[DateOrder, DayOrder] = {"day_first": "day first", "month_first": "month first"}
_MARKS: Mapping[NumberFormat, DecimalMark] = {"point": ".", "comma": ","}

_Rows = Iterable[TableRow | RejectedRow]


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
    start: TableStart[Any],
    *,
    dates: Collection[int],
    numbers: Collection[int],
    others: Collection[int] = (),
    said: FileOptions = NOTHING_STATED,
    questions: "Questions | None" = None,
) -> tuple[FileNotation, _Rows]:
    """Return the notation of the dates and the numbers in the columns at these positions, and all rows; what
    nothing decides is put to `questions`.

    `others` are columns that may hold numbers or anything else: they show their own notation, not the file's.

    What is stated wins; else it is what the cells show that only one notation allows. Where those of the
    sample leave an ambiguous cell undecided, the file is read on to the first that decides. Where no date in
    these columns does, the other columns of the sample may; where no number does, headings in Chinese,
    Japanese, Korean or Thai letters tell that a point parts the decimals.
    """
    order, form = said.date_order, said.number_format
    evidence = _Evidence(
        "." if any(map(_POINT_LETTERS.search, start.header)) else None,
        dates if order is None else (),
        numbers if form is None else (),
        others if form is None else [],
    )
    for row in start.sample:
        evidence.take(row)
    further: list[TableRow | RejectedRow] = []
    rows = iter(start.rest)
    if not evidence.is_decided():
        size = 0
        for row in rows:
            further.append(row)
            cells = (
                [row.reason, row.row_id, row.column] if isinstance(row, RejectedRow) else [row[1], *row[1]]
            )
            size += _ROW_BYTES + sum(map(getsizeof, cells))
            if (evidence.take(row) and evidence.is_decided()) or size > _MAX_KEPT_BYTES:
                break
    evidence.take_further_dates(start.sample)
    found = evidence.conclude()
    titles = (start.header[at] for at in dates if at < len(start.header))
    forms = [read_date_form(text) for title in titles for text in _BRACKETS.findall(title)]
    named = {form[0] for form in forms if form is not None and form[0] is not None}
    of_heading = named.pop() if len(named) == 1 else None  # `Order date (DD/MM/YYYY)`
    stated = _ORDERS[order] if order is not None else found.order or of_heading
    if stated is not None:
        found = replace(found, order=stated, ambiguous_date=None)
    if form is not None:
        found = replace(found, file_mark=_MARKS[form], marks={})
    if questions is not None:
        questions.ask_notation(found)
    return found, chain(start.sample, further, rows)


class _Evidence:
    """What the cells seen so far show. Cells of one text are read once."""

    def __init__(
        self,
        usual_mark: DecimalMark | None,
        dates: Collection[int],
        numbers: Collection[int],
        others: Collection[int],
    ) -> None:
        self._usual_mark: DecimalMark | None = usual_mark
        self._dates, self._numbers = dates, numbers
        self._seen: set[tuple[int, str]] = set()
        self._order = DateNotation()
        self._columns = {at: NumberNotation() for at in (*numbers, *others)}

    def take(self, row: TableRow | RejectedRow) -> bool:
        """Take the cells of a row; return whether one of them shows anything new."""
        if isinstance(row, RejectedRow):
            return False
        cells, news = row[1], False
        for at in self._dates:
            if at < len(cells) and isinstance(cell := cells[at], str):
                news = self._take_date(cell) or news
        for at, column in self._columns.items():
            if at >= len(cells) or not isinstance(cell := cells[at], str):
                continue
            text = cell.strip().removeprefix("'")
            if not cell.isdigit() and self._is_new(at, cell) and not is_blank(text):
                with suppress(NotANumber):
                    news = column.take(read_number(cut_price_end(text)[0])) or news
        return news

    def _is_new(self, column: int, cell: str) -> bool:
        if (column, cell) in self._seen:
            return False
        if len(self._seen) > _MAX_SEEN:
            self._seen.clear()
        self._seen.add((column, cell))
        return True

    def _take_date(self, cell: str) -> bool:
        with suppress(NotADate):
            return self._is_new(-1, cell) and self._order.take(read_date(cell.strip()))
        return False

    def take_further_dates(self, rows: Sequence[TableRow | RejectedRow]) -> None:
        """Take the dates in any column, where those of the file's own columns leave their order open."""
        if self._order.ambiguous is None or self._order.shown:
            return
        for row in rows:
            for cell in () if isinstance(row, RejectedRow) else row[1]:
                if isinstance(cell, str):
                    self._take_date(cell)

    def _find_file_marks(self) -> set[DecimalMark]:
        return {mark for at in self._numbers for mark in self._columns[at].shown}

    def is_decided(self) -> bool:
        """Whether nothing ambiguous waits for a decision that later cells may bring."""
        if self._order.ambiguous is not None and not self._order.shown:
            return False
        return bool(self._find_file_marks() or self._usual_mark) or all(
            self._columns[at].ambiguous is None for at in self._numbers
        )

    def conclude(self) -> FileNotation:
        """Return the notation that the cells show."""
        shown = self._find_file_marks()
        file_mark: DecimalMark | None = self._usual_mark if not shown else None
        if len(shown) == 1:
            [file_mark] = shown
        marks: dict[int, DecimalMark | None] = {
            at: column.decided for at, column in self._columns.items() if column.shown
        }
        undecided = (self._columns[at].ambiguous for at in self._numbers if marks.get(at, file_mark) is None)
        return FileNotation(
            self._order.decided,
            file_mark,
            marks,
            None if self._order.decided else self._order.ambiguous,
            next((one for one in undecided if one is not None), None),
        )


_MEANT_BY_ORDER = {"day_first": "The day comes first", "month_first": "The month comes first"}
_MEANT_BY_PERIOD = {
    **{"month": "One month", "quarter": "A quarter", "half_year": "Half a year"},
    **{"year": "One year", "term": "The whole term"},
}
MAX_OPTIONS = 100
_ALIKE = 0.8


class Questions:
    """The questions of one file, in the order in which they came up. `wait` says that nothing is imported
    before they are answered."""

    def __init__(self, *, wait: bool = True) -> None:
        self.wait = wait
        self._asked: dict[QuestionName, ImportQuestion] = {}

    @property
    def asked(self) -> Sequence[ImportQuestion]:
        """All of them."""
        return list(self._asked.values())

    def ask(self, name: QuestionName, question: str, meanings: Mapping[str, str]) -> None:
        """Ask, unless it was asked before, with what each answer means."""
        if name not in self._asked:
            options = [ImportOption(value=value, meaning=meaning) for value, meaning in meanings.items()]
            self._asked[name] = ImportQuestion(name=name, question=question, options=options[:MAX_OPTIONS])

    def ask_about_table(self, head: TableHead, sheet: str | None) -> None:
        """Ask which of several sheets alike is meant, unless `sheet` is, and in which encoding a text is
        whose bytes do not say."""
        own, shown = {*head.headings}, [one for one in head.sheets if not one.hidden]
        parts = [(len({*one.headings} & own), max(len({*one.headings}), len(own), 1)) for one in shown]
        alike = [one for one, (same, most) in zip(shown, parts, strict=True) if same >= _ALIKE * most]
        if sheet is None and len(alike) > 1:
            names = {one.name: f"{one.name}: {one.rows} rows" for one in alike}
            self.ask("sheet", "Several sheets have the same headings. Which is meant?", names)
        if head.alternatives:
            words = {one.encoding: one.example for one in head.alternatives}
            self.ask("encoding", "Which of these is how the file's words are spelled?", words)

    def ask_notation(self, notation: FileNotation) -> None:
        """Ask what no number and no date of the file decides."""
        if (number := notation.ambiguous_number) is not None:
            readings = {"point": number.point, "comma": number.comma}
            options = {
                name: f"{number.text} is {format_exact_quantity(value)}"
                for name, value in readings.items()
                if value is not None
            }
            self.ask("number_format", f"{describe_readings(number)}. Which is meant?", options)
        if (day := notation.ambiguous_date) is not None:
            self.ask("date_order", f"{describe_dates(day)}. Which is meant?", _MEANT_BY_ORDER)

    def ask_currency(self, usual: str | None, sign: str | None) -> None:
        """Ask for the currency of prices that name none, or the sign of several countries."""
        if sign is None:
            question = "No column, heading or price names the currency. Which is it?"
            options = {usual: f"{usual}, the usual currency here"} if usual else {}
        else:
            question = f"{sign} is the sign of several currencies. Which is it?"
            options = {code: code for code in sorted(list_possible(sign))}
        self.ask("currency", question, options)

    def ask_price_per(self, term_months: int | None, billing: str | None = None) -> None:
        """Ask what the price of something is for that is bought for a term, or billed again and again."""
        bought = (
            f"billed {billing[:40]}"
            if term_months is None and billing
            else f"bought for {term_months} months"
        )
        question = f"Something is {bought}. What is its unit price for?"
        self.ask("price_per", question, _MEANT_BY_PERIOD)

    def ask_blank_cells(self, headings: Sequence[str], line: int) -> None:
        """Ask whether blank cells of columns are those of the row above."""
        self.ask(
            "blank_cells",
            f"{' and '.join(headings)}: blank in line {line} and others below a row that has it. Are they"
            " those of the row above?",
            {"above": "They are those of the row above", "missing": "They are not known"},
        )

    def ask_state(self, heading: str, state: str, counted: str) -> None:
        """Ask whether rows in a state are what is `counted`."""
        self.ask("states", f"Which of these words in {heading} are on {counted}?", {})
        options = self._asked["states"].options
        if len(options) < MAX_OPTIONS and all(one.value != state for one in options):
            options.append(ImportOption(value=state, meaning=state))
