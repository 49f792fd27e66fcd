"""A new requirement: from quotes that are dropped together, with the lines of a quote that was read
(`?from=`), or line by line."""

from collections.abc import Callable, Sequence
from decimal import Decimal

import streamlit as st

from app.client import NotFound
from app.contract.scope import ReadLine, Scope
from app.contract.sourcing import NewRequirement, Requirement
from app.dashboard.api import extension_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.scopes.scope_choice import find_scopes
from app.dashboard.sourcing.quotes_together import (
    SCOPE,
    compare_at_once,
    create_requirement,
    draw_quotes_together,
    draw_reading,
    is_read,
)
from app.dashboard.sourcing.requirement_forms import (
    BLANK_ROWS,
    DESCRIPTION,
    LINE_COLUMNS,
    MUST_HAVE,
    QUANTITY,
    UNIT,
    make_requirement_form,
)
from components.documents.line_review import describe_line
from components.elements.form_fields import draw_fault
from components.elements.search_choice import FoundOptions, draw_search_choice
from components.elements.table import Row, edit_rows, read_edited_rows
from components.formatting.counts import format_count


def draw_requirement_creation(deployment: Deployment, *, on_created: Callable[[Requirement], None]) -> None:
    """Draw the drop zone, the choice of a quote to begin with, and the form."""
    scope_id = st.query_params.get(SCOPE)
    rows: Sequence[Row] = BLANK_ROWS
    with failure_panel("What to begin with"):
        _draw_first_choice(deployment)
        if scope_id:
            scope = queries.load_scope(deployment, scope_id)
            if not is_read(scope):
                draw_reading(deployment, scope)
                return
            compare_at_once(deployment, scope_id, on_created)
            rows = _load_rows(deployment, scope) or BLANK_ROWS
            _draw_shortcut(deployment, scope_id, len(rows), on_created)
    with st.expander("State what is needed, line by line", expanded=scope_id is not None):
        _draw_form(deployment, scope_id, rows, on_created)


def _draw_form(
    deployment: Deployment,
    scope_id: str | None,
    rows: Sequence[Row],
    on_created: Callable[[Requirement], None],
) -> None:
    form = make_requirement_form(
        deployment, lambda: read_edited_rows(rows, key=f"{form.key}/lines"), scope_id
    )
    form.draw(columns=2)
    st.markdown("**What is needed** *")
    edit_rows(rows, key=f"{form.key}/lines", alt="What is needed, line by line", columns=LINE_COLUMNS)
    draw_fault(form.faults.get("lines"))
    st.caption("Rows are added at the end, and pasted from a spreadsheet.")
    form.draw_button(
        "New comparison",
        send=create_requirement,
        what="Stating the requirement",
        on_success=on_created,
        icon=":material/check:",
    )


def _draw_shortcut(
    deployment: Deployment, scope_id: str, lines: int, on_created: Callable[[Requirement], None]
) -> None:
    """Draw the button that takes a scope as it is."""
    body = NewRequirement(scope_id=scope_id)
    st.caption(
        f"{format_count(lines, 'line')} of the chosen quote, whose prices become the first quote. Take it as"
        " it is, or change it below, where a quantity that it does not state is left open."
    )
    write_button(
        deployment,
        "Take the quote as it is",
        name=f"requirement-of-{scope_id}",
        what="Stating the requirement",
        write=lambda client, key: create_requirement(client, body, key),
        on_success=on_created,
        icon=":material/bolt:",
    )


def _draw_first_choice(deployment: Deployment) -> None:
    def find(text: str) -> FoundOptions:
        return find_scopes(deployment, text, priced_only=False)

    def choose(scope_id: str) -> None:
        st.query_params[SCOPE] = scope_id

    if queries.has_operation(deployment, "POST /v1/scope/from-document"):
        draw_quotes_together(deployment)
    with st.expander("Begin with a quote that was read", expanded=False):
        draw_search_choice(find, "quote", (), key="requirement-scope", on_choose=choose)


def _load_rows(deployment: Deployment, scope: Scope) -> list[Row]:
    """Return the lines of a scope's quote, else its products. What is not known is left open."""
    if queries.has_operation(deployment, "GET /v1/scope/{}/document"):
        try:
            reading = extension_queries.load_document_reading(deployment, scope.id)
        except NotFound:
            pass
        else:
            return [_make_row(describe_line(line), _find_quantity(line)) for line in reading.lines]
    return [_make_row(term.product_name or "", None) for term in scope.product_terms]


def _make_row(description: str, quantity: Decimal | None) -> Row:
    number = None if quantity is None else float(quantity)
    return {DESCRIPTION: description, QUANTITY: number, UNIT: None, MUST_HAVE: True}


def _find_quantity(line: ReadLine) -> Decimal | None:
    found = next((value.value for value in line.values if value.name == "quantity"), None)
    return found if isinstance(found, Decimal) else None
