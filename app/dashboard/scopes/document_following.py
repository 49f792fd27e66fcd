"""How far the reading of a scope's document is, until it is over."""

from datetime import UTC, datetime

import streamlit as st

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.documents.document_progress import draw_document_progress, is_finished

REFRESH_SECONDS = 1.0


@st.fragment(run_every=REFRESH_SECONDS)
def follow_document(deployment: Deployment, scope_id: str) -> None:
    """Draw how far the reading of the document is, and the whole page anew once it is over."""
    finished = False
    with failure_panel("Following the document"):
        queries.load_scope.clear()
        document = queries.load_scope(deployment, scope_id).document_processing
        if document:
            draw_document_progress(document, datetime.now(UTC))
        finished = is_finished(document)
    if finished:
        queries.load_scopes.clear()
        st.rerun()
