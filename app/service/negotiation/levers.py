"""Levers: facts that help to get a better price, each with the number of purchases behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from app.service.negotiation.deals import FEWEST, Deals, Effect, PriceRange

LeverKind = Literal[
    "volume", "longer_term", "payment_up_front", "fiscal_year_end", "competitor", "uplift", "auto_renewal"
]

NAMES: Mapping[LeverKind, str] = {
    "volume": "volume",
    "longer_term": "a longer term",
    "payment_up_front": "payment up front",
    "fiscal_year_end": "the supplier's fiscal year end",
    "competitor": "a competitor's price",
    "uplift": "the uplift clause",
    "auto_renewal": "the renewal clause",
}

NEAR_YEAR_END_DAYS = 60
NOTABLE = 0.01
"""An effect below one per cent is no fact worth a lever."""


@dataclass(frozen=True, slots=True)
class Lever:
    """`statement` is one or two sentences; `purchases` the number behind it, 0 for a fact that was read in a
    document. `tightens` says that it applies now and moves the target."""

    kind: LeverKind
    statement: str
    purchases: int
    tightens: bool = False

    @property
    def name(self) -> str:
        return NAMES[self.kind]

    def record(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "statement": self.statement,
            "purchases": self.purchases,
            "tightens": self.tightens,
        }


def levers_of(
    deals: Deals,
    competitors: Sequence[PriceRange],
    *,
    fiscal_year_end: str | None,
    clauses: Mapping[str, Any],
    today: date,
) -> list[Lever]:
    """Every lever that is a fact. `deals` are the supplier's, `competitors` the ranges of those that compete,
    `fiscal_year_end` is `--MM-DD`, `clauses` are those seen in the document."""
    levers = [
        lever
        for lever in (
            _effect("volume", deals.volume(), "Large orders paid {} per unit than small ones."),
            _effect("longer_term", deals.longer_term(), "Terms of two years and more paid {} than one year."),
            _effect(
                "payment_up_front", deals.paid_up_front(), "Payment by the year paid {} than by the month."
            ),
            _year_end(deals, fiscal_year_end, today),
        )
        if lever is not None
    ]
    own = deals.unit_range()
    levers += [_competitor(one, own) for one in competitors if one.purchases >= FEWEST]
    return levers + _clauses(clauses)


def _effect(kind: LeverKind, effect: Effect | None, sentence: str) -> Lever | None:
    if effect is None or effect.ratio > 1 - NOTABLE:
        return None
    return Lever(kind, sentence.format(f"{_per_cent(1 - effect.ratio)} % less"), effect.purchases)


def _year_end(deals: Deals, fiscal_year_end: str | None, today: date) -> Lever | None:
    if fiscal_year_end is None:
        return None
    days = days_until(fiscal_year_end, today)
    if days is None:
        return None
    effect = deals.at_year_end(fiscal_year_end)
    near = days <= NEAR_YEAR_END_DAYS
    when = f"The supplier's fiscal year ends in {days} days." if near else "The fiscal year end is far off."
    if effect is None or effect.ratio > 1 - NOTABLE:
        return Lever("fiscal_year_end", when, effect.purchases if effect else 0) if near else None
    saved = f"Purchases in the last two months of the fiscal year paid {_per_cent(1 - effect.ratio)} % less."
    return Lever("fiscal_year_end", f"{saved} {when}", effect.purchases, tightens=near)


def _competitor(other: PriceRange, own: PriceRange | None) -> Lever:
    per = "a unit and month" if other.recurring else "a unit"
    cheaper = (
        own is not None
        and own.recurring == other.recurring
        and own.purchases >= FEWEST
        and other.middle < own.middle * (1 - NOTABLE)
    )
    return Lever(
        "competitor",
        f"{other.name} sells at {other.low:,.2f} to {other.high:,.2f} {other.currency} for {per}"
        + (", less than this supplier at the middle." if cheaper else "."),
        other.purchases,
        tightens=cheaper,
    )


def _clauses(clauses: Mapping[str, Any]) -> list[Lever]:
    found: list[Lever] = []
    uplift = clauses.get("renewalUpliftPercent")
    if uplift is not None:
        found.append(Lever("uplift", f"The document raises the price by {uplift} % at renewal.", 0))
    if clauses.get("autoRenew"):
        notice = clauses.get("noticeDays")
        tail = f"; notice is due {notice} days before." if notice is not None else "."
        found.append(Lever("auto_renewal", f"The document renews by itself{tail}", 0))
    return found


def days_until(fiscal_year_end: str, today: date) -> int | None:
    """Days from `today` to the next `--MM-DD`; None when that is no date."""
    try:
        month, day = (int(part) for part in fiscal_year_end.removeprefix("--").split("-"))
        at = date(today.year, month, min(day, 28) if month == 2 else day)
        if at < today:
            at = at.replace(year=today.year + 1)
    except ValueError:
        return None
    return (at - today).days


def _per_cent(share: float) -> int:
    return max(round(100 * share), 1)
