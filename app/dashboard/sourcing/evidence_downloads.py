"""Buttons that download the evidence of a requirement."""

from functools import partial

import streamlit as st

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.spreadsheets import XLSX

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
