"""Levers: facts that help to get a better price, each with the number of purchases that show it; and by when
notice must be given where a contract renews by itself. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Any

from app.contract.dates import format_day
from app.contract.money import format_exact_money
from app.contract.pricing import MIN_PURCHASES
from app.contract.strategy import LeverKind
from app.service.agreements.dates.notice import find_deadline, parse_read_period
from app.service.agreements.dates.statement import describe_period
from app.service.agreements.dates.working_days import WorkingDays
from app.service.charges.charge import convert_price
from app.service.charges.months import MONTHS_PER_YEAR
from app.service.negotiation.market import (
    LONG_TERM_MONTHS,
    PriceEffect,
    PurchaseStats,
    UnitPriceRange,
    find_next_year_end,
)
from app.service.scopes.quote import QuoteClauses, ScopeQuote
from app.service.stored_record import OMITTED, StoredRecord

NEAR_YEAR_END_DAYS = 60
MIN_EFFECT = 0.01
"""An effect below one per cent is not worth a lever."""


@dataclass(frozen=True, slots=True)
class StrategyLever(StoredRecord):
    """One lever. `statement` is one or two sentences; `purchases` counts those that show it, 0 for a fact
    read in a document or on record of the supplier. `tightens` says that it applies now and speaks for a
    lower price. `worth` is what it may save, a total before tax, and `basis` a sentence on how that was
    calculated."""

    kind: LeverKind
    statement: str
    purchases: int
    tightens: bool = False
    worth: Annotated[Decimal | None, OMITTED] = None
    basis: Annotated[str | None, OMITTED] = None


@dataclass(frozen=True, slots=True)
class PriceAtStake:
    """The price that a lever is applied to: a total before tax for `months`; `name` says what it is. `quote`
    is the document behind it, whose lines say what recurs."""

    amount: Decimal
    currency: str
    name: str
    months: int | None = None
    quote: ScopeQuote | None = None

    def take_percent(self, percent: int) -> Decimal:
        return (self.amount * percent / 100).quantize(Decimal(1), ROUND_HALF_UP)

    @property
    def is_long_term(self) -> bool:
        """Whether it is for a long term already, so that it is not for asking for one that it gets lower."""
        return self.months is not None and self.months >= LONG_TERM_MONTHS

    @property
    def yearly_recurring(self) -> Decimal | None:
        """What recurs in a year; None for an unknown term."""
        if not self.months:
            return None
        once = sum(
            (
                line.amount or Decimal(0)
                for line in (self.quote.lines if self.quote else ())
                if line.recurring is False
            ),
            Decimal(0),
        )
        return convert_price(max(self.amount - once, Decimal(0)), self.months, MONTHS_PER_YEAR)


def find_levers(
    purchases: PurchaseStats,
    competitors: Sequence[UnitPriceRange],
    *,
    fiscal_year_end: str | None,
    clauses: QuoteClauses,
    today: date,
    price: PriceAtStake | None = None,
    end_date: date | None = None,
    days: WorkingDays | None = None,
) -> list[StrategyLever]:
    """Return every lever that applies. `purchases` are the supplier's, `competitors` the price ranges of its
    competitors, `fiscal_year_end` is `--MM-DD`, `clauses` are those read in the document, `price` is what is
    at stake, `end_date` the last day of the term, `days` are the buyer's working days."""
    levers = [
        lever
        for lever in (
            _effect_lever(
                "volume", purchases.volume_effect(), "Large orders cost {} per unit than small ones.", price
            ),
            _effect_lever(
                "longer_term",
                None if price is not None and price.is_long_term else purchases.long_term_effect(),
                "Terms of two years or more cost {} than terms of a year or less.",
                price,
            ),
            _effect_lever(
                "payment_up_front",
                purchases.prepayment_effect(),
                "Annual payment costs {} than monthly payment.",
                price,
            ),
            _year_end_lever(purchases, fiscal_year_end, today, price),
        )
        if lever is not None
    ]
    own = purchases.unit_range()
    levers += [_competitor_lever(one, own) for one in competitors if one.purchase_count >= MIN_PURCHASES]
    return levers + _clause_levers(clauses, price, end_date, days)


def _effect_lever(
    kind: LeverKind, effect: PriceEffect | None, sentence: str, price: PriceAtStake | None
) -> StrategyLever | None:
    if effect is None or effect.ratio > 1 - MIN_EFFECT:
        return None
    statement = sentence.format(f"{_round_percent(effect)} % less")
    return StrategyLever(kind, statement, effect.purchase_count, **_effect_worth(effect, price))


def _effect_worth(effect: PriceEffect, price: PriceAtStake | None) -> dict[str, Any]:
    """Return what an effect is worth in money, and how that was calculated."""
    if price is None:
        return {}
    percent = _round_percent(effect)
    return {
        "worth": price.take_percent(percent),
        "basis": f"{percent} % of {price.name} of"
        f" {format_exact_money(price.take_percent(100), price.currency)}, if you get what others got.",
    }


