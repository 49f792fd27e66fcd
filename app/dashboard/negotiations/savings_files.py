"""The savings report as files: what is shown, and in a workbook all of it."""

from collections.abc import Sequence
from datetime import UTC
from decimal import Decimal

from app.contract.savings import AgreedNegotiation, SavingsReport, SavingsSum
from app.dashboard.spreadsheets import Cell, Table, as_csv, as_xlsx
from components.savings.savings_measures import BASELINE_NAMES, get_saving


def sums_as_csv(sums: Sequence[SavingsSum], group: str) -> bytes:
    """One grouping, as it is shown."""
    return as_csv(_sums(sums, group))


def as_workbook(report: SavingsReport) -> bytes:
    """A sheet for each grouping and one with every agreement, in all currencies."""
    sheets: dict[str, Table] = {
        "By supplier": _sums(report.by_supplier, "Supplier"),
        "By month": _sums(report.by_month, "Month"),
        "By category": _sums(report.by_category, "Category"),
        "Agreements": [_agreement(one) for one in report.negotiations],
    }
    return as_xlsx(sheets)


def _sums(sums: Sequence[SavingsSum], group: str) -> list[dict[str, Cell]]:
    return [
        {
            group: one.name,
            "Currency": one.currency,
            "Agreements": one.negotiations,
            "Quoted": float(one.baseline),
            "Target": _number(one.target),
            "Agreed": float(one.agreed),
            "Saved": float(one.savings),
            "Saved in %": _number(one.savings_rate),
        }
        for one in sums
    ]


def _agreement(one: AgreedNegotiation) -> dict[str, Cell]:
    return {
        "Negotiation": one.negotiation_id,
        "Supplier": one.supplier,
        "Category": one.category,
        "Agreed on": f"{one.agreed_at.astimezone(UTC):%Y-%m-%d}" if one.agreed_at else None,
        "Currency": one.currency,
        "Measured against": one.against,
        "Quoted": _number(one.baseline),
        "Target": _number(one.target),
        "Agreed": float(one.agreed),
        "Saved": _number(one.savings),
        "Saved in %": _number(one.savings_rate),
        **{
            f"Saved against {label}": _number(get_saving(one.measures, name))
            for name, label in BASELINE_NAMES.items()
        },
        "Purchases behind the estimate": one.purchases,
    }


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
