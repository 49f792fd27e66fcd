"""Write the sample catalog and its purchases at the first start, with the code of imports."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from importlib.resources import files
from random import Random

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.catalog.denormalise import rebuild_categories
from app.service.context import Context
from app.service.database.dialect import lock_imports
from app.service.database.tables import category, company, product, product_family, purchase, sample_story
from app.service.pricing.calibration_store import load_latest_calibration, store_calibration
from app.service.pricing.estimator.calibration import Calibration
from app.service.purchases.importing import PurchaseWriter
from app.service.purchases.product_refresh import refresh_stale_products
from app.service.sample.orders import draw_purchases
from app.service.sample.suppliers import SEED, SampleIds, draw_catalog

CALIBRATION = files("app.service.sample") / "calibration.json"
"""What is learnt from the sample purchases, made by `python -m tests.benchmarks.sample_fitting`."""


def ensure_sample(context: Context) -> bool:
    """Write the sample data unless the catalog has other entries or the sample already, or the sample was
    removed. An interrupted start is completed. Returns whether anything was written."""
    now = context.clock()
    random = Random(SEED)
    ids = SampleIds(random)
    with context.database.writing() as connection:
        lock_imports(connection)
        others = sa.select(company.c.id).where(company.c.sample.is_(sa.false())).limit(1)
        if connection.scalar(others) is not None:
            return False
        removed = sa.select(sample_story.c.organisation_id).where(sample_story.c.status == "removed").limit(1)
        if connection.scalar(removed) is not None:
            return False
        bought = connection.scalar(sa.select(purchase.c.id).limit(1)) is not None
        catalog = draw_catalog(random, ids, now, context.settings.currency)
        if connection.scalar(sa.select(company.c.id).limit(1)) is None:
            connection.execute(category.insert(), catalog.categories)
            connection.execute(company.insert(), [supplier.row for supplier in catalog.suppliers])
            connection.execute(product_family.insert(), catalog.families)
            connection.execute(
                product.insert(),
                [product.row for supplier in catalog.suppliers for product in supplier.products],
            )
            rebuild_categories(connection, now)
        ensure_calibration(connection, now)
    if bought:
        return refresh_stale_products(context.database, now, ids) > 0
    writer = PurchaseWriter(context.database, None, now, ids, sample=True)
    # In one transaction, because half of the sample would look complete at the next start.
    writer.write(list(draw_purchases(random, catalog.suppliers, now.date(), context.settings.currency)))
    writer.finish()
    return True


def ensure_calibration(connection: Connection, now: datetime) -> None:
    """Store what is learnt from sample purchases until yesterday, where nothing was learnt from any yet: a
    first start estimates as any later one."""
    if load_latest_calibration(connection, sample=True).learnt_on:
        return
    made = json.loads(CALIBRATION.read_text())
    learnt = Calibration.from_json(json.dumps(made["learnt"]))
    until = now.date() - timedelta(days=1)
    store_calibration(connection, replace(learnt, learnt_until=until), made["measured"], now, sample=True)
