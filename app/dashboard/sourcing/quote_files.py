"""Quotes and their evidence as files."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from app.client import ScopedClient
from app.contract.sourcing import MAX_QUOTES, NewSourcingQuote, Requirement, SourcingQuote
from app.dashboard.api import queries, sourcing_queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.session_values import upload_count
from app.dashboard.spreadsheets import XLSX
from components.elements.document_upload import draw_quotes_upload
from components.formatting.counts import format_count
from components.sourcing.requirements import draw_quotes_being_read

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
        return [_add_file(client, requirement.id, file, f"{key}-{place}") for place, file in enumerate(files)]

    write_button(
        deployment,
        f"Read {format_count(len(files), 'quote')}" if files else "Read the quotes",
        name=f"files-{'-'.join(file.file_id for file in files)}",
        what="Uploading",
        write=send,
        on_success=lambda _: uploads.set(uploads.get() + 1),
        icon=":material/upload_file:",
        type="primary",
        disabled=not files or len(files) > room,
        help=None if files else "Choose a file first",
    )
    if len(files) > room:
        st.caption(f"There is room for {format_count(room, 'more quote')}: take out some files.")


def follow_reading(deployment: Deployment, requirement_id: str) -> None:
    """Draw the quotes of a requirement that are being read, until each is there."""
    if reading := list_reading(sourcing_queries.load_quotes(deployment, requirement_id)):
        _follow(deployment, requirement_id, [one.id for one in reading])


@st.fragment(run_every=REFRESH_SECONDS)
def _follow(deployment: Deployment, requirement_id: str, reading: Sequence[str]) -> None:
    """Draw the quotes that are being read, and the whole page anew once one of `reading`, those that the page
    shows as such, is there."""
    with failure_panel("Following the quotes"):
        sourcing_queries.load_quotes.clear()
        quotes = list_reading(sourcing_queries.load_quotes(deployment, requirement_id))
        if [one.id for one in quotes] == list(reading):
            draw_quotes_being_read([one.supplier_name for one in quotes])
            return
        for read in sourcing_queries.READS:
            read.clear()
        st.rerun()


def list_reading(quotes: Sequence[SourcingQuote]) -> list[SourcingQuote]:
    """Return the quotes whose documents are being read."""
    return [one for one in quotes if one.status == READING]


def _add_file(
    client: ScopedClient, requirement_id: str, file: "UploadedFile", idempotency_key: str
) -> SourcingQuote:
    body = NewSourcingQuote(file_id=store_file(client, file, f"{idempotency_key}-file"))
    return client.requirements.add_quote(requirement_id, body, idempotency_key=idempotency_key)


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
    """Draw a button for each kind of document that the deployment makes. One is made when it is pressed."""
    for kind, (label, media_type, explanation) in _FILES.items():
        if queries.has_operation(deployment, f"GET /v1/requirements/{{}}/evidence.{kind}"):
            st.download_button(
                label,
                partial(_load, deployment, requirement_id, kind),
                f"evidence.{kind}",
                media_type,
                key=f"evidence-{kind}",
                icon=":material/download:",
                help=explanation,
                on_click="ignore",
            )


def _load(deployment: Deployment, requirement_id: str, kind: str) -> bytes:
    requirements = queries.client_for(deployment).requirements
    loads = {
        "xlsx": requirements.evidence_xlsx,
        "pdf": requirements.evidence_pdf,
        "html": requirements.evidence_html,
    }
    return loads[kind](requirement_id).content
