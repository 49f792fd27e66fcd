"""The progress of reading a document."""

from datetime import datetime, timedelta

import streamlit as st

from app.contract.scope import DocumentProcessing
from components.formatting.datetimes import format_duration
from components.formatting.escape_markdown import escape_markdown

FINAL_STATUSES = frozenset({"completed", "failed"})
_PROGRESS = {"pending": 0.1, "processing": 0.55, "completed": 1.0}
_SLOW_AFTER = timedelta(minutes=2)


def is_finished(document: DocumentProcessing | None) -> bool:
    """Return whether reading has ended. A scope without a document is finished from the start."""
    return document is None or document.status in FINAL_STATUSES


def draw_document_progress(document: DocumentProcessing, now: datetime) -> None:
    """Draw a bar while the document is being read, and the reason where reading failed."""
    name = escape_markdown(document.filename)
    if document.status == "failed":
        why = escape_markdown(document.error or "The service gave no reason.")
        st.error(
            f"**{name} could not be read.** {why}  \nUpload another file of this quote, or describe the "
            "purchase in a form.",
            icon=":material/error:",
        )
    elif document.status == "completed":
        st.success(f"{name} was read.", icon=":material/task_alt:")
    else:
        state = "waiting to be read" if document.status == "pending" else "is being read"
        st.progress(_PROGRESS.get(document.status, 0.3), text=f"{name} {state}…")
        waited = now - document.updated_at if document.updated_at else timedelta()
        if waited > _SLOW_AFTER:
            st.caption(
                f"No progress for {format_duration(waited)}. The worker may be busy or stopped: "
                "see the System status page."
            )
