"""The table of several quotes: a row for each line, a column for each supplier, totals below.

It is a table of the page itself and not a canvas, so that each cell can say what its number rests on: where
the pointer rests on it, a finger touches it or the arrow keys reach it. The first column and the head stay in
sight.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Literal

import streamlit as st

from components.sourcing.quote_table_style import STYLE

CellState = Literal["lowest", "compared", "not compared", "market"]


@dataclass(frozen=True)
class QuoteCell:
    """What a line of a quote asks, or what the `market` says. `marks` are short words beside it; `reason`
    says why it is not compared or known; `notes` are what its number rests on."""

    state: CellState
    amount: str
    price: str
    marks: Sequence[str] = ()
    reason: str = ""
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class QuoteColumn:
    """A supplier's quote. `figure` is what stands below its name; `marks` are warnings, such as "expired";
    `gap` is what stands where it answers nothing."""

    quote_id: str
    name: str
    figure: str
    marks: Sequence[str] = ()
    notes: Sequence[str] = ()
    gap: str = "not quoted"


@dataclass(frozen=True)
class QuoteRow:
    """A line of the requirement. A column without a cell is a gap: the quote does not answer the line."""

    title: str
    facts: str
    marks: Sequence[str] = ()
    cells: Mapping[str, Sequence[QuoteCell]] = field(default_factory=dict[str, Sequence[QuoteCell]])


@dataclass(frozen=True)
class Total:
    """A sum of a column. `covers` says of what it is where that is not all, and `notes` why; `mark` says how
    it compares. One that is `ranked` stands out."""

    figure: str
    covers: str = ""
    mark: str = ""
    notes: Sequence[str] = ()
    ranked: bool = False


@dataclass(frozen=True)
class TotalRow:
    """A sum for each column that has one. `note` says what is in it; the row that matters most is `main`."""

    name: str
    note: str
    values: Mapping[str, Total]
    main: bool = False


def draw_quote_table(
    columns: Sequence[QuoteColumn],
    rows: Sequence[QuoteRow],
    totals: Sequence[TotalRow],
    *,
    alt: str,
    measure: str,
) -> None:
    """Draw the table; `alt` describes it, `measure` says in what its amounts are."""
    head = "".join(_draw_head(column) for column in columns)
    body = "".join(_draw_row(row, columns) for row in rows)
    foot = "".join(_draw_total(total, columns) for total in totals)
    first = f'<th scope="col" class="line"><b>Line</b><small>{escape(measure)}</small></th>'
    table = f"<thead><tr>{first}{head}</tr></thead><tbody>{body}</tbody><tfoot>{foot}</tfoot>"
    st.html(
        f'{STYLE}<div class="parley-quotes"><table role="grid" aria-label="{escape(alt)}">'
        f"{table.replace(_FOCUS, _FIRST_FOCUS, 1)}</table></div>"
    )


def _draw_head(column: QuoteColumn) -> str:
    marks = _draw_marks(column.marks, "warning")
    return (
        f'<th scope="col" {_FOCUS}><b>{escape(column.name)}</b>'
        f'<span class="figure">{escape(column.figure)}</span>{marks}{_draw_notes(column.notes)}</th>'
    )


def _draw_row(row: QuoteRow, columns: Sequence[QuoteColumn]) -> str:
    cells = "".join(_draw_cells(row.cells.get(column.quote_id, ()), column.gap) for column in columns)
    return (
        f'<tr><th scope="row" class="line"><b>{escape(row.title)}</b>'
        f"<small>{escape(row.facts)}</small>{_draw_marks(row.marks)}</th>{cells}</tr>"
    )


def _draw_cells(cells: Sequence[QuoteCell], gap: str) -> str:
    if not cells:
        return f'<td class="gap" {_FOCUS}><span>{escape(gap)}</span></td>'
    notes = [note for cell in cells for note in (*([cell.reason] if cell.reason else []), *cell.notes)]
    states = {cell.state for cell in cells}
    kind = "lowest" if "lowest" in states else "market" if "market" in states else "priced"
    return f'<td class="{kind}" {_FOCUS}>{"".join(map(_draw_cell, cells))}{_draw_notes(notes)}</td>'


def _draw_cell(cell: QuoteCell) -> str:
    marks = (*(("lowest",) if cell.state == "lowest" else ()), *cell.marks)
    reason = f'<small class="reason">{escape(cell.reason)}</small>' if cell.reason else ""
    kind = "off" if cell.state == "not compared" else "on"
    return (
        f'<div class="{kind}"><span class="amount">{escape(cell.amount)}</span>'
        f"<small>{escape(cell.price)}</small>{_draw_marks(marks)}{reason}</div>"
    )


def _draw_total(row: TotalRow, columns: Sequence[QuoteColumn]) -> str:
    cells = "".join(_draw_sum(row, row.values.get(column.quote_id)) for column in columns)
    kind = ' class="main"' if row.main else ""
    return f'<tr{kind}><th scope="row" class="line">{escape(row.name)}</th>{cells}</tr>'


def _draw_sum(row: TotalRow, total: Total | None) -> str:
    if total is None:
        return f"<td {_FOCUS}>—{_draw_notes([row.note])}</td>"
    kind = ' class="ranked"' if total.ranked else ""
    covers = f"<small>{escape(total.covers)}</small>" if total.covers else ""
    marks = _draw_marks([total.mark] if total.mark else [])
    notes = _draw_notes([row.note, *total.notes])
    return f"<td{kind} {_FOCUS}>{escape(total.figure)}{covers}{marks}{notes}</td>"


def _draw_marks(marks: Sequence[str], kind: str = "") -> str:
    return "".join(
        f'<span class="mark {kind or escape(mark.split()[0].lower())}">{escape(mark)}</span>'
        for mark in marks
    )


def _draw_notes(notes: Sequence[str]) -> str:
    lines = "".join(f"<li>{escape(note)}</li>" for note in notes if note)
    return f'<ul class="notes">{lines}</ul>' if lines else ""


_FOCUS = 'tabindex="-1" data-cell="1"'
"""A cell that is focused by a touch, a click or the arrow keys, see `app.dashboard.table_keys`."""
_FIRST_FOCUS = 'tabindex="0" data-cell="1"'
"""The one that Tab reaches at first."""
