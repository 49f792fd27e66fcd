"""The prices of a price list, taken into the catalog as list prices that the organisation alone sees."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.scope import ListedLine
from app.service.database.tables import list_price
from app.service.http.problems import ApiProblem, InvalidField
from app.service.ids import new_id
from app.service.scopes.store import ScopeProduct, StoredScope, load_products
from app.service.scopes.stored_reading import (
    StoredLine,
    StoredReading,
    find_price_period,
    read_price_before_tax,
)

NO_PRICE_LIST = "The document is no price list: its prices are those of an offer."


def take_list_prices(
    connection: Connection,
    row: StoredScope,
    reading: StoredReading,
    lines: Sequence[ListedLine],
    now: datetime,
) -> None:
    """Store the prices of these lines of a price list as list prices of their products, in the place of all
    that were taken from it before; without lines they are taken back. `row` is the scope that was read from
    it. Raises ApiProblem 400 with a pointer to each line that states no price of a unit before tax, and 422
    for a document that is no price list or names no currency."""
    if reading["kind"] != "price_list":
        raise ApiProblem(422, NO_PRICE_LIST)
    currency = reading.get("currency")
    if currency is None and lines:
        raise ApiProblem(422, "The price list names no currency, so nobody knows what its prices are.")
    items = reading["line_items"]
    products = load_products(connection, {one.product_id for one in lines}, row.organisation_id)
    understood = reading.get("understood") or [None] * len(items)
    periods: dict[int, str | None] = {}
    for one in lines:
        if one.index < len(items):
            per = find_price_period(items[one.index], (understood[one.index] or {}).get("recurring"))
            periods[one.index] = one.per if per in {None, "term"} else per
    wrong = list(_check(lines, items, products, periods))
    if wrong:
        raise ApiProblem(400, "These prices cannot be taken.", errors=wrong)
    connection.execute(list_price.delete().where(list_price.c.scope_id == row.id))
    stated_on = reading.get("document_date")
    listed_on = date.fromisoformat(stated_on) if stated_on else now.date()
    rows = [
        {
            "id": new_id(),
            "organisation_id": row.organisation_id,
            "scope_id": row.id,
            "line": one.index,
            "product_id": one.product_id,
            "listed_on": listed_on,
            "currency": currency,
            "unit": items[one.index].get("unit"),
            "unit_price": read_price_before_tax(items[one.index]),
            "price_period": periods[one.index],
            "from_quantity": items[one.index].get("from_quantity"),
            "to_quantity": items[one.index].get("to_quantity"),
            "attributes": _read_attributes(reading, one),
        }
        for one in lines
    ]
    if rows:
        connection.execute(list_price.insert(), rows)


def find_taken_lines(connection: Connection, scope_id: str) -> list[int]:
    """Return which lines of a price list are list prices of the catalog, by their index."""
    taken = sa.select(list_price.c.line).where(list_price.c.scope_id == scope_id)
    return list(connection.scalars(taken.order_by(list_price.c.line)))


def _check(
    lines: Sequence[ListedLine],
    items: Sequence[StoredLine],
    products: Mapping[str, ScopeProduct],
    periods: Mapping[int, str | None],
) -> Iterator[InvalidField]:
    seen: set[int] = set()
    for at, line in enumerate(lines):
        if line.index >= len(items):
            yield InvalidField(f"/lines/{at}/index", f"The document has {len(items)} lines, counted from 0.")
        elif line.index in seen:
            yield InvalidField(f"/lines/{at}/index", "This line appears twice.")
        elif read_price_before_tax(items[line.index]) is None:
            yield InvalidField(f"/lines/{at}/index", "The line states no price of a unit before tax.")
        elif periods[line.index] is None:
            yield InvalidField(f"/lines/{at}/per", "The line does not say what its price is for: say it.")
        seen.add(line.index)
        if line.product_id not in products:
            yield InvalidField(f"/lines/{at}/productId", "There is no such product.")


def _read_attributes(reading: StoredReading, line: ListedLine) -> dict[str, str]:
    """The options that the line states of the product that it was matched to; of another, nobody knows."""
    match = reading["matches"][line.index]
    if match is None or match["productId"] != line.product_id:
        return {}
    understood = reading.get("understood") or []
    return {
        one["name"]: one["label"]
        for one in understood[line.index]["dimensions"]
        if one["source"] == "read" and "label" in one
    }
