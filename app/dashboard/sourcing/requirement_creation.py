"""The forms of a requirement, and a new one: from quotes that are dropped together, with the lines of a quote
that was read (`?from=`), or line by line.

Of quotes that are dropped together the first is read into a scope, whose lines say what is needed; the others
wait as files in the address until there is a requirement that they answer.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import streamlit as st

from app.client import NotFound, ScopedClient
from app.contract.scope import Scope
from app.contract.sourcing import MAX_QUOTES, NewRequirement, NewSourcingQuote, Requirement, RequirementChange
from app.dashboard.api import queries
from app.dashboard.api.write_button import draw_write_failure, perform_write, write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import Form, get_cell_number, join_row_faults
from app.dashboard.scopes.dropped_quotes import follow_document
from app.dashboard.scopes.scope_listing import find_scopes
from app.dashboard.session_values import DROPPED_TOGETHER, write_failure
from app.dashboard.sourcing.quote_addition import store_file
from components.documents.document_review import draw_document_progress, is_finished
from components.documents.review_form import describe_line, read_quantity
from components.elements.form_fields import (
    Field,
    Fields,
    FoundOptions,
    draw_fault,
    draw_quotes_upload,
    draw_search_choice,
    get_text,
    mark_required,
)
from components.elements.table import Columns, Row, edit_rows, read_edited_rows
from components.formatting.counts import format_count

SCOPE, OTHERS = "from", "with"
"""In the address: the scope that says what is needed, and the files of the other quotes."""


def read_others() -> list[str]:
    """Return the ids of the files in the address, of each one, and of no more than a requirement takes."""
    return [one for one in dict.fromkeys(st.query_params.get(OTHERS, "").split(",")) if one][:MAX_QUOTES]


def _put_in_address(scope_id: str, others: Sequence[str]) -> None:
    st.query_params[SCOPE] = scope_id
    DROPPED_TOGETHER.set(scope_id)
    if others:
        st.query_params[OTHERS] = ",".join(others)
    else:
        st.query_params.pop(OTHERS, None)


def draw_quotes_together(deployment: Deployment) -> None:
    """Draw the field for the files, which are uploaded with the click."""
    files = draw_quotes_upload("Suppliers' quotes for one need", MAX_QUOTES, key="quotes-together")
    st.caption("The lines of the first are what is compared; the others are matched with them.")

    def send(client: ScopedClient, key: str) -> tuple[str, list[str]]:
        stored = [store_file(client, file, f"{key}-{place}") for place, file in enumerate(files)]
        return _begin(client, stored, key)

    write_button(
        deployment,
        f"Compare {format_count(len(files), 'quote')}" if files else "Compare the quotes",
        name=f"quotes-together-{'-'.join(file.file_id for file in files)}",
        what="Uploading",
        write=send,
        on_success=lambda begun: _put_in_address(*begun),
        icon=":material/upload_file:",
        type="primary",
        disabled=not files or len(files) > MAX_QUOTES,
        help=None if files else "Choose the files first",
    )
    if len(files) > MAX_QUOTES:
        st.caption(f"At most {MAX_QUOTES} quotes are compared: take out some files.")


def is_read(scope: Scope) -> bool:
    """Return whether the scope's lines are there: its document, if it has one, was read."""
    return scope.document_processing is None or scope.document_processing.status == "completed"


def draw_reading(deployment: Deployment, scope: Scope) -> None:
    """Draw how far the scope's document is read; the page runs anew at the end. Where it could not be read,
    say why, and offer to begin with the next file."""
    document = scope.document_processing
    if not is_finished(document):
        follow_document(deployment, scope.id)
        return
    if document:
        draw_document_progress(document, datetime.now(UTC))
    if not (others := read_others()):
        return
    write_button(
        deployment,
        "Begin with the next quote",
        name=f"begin-with-{others[0]}",
        what="Reading the next quote",
        write=lambda client, key: _begin(client, others, key),
        on_success=lambda begun: _put_in_address(*begun),
        icon=":material/skip_next:",
    )


def _begin(client: ScopedClient, files: Sequence[str], idempotency_key: str) -> tuple[str, list[str]]:
    """Begin to read the first of stored files; return its scope and the others."""
    first, *others = files
    address = client.files.address(first)
    return client.scopes.from_document(address, idempotency_key=idempotency_key).scope_id, others


def create_requirement(client: ScopedClient, body: NewRequirement, idempotency_key: str) -> Requirement:
    """Create it, and add the quotes whose files are in the address."""
    made = client.requirements.create(body, idempotency_key=idempotency_key)
    for place, file_id in enumerate(read_others()):
        quote = NewSourcingQuote(file_id=file_id)
        client.requirements.add_quote(made.id, quote, idempotency_key=f"{idempotency_key}-{place}")
    return made


