"""The quotes of a requirement side by side, and which line of a quote answers which of it. Every sum is the
service's: nothing is added up here."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.page import Pagination
from app.contract.sourcing import (
    AlignedLine,
    Alignment,
    Matrix,
    MatrixLine,
    Requirement,
    SourcingQuote,
    SourcingQuoteLine,
)
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import SessionValue
from app.dashboard.sourcing.quote_cells import make_columns, make_rows, make_totals, name_quotes
from components.elements.empty_state import draw_empty_state
from components.elements.form_fields import forget_fields, read_fields
from components.elements.pagination import draw_pagination_bar, go_to_first_page, read_page_offset
from components.formatting.counts import format_count
from components.formatting.texts import escape_markdown
from components.sourcing.quote_table import draw_quote_table
from components.sourcing.requirements import FIELDS, draw_alignment_row, label_lines

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
    quotes = {one.id: one for one in queries.load_quotes(deployment, matrix.requirement.id)}
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
            "Suppliers", names, key=SUPPLIERS_FILTER.key, bind="query-params", placeholder="All suppliers"
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


ALIGNMENT_ROWS = 15
ALIGNMENT_PAGE = "align-page"
OPEN = "To be decided"
STATES_FILTER = SessionValue("align-lines", OPEN)
_ORDER = ("doubtful", "none", "proposed", "confirmed")

QuotedLine = tuple[SourcingQuote, SourcingQuoteLine]
_FILTERS: dict[str, Sequence[str]] = {
    OPEN: ("doubtful", "none"),
    "Found by their texts": ("proposed",),
    "All lines": _ORDER,
}


def draw_alignment(deployment: Deployment, requirement: Requirement) -> None:
    """Draw the lines with their choices, and the button that stores the decisions."""
    quotes = queries.load_quotes(deployment, requirement.id)
    lines = list_lines(quotes)
    st.selectbox(
        "Lines of quotes",
        list(_FILTERS),
        key=STATES_FILTER.key,
        bind="query-params",
        on_change=partial(go_to_first_page, ALIGNMENT_PAGE),
        width=320,
    )
    st.caption(_describe_counts(lines))
    states = _FILTERS.get(STATES_FILTER.get(), _FILTERS[OPEN])
    shown = [(quote, line) for quote, line in lines if line.alignment in states]
    if not shown:
        draw_empty_state(
            "Nothing to decide" if STATES_FILTER.get() == OPEN else "No such lines",
            "Each line of the quotes answers a line of the requirement for all that is known."
            if lines
            else "There are no quotes yet.",
            icon="task_alt",
        )
        return
    offset = min(
        read_page_offset(ALIGNMENT_PAGE, ALIGNMENT_ROWS), (len(shown) - 1) // ALIGNMENT_ROWS * ALIGNMENT_ROWS
    )
    _draw_rows(deployment, requirement, shown[offset : offset + ALIGNMENT_ROWS])
    if len(shown) > ALIGNMENT_ROWS:
        draw_pagination_bar(
            Pagination(total=len(shown), limit=ALIGNMENT_ROWS, offset=offset), ALIGNMENT_PAGE, "line"
        )


def _describe_counts(lines: Sequence[QuotedLine]) -> str:
    counts = {state: sum(line.alignment == state for _, line in lines) for state in _ORDER}
    return (
        f"{counts['doubtful']:,} in doubt, {counts['none']:,} that answer nothing so far,"
        f" {counts['proposed']:,} found by their texts, {counts['confirmed']:,} stated. What is in doubt is"
        " compared once it is confirmed."
    )


def list_lines(quotes: Sequence[SourcingQuote]) -> list[QuotedLine]:
    """Return the lines of all quotes, those in doubt first and what a person stated last."""
    lines = [(quote, line) for quote in quotes for line in quote.lines]
    return sorted(lines, key=lambda one: _ORDER.index(one[1].alignment) if one[1].alignment in _ORDER else 0)


def _draw_rows(deployment: Deployment, requirement: Requirement, shown: Sequence[QuotedLine]) -> None:
    can_decide = queries.has_operation(deployment, "PUT /v1/requirements/{}/alignment")
    labels = label_lines(requirement.lines)
    for quote, line in shown:
        draw_alignment_row(quote, line, labels, key=_name_row(line), disabled=not can_decide)
    write_button(
        deployment,
        f"Confirm {format_count(len(shown), 'line')}",
        name=f"align-{requirement.id}",
        what="Storing the decisions",
        write=partial(_send_alignment, requirement.id, shown),
        on_success=_forget(shown),
        icon=":material/check:",
        type="primary",
        disabled=not can_decide,
    )


def _send_alignment(requirement_id: str, shown: Sequence[QuotedLine], client: ScopedClient, _: str) -> Matrix:
    decided: list[AlignedLine] = []
    for _quote, line in shown:
        row = read_fields(_name_row(line), FIELDS)
        answered, alternate = str(row["line"] or "") or None, row["alternate"] is True
        decided.append(AlignedLine(quote_line_id=line.id, requirement_line_id=answered, alternate=alternate))
    return client.requirements.align(requirement_id, Alignment(lines=decided))


def _forget(shown: Sequence[QuotedLine]) -> Callable[[Matrix], None]:
    def forget(_: Matrix) -> None:
        for _quote, line in shown:
            forget_fields(_name_row(line), FIELDS)

    return forget


def _name_row(line: SourcingQuoteLine) -> str:
    return f"align-{line.id}"
