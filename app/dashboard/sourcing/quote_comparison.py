"""The quotes of a requirement side by side, with their totals and which of them compare. Every sum is the
service's: nothing is added up here."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from app.contract.page import Pagination
from app.contract.sourcing import Matrix, MatrixLine
from app.dashboard.api import sourcing_queries
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import SessionValue
from app.dashboard.sourcing.quote_cells import make_columns, make_rows, make_totals, name_quotes
from components.elements.empty_state import draw_empty_state
from components.elements.pagination import draw_pagination_bar, go_to_first_page, read_page_offset
from components.formatting.counts import format_count
from components.formatting.texts import escape_markdown
from components.sourcing.quote_table import draw_quote_table

ROWS = 100
PAGE = "compare-page"
ALL_LINES = "All lines"
SUPPLIERS_FILTER = SessionValue[Sequence[str]]("compare-suppliers", ())
LINES_FILTER = SessionValue("compare-lines", ALL_LINES)
TEXT_FILTER = SessionValue("compare-text", "")

LINE_FILTERS: dict[str, Callable[[MatrixLine], bool]] = {
    ALL_LINES: lambda _: True,
    "With a gap": lambda one: bool(one.gaps),
    "Not all compared": lambda one: any(not cell.comparable for cell in one.cells),
    "Must-have": lambda one: one.line.must_have,
}

open_first_page = partial(go_to_first_page, PAGE)


def draw_quote_comparison(deployment: Deployment, matrix: Matrix) -> None:
    """Draw the filters and the table of a requirement that has quotes."""
    names = name_quotes(matrix.quotes)
    _draw_filters(list(names.values()))
    chosen = SUPPLIERS_FILTER.get()
    shown = [quote_id for quote_id, name in names.items() if not chosen or name in chosen]
    lines = find_lines(matrix)
    if not lines or not shown:
        draw_empty_state(
            "No line matches", "Choose other filters, or clear them.", icon="filter_alt_off",
            action="Clear the filters", on_action=_clear_filters, key="clear-compare-filters",
        )  # fmt: skip
        return
    st.markdown(escape_markdown(matrix.ranking))
    quotes = {one.id: one for one in sourcing_queries.load_quotes(deployment, matrix.requirement.id)}
    offset = min(read_page_offset(PAGE, ROWS), (len(lines) - 1) // ROWS * ROWS)
    page = lines[offset : offset + ROWS]
    draw_quote_table(
        make_columns(matrix, quotes, names, shown),
        make_rows(matrix, page, quotes),
        make_totals(matrix),
        alt=f"{format_count(len(shown), 'quote')} for {format_count(len(page), 'line')}",
        measure=f"{matrix.requirement.currency}, {format_count(matrix.requirement.term_months, 'month')}",
    )
    if len(lines) > ROWS:
        draw_pagination_bar(Pagination(total=len(lines), limit=ROWS, offset=offset), PAGE, "line")
    hidden = len(matrix.requirement.lines) - len(lines)
    st.caption(
        f"{escape_markdown(matrix.statement)} The lowest of a line is marked among all quotes that can be"
        " compared. A cell says what its number rests on where the pointer rests on it, at a touch, and with"
        " the arrow keys."
        + (f" Sums are of all lines, also the {hidden:,} that the filters hide." if hidden else "")
    )


def find_lines(matrix: Matrix) -> list[MatrixLine]:
    """Return the lines that the filters leave."""
    text = TEXT_FILTER.get().strip().casefold()
    keeps = LINE_FILTERS.get(LINES_FILTER.get(), LINE_FILTERS[ALL_LINES])
    return [one for one in matrix.lines if keeps(one) and text in one.line.description.casefold()]


def _draw_filters(names: Sequence[str]) -> None:
    with st.grid(3, min_column_width=200):
        st.multiselect(
            "Suppliers",
            names,
            key=SUPPLIERS_FILTER.key,
            bind="query-params",
            placeholder="All suppliers",
        )
        st.selectbox(
            "Lines", list(LINE_FILTERS), key=LINES_FILTER.key, bind="query-params", on_change=open_first_page
        )
        st.text_input(
            "Text of a line",
            key=TEXT_FILTER.key,
            bind="query-params",
            placeholder="Part of a description",
            icon=":material/search:",
            on_change=open_first_page,
        )


def _clear_filters() -> None:
    SUPPLIERS_FILTER.set([])
    LINES_FILTER.set(ALL_LINES)
    TEXT_FILTER.set("")
    open_first_page()
