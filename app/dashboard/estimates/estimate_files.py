"""Estimates side by side, and the purchases behind them, as files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.contract.pricing import PERCENTILES, AdvancedEstimate
from app.contract.scope import Scope
from app.dashboard.spreadsheets import Cell, Table, write_csv, write_xlsx

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
