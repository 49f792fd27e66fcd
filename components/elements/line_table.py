"""A table of lines to fill in, whose columns are declared once: what each is called, what may stand in it,
what it is in a line that is sent, and what is said where it is wrong."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import streamlit as st
from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from streamlit.elements.lib.column_types import ColumnConfig

from components.elements.form_fields import draw_fault
from components.elements.table import Row, edit_rows, read_edited_rows


def is_stated(value: object) -> bool:
    return value is not None


def is_positive(value: Decimal | None) -> bool:
    return value is not None and value > 0


@dataclass(frozen=True)
class LineColumn:
    """A column. `name` is that of its field on the wire. `words` are the values that may be chosen, with what
    they are called. `fault` is said where what the cell holds is not `is_valid`. A text may be read by
    `parse` and shown by `write`; a number is shown higher than it is sent by `shift`."""

    name: str
    label: str
    kind: Literal["text", "number", "months", "flag"] = "text"
    words: Mapping[Any, str] | None = None
    help: str | None = None
    width: Literal["small", "medium", "large"] | int | None = None
    most: int | None = None
    default: bool = False
    fault: str = ""
    is_valid: Callable[[Any], bool] = is_stated
    parse: Callable[[str], Any] = lambda text: text or None
    write: Callable[[Any], object] = lambda value: value
    shift: int = 0

    def configure(self) -> ColumnConfig:
        """Return the configuration of the column."""
        kinds = st.column_config
        if self.words is not None:
            return kinds.SelectboxColumn(options=list(self.words.values()), width=self.width, help=self.help)
        match self.kind:
            case "flag":
                return kinds.CheckboxColumn(default=self.default, help=self.help)
            case "number":
                return kinds.NumberColumn(
                    min_value=0, max_value=self.most, format="localized", width=self.width, help=self.help
                )
            case "months":
                return kinds.NumberColumn(min_value=1, max_value=1200, step=1, help=self.help)
            case "text":
                return kinds.TextColumn(max_chars=self.most, width=self.width, help=self.help)

    def show(self, value: Any) -> object:
        """Return the cell of a value as it is on record."""
        if value is None:
            return None
        if self.words is not None:
            return self.words.get(value, value)
        is_number = isinstance(value, int | Decimal) and self.kind != "flag"
        return float(value) + self.shift if is_number else self.write(value)

    def read(self, row: Row) -> Any:
        """Return what a row holds, as it is sent; None where the cell is empty, or holds no such thing."""
        cell = row.get(self.label)
        if self.kind == "flag":
            return cell if isinstance(cell, bool) else self.default
        if self.kind != "text":
            return None if (number := _read_number(cell)) is None else number - self.shift
        text = cell.strip() if isinstance(cell, str) else ""
        if self.words is not None:
            return next((value for value, word in self.words.items() if word == text), None)
        return self.parse(text)


@dataclass(frozen=True)
class LineTable:
    """The table under `key`, with `rows` at first. A row is a line where one of its `own` columns is filled,
    or any; `check_line` says what is wrong with a line as a whole. A table that `corrects` keeps its rows:
    the changes alone are checked and sent, and nobody changes its first column."""

    key: str
    alt: str
    columns: Sequence[LineColumn]
    rows: Sequence[Row]
    own: Sequence[str] = ()
    check_line: Callable[[Mapping[str, Any]], str] = lambda _: ""
    corrects: bool = False

    def draw(self, fault: str | None) -> None:
        """Draw the table, and below it what is wrong."""
        edit_rows(
            self.rows,
            key=self.key,
            alt=self.alt,
            columns={one.label: one.configure() for one in self.columns},
            fixed=[self.columns[0].label] if self.corrects else (),
            grows=not self.corrects,
        )
        draw_fault(fault)

    def read_rows(self) -> list[tuple[int, Row]]:
        """Return the rows that are lines as they are at this moment, with their places."""
        own = [one for one in self.columns if one.name in self.own or (not self.own and one.kind != "flag")]
        rows = read_edited_rows(self.rows, key=self.key)
        return [
            (place, row)
            for place, row in enumerate(rows)
            if self.corrects or any(row.get(one.label) not in (None, "") for one in own)
        ]

    def read_lines(self) -> list[dict[str, Any]]:
        """Return the lines as they are sent, or what was changed of each: None where that was emptied."""
        lines = [
            {one.name: one.read(row) for one in self._list_checked(place, row)}
            for place, row in self.read_rows()
        ]
        if self.corrects:
            return [{name: None if value == [] else value for name, value in line.items()} for line in lines]
        return [
            {name: value for name, value in line.items() if value is not None and value != []}
            for line in lines
        ]

    def find_faults(self) -> dict[str, str]:
        """Return what is wrong with the lines, under the name of their field; nothing where nothing is."""
        wrong: list[tuple[int, str]] = []
        for place, row in self.read_rows():
            line = {one.name: one.read(row) for one in self.columns}
            faults = [
                one.fault
                for one in self._list_checked(place, row)
                if one.fault and not one.is_valid(line[one.name])
            ]
            wrong += [(place, fault) for fault in (*faults, self.check_line(line))[:1] if fault]
        return {"lines": join_row_faults(wrong)} if wrong else {}

    def _list_checked(self, place: int, row: Row) -> list[LineColumn]:
        before: Row = self.rows[place] if self.corrects else {}
        return [
            one
            for one in self.columns
            if not self.corrects or _strip(row.get(one.label)) != _strip(before.get(one.label))
        ]


def make_rows(columns: Iterable[LineColumn], lines: Iterable[BaseModel | Mapping[str, Any]]) -> list[Row]:
    """Return a row for each line: a record, or fields by their names on the wire."""
    known = [{to_camel(name): value for name, value in dict(line).items()} for line in lines]
    return [{one.label: one.show(line.get(one.name)) for one in columns} for line in known]


def _strip(cell: object) -> object:
    return cell.strip() or None if isinstance(cell, str) else cell


def _read_number(cell: object) -> Decimal | None:
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        return None
    number = Decimal(str(cell))
    return number if number.is_finite() else None


MOST_FAULTS = 5
"""So many rows are named; a pasted sheet may have hundreds that are wrong."""


def join_row_faults(faults: Iterable[tuple[int, str]]) -> str:
    """Return one sentence for each of the first rows that are wrong, by their numbers in the editor."""
    known = list(faults)
    shown = [f"Line {place + 1}: {fault}" for place, fault in known[:MOST_FAULTS]]
    more = len(known) - len(shown)
    return " ".join([*shown, *([f"And {more:,} more."] if more else [])])
