"""The table of several quotes: a row for each line, a column for each supplier, totals below.

It is a table of the page itself and not a canvas, so that each cell can say what its number rests on: where
the pointer rests on it, a finger touches it or the arrow keys reach it. The first column and the head stay in
sight; cells that do need a background of their own: the themes'.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Literal

import streamlit as st

STYLE = """<style>
.parley-quotes {
  --ground: light-dark(#FFFFFF, #12181F); --shade: light-dark(#F3F5F7, #1B232C);
  --rule: light-dark(#D3DAE1, #33404D); --soft: light-dark(#4A5661, #B4C0CB);
  --good: light-dark(#E6F4EC, #1A3327); --good-text: light-dark(#125C37, #93D7B4);
  --warn: light-dark(#FDF1E2, #38281A); --warn-text: light-dark(#7A4200, #F4BC87);
  max-height: min(80vh, 60rem); overflow: auto; border: 1px solid var(--rule); border-radius: 6px;
  scroll-padding: 6rem 1rem 1rem 15rem;
}
.parley-quotes table { border-collapse: separate; border-spacing: 0; width: 100%; margin: 0; }
.parley-quotes :is(th, td) {
  padding: .4rem .6rem; text-align: right; vertical-align: top; font-variant-numeric: tabular-nums;
  font-weight: 400; border: 0 solid var(--rule); border-width: 0 0 1px 1px; min-width: 7.4rem;
}
.parley-quotes .line {
  position: sticky; left: 0; z-index: 2; text-align: left; border-left-width: 0; background: var(--ground);
  min-width: 11rem; max-width: 15rem; overflow-wrap: anywhere;
}
.parley-quotes thead th {
  position: sticky; top: 0; z-index: 3; background: var(--shade); overflow-wrap: anywhere;
}
.parley-quotes thead .line { z-index: 4; background: var(--shade); }
.parley-quotes b { font-weight: 600; display: block; }
.parley-quotes small { display: block; color: var(--soft); font-size: .86em; }
.parley-quotes .figure { display: block; white-space: nowrap; }
.parley-quotes .amount { font-weight: 600; white-space: nowrap; }
.parley-quotes td > div + div { margin-top: .4rem; padding-top: .4rem; border-top: 1px dashed var(--rule); }
.parley-quotes .off .amount { font-weight: 400; font-style: italic; color: var(--soft); }
.parley-quotes .reason { max-width: 16rem; margin-left: auto; }
.parley-quotes .lowest { background: var(--good); }
.parley-quotes .market { background: var(--shade); }
.parley-quotes .gap {
  color: var(--soft); text-align: center; vertical-align: middle;
  background: repeating-linear-gradient(135deg, var(--ground) 0 6px, var(--shade) 6px 12px);
}
.parley-quotes .gap span {
  background: var(--ground); padding: 0 .35em; border-radius: .6em; font-size: .86em;
}
.parley-quotes .mark {
  display: inline-block; padding: 0 .45em; border-radius: .8em; font-size: .8em; white-space: nowrap;
  margin: .1rem 0 0 .25em; color: var(--soft); background: var(--shade); border: 1px solid var(--rule);
}
.parley-quotes .line .mark { margin: .1rem .25em 0 0; }
.parley-quotes .mark:is(.lowest, .low) {
  color: var(--good-text); background: var(--good); border-color: currentColor;
}
.parley-quotes .mark:is(.warning, .doubtful, .alternate, .no, .high) {
  color: var(--warn-text); background: var(--warn); border-color: currentColor;
}
.parley-quotes tfoot :is(th, td) { background: var(--shade); white-space: nowrap; }
.parley-quotes tfoot .main > * { position: sticky; bottom: 0; z-index: 3; }
.parley-quotes tfoot .main > .line { font-weight: 600; z-index: 4; }
.parley-quotes tfoot .ranked { font-weight: 600; }
.parley-quotes tfoot :is(small, .mark) { font-weight: 400; }

.parley-quotes-frame { container-type: inline-size; }
@container (max-width: 44rem) {
  .parley-quotes :is(th, td) { padding: .3rem .35rem; min-width: 0; font-size: .8rem; }
  .parley-quotes .line { min-width: 5.5rem; max-width: 8rem; }
  .parley-quotes :is(.figure, .mark), .parley-quotes tfoot :is(th, td) { white-space: normal; }
  .parley-quotes { scroll-padding-left: 8rem; }
}
.parley-quotes [data-cell]:focus-visible {
  outline: 2px solid light-dark(#0B5C75, #7CC4DA); outline-offset: -2px;
}
.parley-quotes .notes {
  display: none; list-style: none; margin: 0; padding: .5rem .7rem; width: max-content;
  max-width: min(24rem, 80vw); text-align: left; white-space: normal; font-weight: 400;
  overflow-wrap: anywhere;
  color: light-dark(#0C131A, #E6EBF0); background: var(--ground); border: 1px solid var(--rule);
  border-radius: 6px; box-shadow: 0 4px 16px rgb(0 0 0 / .25);
}
.parley-quotes .notes li { margin: 0; padding: .1rem 0; font-size: .92em; }
.parley-quotes [data-cell]:is(:hover, :focus) { z-index: 9; }
.parley-quotes [data-cell]:is(:hover, :focus) > .notes {
  display: block; position: fixed; z-index: 10; position-anchor: --parley-cell;
  position-area: bottom span-right; position-try-fallbacks: flip-block, flip-inline, flip-block flip-inline;
}
.parley-quotes table:has(:hover) [data-cell]:focus:not(:hover) > .notes { display: none; }
.parley-quotes [data-cell]:is(:hover, :focus) { anchor-name: --parley-cell; anchor-scope: --parley-cell; }
</style>"""


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
        f'{STYLE}<div class="parley-quotes-frame"><div class="parley-quotes">'
        f'<table role="grid" aria-label="{escape(alt)}">'
        f"{table.replace(_FOCUS, _FIRST_FOCUS, 1)}</table></div></div>"
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
        f'<span class="mark {kind or escape(_get_first_word(mark))}">{escape(mark)}</span>' for mark in marks
    )


def _get_first_word(mark: str) -> str:
    """Return the word that colours a mark: `very high price` has the colour of `high price`."""
    return mark.lower().removeprefix("very ").split()[0]


def _draw_notes(notes: Sequence[str]) -> str:
    lines = "".join(f"<li>{escape(note)}</li>" for note in notes if note)
    return f'<ul class="notes">{lines}</ul>' if lines else ""


_FOCUS = 'tabindex="-1" data-cell="1"'
"""A cell that is focused by a touch, a click or the arrow keys, see `app.dashboard.browser_scripts`."""
_FIRST_FOCUS = 'tabindex="0" data-cell="1"'
"""The one that Tab reaches at first."""
