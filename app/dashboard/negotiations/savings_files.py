"""The savings report as files, and its figures."""

from collections.abc import Sequence
from datetime import UTC
from decimal import Decimal

from app.contract.negotiation import ExecutiveSummary, Figures, NegotiationSummary, Timeline
from app.contract.savings import AgreedNegotiation, SavingsReport, SavingsSum
from app.dashboard.deployment import Deployment
from app.dashboard.negotiations.update_reports import list_valid_offers
from app.dashboard.scopes.scope_creation import find_scope_currency
from app.dashboard.spreadsheets import Cell, Table, write_csv, write_xlsx
from components.savings.savings_report import BASELINE_NAMES, get_saving


def find_currency(deployment: Deployment, negotiation: NegotiationSummary, timeline: Timeline | None) -> str:
    """Return the currency of the timeline, else that of the scope, else ""."""
    if timeline and timeline.currency:
        return timeline.currency
    return find_scope_currency(deployment, negotiation.scope.id) if negotiation.scope.id else ""


def get_latest_figures(summaries: Sequence[ExecutiveSummary]) -> Figures:
    """Return each figure from the newest summary that states it."""
    values: dict[str, object] = {}
    for summary in summaries:
        for name in Figures.model_fields:
            value = getattr(summary.figures, name)
            if value is not None:
                values.setdefault(name, value)
    return Figures.model_validate(values)


def combine_figures(negotiation: NegotiationSummary, timeline: Timeline | None) -> Figures:
    """Return the figures of the summaries, with the quote and the three numbers of the timeline, which are
    newer."""
    figures = get_latest_figures(negotiation.executive_summaries)
    if timeline is None:
        return figures
    offers = list_valid_offers(timeline.entries)
    strategy = timeline.strategy
    positions = {"opening": strategy.opening, "target": strategy.target, "walk_away": strategy.walk_away}
    known = {name: position.amount for name, position in positions.items() if position is not None}
    return figures.model_copy(update={"quoted": offers[-1].amount if offers else None, **known})


def write_sums_csv(sums: Sequence[SavingsSum], group: str) -> bytes:
    """Return the sums of one grouping as CSV, with the columns of the page. `group` is the first column's
    name."""
    return write_csv(_sum_rows(sums, group))


def write_workbook(report: SavingsReport) -> bytes:
    """Return a workbook with a sheet for each grouping and one with every agreed price, in all currencies."""
    sheets: dict[str, Table] = {
        "By supplier": _sum_rows(report.by_supplier, "Supplier"),
        "By month": _sum_rows(report.by_month, "Month"),
        "By category": _sum_rows(report.by_category, "Category"),
        "Agreed prices": [_agreed_price_row(one) for one in report.negotiations],
    }
    return write_xlsx(sheets)


def _sum_rows(sums: Sequence[SavingsSum], group: str) -> list[dict[str, Cell]]:
    return [
        {
            group: one.name,
            "Currency": one.currency,
            "Agreed prices": one.negotiations,
            "Starting price": float(one.baseline),
            "Target": _number(one.target),
            "Agreed": float(one.agreed),
            "Saved": float(one.savings),
            "Saved in %": _number(one.savings_rate),
        }
        for one in sums
    ]


def _agreed_price_row(one: AgreedNegotiation) -> dict[str, Cell]:
    return {
        "Negotiation": one.negotiation_id,
        "Supplier": one.supplier,
        "Category": one.category,
        "Agreed on": f"{one.agreed_at.astimezone(UTC):%Y-%m-%d}" if one.agreed_at else None,
        "Currency": one.currency,
        "Measured against": one.against,
        "Starting price": _number(one.baseline),
        "Target": _number(one.target),
        "Agreed": float(one.agreed),
        "Saved": _number(one.savings),
        "Saved in %": _number(one.savings_rate),
        **{
            f"Saved against {label}": _number(get_saving(one.measures, name))
            for name, label in BASELINE_NAMES.items()
        },
        "Not measured": one.unmeasured,
        "Purchases behind the estimate": one.purchases,
    }


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
