"""Correct or remove a quote of a requirement."""

from collections.abc import Sequence
from zlib import crc32

import streamlit as st

from app.client import ScopedClient
from app.contract.sourcing import Requirement, SourcingQuote
from app.contract.sourcing_changes import RemovedQuote, SourcingQuoteChange
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import form_button
from app.dashboard.record_change import begin_change, end_change
from app.dashboard.session_values import SessionValue, form_faults
from app.dashboard.sourcing.quote_correction_validation import validate_correction
from components.formatting.escape_markdown import escape_markdown
from components.formatting.shortening import shorten_text
from components.sourcing.quote_correction_form import (
    draw_correction_form,
    read_correction_form,
    read_values,
)
from components.sourcing.quote_form import FIELDS

CHANGE_OPERATION = "PATCH /v1/requirements/{}/quotes/{}"
REMOVE_OPERATION = "DELETE /v1/requirements/{}/quotes/{}"
CORRECTABLE = ("ready", "needs_review")
CHOSEN = SessionValue[str | None]("correct-quote", None)
_LONGEST_NAME = 60


def draw_quote_correction(
    deployment: Deployment, requirement: Requirement, quotes: Sequence[SourcingQuote]
) -> None:
    """Draw the choice of a quote, its form and its removal, as far as the deployment has them."""
    can_change = queries.has_operation(deployment, CHANGE_OPERATION)
    can_remove = queries.has_operation(deployment, REMOVE_OPERATION)
    if not can_change and not can_remove:
        return
    names = {
        one.id: f"{number}. {shorten_text(' '.join(one.supplier_name.split()), _LONGEST_NAME)}"
        for number, one in enumerate(quotes, 1)
    }
    if CHOSEN.get() not in names:
        CHOSEN.pop()
    chosen = st.selectbox(
        "Correct or remove a quote",
        list(names),
        index=None,
        format_func=lambda ident: names[ident],
        key=CHOSEN.key,
        placeholder="Choose a quote",
        width=420,
    )
    quote = next((one for one in quotes if one.id == chosen), None)
    if quote is None:
        return
    with st.container(border=True, key="quote-correction"):
        award = requirement.award
        if award is not None and any(part.quote_id == quote.id for part in award.quotes):
            st.caption("It was awarded lines of this requirement, so it stays as it was decided on.")
            return
        if can_change and quote.status in CORRECTABLE:
            _draw_form(deployment, requirement, quote)
        if can_remove:
            _draw_removal(deployment, requirement, quote)


def _draw_form(deployment: Deployment, requirement: Requirement, quote: SourcingQuote) -> None:
    # Another form behind each change of the lines: a table of them cannot be filled again.
    lines = "".join(line.model_dump_json() for line in quote.lines)
    form = f"correct-{quote.id}-{crc32(lines.encode())}"
    faults = form_faults(form).get()
    begun = begin_change(form, quote, values_of=read_values, what="quote")

    def send(client: ScopedClient, change: SourcingQuoteChange, _: str) -> SourcingQuote:
        return client.requirements.update_quote(requirement.id, quote.id, change)

    def finish(_: SourcingQuote) -> None:
        end_change(form, FIELDS)
        st.toast("The quote was corrected.", icon=":material/check:")

    draw_correction_form(begun, key=form, faults=faults)
    if faults.get(""):
        st.caption(faults[""])
    form_button(
        deployment,
        "Save the corrections",
        form=form,
        check=lambda: validate_correction(*read_correction_form(begun, key=form), begun),
        send=send,
        what="Correcting the quote",
        on_success=finish,
        icon=":material/save:",
        operation=CHANGE_OPERATION,
    )


def _draw_removal(deployment: Deployment, requirement: Requirement, quote: SourcingQuote) -> None:
    def remove(client: ScopedClient, _: str) -> RemovedQuote:
        return client.requirements.remove_quote(requirement.id, quote.id)

    def finish(_: RemovedQuote) -> None:
        st.toast("The quote was removed.", icon=":material/check:")

    with st.popover("Remove this quote", icon=":material/delete:", key="remove-quote"):
        scope = " The quote that it was read into stays." if quote.scope_id else ""
        st.markdown(
            f"Remove the quote of {escape_markdown(quote.supplier_name)} for good?{scope} Scenarios that were"
            " solved with it will say so."
        )
        write_button(
            deployment,
            "Remove for good",
            name=f"remove-quote-{quote.id}",
            operation=REMOVE_OPERATION,
            what="Removing the quote",
            write=remove,
            on_success=finish,
            type="primary",
        )