def _year_end_lever(
    purchases: PurchaseStats, fiscal_year_end: str | None, today: date, price: PriceAtStake | None
) -> StrategyLever | None:
    if fiscal_year_end is None:
        return None
    day = find_next_year_end(fiscal_year_end, today)
    if day is None:
        return None
    effect = purchases.year_end_effect(fiscal_year_end)
    near = (day - today).days <= NEAR_YEAR_END_DAYS
    when = f"The supplier's fiscal year ends on {format_day(day)}."
    if effect is None or effect.ratio > 1 - MIN_EFFECT:
        return (
            StrategyLever("fiscal_year_end", when, effect.purchase_count if effect else 0) if near else None
        )
    saved = f"Purchases in the last two months of the fiscal year cost {_round_percent(effect)} % less."
    return StrategyLever(
        "fiscal_year_end",
        f"{saved} {when}",
        effect.purchase_count,
        tightens=near,
        **_effect_worth(effect, price),
    )


def _competitor_lever(competitor: UnitPriceRange, own: UnitPriceRange | None) -> StrategyLever:
    cheaper = (
        own is not None
        and own.is_comparable(competitor)
        and own.purchase_count >= MIN_PURCHASES
        and competitor.median < own.median * (1 - MIN_EFFECT)
    )
    return StrategyLever(
        "competitor",
        f"{competitor.name} sells at {competitor.describe_prices()}"
        + (", with a lower median than this supplier." if cheaper else "."),
        competitor.purchase_count,
        tightens=cheaper,
    )


def _clause_levers(
    clauses: QuoteClauses, price: PriceAtStake | None, end_date: date | None, days: WorkingDays | None
) -> list[StrategyLever]:
    levers: list[StrategyLever] = []
    if clauses.uplift_percent is not None:
        uplift = clauses.uplift_percent.normalize()
        levers.append(_uplift_lever(uplift, price, is_cap=clauses.uplift_is_cap))
    if clauses.auto_renew:
        yearly = price.yearly_recurring if price else None
        worth: dict[str, Any] = {}
        if price is not None and yearly:
            worth = {
                "worth": yearly.quantize(Decimal(1), ROUND_HALF_UP),
                "basis": "The cost of another year if nobody gives notice: the recurring part of"
                f" {price.name} for 12 months.",
            }
        statement = describe_automatic_renewal(clauses, end_date, days)
        levers.append(StrategyLever("auto_renewal", statement, 0, **worth))
    return levers


def _uplift_lever(percent: Decimal, price: PriceAtStake | None, *, is_cap: bool) -> StrategyLever:
    """A rise costs its share of one year of the recurring price; a cap limits a rise to that."""
    worth: dict[str, Any] = {}
    yearly = price.yearly_recurring if price else None
    if price is not None and yearly:
        how = "At most, the" if is_cap else "The"
        worth = {
            "worth": (yearly * percent / 100).quantize(Decimal(1), ROUND_HALF_UP),
            "basis": f"{how} increase in the first year after renewal: {percent:f} % of"
            f" {format_exact_money(yearly.quantize(Decimal(1), ROUND_HALF_UP), price.currency)},"
            f" the recurring part of {price.name} for 12 months.",
        }
    if is_cap:
        statement = f"The contract caps the increase at renewal at {percent:f} %. That protects you: keep it."
        return StrategyLever("uplift_cap", statement, 0, **worth)
    return StrategyLever("uplift", f"The contract raises the price by {percent:f} % at renewal.", 0, **worth)


def _round_percent(effect: PriceEffect) -> int:
    """Return by how many per cent the price is lower, as it is said and counted."""
    return max(round(100 * (1 - effect.ratio)), 1)


def describe_automatic_renewal(
    clauses: QuoteClauses, end_date: date | None = None, days: WorkingDays | None = None
) -> str:
    """Say that the contract renews, and by when notice is due as far as that is known. `end_date` is the last
    day of the term; without the unit of the notice period no day is named. It is a working day, as in the
    agreement that is made of it."""
    renews = "The contract renews automatically"
    if clauses.notice_days is None:
        return f"{renews}."
    period = parse_read_period(clauses.notice_days, clauses.notice_unit)
    if period is None:
        return (
            f"{renews}; a notice period of {clauses.notice_days} days was read, but not whether the document"
            " counts it in days or in months."
        )
    before = f"{describe_period(period.value, period.unit)} before the end"
    if end_date is None:
        return f"{renews}; notice is due {before}."
    deadline = find_deadline(end_date, period, 0, days or WorkingDays())
    moved = "" if deadline.day == deadline.agreed else ", moved back to a working day"
    return f"{renews}; notice is due by {format_day(deadline.day)}, {before}{moved}."
