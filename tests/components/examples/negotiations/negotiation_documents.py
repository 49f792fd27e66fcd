import streamlit as st

from app.contract.negotiation import NegotiationDocument, NegotiationMail
from components.formatting import escape_markdown
from components.negotiations.negotiation_state import draw_documents, draw_mails
from tests.components.fixtures import NOON, make_id


def example() -> None:
    draw_documents(
        [
            NegotiationDocument(
                id=make_id(1),
                file_id=make_id(2),
                filename="second quote.pdf",
                media_type="application/pdf",
                status="completed",
                created_at=NOON,
            )
        ],
    )
    draw_mails(
        [
            NegotiationMail(
                id=make_id(3),
                status="draft",
                recipient="sales@ledgerworks.example",
                subject="Your quote",
                body="Dear all,\n\nwe would sign at USD 45,100.",
                attempts=0,
                created_at=NOON,
            )
        ],
        draw_sent_button=lambda mail: st.caption(escape_markdown(mail.subject)),
    )
