"""The sets of real purchases, in samples of whole orders."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from app.service.purchase_records import Purchase
from app.service.purchases.reading import read_purchases
from app.service.purchases.rows import PurchaseOptions
from tests.benchmarks.backtesting import DATA

ASKED = 200
"""Purchases of other orders that each sample estimates."""


def read_set(name: str) -> list[Purchase]:
    """All purchases of a set that can be read."""
    rows = read_purchases(DATA / name / "purchases.csv.gz", PurchaseOptions(lenient=True))
    return [row for row in rows if isinstance(row, Purchase)]


def take_orders(purchases: Sequence[Purchase], size: int, seed: int) -> tuple[list[Purchase], list[Purchase]]:
    """At most `size` purchases of random whole orders, and as many as are asked of the orders after them."""
    of_order: dict[str, list[Purchase]] = {}
    for row in purchases:
        of_order.setdefault(row.order_id or row.id, []).append(row)
    orders = list(of_order)
    Random(seed).shuffle(orders)
    known: list[Purchase] = []
    asked: list[Purchase] = []
    for order in orders:
        if len(known) + len(of_order[order]) <= size:
            known += of_order[order]
        elif len(asked) < ASKED:
            asked += of_order[order]
        else:
            break
    return known, asked[:ASKED]


def hide_price(row: Purchase) -> Purchase:
    """A purchase as it is asked about: nothing of its price is left."""
    return replace(row, unit_price=row.unit_price * 0, total_price=row.total_price * 0, list_price=None)
