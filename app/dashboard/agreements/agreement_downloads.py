"""Buttons that download the agreements of a list, exactly those that are filtered."""

from functools import partial

import streamlit as st

from app.client import FileContent, ScopedClient
from app.contract.agreements import AgreementQuery
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.spreadsheets import CSV, XLSX

_FILES = {
    "CSV": ("csv", CSV, "A row for each line. An import reads it back."),
    "XLSX": ("xlsx", XLSX, "The same table as a workbook."),
    "OCDS": ("ocds.json", "application/json", "Releases of the Open Contracting Data Standard 1.1."),
}


def draw_agreement_downloads(deployment: Deployment, query: AgreementQuery) -> None:
    """Draw a button for each kind of file that the deployment writes. One is written when it is pressed."""
    offered = {
        name: file
        for name, file in _FILES.items()
        if queries.has_operation(deployment, f"GET /v1/agreements.{file[0]}")
    }
    with st.container(horizontal=True):
        for name, (suffix, media_type, explanation) in offered.items():
            st.download_button(
                f"Download ({name})",
                partial(_load, deployment, suffix, query),
                f"agreements.{suffix}",
                media_type,
                key=f"agreements-download-{name.lower()}",
                icon=":material/download:",
                help=explanation,
                on_click="ignore",
            )


def _load(deployment: Deployment, suffix: str, query: AgreementQuery) -> bytes:
    return _ask(queries.client_for(deployment), suffix, query).content


def _ask(client: ScopedClient, suffix: str, query: AgreementQuery) -> FileContent:
    if suffix == "csv":
        return client.agreements.export_csv(**query)
    if suffix == "xlsx":
        return client.agreements.export_xlsx(**query)
    return client.agreements.export_ocds(**query)
