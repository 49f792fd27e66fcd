"""Documents, participants and letters of a negotiation."""

from collections.abc import Callable, Sequence
from datetime import tzinfo

import streamlit as st

from app.contract.negotiation import NegotiationDocument, NegotiationMail, NegotiationParticipant
from components.elements.table import draw_table
from components.formatting.datetimes import format_local_time
from components.formatting.escape_markdown import escape_markdown

_READING_STATES = {"pending": "is being read", "completed": "read", "failed": "could not be read"}
_MAIL_STYLES = {
    "draft": (":material/draft: ready to send", "orange"),
    "queued": (":material/outbox: waiting for the mail server", "blue"),
    "sent": (":material/mark_email_read: sent", "green"),
    "failed": (":material/error: could not be sent", "red"),
}


def draw_documents(documents: Sequence[NegotiationDocument], zone: tzinfo, *, key: str) -> None:
    """Draw the files with the progress of reading each."""
    if not documents:
        st.caption("No files yet.")
        return
    draw_table(
        [
            {
                "File": document.filename,
                "State": _READING_STATES.get(document.status, document.status),
                "Added": format_local_time(document.created_at, zone),
            }
            for document in documents
        ],
        key=key,
        alt="Files of the negotiation",
        columns={name: st.column_config.TextColumn() for name in ("File", "State", "Added")},
    )


def draw_participants(people: Sequence[NegotiationParticipant]) -> None:
    """Draw who takes part besides the buyer."""
    for person in people:
        role = f", {escape_markdown(person.role)}" if person.role else ""
        st.markdown(f"- {escape_markdown(person.name)}{role}: {escape_markdown(person.email)}")


def draw_mails(
    mails: Sequence[NegotiationMail], zone: tzinfo, *, draw_sent_button: Callable[[NegotiationMail], object]
) -> None:
    """Draw the letters to the supplier, newest first. A draft can be copied; `draw_sent_button` draws the
    button to confirm that it was sent."""
    if not mails:
        st.caption("No letters yet.")
    for mail in reversed(mails):
        word, colour = _MAIL_STYLES.get(mail.status, (mail.status, "gray"))
        is_unsent = mail.status in {"draft", "failed"}
        with st.expander(f"{escape_markdown(mail.subject)} :{colour}[{word}]", expanded=is_unsent):
            to = f"To {escape_markdown(mail.recipient)}, " if mail.recipient else ""
            st.caption(f"{to}{format_local_time(mail.sent_at or mail.created_at, zone)}")
            if mail.error:
                st.error(escape_markdown(mail.error), icon=":material/error:")
            st.code(f"{mail.subject}\n\n{mail.body}", language=None, wrap_lines=True)
            if is_unsent:
                draw_sent_button(mail)
