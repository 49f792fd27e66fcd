"""The forms of a requirement, and a new one: from quotes that are dropped together, with the lines of a quote
that was read (`?from=`), or line by line.

Of quotes that are dropped together the first is read into a scope, whose lines say what is needed; the others
wait as files in the address until there is a requirement that they answer.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from app.client import ScopedClient
from app.contract.scope import Scope
from app.contract.sourcing import MAX_QUOTES, NewRequirement, NewSourcingQuote, Requirement, RequirementChange
from app.dashboard.api import queries
from app.dashboard.api.write_button import draw_write_failure, perform_write, write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import Form
from app.dashboard.scopes.dropped_quotes import follow_document
from app.dashboard.scopes.scope_listing import draw_scope_choice
from app.dashboard.session_values import DROPPED_TOGETHER, write_failure
from app.dashboard.sourcing.quote_addition import store_file
from app.dashboard.sourcing.quote_correction import QUANTITY
from components.documents.document_review import draw_document_progress, is_finished
from components.documents.review_form import is_credit, state_need
from components.elements.form_fields import Field, Fields, draw_quotes_upload, mark_required
from components.elements.line_table import LineColumn, LineTable, make_rows
from components.formatting import format_count

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
        icon="upload_file",
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
        icon="skip_next",
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
    lines = BLANK_LINES
    with failure_panel("What to begin with"):
        _draw_first_choice(deployment)
        if scope_id:
            scope = queries.load_scope(deployment, scope_id)
            if not is_read(scope):
                draw_reading(deployment, scope)
                return
            compare_at_once(deployment, scope_id, on_created)
            lines = _load_lines(deployment, scope) or BLANK_LINES
            _draw_shortcut(deployment, scope_id, len(lines), on_created)
    with st.expander("State what is needed, line by line", expanded=scope_id is not None):
        _draw_form(deployment, scope_id, lines, on_created)


def _draw_form(
    deployment: Deployment,
    scope_id: str | None,
    lines: Sequence[Mapping[str, Any]],
    on_created: Callable[[Requirement], None],
) -> None:
    key = f"requirement-{scope_id or 'new'}/lines"
    table = LineTable(key, "What is needed, line by line", LINE_COLUMNS, make_rows(LINE_COLUMNS, lines))
    form = make_requirement_form(deployment, table, scope_id)
    form.draw(columns=2)
    st.markdown("**What is needed** *")
    table.draw(form.faults.get("lines"))
    st.caption("Rows are added at the end, and pasted from a spreadsheet.")
    form.draw_button(
        "New comparison",
        send=create_requirement,
        what="Stating the requirement",
        on_success=on_created,
        icon="check",
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
        icon="bolt",
    )


def _draw_first_choice(deployment: Deployment) -> None:
    if queries.has_operation(deployment, "POST /v1/scope/from-document"):
        draw_quotes_together(deployment)
    with st.expander("Begin with a quote that was read", expanded=False):
        draw_scope_choice(deployment, "requirement-scope", SCOPE)


def _load_lines(deployment: Deployment, scope: Scope) -> list[Mapping[str, Any]]:
    """Return the lines of a scope's quote, else its products. What is not known is left open."""
    if reading := queries.find_document_reading(deployment, scope.id):
        needed = [line for line in reading.lines if not is_credit(line)]
        named = {line.product_id for line in needed if line.product_id}
        products = queries.load_known_products(deployment, named)
        return [state_need(line, products.get(line.product_id or "")) for line in needed]
    return [{"description": term.product_name, "mustHave": True} for term in scope.product_terms]


LINE_COLUMNS = (
    LineColumn("description", "Description", width="large", most=2_000, fault="say what is needed."),
    QUANTITY,
    LineColumn("unit", "Unit", most=100, help="Such as seats, months or kg."),
    LineColumn(
        "mustHave", "Must have", "flag", default=True, help="A line without it may stay open in an award."
    ),
)
BLANK_LINES: Sequence[Mapping[str, Any]] = [{"mustHave": True}] * 3
_NAME = Field("name", mark_required("Name"), "Give it a name.")
_NEEDED_BY = Field("neededBy", "Needed by")
_DISCOUNT = Field(
    "discountRate",
    "Discount rate",
    help="Per cent a year, for what later payments are worth today. Without it, amounts alone count.",
)


def make_requirement_form(
    deployment: Deployment, table: LineTable, scope_id: str | None = None
) -> Form[NewRequirement]:
    """Return the form of a new requirement, with the `table` of its lines. The prices of the scope that it
    began with become its first quote."""

    def check(_: Fields) -> Mapping[str, str]:
        if not table.read_rows():
            return {"lines": "Enter at least one line: what is needed, and how many."}
        return table.find_faults()

    def shape(values: Fields) -> dict[str, Any]:
        return {**values, "scopeId": scope_id, "currency": str(values["currency"]).upper()}

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
        tables=lambda: {"lines": table.read_lines()},
    )


def draw_requirement_change(deployment: Deployment, requirement: Requirement) -> None:
    """Draw the form that changes what leaves the lines as they are. Needs `PATCH /v1/requirements/{}`."""
    form = Form(
        deployment,
        f"change-{requirement.id}",
        RequirementChange,
        (_NAME, _NEEDED_BY, _DISCOUNT),
        record=requirement.model_dump(by_alias=True),
        changes="requirement",
    )
    form.draw(columns=3)
    st.caption("Lines, currency and term stay as they are: quotes were matched with them.")
    form.draw_button(
        "Save the changes",
        send=lambda client, change, _: client.requirements.update(requirement.id, change),
        what="Saving the changes",
        icon="save",
    )
