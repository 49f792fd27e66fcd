"""The buttons that download estimates: two tables and a report."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from app.dashboard.deployment import Deployment
from app.dashboard.estimates.estimate_files import EstimatedScope, prepare_files
from app.dashboard.estimates.scope_estimates import find_calibration, find_explanation, parse_quote
from app.dashboard.session_values import typed_quotes
from app.dashboard.spreadsheets import CSV, XLSX
from components.estimates.evidence_report import HTML, Evidence, render_evidence_report


def draw_downloads(deployment: Deployment, priced_scopes: Sequence[EstimatedScope]) -> None:
    """Draw the buttons. A file is made when it is asked for, outside of the session, with the quotes as they
    are then: hence the dictionary that the session writes to."""
    quotes = typed_quotes()

    def render_report() -> bytes:
        cases: list[Evidence] = []
        for scope, estimate in priced_scopes:
            quote = parse_quote(quotes.get(scope.id))
            cases.append(Evidence(scope, estimate, quote, find_explanation(deployment, scope, quote)))
        return render_evidence_report(cases, datetime.now(UTC), find_calibration(deployment))

    def draw_button(
        label: str,
        make: Callable[[], bytes],
        filename: str,
        media_type: str,
        icon: str,
        help: str | None = None,
    ) -> None:
        st.download_button(
            label,
            make,
            filename,
            media_type,
            key=label.lower().replace(" ", "-"),
            icon=f":material/{icon}:",
            on_click="ignore",
            help=help,
        )

    files = prepare_files(priced_scopes, quotes)
    report_help = "The verdict and its evidence on one page, to print."
    with st.container(horizontal=True):
        draw_button("Download CSV", files.csv, "estimates.csv", CSV, "download")
        draw_button("Download XLSX", files.xlsx, "estimates.xlsx", XLSX, "download")
        draw_button("Download evidence report", render_report, "evidence.html", HTML, "print", report_help)
