"""An organisation's spend and savings in a year, and what is open now. Sample data is never added to real
figures."""

from collections.abc import Collection, Iterable
from datetime import date
from decimal import Decimal

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.overview import DEADLINE_DAYS, AgreedSum, OpenSum, SpentSum
from app.contract.page import PageRequest
from app.service.agreements.action import find_amount_due
from app.service.agreements.listing import list_renewals
from app.service.agreements.working_calendar import load_working_days
from app.service.charges.charge import MONTHS_PER
from app.service.database.tables import company, product, purchase, purchase_with_product
from app.service.database.visibility import owned_by
from app.service.negotiation.agreed_prices import AgreedNegotiationRow, load_counted_negotiations
from app.service.negotiation.store import load_negotiations_under_way, load_offers
from app.service.values.rounding import round_to_cents

MOST_DUE = 1_000
"""Of how many agreements what is due is added up."""


def load_agreed_sums(connection: Connection, organisation_id: str, since: date) -> list[AgreedSum]:
    """Sum the prices agreed since then, by currency, those of the sample data apart."""
    agreements = [
        one for one in load_counted_negotiations(connection, organisation_id) if one.signed_at.date() >= since
    ]
    groups: dict[tuple[bool, str], list[AgreedNegotiationRow]] = {}
    for one in agreements:
        groups.setdefault((one.sample, one.currency), []).append(one)
    return [_sum_agreements(*key, group) for key, group in sorted(groups.items())]


def _sum_agreements(is_sample: bool, currency: str, group: Iterable[AgreedNegotiationRow]) -> AgreedSum:
    agreements = list(group)
    savings = [one.savings for one in agreements if one.savings is not None]
    return AgreedSum(
        currency=currency,
        sample=is_sample,
        agreements=len(agreements),
        agreed=sum((one.amount for one in agreements), Decimal(0)),
        measured=len(savings),
        baseline=sum((one.baseline for one in savings), Decimal(0)),
        saved=sum((one.saved for one in savings), Decimal(0)),
    )


def load_spent_sums(connection: Connection, organisation_id: str, since: date) -> list[SpentSum]:
    """Sum the organisation's own purchases since then, for their whole terms, by currency."""
    months = sa.case(MONTHS_PER, value=purchase.c.price_period)
    periods = sa.func.coalesce(sa.cast(purchase.c.term_months, sa.Double) / months, 1.0)
    amount = sa.func.sum(purchase.c.unit_price * purchase.c.quantity * periods)
    rows = connection.execute(
        sa.select(
            purchase.c.currency,
            sa.func.count().label("purchases"),
            sa.func.count(company.c.id.distinct()).label("suppliers"),
            amount.label("amount"),
            sa.func.count()
            .filter(months.is_not(None), purchase.c.term_months.is_(None))
            .label("without_term"),
        )
        .select_from(purchase_with_product.join(company, company.c.id == product.c.company_id))
        .where(
            owned_by(purchase.c, organisation_id),
            purchase.c.purchase_date >= since,
            company.c.sample.is_(sa.false()),
        )
        .group_by(purchase.c.currency)
        .order_by(purchase.c.currency)
    )
    return [SpentSum.build_from(row, amount=round_to_cents(Decimal(repr(float(row.amount))))) for row in rows]


def load_sums_at_stake(connection: Connection, organisation_id: str) -> list[OpenSum]:
    """Sum what would be paid if the negotiations under way ended now, by currency."""
    return _sum_open(load_amounts_at_stake(connection, organisation_id).values())


def load_amounts_at_stake(
    connection: Connection, organisation_id: str, negotiation_ids: Collection[str] | None = None
) -> dict[str, tuple[str | None, Decimal | None]]:
    """Return what would be paid if each negotiation under way ended now: the currency and the amount of the
    latest offer, else of the target, by the id of the negotiation; of those alone where ids are given."""
    rows = load_negotiations_under_way(connection, organisation_id, negotiation_ids)
    offers = load_offers(connection, [row.id for row in rows])
    amounts: dict[str, tuple[str | None, Decimal | None]] = {}
    for row in rows:
        quoted = offers.get(row.id)
        target = row.strategy.target.amount if row.strategy else None
        amounts[row.id] = row.currency, quoted[-1].amount if quoted else target
    return amounts


def load_sums_due(connection: Connection, organisation_id: str, today: date) -> list[OpenSum]:
    """Sum what the agreements to act on soon cost if nobody acts, by currency."""
    days = load_working_days(connection, organisation_id)
    page = PageRequest(MOST_DUE)
    found = list_renewals(connection, organisation_id, DEADLINE_DAYS, today, days, page).agreements
    return _sum_open(
        (one.agreement.agreed.currency, find_amount_due(one.agreement, one.position, today)) for one in found
    )


def _sum_open(amounts: Iterable[tuple[str | None, Decimal | None]]) -> list[OpenSum]:
    """Sum amounts by currency. What has an amount without a currency has none that can be told."""
    groups: dict[str | None, list[Decimal | None]] = {}
    for currency, amount in amounts:
        groups.setdefault(currency, []).append(None if currency is None else amount)
    return [
        OpenSum(
            currency=currency,
            records=len(group),
            amount=sum((one for one in group if one is not None), Decimal(0)),
            unpriced=group.count(None),
        )
        for currency, group in sorted(groups.items(), key=lambda one: one[0] or "~")
    ]
