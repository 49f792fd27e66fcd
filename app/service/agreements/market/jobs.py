"""Pricing of agreements in the background."""

from datetime import timedelta

import sqlalchemy as sa

from app.service.agreements.market.line_pricing import price_agreements
from app.service.agreements.market.market_prices import (
    JOINED,
    build_row,
    convert_saving,
    find_outdated,
    is_outdated,
    save_rows,
)
from app.service.agreements.store import load_agreements
from app.service.agreements.working_calendar import load_working_days
from app.service.background.subprocess_job import run_with_own_context
from app.service.context import Context
from app.service.database.rows import batched
from app.service.database.tables import agreement
from app.service.pricing.rates.store import load_rates
from app.service.purchases.agreement_lines import request_prices

BATCH = 20_000
"""Agreements that are priced in one turn: those on the same products share what is read of them."""
MAX_IN_PROCESS = 20
"""Agreements that a worker prices beside its other work."""
_SAVED_AT_ONCE = 500


def price_outdated(context: Context, organisation_id: str) -> None:
    """The task `agreement_lines.MARKET_TASK`: price what has changed of an organisation. Where that is more
    than one turn, the rest is asked for again, behind what others wait for."""
    with context.database.reading() as connection:
        count = len(find_outdated(connection, organisation_id, context.clock(), MAX_IN_PROCESS + 1))
    if count <= MAX_IN_PROCESS:
        price_some(context, organisation_id)
    else:
        run_with_own_context(context, price_some, organisation_id)


def price_some(context: Context, organisation_id: str, most: int = BATCH) -> int:
    """Price some of the agreements that are to be, and ask for the rest. Return how many were priced. One
    that changes meanwhile is priced again: the prices are as of the moment before they were read."""
    now = context.clock()
    with context.database.reading() as connection:
        ids = find_outdated(connection, organisation_id, now, most + 1)
        found = list(load_agreements(connection, ids[:most]).values())
        days = load_working_days(connection, organisation_id)
        rates = load_rates(connection, organisation_id)
    prices = price_agreements(context.database, organisation_id, found, now.date())
    into = context.settings.currency
    for some in batched(found, _SAVED_AT_ONCE):
        rows = [
            build_row(
                one,
                one.dates.find_position(now.date(), days),
                prices[one.id],
                convert_saving(prices[one.id].saving, one.agreed.currency, into, rates, now.date()),
                now,
            )
            for one in some
        ]
        with context.database.writing() as connection:
            save_rows(connection, rows)
    if len(ids) > most:
        with context.database.writing() as connection:
            request_prices(connection, organisation_id, context.clock(), timedelta())
    return len(found)


def request_outdated(context: Context) -> None:
    """Ask for the prices of every organisation that has agreements to be priced."""
    now = context.clock()
    with context.database.reading() as connection:
        query = sa.select(agreement.c.organisation_id).select_from(JOINED).where(is_outdated(now)).distinct()
        organisations = connection.scalars(query).all()
    for organisation_id in organisations:
        with context.database.writing() as connection:
            request_prices(connection, organisation_id, now)
