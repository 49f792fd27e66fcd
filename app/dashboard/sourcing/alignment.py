"""Which line of a quote answers which of the requirement, as a person says: what is in doubt first."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.page import Pagination
from app.contract.sourcing import (
    AlignedLine,
    Alignment,
    Matrix,
    Requirement,
    SourcingQuote,
    SourcingQuoteLine,
)
from app.dashboard.api import queries, sourcing_queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import SessionValue
from components.elements.empty_state import draw_empty_state
from components.elements.form_fields import forget_fields
from components.elements.pagination import draw_pagination_bar, go_to_first_page, read_page_offset
from components.formatting.counts import format_count
from components.sourcing.quote_form import label_lines
from components.sourcing.requirements import FIELDS, draw_alignment_row, read_alignment_row

ROWS = 15
PAGE = "align-page"
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
    quotes = sourcing_queries.load_quotes(deployment, requirement.id)
    lines = list_lines(quotes)
    st.selectbox(
        "Lines of quotes",
        list(_FILTERS),
        key=STATES_FILTER.key,
        bind="query-params",
        on_change=partial(go_to_first_page, PAGE),
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
    offset = min(read_page_offset(PAGE, ROWS), (len(shown) - 1) // ROWS * ROWS)
    _draw_rows(deployment, requirement, shown[offset : offset + ROWS])
    if len(shown) > ROWS:
        draw_pagination_bar(Pagination(total=len(shown), limit=ROWS, offset=offset), PAGE, "line")


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
    labels = {ident: label for label, ident in label_lines(requirement.lines).items()}
    for quote, line in shown:
        draw_alignment_row(quote, line, labels, key=_name_row(line), disabled=not can_decide)
    write_button(
        deployment,
        f"Confirm {format_count(len(shown), 'line')}",
        name=f"align-{requirement.id}",
        what="Storing the decisions",
        write=partial(_send, requirement.id, shown),
        on_success=_forget(shown),
        icon=":material/check:",
        type="primary",
        disabled=not can_decide,
    )


def _send(requirement_id: str, shown: Sequence[QuotedLine], client: ScopedClient, _: str) -> Matrix:
    decided: list[AlignedLine] = []
    for _quote, line in shown:
        answered, alternate = read_alignment_row(key=_name_row(line))
        decided.append(AlignedLine(quote_line_id=line.id, requirement_line_id=answered, alternate=alternate))
    return client.requirements.align(requirement_id, Alignment(lines=decided))


def _forget(shown: Sequence[QuotedLine]) -> Callable[[Matrix], None]:
    def forget(_: Matrix) -> None:
        for _quote, line in shown:
            forget_fields(_name_row(line), FIELDS)

    return forget


def _name_row(line: SourcingQuoteLine) -> str:
    return f"align-{line.id}"
