"""Generated purchases whose prices follow known formulas, which an estimate must find."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import numpy as np

from app.service.purchase_records import Purchase

FIRST_DAY = date(2022, 1, 3)


def purchase(**changed: object) -> Purchase:
    """One plain purchase with some fields changed."""
    plain = Purchase(
        id="p",
        purchase_date=FIRST_DAY,
        supplier="Acme",
        product="Blue ballpoint pen",
        quantity=Decimal(10),
        unit_price=Decimal("2.00"),
        total_price=Decimal("20.00"),
        currency="USD",
        order_id="o",
    )
    return replace(plain, **changed)  # type: ignore[arg-type]


def market(
    number: int = 400,
    seed: int = 7,
    *,
    price: Callable[[np.random.Generator, Purchase], float] | None = None,
) -> list[Purchase]:
    """Purchases of twenty articles over two years, one to three lines to an order.

    Unless `price` says otherwise, an article costs its own base price, 20 % less for each tenfold
    quantity, 30 % more in the size "large", with 5 % noise.
    """
    random = np.random.default_rng(seed)
    base = np.exp(random.normal(3.0, 1.0, 20))
    made: list[Purchase] = []
    order = 0
    while len(made) < number:
        order += 1
        for _ in range(int(random.integers(1, 4))):
            article = int(random.integers(20))
            size = "large" if random.random() < 0.5 else "small"
            quantity = int(np.exp(random.normal(3.0, 1.2))) + 1
            row = purchase(
                id=f"p-{len(made)}",
                purchase_date=FIRST_DAY + timedelta(days=int(order * 730 / number)),
                supplier=f"Supplier {article % 4}",
                product=f"{_KINDS[article % 5]} {_MAKES[article // 5]} no {article}",
                category=_KINDS[article % 5],
                quantity=Decimal(quantity),
                order_id=f"o-{order}",
                attributes={"size": size, "shelf": float(random.integers(100))},
            )
            if price is None:
                law = np.log(base[article]) - 0.097 * np.log(quantity) + 0.26 * (size == "large")
                unit = float(np.exp(law + random.normal(0, 0.05)))
            else:
                unit = price(random, row)
            made.append(
                replace(row, unit_price=Decimal(f"{unit:.4f}"), total_price=Decimal(f"{unit * quantity:.4f}"))
            )
    return made[:number]


_KINDS = ("pen", "stapler", "binder", "marker", "envelope")
_MAKES = ("classic", "office", "premium", "recycled")
