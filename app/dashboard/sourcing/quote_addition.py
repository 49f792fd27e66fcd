"""Quotes of a requirement: dropped as files, entered by hand, and their evidence as files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import streamlit as st

from app.client import ScopedClient
from app.contract.sourcing import MAX_QUOTES, NewSourcingQuote, Requirement, RequirementLine, SourcingQuote
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import Form
from app.dashboard.scopes.scope_listing import draw_scope_choice, name_scope
from app.dashboard.session_values import upload_count
from app.dashboard.sourcing.quote_correction import (
    EXTRA_COLUMNS,
    PLACES,
    PRICE_COLUMNS,
    TERM_FIELDS,
    TEXT,
    check_terms,
    draw_quote_correction,
    shape_terms,
    state_tax,
)
from app.dashboard.spreadsheets import XLSX, draw_offered_downloads
from components.elements.empty_state import draw_empty_state
from components.elements.form_fields import Fields, draw_quotes_upload
from components.elements.line_table import LineColumn, LineTable, make_rows
from components.elements.page_header import draw_heading
from components.formatting import escape_markdown, format_count, shorten_file_name
from components.sourcing.requirements import draw_quote_list, label_lines


def make_quote_table(key: str, lines: Sequence[RequirementLine]) -> LineTable:
    """Return the table of a quote by hand, with a row for each line of the requirement: one without a price
    is a gap."""
    labels = label_lines(lines)
    price, *others = PRICE_COLUMNS
    columns = (
        LineColumn(
            "requirementLineId",
            "Line",
            words=labels,
            width="medium",
            help="Which line it answers. Without it, it is found by what was quoted.",
        ),
        replace(price, help="Rows without a price are not quoted."),
        *others,
        replace(TEXT, help="The supplier's own words; those of the line where it is left out."),
        *EXTRA_COLUMNS,
        LineColumn(
            "alternate",
            "Alternate",
            "flag",
            help="Another way to answer the line, which is not compared with the others.",
        ),
    )
    asked = [
        {"requirementLineId": line.id, "quantity": line.quantity, "unit": line.unit, "alternate": False}
        for line in lines
    ]

    def check(line: Mapping[str, Any]) -> str:
        is_named = line["requirementLineId"] or line["description"]
        return "" if is_named else "say what is quoted, or choose the line that it answers."

    own = ("unitPrice", "description", "breaks", "bundleId")
    rows = make_rows(columns, asked)
    return LineTable(key, "What the quote asks, line by line", columns, rows, own, check)


def make_quote_form(
    deployment: Deployment, key: str, lines: Sequence[RequirementLine], currency: str, table: LineTable
) -> Form[NewSourcingQuote]:
    """Return the form of a quote by hand, with the `table` of its prices."""
    descriptions = {line.id: line.description for line in lines}

    def check(values: Fields) -> dict[str, str]:
        nothing = {} if table.read_rows() else {"lines": "Enter at least one price."}
        return check_terms(values) | nothing | table.find_faults()

    def shape_line(line: dict[str, Any]) -> dict[str, Any]:
        answered = descriptions.get(line.get("requirementLineId", ""), "")
        return {"description": answered, **state_tax(line)}

    return Form(
        deployment,
        key,
        NewSourcingQuote,
        TERM_FIELDS,
        shape=shape_terms,
        check_fields=check,
        places=PLACES,
        tables=lambda: {"lines": [shape_line(line) for line in table.read_lines()]},
        record={"currency": currency},
    )


SCOPE = "scope"
"""The scope whose quote is to be added, in the address."""


def draw_quotes(deployment: Deployment, requirement: Requirement) -> None:
    """Draw the quotes and the ways to add one. Needs `GET /v1/requirements/{}/quotes`."""
    quotes = queries.load_quotes(deployment, requirement.id)
    can_add = queries.has_operation(deployment, "POST /v1/requirements/{}/quotes")
    if quotes:
        draw_quote_list(quotes, datetime.now(UTC).date())
        draw_quote_correction(deployment, requirement, quotes)
    else:
        draw_empty_state(
            "No quotes yet",
            "Drop one, take one that was read, or enter it by hand." if can_add else "Nobody has added one.",
            "request_quote",
        )
    follow_reading(deployment, requirement.id)
    if not can_add:
        return
    if len(quotes) >= MAX_QUOTES:
        st.caption(f"A requirement has {MAX_QUOTES} quotes at most.")
        return
    draw_heading("Drop suppliers' quotes")
    draw_quote_files(deployment, requirement)
    draw_heading("Take a quote that was read")
    with failure_panel("The quotes to choose from"):
        _draw_addition_from_scope(deployment, requirement, {one.scope_id for one in quotes if one.scope_id})
    draw_heading("Enter a quote by hand")
    # A new form behind each quote, so that it begins empty.
    key = f"quote-{requirement.id}-{requirement.quote_count}"
    table = make_quote_table(f"{key}/lines", requirement.lines)
    form = make_quote_form(deployment, key, requirement.lines, requirement.currency, table)
    form.draw(columns=4)
    st.markdown("**What it asks** *")
    table.draw(form.faults.get("lines"))
    form.draw_button(
        "Add the quote",
        send=lambda client, body, key: client.requirements.add_quote(
            requirement.id, body, idempotency_key=key
        ),
        what="Adding the quote",
        icon="add",
    )


def _draw_addition_from_scope(deployment: Deployment, requirement: Requirement, taken: set[str]) -> None:
    draw_scope_choice(deployment, "quote-scope", SCOPE, taken=taken)
    scope_id = st.query_params.get(SCOPE)
    if not scope_id or scope_id in taken:
        return
    scope = queries.load_scope(deployment, scope_id)
    navigation.draw_link_with_note(
        "scope", name_scope(scope), "its confirmed lines are added", icon="description", id=scope_id
    )
    body = NewSourcingQuote(scope_id=scope_id)
    write_button(
        deployment,
        "Add its quote",
        name=f"quote-of-{scope_id}",
        what="Adding the quote",
        write=lambda client, key: client.requirements.add_quote(requirement.id, body, idempotency_key=key),
        on_success=lambda _: st.query_params.pop(SCOPE, None),
        icon="add",
        type="primary",
    )


if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

REFRESH_SECONDS = 1.0
READING = "reading"


def draw_quote_files(deployment: Deployment, requirement: Requirement) -> None:
    """Draw the upload of quotes, whose reading begins with the click."""
    room = MAX_QUOTES - requirement.quote_count
    uploads = upload_count(f"quotes-of-{requirement.id}")
    files = draw_quotes_upload("Quotes", room, key=f"requirement-files-{uploads.get()}")

    def send(client: ScopedClient, key: str) -> list[SourcingQuote]:
        return [
            client.requirements.add_quote(
                requirement.id,
                NewSourcingQuote(file_id=store_file(client, file, f"{key}-{place}-file")),
                idempotency_key=f"{key}-{place}",
            )
            for place, file in enumerate(files)
        ]

    write_button(
        deployment,
        f"Read {format_count(len(files), 'quote')}" if files else "Read the quotes",
        name=f"files-{'-'.join(file.file_id for file in files)}",
        what="Uploading",
        write=send,
        on_success=lambda _: uploads.set(uploads.get() + 1),
        icon="upload_file",
        type="primary",
        disabled=not files or len(files) > room,
        help=None if files else "Choose a file first",
    )
    if len(files) > room:
        st.caption(f"There is room for {format_count(room, 'more quote')}: take out some files.")


def follow_reading(deployment: Deployment, requirement_id: str) -> None:
    """Draw the quotes of a requirement that are being read, until each is there."""
    if reading := list_reading(queries.load_quotes(deployment, requirement_id)):
        _follow_reading(deployment, requirement_id, [one.id for one in reading])


@st.fragment(run_every=REFRESH_SECONDS)
def _follow_reading(deployment: Deployment, requirement_id: str, reading: Sequence[str]) -> None:
    """Draw the quotes that are being read, and the whole page anew once one of `reading`, those that the page
    shows as such, is there."""
    with failure_panel("Following the quotes"):
        queries.load_quotes.clear()
        quotes = list_reading(queries.load_quotes(deployment, requirement_id))
        if [one.id for one in quotes] == list(reading):
            for one in quotes:
                name = escape_markdown(shorten_file_name(one.supplier_name))
                st.markdown(f":material/hourglass_top: {name} is being read…")
            return
        for read in queries.SOURCING_READS:
            read.clear()
        st.rerun()


def list_reading(quotes: Sequence[SourcingQuote]) -> list[SourcingQuote]:
    """Return the quotes whose documents are being read."""
    return [one for one in quotes if one.status == READING]


def store_file(client: ScopedClient, file: "UploadedFile", idempotency_key: str) -> str:
    """Upload a dropped file and return its id."""
    content = file.getvalue()
    return client.files.upload(
        content, filename=file.name, mime_type=file.type, idempotency_key=idempotency_key
    ).id


_FILES = {
    "xlsx": ("Evidence (XLSX)", XLSX, "Quotes, table, scenarios and decision. Amounts are formulas."),
    "pdf": ("Evidence (PDF)", "application/pdf", "The same as a document to print and to file."),
    "html": ("Evidence (HTML)", "text/html", "The same as a page that prints."),
}


def draw_evidence_downloads(deployment: Deployment, requirement_id: str) -> None:
    """Draw a button for each kind of document that the deployment makes."""

    def load(kind: str) -> bytes:
        requirements = queries.client_for(deployment).requirements
        loads = {
            "xlsx": requirements.evidence_xlsx,
            "pdf": requirements.evidence_pdf,
            "html": requirements.evidence_html,
        }
        return loads[kind](requirement_id).content

    draw_offered_downloads(deployment, "GET /v1/requirements/{}/evidence", _FILES, load, key="evidence")
