"""A generated market of any size: suppliers, one of them large, their products and what was bought of them.

Rows are written in bulk and as an import leaves them, without the records that an import builds of whole
suppliers.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

import sqlalchemy as sa

from app.service.catalog.entries import category_row, company_row, family_row, product_row
from app.service.catalog.purchase_counts import in_past_two_years
from app.service.catalog.rows import quantity_dimension
from app.service.context import Context
from app.service.database.dialect import bulk_insert, refresh_statistics
from app.service.database.rows import batched, sum_up_counts
from app.service.database.tables import (
    article,
    category,
    company,
    product,
    product_family,
    purchase,
    purchase_with_product,
)
from app.service.database.word_search import count_common_words
from app.service.ids import new_id
from app.service.purchase_records import ArticleCodes, Purchase, pack
from app.service.purchases.article_identity import digest_texts
from app.service.purchases.importing import PURCHASE_COLUMNS, build_key

FAMILY_SIZE = 50
CATEGORIES = 40
BATCH = 20_000
LARGE = "supplier0.example"
"""The domain of the large supplier."""
FIRST_DAY, DAYS = date(2023, 1, 1), 1200
ATTRIBUTES = '{"edition": "plus"}'
ARTICLE_COLUMNS = ("id", "product_id", "text", "category", "digest", "sample")


@dataclass(frozen=True)
class MarketSize:
    """How many of each there are; a tenth of the products is of one supplier."""

    products: int
    suppliers: int
    purchases: int

    @property
    def of_large_supplier(self) -> int:
        return self.products // 10


def fill_market(context: Context, size: MarketSize) -> None:
    """Fill a migrated, empty database."""
    dice = random.Random(19)
    now = context.clock()
    with context.database.writing() as connection:
        kinds = [category_row(new_id(), f"Category {number}", now) for number in range(CATEGORIES)]
        connection.execute(category.insert(), kinds)
    sellers = [
        company_row(
            new_id(),
            f"{make_name(dice, 2)} {make_code(number)} Inc.",
            now,
            domain=f"supplier{number}.example",
            category=dice.choice(kinds),
            details={"description": "A generated supplier."},
        )
        for number in range(size.suppliers)
    ]
    for few in batched(sellers, BATCH):
        with context.database.writing() as connection:
            connection.execute(company.insert(), few)
    rest = size.products - size.of_large_supplier
    article_id = 0
    of_seller: list[int] = [size.of_large_supplier]
    others = max(1, size.suppliers - 1)
    of_seller += [rest // others + (1 if number < rest % others else 0) for number in range(others)]
    bought = _count_purchases(size)
    made = 0
    for few in batched(list(zip(sellers, of_seller, strict=False)), 500):
        with context.database.writing() as connection:
            families, products, articles = [], [], []
            sold: list[tuple[str, str, int]] = []
            for seller, number in few:
                family = None
                for order in range(number):
                    if order % FAMILY_SIZE == 0:
                        family = family_row(new_id(), seller["id"], f"Line {order}", order, now)
                        families.append(family)
                    row = product_row(
                        new_id(),
                        seller,
                        f"{make_name(dice, 3)} {make_code(made)}",
                        now,
                        sort_order=order,
                        item_id=f"P-{made:07}",
                        dimensions=[quantity_dimension(new_id(), None)],
                        quantity_dimension_id=new_id(),
                        family_id=family["id"] if family else None,
                        currency="USD",
                        default_price=20.0 + made % 80,
                        estimate_available=True,
                        details={"description": "A generated product."},
                    )
                    made += 1
                    article_id += 1
                    row["purchase_count"] = len(bought)
                    products.append(row)
                    texts = (row["name"], "", "", "")
                    articles.append((article_id, row["id"], row["name"], None, digest_texts(texts), False))
                    sold.append((seller["id"], row["id"], article_id))
            connection.execute(product_family.insert(), families)
            for some in batched(products, BATCH):
                connection.execute(product.insert(), some)
            bulk_insert(connection, article, ARTICLE_COLUMNS, articles)
            rows: list[tuple[object, ...]] = []
            for place in sold:
                rows += _purchases_of(place, bought, dice)
                if len(rows) >= 50_000:
                    bulk_insert(connection, purchase, PURCHASE_COLUMNS, rows)
                    rows = []
            if rows:
                bulk_insert(connection, purchase, PURCHASE_COLUMNS, rows)
    with context.database.writing() as connection:
        if not context.database.is_sqlite:
            connection.execute(
                sa.text("SELECT setval(pg_get_serial_sequence('article', 'id'), :last)"), {"last": article_id}
            )
    refresh_statistics(context.database)
    sum_up_counts(context.database)
    with context.database.writing() as connection:
        count_common_words(connection)
        counted = (
            sa.select(sa.func.count())
            .select_from(purchase_with_product)
            .where(product.c.company_id == company.c.id, in_past_two_years(purchase.c, now.date()))
        )
        connection.execute(company.update().values(real_purchase_count=counted.scalar_subquery()))


def make_name(dice: random.Random, length: int) -> str:
    """Words as catalogs have them: a few are in many names."""
    return " ".join(word.capitalize() for word in dice.choices(VOCABULARY, WEIGHTS, k=length))


def make_code(number: int) -> str:
    """A short word of its own for each number."""
    letters = "bcdfghjklmnpqrstvwxz"
    word = ""
    for _ in range(4):
        number, at = divmod(number, 20)
        word += letters[at] + "aeiou"[at % 5]
    return word.capitalize() + (str(number) if number else "")


def _count_purchases(size: MarketSize) -> range:
    return range(max(1, size.purchases // size.products))


def _purchases_of(
    place: tuple[str, str, int], bought: Sequence[int], dice: random.Random
) -> Iterator[tuple[object, ...]]:
    company_id, product_id, article_id = place
    codes = ArticleCodes(article_id, article_id, article_id, article_id // FAMILY_SIZE, 0, 0)
    listed = 20 + article_id % 80
    for _ in bought:
        quantity = dice.randrange(1, 200)
        price = round(listed * (1 - quantity / 800) * (0.9 + 0.2 * dice.random()), 2)
        made = Purchase(
            id="",
            purchase_date=FIRST_DAY + timedelta(days=dice.randrange(DAYS)),
            supplier=company_id,
            product=product_id,
            quantity=Decimal(quantity),
            unit_price=Decimal(str(price)),
            total_price=Decimal(str(price)),
            currency="USD",
            term_months=12,
            price_period="month",
            purchase_type="renewal",
            list_price=Decimal(listed),
            order_id=f"PO-{dice.randrange(10**9)}",
            attributes={"edition": "plus"},
        )
        yield (
            build_key(made, None),
            None,
            article_id,
            made.purchase_date.isoformat(),
            "USD",
            float(quantity),
            None,
            price,
            "month",
            12,
            "renewal",
            float(listed),
            made.order_id,
            None,
            ATTRIBUTES,
            pack(made, codes),
        )


def _make_vocabulary() -> Sequence[str]:
    dice = random.Random(3)
    syllables = ("clo", "ser", "vi", "da", "net", "ra", "mo", "ti", "zen", "lux", "pra", "do", "ki", "wor")
    rare = {"".join(dice.choices(syllables, k=dice.randint(2, 4))) for _ in range(4_000)}
    return ["cloud", "storage", "service", "support", "plus", *sorted(rare)]


VOCABULARY = _make_vocabulary()
WEIGHTS = [3000, 1500, 1500, 800, 800, *([1] * (len(VOCABULARY) - 5))]
