"""Prices of agreements on record: computed in the background when an agreement has changed, the estimator has
learnt or a week has passed, and read in the order in which most can be saved."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from math import log
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.contract.agreement_market import ConvertedSaving, MarketQuery, MarketSum
from app.contract.page import PageRequest
from app.service.agreements.dates.position import Position
from app.service.agreements.market.line_pricing import AgreementPrices
from app.service.agreements.store import load_agreements
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.database.dialect import upsert
from app.service.database.rows import count_rows
from app.service.database.tables import agreement, agreement_market, calibration, exchange_rate
from app.service.database.visibility import EVERYBODY, counted, owned_by
from app.service.pricing.rates.exchange import ExchangeRates
from app.service.pricing.wire import round_to_step
from app.service.values.folding import fold_text
from app.service.values.rounding import round_to_cents

VALID_FOR = timedelta(days=7)
"""Purchases grow older every day: after so long a price is computed anew."""
HALVING_DAYS = 180
"""What can be saved counts half as much for each so many days until somebody must act."""
NO_DEADLINE_DAYS = 365
"""As if so far away, where nobody knows by when to act, or it was missed for this term."""
NOTHING_TO_SAVE, NOT_CONVERTED = 1e9, 1e8


class MarketRow(NamedTuple):
    """An agreement with its stored prices: `content` has the wire form of what was computed."""

    agreement: StoredAgreement
    content: Any
    priced_at: datetime


def is_outdated(now: datetime) -> ColumnElement[bool]:
    """The condition of agreements to be priced, joined to their prices: not yet, before they or what their
    prices follow from changed, before the estimator learnt last or exchange rates of the deployment came, or
    a week ago. Those that have ended are not priced."""
    learnt_at = sa.select(sa.func.max(calibration.c.made_at)).scalar_subquery()
    rates_at = sa.select(sa.func.max(exchange_rate.c.imported_at)).where(owned_by(exchange_rate.c, EVERYBODY))
    priced_at = agreement_market.c.priced_at
    return sa.and_(
        agreement.c.past.is_(sa.false()),
        sa.or_(
            priced_at.is_(None),
            priced_at < agreement.c.updated_at,
            agreement_market.c.price_changes != agreement.c.price_changes,
            priced_at < now - VALID_FOR,
            priced_at < learnt_at,
            priced_at < rates_at.scalar_subquery(),
        ),
    )


JOINED = agreement.outerjoin(agreement_market, agreement_market.c.agreement_id == agreement.c.id)


_BY_SUPPLIER = (agreement.c.company_id, agreement.c.id)


def find_outdated(connection: Connection, organisation_id: str, now: datetime, most: int) -> Sequence[str]:
    """Return ids of agreements to be priced, those with a supplier next to each other."""
    query = sa.select(agreement.c.id).select_from(JOINED)
    owned = owned_by(agreement.c, organisation_id)
    return connection.scalars(query.where(owned, is_outdated(now)).order_by(*_BY_SUPPLIER).limit(most)).all()


def build_row(
    one: StoredAgreement,
    position: Position,
    prices: AgreementPrices,
    converted: ConvertedSaving | None,
    now: datetime,
) -> dict[str, Any]:
    """Return the row of `agreement_market` with the prices of an agreement and its place in the order."""
    own = prices.saving is not None and converted is None
    content = {
        "lines": [line.wire() for line in prices.lines],
        "certainty": prices.certainty,
        "compared": prices.compared,
        "amount": prices.amount,
        "estimate": prices.estimate,
        "saving": prices.saving,
        "savingConverted": converted.wire() if converted is not None else None,
        "nextStep": prices.next_step.wire() if prices.next_step is not None else None,
    }
    saving = prices.saving if own else converted.amount if converted is not None else None
    return {
        "agreement_id": one.id,
        "organisation_id": one.organisation_id,
        "currency": one.agreed.currency,
        "amount": float(prices.amount or 0),
        "saving": float(prices.saving or 0),
        "rank": compute_rank(saving, prices, position, now.date()),
        "content": {name: _plain(value) for name, value in content.items() if value is not None},
        "priced_at": now,
        "price_changes": one.price_changes,
    }


def save_rows(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store rows of `build_row`, without those of agreements that were deleted meanwhile."""
    ids = [row["agreement_id"] for row in rows]
    present = set(connection.scalars(sa.select(agreement.c.id).where(agreement.c.id.in_(ids))))
    if left := [row for row in rows if row["agreement_id"] in present]:
        upsert(connection, agreement_market, left)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def compute_rank(
    saving: Decimal | float | None, prices: AgreementPrices, position: Position, today: date
) -> float:
    """Return the place in the order, the smallest first: what can be saved, times the share that was
    compared, halved for each half-year until somebody must act. Counted from a fixed day, so that it stays
    the same while days pass."""
    if not prices.saving:
        return NOTHING_TO_SAVE
    if saving is None:
        return NOT_CONVERTED
    act_by = position.act_by
    if position.status == "deadline_missed" or act_by is None or act_by < today:
        act_by = today + timedelta(days=NO_DEADLINE_DAYS)
    return act_by.toordinal() / HALVING_DAYS - log(float(saving) * float(prices.compared), 2)


