"""The tab by which a reader reports what happened outside the service: an event, a correction, a file."""

from datetime import datetime

import streamlit as st

from app.client import ScopedClient
from app.contract.negotiation import AttachedFile, NegotiationSummary, Timeline
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm
from app.dashboard.negotiations.external_updates import MakeUpdate
from app.dashboard.negotiations.offers import list_valid_offers
from app.dashboard.negotiations.reporting import report_button
from app.dashboard.negotiations.strategy_editing import draw_offer_corrections
from app.dashboard.negotiations.update_validation import validate_update
from app.dashboard.session_values import form_faults, is_form_saved, upload_count
from components.elements.document_upload import draw_document_upload
from components.formatting.datetimes import get_reader_zone
from components.negotiations.negotiation_state import FINAL_STATES
from components.negotiations.update_form import clear_update_form, draw_update_form, read_update_form


def name_update_form(negotiation_id: str) -> str:
    """Return the name of the form. Each negotiation has its own: what was typed for one supplier must not
    stand in the form of another."""
    return f"update-{negotiation_id}"


def clear_saved_update_form(negotiation_id: str) -> None:
    """Empty the form if its content is on record. To be called before anything is drawn."""
    form = name_update_form(negotiation_id)
    if is_form_saved(form).pop():
        clear_update_form(key=form)


def draw_update_reports(
    deployment: Deployment, negotiation: NegotiationSummary, timeline: Timeline | None, currency: str
) -> None:
    if negotiation.status in FINAL_STATES:
        _draw_closed(deployment, negotiation)
        return
    event, file = st.columns([3, 2], gap="large")
    with event:
        st.markdown("**An offer, a message or the outcome**")
        known_currency = timeline.currency if timeline else None
        _draw_update_form(deployment, negotiation.id, currency, known_currency or "")
        if timeline:
            draw_offer_corrections(deployment, negotiation.id, list_valid_offers(timeline.entries), currency)
    with file:
        st.markdown("**A file, such as a new quote**")
        _draw_attachment(deployment, negotiation.id)


def _draw_closed(deployment: Deployment, negotiation: NegotiationSummary) -> None:
    if negotiation.status != "complete":
        st.caption("This negotiation was cancelled; no more updates can be logged.")
        return
    st.caption(
        "This negotiation is complete: what was agreed, saved and put on record as a purchase rests on its "
        "offers as they stand. If one of them was wrong, start a new negotiation and record them there."
    )
    if queries.has_operation(deployment, "POST /v1/negotiation/start"):
        query = {"scope": negotiation.scope.id} if negotiation.scope.id else {"about": "A supplier"}
        navigation.draw_link("negotiations", "Start a new negotiation", icon=":material/handshake:", **query)


@st.fragment
def _draw_update_form(
    deployment: Deployment, negotiation_id: str, currency: str, known_currency: str
) -> None:
    """Draw the form. `currency` is proposed, `known_currency` the one that the negotiation is in."""
    form = name_update_form(negotiation_id)

    def check() -> CheckedForm[MakeUpdate]:
        kind, typed = read_update_form(key=form)
        return validate_update(kind, typed, known_currency, datetime.now(get_reader_zone()))

    draw_update_form(currency, key=form, faults=form_faults(form).get())
    report_button(
        deployment,
        negotiation_id,
        "Save",
        form=form,
        check=check,
        what="The update",
        success="Saved.",
        type="primary",
    )


def _draw_attachment(deployment: Deployment, negotiation_id: str) -> None:
    uploader = f"file-{negotiation_id}"
    uploads = upload_count(uploader)
    file = draw_document_upload("File", key=f"{uploader}-{uploads.get()}")

    def attach(client: ScopedClient, idempotency_key: str) -> AttachedFile:
        assert file is not None
        return client.negotiations.attach_upload(
            negotiation_id,
            file.getvalue(),
            filename=file.name,
            mime_type=file.type,
            idempotency_key=idempotency_key,
        )

    def empty_uploader(_: AttachedFile) -> None:
        uploads.set(uploads.get() + 1)
        st.toast(
            "Attached. A quote in it becomes an offer once it has been read.", icon=":material/attach_file:"
        )

    write_button(
        deployment,
        "Attach the file",
        name=f"attach-{file.file_id if file else ''}",
        what="Attaching the file",
        write=attach,
        on_success=empty_uploader,
        icon=":material/attach_file:",
        disabled=file is None,
    )
