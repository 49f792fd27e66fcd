"""The market behind the walks: invented suppliers whose prices follow a law, so that the fair price of every
quote is known. Written as files that `parley import` takes."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Literal

Period = Literal["month", "year", "once"]

NOISE = 0.07
"""The standard deviation of ln price around its law."""
YEARS_BACK = 600
"""Days over which purchases are spread, up to yesterday."""

COLUMNS = (
    *("order_id", "purchase_date", "supplier", "product", "product_key", "quantity", "unit", "unit_price"),
    *("currency", "term_months", "price_period", "purchase_type", "list_price", "buyer", "edition"),
)


@dataclass(frozen=True)
class Offered:
    """Something that a supplier sells: in editions, each with its usual price of a unit and period, or in
    none (the edition is empty). `bought` is how often each was bought, `days_ago` when the last time."""

    supplier: str
    product: str
    prices: dict[str, float]
    unit: str
    period: Period
    currency: str = "USD"
    key: str = ""
    bought: int = 60
    days_ago: int = 1
    listed: float = 1.15
    """The list price over the usual price."""

    def fair(self, edition: str, quantity: float, months: int) -> float:
        """The usual price before tax of so many units for so many months."""
        periods = {"month": months, "year": months / 12, "once": 1}[self.period]
        return self.prices[edition] * volume(quantity) * quantity * periods


def volume(quantity: float) -> float:
    """What a quantity makes of the price of a unit: up to a tenth less from 500 on."""
    return 1.0 - 0.1 * min(max(quantity - 50, 0) / 450, 1)


INSIGHT = Offered(
    "Halden Analytics",
    "Halden Insight",
    {"Starter": 12.0, "Professional": 26.0, "Enterprise": 43.0},
    "user",
    "month",
)
DESK = [
    Offered("Brunel Systems", f"Brunel Desk {edition}", {"": price}, "agent", "month")
    for edition, price in (("Team", 18.0), ("Business", 41.0), ("Enterprise", 72.0))
]
BACKUP = Offered("Castor Cloud", "Castor Backup", {"": 420.0}, "server", "year")
LABELS = Offered(
    "Dorn Office Supply", "Thermal label roll 100 x 150 mm", {"": 31.5}, "BX", "once", key="DL-100150"
)
TONER = Offered("Dorn Office Supply", "Toner cartridge black 12K", {"": 88.0}, "EA", "once", key="TN-12044")
PLANNER = Offered("Elmrode Software GmbH", "Elmrode Planner", {"": 9.5}, "user", "month", currency="EUR")
SELDOM = Offered("Fairleigh Tools", "Fairleigh Studio", {"": 55.0}, "seat", "month", bought=2)
ARCHIVE = Offered("Gorse Records", "Gorse Archive", {"": 30.0}, "terabyte", "month", days_ago=1300)
"""Bought often, and the last time three and a half years ago."""
OFFERED = [INSIGHT, *DESK, BACKUP, LABELS, TONER, PLANNER, SELDOM, ARCHIVE]


def write_purchases(path: Path, today: date) -> int:
    """The purchases of all that is offered as a CSV file; returns how many."""
    rows = list(_rows(today))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    return len(rows)


def _rows(today: date) -> Iterator[tuple[object, ...]]:
    random = Random(20_261_122)
    order = 0
    for offered in OFFERED:
        for edition, price in offered.prices.items():
            for _ in range(offered.bought):
                order += 1
                quantity = random.choice((10, 25, 50, 80, 120, 200, 350, 500))
                term = random.choice((12, 12, 24, 36))
                listed = round(price * offered.listed, 2)
                paid = price * volume(quantity) * random.lognormvariate(0, NOISE)
                day = today - timedelta(days=offered.days_ago + random.randrange(YEARS_BACK))
                once = offered.period == "once"
                yield (
                    *(f"O-{order:05d}", day.isoformat(), offered.supplier, offered.product, offered.key),
                    *(quantity, offered.unit, f"{paid:.2f}", offered.currency, "" if once else term),
                    *(offered.period, random.choice(("new_purchase", "renewal")), listed),
                    *(f"Buyer {random.randrange(30):02d}", edition),
                )
