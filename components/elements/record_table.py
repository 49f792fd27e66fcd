"""A table of records, each row a link to the page of its record where it has one.

It is a table of the page itself and not a canvas: Tab reaches each row, Enter opens it, a browser opens it in
another tab, and in a narrow place each row becomes a card. `st.dataframe` draws on a canvas, where no key
presses the buttons of a column.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Generic, Literal, TypeAlias, TypeVar
from urllib.parse import urlencode

import streamlit as st

from components.formatting import NO_VALUE


@dataclass(frozen=True)
class Badges:
    """A cell of short labels."""

    labels: Sequence[str]


@dataclass(frozen=True)
class ColouredWord:
    """A cell with a word and a dot of its colour, one of `DOT_COLOURS`."""

    word: str
    colour: str


@dataclass(frozen=True)
class Bars:
    """A cell with a small bar for each count."""

    counts: Sequence[int]


Cell: TypeAlias = str | int | Badges | ColouredWord | Bars | None

Address: TypeAlias = tuple[str, Mapping[str, str]]
"""Of a page: its path and its query."""

Record = TypeVar("Record")

DOT_COLOURS = {
    "red": "#D64545",
    "orange": "#D97706",
    "blue": "#2F80C2",
    "violet": "#8A63D2",
    "green": "#2E9E5B",
    "gray": "#8A94A0",
}
"""Clear of either theme's background by 3 to 1."""


@dataclass(frozen=True)
class Column(Generic[Record]):
    """A column: `read` gives the cell of a record. Counts and amounts of money are aligned right. One that is
    `optional` is left out where no record fills it, one that is `varying` where several hold the same."""

    read: Callable[[Record], Cell]
    align: Literal["left", "right"] = "left"
    help: str = ""
    optional: bool = False
    varying: bool = False


def draw_record_table(
    records: Sequence[Record],
    columns: Mapping[str, Column[Record]],
    *,
    alt: str,
    link: Callable[[Record], Address | None] | None = None,
    scrolls: bool = False,
) -> None:
    """Draw a row for each record. With a `link` the cells of the first column lead to its address. `alt`
    describes the table. A long one that `scrolls` takes no more than a part of the window."""
    cells = {name: [column.read(one) for one in records] for name, column in columns.items()}
    shown = {
        name: column
        for name, column in columns.items()
        if not (column.optional and all(cell in (None, "", NO_VALUE) for cell in cells[name]))
        and not (column.varying and len(records) > 1 and len(set(map(str, cells[name]))) == 1)
    }
    head = "".join(_draw_head(name, column.align, column.help) for name, column in shown.items())
    body = "".join(
        _draw_row(
            [(name, column.align, cells[name][at]) for name, column in shown.items()],
            None if link is None else link(one),
        )
        for at, one in enumerate(records)
    )
    size = next(size for size, most in _SIZES.items() if len(shown) <= most)
    attributes = f'class="parley-records {size}"'
    if scrolls:  # by keyboard too, so Tab reaches it
        label = f'tabindex="0" role="region" aria-label="{escape(alt)}"'
        attributes = f'class="parley-records {size} scrolls" {label}'
    st.html(
        f'{_STYLE}<div {attributes}><table role="table" aria-label="{escape(alt)}">'
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{body}</tbody></table></div>'
    )


def _draw_head(name: str, align: str, help: str) -> str:
    title = f' title="{escape(help)}"' if help else ""
    return f'<th role="columnheader" scope="col" class="{align}"{title}>{escape(name)}</th>'


def _draw_row(row: Sequence[tuple[str, str, Cell]], address: Address | None) -> str:
    cells: list[str] = []
    for name, align, cell in row:
        text = _draw_cell(cell)
        if address is not None and not cells:
            page, query = address
            text = f'<a target="_self" href="{escape(f"{page}?{urlencode(query)}")}">{text}</a>'
        look = " ".join(["right"] * (align == "right") + ["empty"] * (text == NO_VALUE))
        kind = f' class="{look}"' if look else ""
        cells.append(f'<td role="cell"{kind} data-label="{escape(name)}">{text}</td>')
    return f'<tr role="row">{"".join(cells)}</tr>'


