"""Estimates as files: spreadsheets and reports."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

import streamlit as st

from app.client import ApiError
from app.contract.pricing import PERCENTILES, AdvancedEstimate
from app.contract.scope import Scope
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.comparison import describe_edition
from app.dashboard.estimates.scope_estimates import (
    find_explanation,
    load_changed_estimate,
    parse_quote,
)
from app.dashboard.session_values import LeftOut, left_out_purchases, typed_quotes
from app.dashboard.spreadsheets import CSV, XLSX, Cell, Table, write_csv, write_xlsx
from components.estimates.evidence_report import HTML, Evidence, render_evidence_report

EstimatedScope = tuple[Scope, AdvancedEstimate]


@dataclass(frozen=True)
class EstimateFiles:
    """Made when somebody asks for them, not at each run of the page."""

    csv: Callable[[], bytes]
    xlsx: Callable[[], bytes]


def prepare_files(priced: Sequence[EstimatedScope], quotes: Mapping[str, float | None]) -> EstimateFiles:
    """CSV holds the estimates, XLSX a second sheet with the similar purchases. `quotes` are by scope, as they
    are when a file is asked for."""

    def estimates() -> list[dict[str, Cell]]:
        return [_estimate_row(scope, one, quotes.get(scope.id)) for scope, one in priced]

    def sheets() -> dict[str, Table]:
        purchases = [row for scope, one in priced for row in _purchase_rows(scope, one)]
        return {"Estimates": estimates(), "Similar purchases": purchases}

    return EstimateFiles(lambda: write_csv(estimates()), lambda: write_xlsx(sheets()))


def _estimate_row(scope: Scope, estimate: AdvancedEstimate, quote: float | None) -> dict[str, Cell]:
    terms = scope.scope_terms[0] if scope.scope_terms else None
    return {
        "Scope": scope.id,
        "Products": ", ".join(term.product_name for term in scope.product_terms),
        "Term in months": float(terms.term_length) if terms else None,
        "Kind": terms.purchase_type if terms else None,
        "Currency": estimate.currency,
        "Quote": quote,
        **{f"P{percent}": float(estimate.estimate.at(percent)) for percent in PERCENTILES},
        "Products without an estimate": sum(part.status != "success" for part in estimate.product_estimates),
    }


def _purchase_rows(scope: Scope, estimate: AdvancedEstimate) -> list[dict[str, Cell]]:
    return [
        {
            "Scope": scope.id,
            "Purchase": purchase.id,
            "Bought": purchase.start_date,
            "Products": ", ".join(purchase.product_names),
            "Unit": purchase.primary_dimension_name,
            "Quantity": _number(purchase.primary_dimension_value),
            "Term in months": _number(purchase.term_months),
            "Price": _number(purchase.negotiated_price),
            "Currency": estimate.currency,
            "Similarity in %": _number(purchase.similarity_rate),
        }
        for purchase in estimate.real_similar_purchases
    ]


def _number(value: Decimal) -> float:
    return float(value)


def draw_downloads(deployment: Deployment, priced_scopes: Sequence[EstimatedScope]) -> None:
    """Draw the buttons. A file is made when it is asked for, outside of the session, with the quotes as they
    are then: hence the dictionary that the session writes to."""
    quotes = typed_quotes()

    left_out = left_out_purchases()

    def render_report() -> bytes:
        cases = [
            _load_evidence(
                deployment,
                scope,
                estimate,
                parse_quote(quotes.get(scope.id)),
                left_out.get(scope.id, LeftOut()),
            )
            for scope, estimate in priced_scopes
        ]
        return render_evidence_report(cases, datetime.now(UTC))

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


def _load_evidence(
    deployment: Deployment, scope: Scope, estimate: AdvancedEstimate, quote: Decimal | None, left_out: LeftOut
) -> Evidence:
    changed = None
    if left_out.purchase_ids:
        with suppress(ApiError):
            changed = load_changed_estimate(deployment, scope, leave_out=left_out.purchase_ids)
    suppliers: dict[str, None] = {}
    for term in scope.product_terms:
        with suppress(ApiError):
            suppliers[queries.load_product(deployment, term.product_id).company.name] = None
    return Evidence(
        scope,
        estimate,
        quote,
        find_explanation(deployment, scope, quote),
        supplier=", ".join(suppliers),
        editions=[describe_edition(deployment, term) for term in scope.product_terms],
        left_out_ids=left_out.purchase_ids,
        left_out_reason=left_out.reason,
        estimate_without=changed if isinstance(changed, AdvancedEstimate) else None,
    )
