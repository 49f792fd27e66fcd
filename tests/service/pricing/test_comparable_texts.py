"""What names an article is the same text wherever an estimate reads it: for the product that is asked about,
from the purchases that are compared, and from those that are learnt from."""

from datetime import date
from pathlib import Path

import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import product
from app.service.imports.operator_files import import_files
from app.service.pricing.catalog_product import load_products
from app.service.pricing.comparable_finder import ComparableFinder
from app.service.pricing.past_purchases import load_latest_purchases
from app.service.purchase_records import describe_article

ROWS = """\
purchase_date,supplier,product,product_key,brand,quantity,unit_price,currency,order_id
2026-01-05,Acme,Chair,C-10010,Sitwell,3,20,USD,O-1
2026-01-06,Acme,Table,,,1,90,USD,O-2
2026-01-07,Bolt,Chair frame,,Sitwell,2,12,USD,O-3
"""
DESCRIBED = {"Chair C-10010 Sitwell", "Table", "Chair frame Sitwell"}


def test_articles_are_described_the_same_way_everywhere(context: Context, tmp_path: Path) -> None:
    file = tmp_path / "orders.csv"
    file.write_text(ROWS)
    import_files(context, "purchases", [file])
    with context.database.reading() as connection:
        learnt_from = load_latest_purchases(connection, 10, sample=False)
        assert {describe_article(row) for row in learnt_from} == DESCRIBED
        ids = {row.name: row.id for row in connection.execute(sa.select(product.c.name, product.c.id))}
        sold = load_products(connection, list(ids.values()), "")
        asked = {name: (sold[product_id].item_id, sold[product_id].brand) for name, product_id in ids.items()}
        assert asked == {
            "Chair": ("C-10010", "Sitwell"),
            "Table": (None, None),
            "Chair frame": (None, "Sitwell"),
        }
        finder = ComparableFinder(connection, "", "USD", before=date(2026, 2, 1))
        found = finder.find(sold[ids["Chair"]], "chair").candidates
    assert set(found.texts) == DESCRIBED