def _draw_cell(cell: Cell) -> str:
    match cell:
        case None | "":
            return NO_VALUE
        case int():
            return f"{cell:,}"
        case Badges(labels):
            return " ".join(f'<span class="badge">{escape(label)}</span>' for label in labels)
        case ColouredWord(word, colour):
            dot = f'<i class="dot" style="background:{DOT_COLOURS.get(colour, "currentColor")}"></i>'
            return f'<span class="word">{dot}{escape(word)}</span>'
        case Bars(counts):
            highest = max(counts, default=0) or 1
            bars = "".join(f'<i style="height:{100 * count / highest:.0f}%"></i>' for count in counts)
            return f'<span class="bars" role="img" aria-label="{sum(counts):,} in all">{bars}</span>'
        case _:
            return escape(cell)


_SIZES = {"slim": 3, "narrow": 8, "wide": 1_000}
"""The most columns of a table of each size."""

# The roles are those that the elements have anyway: a browser forgets them where a row becomes a card.
# Colours are mixed from that of the text, so that they fit either theme; those of links are the themes' own.
_TABLE_STYLE = """
.parley-records { container-type: inline-size; width: 100%; overflow-x: auto; }
.parley-records.scrolls { max-height: 26rem; overflow-y: auto; }
.parley-records.slim { container-name: slim; }
.parley-records.narrow { container-name: narrow; }
.parley-records.wide { container-name: wide; }
.parley-records table { width: 100%; border-collapse: collapse; margin: 0; }
.parley-records :is(th, td) {
  padding: .5rem .75rem; text-align: left; vertical-align: top; font-variant-numeric: tabular-nums;
  border: 0 solid color-mix(in srgb, currentColor 18%, transparent); border-bottom-width: 1px;
}
.parley-records th {
  font-weight: 600; white-space: nowrap; background: color-mix(in srgb, currentColor 5%, transparent);
}
.parley-records .right { text-align: right; white-space: nowrap; }
.parley-records td { overflow-wrap: break-word; }
.parley-records td:first-child { overflow-wrap: anywhere; min-width: 8rem; }
.parley-records tbody tr:has(a) { cursor: pointer; }
.parley-records tbody tr:has(a):is(:hover, :focus-within) {
  background: color-mix(in srgb, currentColor 6%, transparent);
}
.parley-records a {
  font-weight: 500; color: light-dark(#0B5C75, #7CC4DA); text-decoration: underline;
  text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); text-underline-offset: .2em;
}
.parley-records .badge {
  display: inline-block; padding: 0 .45em; border-radius: .8em; font-size: .9em; white-space: nowrap;
  background: color-mix(in srgb, currentColor 12%, transparent);
}
.parley-records .word { white-space: nowrap; }
.parley-records .dot {
  display: inline-block; width: .6em; height: .6em; border-radius: 50%; margin-right: .45em;
}
.parley-records .bars { display: inline-flex; align-items: flex-end; gap: 1px; height: 1.2em; width: 6em; }
.parley-records .bars i { flex: 1; min-height: 1px; background: currentColor; opacity: .65; }
"""

_CARD_STYLE = """
.parley-records :is(table, tbody) { display: block; }
.parley-records thead {
  position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden;
}
.parley-records tbody tr {
  border: 1px solid color-mix(in srgb, currentColor 18%, transparent); border-radius: 6px;
  margin-bottom: .5rem; padding: .5rem .75rem;
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); column-gap: 1.5rem;
}
.parley-records :is(td, .right) {
  display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .15rem 0;
  text-align: right; white-space: normal; min-width: 0; overflow-wrap: break-word;
}
.parley-records td:not(:first-child)::before {
  content: attr(data-label); opacity: .75; text-align: left; flex-shrink: 0; max-width: 60%;
}
.parley-records .word { white-space: normal; }
.parley-records td:first-child { text-align: left; grid-column: 1 / -1; }
.parley-records td.empty { display: none; }
"""

_STYLE = (
    f"<style>{_TABLE_STYLE}@container slim (max-width: 360px) {{{_CARD_STYLE}}}@container narrow (max-width: "
    f"640px) {{{_CARD_STYLE}}}@container wide (max-width: 1000px) {{{_CARD_STYLE}}}</style>"
)