def convert_saving(
    saving: Decimal | None, currency: str | None, into: str, rates: ExchangeRates, today: date
) -> ConvertedSaving | None:
    """Return a saving in another currency; None for the same one, and without a rate."""
    if saving is None or currency is None or currency == into:
        return None
    day = rates.rate_day(currency, into, today)
    if day is None:
        return None
    rate = rates.factor(currency, into, today)
    amount = round_to_cents(saving * Decimal(repr(rate)))
    return ConvertedSaving(amount=amount, currency=into, rate=Decimal(repr(round(rate, 8))), rate_day=day)


def list_market(
    connection: Connection, organisation_id: str, query: MarketQuery, page: PageRequest
) -> tuple[list[MarketRow], list[MarketSum]]:
    """Return one page of the priced agreements in their order, and the sums of all that match by currency."""
    conditions = _build_conditions(organisation_id, query)
    prices = agreement_market.c
    joined = agreement_market.join(agreement, agreement.c.id == prices.agreement_id)
    totals = (prices.currency, sa.func.count(), sa.func.sum(prices.amount), sa.func.sum(prices.saving))
    sums = connection.execute(
        sa.select(*totals).select_from(joined).where(*conditions).group_by(prices.currency)
    )
    chosen = connection.execute(
        sa.select(prices.agreement_id, prices.content, prices.priced_at)
        .select_from(joined)
        .where(*conditions)
        .order_by(prices.rank, prices.agreement_id)
        .limit(page.limit)
        .offset(page.offset)
    ).all()
    loaded = load_agreements(connection, [row.agreement_id for row in chosen])
    rows = [
        MarketRow(loaded[row.agreement_id], row.content, row.priced_at)
        for row in chosen
        if row.agreement_id in loaded
    ]
    found = [
        MarketSum(
            currency=currency or "",
            agreements=agreements,
            amount=round_to_step(amount, "0.01"),
            saving=round_to_step(saving, "0.01"),
        )
        for currency, agreements, amount, saving in sums
    ]
    return rows, sorted(found, key=lambda one: (-one.agreements, one.currency))


def count_waiting(connection: Connection, organisation_id: str, now: datetime) -> int:
    """Count the agreements that are to be priced."""
    return count_rows(connection, JOINED, counted(agreement.c, organisation_id), is_outdated(now))


def _build_conditions(organisation_id: str, query: MarketQuery) -> list[ColumnElement[bool]]:
    conditions = [
        owned_by(agreement_market.c, organisation_id),
        # Amounts in a former currency say nothing until they are priced again.
        agreement_market.c.currency.is_not_distinct_from(agreement.c.currency),
        agreement.c.past.is_(sa.false()),
        # Of one that another follows the price is agreed already.
        agreement.c.next_agreement_id.is_(None),
    ]
    if part := fold_text(query.get("name") or ""):
        conditions.append(agreement.c.search_text.contains(part, autoescape=True))
    if company_id := query.get("company_id"):
        conditions.append(agreement.c.company_id == company_id)
    agreement_id = query.get("agreement_id")
    is_asked_for = agreement.c.id == agreement_id
    conditions.append(is_asked_for if agreement_id else counted(agreement.c, organisation_id))
    saving = query.get("saving")
    if saving is not None:
        something = agreement_market.c.rank < NOTHING_TO_SAVE
        conditions.append(something if saving else ~something)
    return conditions
