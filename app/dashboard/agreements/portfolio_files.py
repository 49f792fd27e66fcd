"""Agreements against the market, and spend, as files for a spreadsheet: exactly what is filtered."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from app.contract.agreement_market import AgreementMarket
from app.contract.spend import SpendGroup
from app.dashboard.spreadsheets import Cell, Table


def make_market_rows(agreements: Iterable[AgreementMarket]) -> Table:
    """Return a row for each line of each agreement. Amounts of the agreement are in its first row alone, so
    that a sum counts them once."""
    return [row for one in agreements for row in _make_rows(one)]


def _make_rows(one: AgreementMarket) -> list[dict[str, Cell]]:
    converted = one.saving_converted
    whole: dict[str, Cell] = {
        "Contract": one.name,
        "Supplier": one.supplier_name,
        "Last day to act": one.act_by.isoformat() if one.act_by else None,
        "Currency": one.currency,
        "Price": _number(one.amount),
        "Compared in %": _number(one.compared),
        "Possible saving": _number(one.saving),
        "Converted saving": _number(converted.amount) if converted else None,
        "Converted into": converted.currency if converted else None,
        "Rate": _number(converted.rate) if converted else None,
        "Rate of": converted.rate_day.isoformat() if converted else None,
        "If nobody acts": _number(one.renewal.amount),
        "Why": one.renewal.statement,
        "Priced at": one.priced_at.isoformat() if one.priced_at else None,
    }
    named = {name: whole[name] for name in ("Contract", "Supplier", "Currency")}
    lines: list[dict[str, Cell]] = [
        {
            "Line": line.description,
            "Line price": _number(line.amount),
            "Line median": _number(line.median),
            "Line saving": _number(line.saving),
            "Purchases": line.purchases,
            "Latest purchase": line.newest.isoformat() if line.newest else None,
            "Rests on": line.statement,
        }
        for line in one.lines
    ]
    return [{**(named if at else whole), **line} for at, line in enumerate(lines)] or [whole]


def make_spend_rows(groups: Sequence[SpendGroup], name: str) -> Table:
    """Return a row for each group; `name` is what they are grouped by."""
    return [
        {
            name: one.name,
            "Currency": one.currency,
            "Contracts": one.agreements,
            "Recurring": float(one.recurring),
            "Of that assumed": float(one.assumed),
            "One-time": float(one.one_time),
        }
        for one in groups
    ]


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)
