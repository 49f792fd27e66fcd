"""The quotes of a requirement side by side, and which line of a quote answers which of it. Every sum is the
service's: nothing is added up here."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.page import ListPage
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
from app.dashboard.kit.filtered_list import (
    ChoiceFilter,
    Empty,
    FilteredList,
    PickFilter,
    TextFilter,
    cut_page,
)
from app.dashboard.sourcing.quote_cells import make_columns, make_rows, make_totals, name_quotes
from components.elements.form_fields import forget_fields, read_fields
from components.formatting import escape_markdown, format_count
from components.sourcing.quote_table import draw_quote_table
from components.sourcing.requirements import FIELDS, draw_alignment_row, label_lines

LINE_FILTERS: dict[str, Callable[[MatrixLine], bool]] = {
    "All lines": lambda _: True,
    "With a gap": lambda one: bool(one.gaps),
    "Not all compared": lambda one: any(not cell.comparable for cell in one.cells),
    "Must-have": lambda one: one.line.must_have,
}


def draw_quote_comparison(deployment: Deployment, matrix: Matrix) -> None:
    """Draw the filters and the table of a requirement that has quotes."""
    names = name_quotes(matrix.quotes)
    suppliers = PickFilter("Suppliers", "compare-suppliers", list(names.values()))

    def load(
        *, limit: int, offset: int, keeps: Callable[[MatrixLine], bool], text: str | None
    ) -> ListPage[MatrixLine]:
        part = (text or "").casefold()
        kept = [one for one in matrix.lines if keeps(one) and part in one.line.description.casefold()]
        return cut_page(kept, limit=limit, offset=offset)

    def draw(page: ListPage[MatrixLine]) -> None:
        st.markdown(escape_markdown(matrix.ranking))
        quotes = {one.id: one for one in queries.load_quotes(deployment, matrix.requirement.id)}
        shown = [quote_id for quote_id, name in names.items() if name in suppliers.chosen]
        draw_quote_table(
            make_columns(matrix, quotes, names, shown),
            make_rows(matrix, page.data, quotes),
            make_totals(matrix),
            alt=f"{format_count(len(shown), 'quote')} for {format_count(len(page.data), 'line')}",
            measure=f"{matrix.requirement.currency}, {format_count(matrix.requirement.term_months, 'month')}",
        )

    def explain(page: ListPage[MatrixLine]) -> None:
        hidden = len(matrix.requirement.lines) - page.pagination.total
        st.caption(
            f"{escape_markdown(matrix.statement)} The lowest of a line is marked among all quotes that can be"
            " compared. A cell says what its number rests on where the pointer rests on it, at a touch, and"
            " with the arrow keys."
            + (f" Sums are of all lines, also the {hidden:,} that the filters hide." if hidden else "")
        )

    FilteredList(
        "compare-page",
        "line",
        load,
        draw,
        Empty("No lines", "Nothing is needed so far: say what under “Change”."),
        filters=(
            suppliers,
            ChoiceFilter("Lines", "compare-lines", LINE_FILTERS, "keeps"),
            TextFilter("Text of a line", "compare-text", "text", "Part of a description"),
        ),
        rows=100,
        draw_below=explain,
    ).show()


_ORDER = ("doubtful", "none", "proposed", "confirmed")

QuotedLine = tuple[SourcingQuote, SourcingQuoteLine]
_FILTERS: dict[str, Sequence[str]] = {
    "To be decided": ("doubtful", "none"),
    "Found by their texts": ("proposed",),
    "All lines": _ORDER,
}


def draw_alignment(deployment: Deployment, requirement: Requirement) -> None:
    """Draw the lines with their choices, and the button that stores the decisions. A quote that was awarded
    something stays as it was decided on."""
    awarded = {part.quote_id for part in requirement.award.quotes} if requirement.award else set[str]()
    quotes = queries.load_quotes(deployment, requirement.id)
    lines = list_lines([quote for quote in quotes if quote.id not in awarded])
    reason = "Each line of the quotes answers a line of the requirement for all that is known."
    if not lines:
        reason = "What was awarded stays as it was decided on." if awarded else "There are no quotes yet."

    def load(*, limit: int, offset: int, states: Sequence[str]) -> ListPage[QuotedLine]:
        return cut_page([one for one in lines if one[1].alignment in states], limit=limit, offset=offset)

    FilteredList(
        "align-page",
        "line",
        load,
        lambda page: _draw_rows(deployment, requirement, page.data),
        Empty("Nothing to decide", reason, "task_alt"),
        filters=(ChoiceFilter("Lines of quotes", "align-lines", _FILTERS, "states"),),
        rows=15,
        draw_above=lambda _: st.caption(_describe_counts(lines)),
        no_match=Empty("No such lines", reason, "task_alt"),
    ).show()


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

    def forget(_: Matrix) -> None:
        for _quote, line in shown:
            forget_fields(_name_row(line), FIELDS)

    write_button(
        deployment,
        f"Confirm {format_count(len(shown), 'line')}",
        name=f"align-{requirement.id}",
        what="Storing the decisions",
        write=partial(_send_alignment, requirement.id, shown),
        on_success=forget,
        icon="check",
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


def _name_row(line: SourcingQuoteLine) -> str:
    return f"align-{line.id}"
