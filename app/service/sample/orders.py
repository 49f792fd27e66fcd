"""Fictional purchases of the sample products over four years. Pure."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import accumulate
from math import exp
from random import Random

from app.contract.scope import PurchaseType
from app.service.purchase_records import Purchase
from app.service.sample import names
from app.service.sample.prices import PREMIUM_SUPPORT, list_price_on
from app.service.sample.suppliers import SampleProduct, SampleSupplier
from app.service.values.rounding import CENT, round_to_cents

PURCHASES = 15_000
YEARS = 4
BUYERS = 160
TERMS = (12, 24, 36)

Attributes = dict[str, str | float]


def draw_purchases(
    random: Random, suppliers: Sequence[SampleSupplier], today: date, currency: str
) -> Iterator[Purchase]:
    """Draw 15,000 purchases in the four years before `today`; the same for the same `random` and day."""
    weights = list(accumulate(supplier.weight for supplier in suppliers))
    sizes = [exp(random.gauss(0, 1.0)) for _ in range(BUYERS)]
    known: set[tuple[int, str]] = set()
    days = sorted(_draw_day(random, today) for _ in range(PURCHASES))
    order = 0
    while order < len(days):
        supplier = random.choices(suppliers, cum_weights=weights)[0]
        buyer = random.randrange(BUYERS)
        # What is ordered together comes from one supplier on one day.
        together = min(random.choice((1, 1, 1, 2, 3)), len(supplier.products), len(days) - order)
        relation = (buyer, supplier.row["id"])
        kind: PurchaseType = "renewal" if relation in known and random.random() < 0.7 else "new_purchase"
        known.add(relation)
        term = random.choices(TERMS, (6, 2, 3))[0]
        for product in random.sample(supplier.products, together):
            yield _draw_purchase(
                random,
                supplier,
                product,
                days[order],
                today,
                currency,
                kind,
                term,
                buyer,
                sizes[buyer],
                order,
            )
        order += together


def _draw_day(random: Random, today: date) -> date:
    """Draw a day; days in the second half of a quarter's last month are more frequent."""
    day = today
    for _ in range(3):
        day = today - timedelta(days=random.randint(1, round(YEARS * 365.25)))
        if (day.month % 3 == 0 and day.day > 15) or random.random() < 0.7:
            break
    return day


def _draw_purchase(
    random: Random,
    supplier: SampleSupplier,
    product: SampleProduct,
    day: date,
    today: date,
    currency: str,
    kind: PurchaseType,
    term: int,
    buyer: int,
    size: float,
    order: int,
) -> Purchase:
    once = product.kind == "services"
    quantity = _draw_quantity(random, product, size)
    attributes, factor = _draw_attributes(random, product, quantity)
    listed = round(list_price_on(product.list_price, day, today) * factor, 2)
    share = supplier.discounts.share_paid(
        random,
        day=day,
        quantity=quantity,
        term_months=None if once else term,
        renewal=kind == "renewal" and not once,
    )
    unit_price = max(CENT, round_to_cents(Decimal(repr(listed * share))))
    count = Decimal(quantity)
    return Purchase(
        id="",
        purchase_date=day,
        supplier=supplier.row["name"],
        product=product.row["name"],
        product_key=product.row["item_id"],
        product_family=product.family,
        category=supplier.category,
        quantity=count,
        unit=product.unit,
        unit_price=unit_price,
        total_price=count * unit_price * (1 if once else term),
        currency=currency,
        term_months=None if once else term,
        price_period="once" if once else "month",
        purchase_type=kind,
        list_price=Decimal(repr(listed)),
        buyer=f"Buyer {buyer + 1:03d}",
        order_id=f"S-{order + 1:06d}",
        attributes=attributes,
    )


def _draw_quantity(random: Random, product: SampleProduct, size: float) -> int:
    typical = {"seats": 90.0, "addon": 60.0, "usage": 6.0, "services": 7.0}[product.kind]
    drawn = typical * size**0.8 * exp(random.gauss(0, 0.6))
    if product.kind in {"seats", "addon"} and drawn > 20:
        drawn = 5 * round(drawn / 5)
    return max(1, round(drawn))


def _draw_attributes(random: Random, product: SampleProduct, quantity: int) -> tuple[Attributes, float]:
    """Draw the choices by column, and return the factor that they put on the unit price."""
    attributes: Attributes = {}
    factor = 1.0
    for column, labels in product.factors.items():
        label = random.choices(list(labels), (5, 4, 2))[0]
        attributes[column] = label
        factor *= labels[label]
    columns = set(product.row["dimension_source"].values())
    if "premium_support" in columns and random.random() < 0.3:
        attributes["premium_support"] = 1.0
        factor *= 1 + PREMIUM_SUPPORT
        if "response_time" in columns:
            attributes["response_time"] = random.choice(names.RESPONSES)
    for column in ("guest_users", "standby"):
        if column in columns and random.random() < 0.25:
            attributes[column] = float(random.randint(1, max(1, quantity // 2)))
    if "sandbox" in columns and random.random() < 0.4:
        attributes["sandbox"] = 1.0
        attributes["sandbox_copies"] = float(random.randint(1, 5))
        factor *= 1.08
    if "on_site" in columns and random.random() < 0.35:
        attributes["on_site"] = 1.0
        factor *= 1.2
    return attributes, factor
