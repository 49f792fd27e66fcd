"""Pricing of agreements in the background."""

import sqlalchemy as sa

from app.service.agreements.market.line_pricing import price_agreements
from app.service.agreements.market.market_prices import (
    JOINED,
    convert_saving,
    find_outdated,
    is_outdated,
    save_prices,
)
from app.service.agreements.market.requests import request_prices
from app.service.agreements.store import load_agreements
from app.service.agreements.working_calendar import load_working_days
from app.service.background.subprocess_job import run_in_subprocess
from app.service.context import Context, open_context
from app.service.database.tables.agreements import agreement
from app.service.pricing.rates.store import load_rates
from app.settings import Settings

BATCH = 2_000
"""Agreements that are priced in one step: those on the same products share what is read of them."""
MAX_IN_PROCESS = 20
"""Agreements that a worker prices beside its other work."""


def price_outdated(context: Context, organisation_id: str) -> None:
    """The task `requests.MARKET_TASK`: price what has changed of an organisation."""
    with context.database.reading() as connection:
        found = find_outdated(connection, organisation_id, context.clock(), MAX_IN_PROCESS + 1)
    if len(found) <= MAX_IN_PROCESS:
        price_all_outdated(context, organisation_id)
    else:
        run_in_subprocess(_price_in_subprocess, context.settings, organisation_id)


def _price_in_subprocess(settings: Settings, organisation_id: str) -> None:
    context = open_context(settings)
    try:
        price_all_outdated(context, organisation_id)
    finally:
        context.close()


def price_all_outdated(context: Context, organisation_id: str) -> int:
    """Price the agreements that are to be, in steps. Return how many there were."""
    total = 0
    while count := _price_some(context, organisation_id):
        total += count
        if count < BATCH:
            break
    return total


def _price_some(context: Context, organisation_id: str) -> int:
    """Price some agreements. One that changes meanwhile is priced again: the prices are as of the moment
    before they were read."""
    now = context.clock()
    with context.database.reading() as connection:
        ids = find_outdated(connection, organisation_id, now, BATCH)
        found = list(load_agreements(connection, ids).values())
        days = load_working_days(connection, organisation_id)
        prices = price_agreements(connection, organisation_id, found, now.date())
        rates = load_rates(connection, organisation_id)
    into = context.settings.currency
    with context.database.writing() as connection:
        here = set(connection.scalars(sa.select(agreement.c.id).where(agreement.c.id.in_(ids))))
        for one in found:
            if one.id in here:
                priced, position = prices[one.id], one.dates.find_position(now.date(), days)
                converted = convert_saving(priced.saving, one.agreed.currency, into, rates, now.date())
                save_prices(connection, one, position, priced, converted, now)
    return len(ids)


def request_outdated(context: Context) -> None:
    """Ask for the prices of every organisation that has agreements to be priced."""
    now = context.clock()
    with context.database.reading() as connection:
        query = sa.select(agreement.c.organisation_id).select_from(JOINED).where(is_outdated(now)).distinct()
        organisations = connection.scalars(query).all()
    for organisation_id in organisations:
        with context.database.writing() as connection:
            request_prices(connection, organisation_id, now)