def compare_at_once(deployment: Deployment, scope_id: str, on_created: Callable[[Requirement], None]) -> None:
    """Take the scope as it is where other quotes wait for it that were dropped in this session. If that
    fails, say why: the form that follows states what is needed instead, and takes the others too."""
    name = f"compare-{scope_id}"
    if not read_others() or DROPPED_TOGETHER.get() != scope_id:
        return
    if not write_failure(name).is_set:
        body = NewRequirement(scope_id=scope_id)
        with st.spinner("Comparing the quotes …"):
            made = perform_write(
                deployment,
                name,
                "Comparing the quotes",
                lambda client, key: create_requirement(client, body, key),
            )
        if made is not None:
            on_created(made)
    draw_write_failure(name)


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
            reading = queries.load_document_reading(deployment, scope.id)
        except NotFound:
            pass
        else:
            return [_make_scope_row(describe_line(line), read_quantity(line, None)) for line in reading.lines]
    return [_make_scope_row(term.product_name or "", None) for term in scope.product_terms]


def _make_scope_row(description: str, quantity: Decimal | None) -> Row:
    number = None if quantity is None else float(quantity)
    return {DESCRIPTION: description, QUANTITY: number, UNIT: None, MUST_HAVE: True}


DESCRIPTION, QUANTITY, UNIT, MUST_HAVE = "Description", "Quantity", "Unit", "Must have"
BLANK_ROWS: Sequence[Row] = [{DESCRIPTION: "", QUANTITY: None, UNIT: "", MUST_HAVE: True}] * 3
LINE_COLUMNS: Columns = {
    DESCRIPTION: st.column_config.TextColumn(width="large", max_chars=2_000),
    QUANTITY: st.column_config.NumberColumn(min_value=0, format="localized"),
    UNIT: st.column_config.TextColumn(max_chars=100, help="Such as seats, months or kg."),
    MUST_HAVE: st.column_config.CheckboxColumn(
        default=True, help="A line without it may stay open in an award."
    ),
}
_NAME = Field("name", mark_required("Name"), "Give it a name.")
_NEEDED_BY = Field("neededBy", "Needed by")
_DISCOUNT = Field(
    "discountRate",
    "Discount rate",
    help="Per cent a year, for what later payments are worth today. Without it, amounts alone count.",
)


def make_requirement_form(
    deployment: Deployment, read_rows: Callable[[], Sequence[Row]], scope_id: str | None = None
) -> Form[NewRequirement]:
    """Return the form of a new requirement; `read_rows` gives its lines, without blank ones. The prices of
    the scope that it began with become its first quote."""

    def check(_: Fields) -> Mapping[str, str]:
        filled = [(place, row) for place, row in enumerate(read_rows()) if _is_filled(row)]
        wrong = [(place, fault) for place, row in filled if (fault := _find_row_fault(row))]
        if not filled:
            return {"lines": "Enter at least one line: what is needed, and how many."}
        return {"lines": join_row_faults(wrong)} if wrong else {}

    def shape(values: Fields) -> dict[str, Any]:
        return {
            **values,
            "scopeId": scope_id,
            "currency": str(values["currency"]).upper(),
        }

    return Form(
        deployment,
        f"requirement-{scope_id or 'new'}",
        NewRequirement,
        (
            _NAME,
            Field(
                "currency",
                mark_required("Currency to compare in"),
                "Enter the currency in which quotes are compared, such as USD.",
                placeholder="USD",
                most=3,
            ),
            Field(
                "termMonths",
                mark_required("Months of the term"),
                "Enter for how many months it is needed; 1 for what is bought once.",
            ),
            _NEEDED_BY,
            _DISCOUNT,
        ),
        shape=shape,
        check_fields=check,
        places={"lines": "lines"},
        tables=lambda: {"lines": [_make_needed_line(row) for row in read_rows() if _is_filled(row)]},
    )


def draw_requirement_change(deployment: Deployment, requirement: Requirement) -> None:
    """Draw the form that changes what leaves the lines as they are. Needs `PATCH /v1/requirements/{}`."""
    rate = requirement.discount_rate
    form = Form(
        deployment,
        f"change-{requirement.id}",
        RequirementChange,
        (_NAME, _NEEDED_BY, _DISCOUNT),
        record={
            "name": requirement.name,
            "neededBy": requirement.needed_by,
            "discountRate": None if rate is None else float(rate),
        },
        changes="requirement",
    )
    form.draw(columns=3)
    st.caption("Lines, currency and term stay as they are: quotes were matched with them.")
    form.draw_button(
        "Save the changes",
        send=lambda client, change, _: client.requirements.update(requirement.id, change),
        what="Saving the changes",
        icon=":material/save:",
    )


def _is_filled(row: Row) -> bool:
    return bool(get_text(row, DESCRIPTION) or get_text(row, UNIT) or row.get(QUANTITY) is not None)


def _find_row_fault(row: Row) -> str | None:
    if not get_text(row, DESCRIPTION):
        return "say what is needed."
    quantity = get_cell_number(row, QUANTITY)
    return None if quantity is not None and quantity > 0 else "enter how many, more than 0."


def _make_needed_line(row: Row) -> dict[str, Any]:
    unit = get_text(row, UNIT)
    return {
        "description": get_text(row, DESCRIPTION),
        "quantity": get_cell_number(row, QUANTITY),
        "mustHave": row.get(MUST_HAVE) is not False,
        **({"unit": unit} if unit else {}),
    }
