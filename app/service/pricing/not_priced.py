"""Explains to a person why nothing can be estimated, and what would help."""

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.dates import format_day
from app.contract.money import format_money
from app.service.database.tables.purchases import article, purchase
from app.service.database.visibility import visible_to
from app.service.pricing.estimator.distribution import NotEstimable
from app.service.pricing.price_references import EarlierQuote, load_quoted_prices
from app.service.pricing.scope_estimate import PricedProduct

MAX_NAMED = 3
"""How many products or suppliers a sentence names."""


def explain_missing_price(
    connection: Connection,
    organisation_id: str,
    parts: Sequence[PricedProduct],
    currency: str,
    own_scopes: Collection[str] = (),
) -> str:
    """Sentences that say what is missing for each product, what was quoted for it in other scopes than
    `own_scopes`, and what would help."""
    unpriced = [(part.product, part.price) for part in parts if isinstance(part.price, NotEstimable)]
    names_by_reason: dict[str, list[str]] = {}
    for product, price in unpriced:
        names_by_reason.setdefault(price.reason, []).append(product.name)
    missing = "; ".join(
        f"{reason} for {_join_names(list(dict.fromkeys(names)))}" for reason, names in names_by_reason.items()
    )
    if all(price.is_unstated for _, price in unpriced):
        return f"No estimate: {missing}. State it in the scope: then there may be one."
    other_currencies = _find_other_currencies(
        connection, organisation_id, [product.id for product, _ in unpriced], currency
    )
    names = {product.id: product.name for product, _ in unpriced}
    quoted = _describe_quotes(connection, organisation_id, names, currency, own_scopes)
    suppliers = _join_names(list(dict.fromkeys(product.company_name for product, _ in unpriced)))
    helps = (
        f"What would help: purchases from {suppliers} in {currency}, including your own, or a second quote "
        "to compare with."
    )
    if other_currencies:
        helps = (
            f"There are purchases in {', '.join(other_currencies)}; import exchange rates to {currency} "
            f"(parley import rates) to include them. {helps}"
        )
    return f"No estimate: {missing}. {quoted}{helps}"


def _describe_quotes(
    connection: Connection,
    organisation_id: str,
    names: Mapping[str, str],
    currency: str,
    own_scopes: Collection[str],
) -> str:
    """Return a sentence with the latest price of each product in other quotes; empty without any."""
    quotes = load_quoted_prices(connection, organisation_id, names, own_scopes)
    descriptions = [
        f"{names[product_id]} at {_format_unit_price(latest)} on {format_day(latest.quoted_on)}"
        for product_id, rows in quotes.items()
        if (latest := next((row for row in rows if row.currency == currency), None)) is not None
    ]
    return f"Quoted to you elsewhere, not paid: {_join_names(descriptions)}. " if descriptions else ""


def _format_unit_price(quote: EarlierQuote) -> str:
    """`USD 64 per unit and month`; no month's price where nothing says that it is paid by the month."""
    known = quote.assume(recurring=False)
    price = f"{format_money(known.unit_price, known.currency)} per unit"
    if known.term_months:
        return f"{price} and month"
    return f"{price} (for the whole term or once: not stated)" if quote.recurring is None else price


def _join_names(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _find_other_currencies(
    connection: Connection, organisation_id: str, product_ids: Sequence[str], currency: str
) -> Sequence[str]:
    """The other currencies that these products were bought in, as far as the caller may see."""
    return connection.scalars(
        sa.select(purchase.c.currency)
        .join(article, article.c.id == purchase.c.article_id)
        .where(
            article.c.product_id.in_(product_ids),
            purchase.c.currency != currency,
            visible_to(purchase.c, organisation_id),
        )
        .distinct()
        .order_by(purchase.c.currency)
    ).all()
