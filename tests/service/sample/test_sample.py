"""The sample data is the same at each start, complete and marked as sample."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa

from app.contract.catalog import Category, Company, Product
from app.service.context import Context
from app.service.database.tables import company, product, purchase
from app.service.imports.operator_files import import_files
from app.service.purchases.importing import PurchaseWriter
from app.service.sample import ensure_sample
from app.service.sample.orders import draw_purchases
from app.service.sample.prices import DiscountPolicy, count_quarter_ends
from app.service.sample.quote_pdf import draw_quote_pdf
from app.service.sample.quotes import TRIAL_QUOTES, draw_quote
from app.service.sample.suppliers import SAMPLE_MARK, SEED, SampleIds, draw_catalog, sample_catalog
from tests.service.catalog.conformance import assert_conforms
from tests.service.pricing.availability import check_promises


@pytest.mark.campaign
def test_a_first_start_has_a_complete_catalog_marked_as_sample(api: Any, context: Context) -> None:
    assert api.get("/v1/sample/quotes").json()["pagination"]["total"] == 0
    assert api.get("/v1/sample/quotes/Q-4107").status_code == 404
    assert ensure_sample(context)
    assert not ensure_sample(context)
    page = api.get("/v1/catalog/companies?limit=100").json()
    assert page["pagination"]["total"] == 80
    assert all(one["description"].endswith(SAMPLE_MARK) for one in page["data"])
    assert all(one["domain"].endswith(".example") for one in page["data"])
    assert {one["discontinued"] for one in page["data"]} == {True, False}
    kinds: defaultdict[str, int] = defaultdict(int)
    dependencies: set[str] = set()
    sold = 0
    for listed in page["data"]:
        whole = api.get(f"/v1/catalog/companies/{listed['id']}").json()
        assert_conforms(Company, whole)
        assert whole["realPurchaseCount"] == listed["realPurchaseCount"] > 0
        assert len(whole["productFamilies"]) == 2
        sold += len(whole["products"])
        some = api.get(f"/v1/catalog/products/{whole['products'][0]['id']}").json()
        assert_conforms(Product, some)
        for summary in whole["products"]:
            assert summary["description"].endswith(SAMPLE_MARK)
        for dimension in some["pricingDimensions"]:
            kinds[dimension["formField"]["type"]] += 1
            dependencies.add(dimension["dependsOn"].get("dependency", ""))
    assert sold == 250
    assert set(kinds) == {"number", "select", "checkbox"}
    assert dependencies == {"", "quantity", "inclusion"}
    check_promises(api, every=True)
    tree = api.get("/v1/catalog/categories?limit=100").json()["data"]
    assert len(tree) == 8
    for top in tree:
        assert_conforms(Category, top)
        assert len(top["childCategories"]) == 4
    _assert_purchases(context)
    _assert_quotes(api, context)


def _assert_quotes(api: Any, context: Context) -> None:
    listed = api.get("/v1/sample/quotes?limit=1&offset=1").json()
    assert listed["pagination"]["total"] == len(TRIAL_QUOTES)
    [one] = listed["data"]
    answer = api.get(f"/v1/sample/quotes/{one['number']}")
    assert answer.headers["content-type"] == "application/pdf"
    assert one["filename"] in answer.headers["content-disposition"]
    suppliers, today = sample_catalog("USD").suppliers, context.clock().date()
    drawn = draw_quote(one["number"], TRIAL_QUOTES[one["number"]], suppliers, today, "USD")
    assert answer.content == draw_quote_pdf(drawn)
    assert (one["amount"], one["supplierName"]) == (float(drawn.net), drawn.supplier.row["name"])
    assert api.get("/v1/sample/quotes/nonsense").status_code == 400


def _assert_purchases(context: Context) -> None:
    today = context.clock().date()
    with context.database.reading() as connection:
        bought = connection.execute(sa.select(purchase)).all()
        stale = connection.scalar(sa.select(sa.func.count()).where(product.c.stale.is_(sa.true())))
    assert stale == 0
    assert len(bought) == 15_000
    days = [row.purchase_date for row in bought]
    assert min(days) >= today - timedelta(days=4 * 366)
    assert max(days) < today
    assert {row.purchase_type for row in bought} == {"new_purchase", "renewal"}
    assert all(0 < row.unit_price <= row.list_price for row in bought)
    few, many = (
        [row.unit_price / row.list_price for row in bought if low <= row.quantity < high]
        for low, high in ((1, 20), (500, 10**9))
    )
    assert mean(many) < mean(few) - 0.05


def test_the_sample_is_the_same_at_each_start() -> None:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    drawn: list[list[Any]] = []
    for _ in range(2):
        random = Random(SEED)
        catalog = draw_catalog(random, SampleIds(random), now, "EUR")
        bought = draw_purchases(random, catalog.suppliers, now.date(), "EUR")
        drawn.append([*(supplier.row for supplier in catalog.suppliers), *islice(bought, 500)])
    assert drawn[0] == drawn[1]
    assert drawn[0][0]["id"] == "018df229-2829-764e-95be-3325868b30c1"
    assert UUID(drawn[0][0]["id"]).version == 7
    assert {row.currency for row in drawn[0][-500:]} == {"EUR"}


def test_a_real_catalog_is_left_alone(context: Context, tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("name,domain\nAcme,acme.com\n")
    import_files(context, "catalog", [path])
    assert not ensure_sample(context)
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(company)) == 1


@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_interrupted_start_is_completed_by_the_next(context: Context, monkeypatch: Any) -> None:
    class PowerCut(Exception):
        pass

    def cut(self: PurchaseWriter, purchases: Any) -> None:
        raise PowerCut

    with monkeypatch.context() as patch:
        patch.setattr(PurchaseWriter, "write", cut)
        with pytest.raises(PowerCut):
            ensure_sample(context)
    assert ensure_sample(context)
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(purchase)) == 15_000


def test_quarters_close_in_the_last_days_of_the_suppliers_own_year() -> None:
    assert count_quarter_ends(date(2025, 12, 20), "--12-31") == 2
    assert count_quarter_ends(date(2025, 3, 31), "--12-31") == 1
    assert count_quarter_ends(date(2025, 1, 31), "--12-31") == 0
    assert count_quarter_ends(date(2025, 1, 31), "--01-31") == 2
    assert count_quarter_ends(date(2025, 4, 20), "--01-31") == 1
    assert count_quarter_ends(date(2025, 12, 2), "--12-31") == 0


def test_more_and_longer_costs_less_and_a_renewal_more() -> None:
    habits = DiscountPolicy(0.1, 0.1, 0.05, 0.05, 0.05, 0.0, "--12-31")
    random = Random(1)
    day = date(2025, 1, 7)

    def share(quantity: float, term: int | None, renewal: bool = False, on: date = day) -> float:
        return round(
            habits.share_paid(random, day=on, quantity=quantity, term_months=term, renewal=renewal), 4
        )

    assert share(10, 12) == 0.9
    assert share(1000, 12) == 0.7
    assert share(10, 36) == 0.8
    assert share(10, 12, renewal=True) == 0.945
    assert share(10, 12, on=date(2025, 12, 31)) == 0.8
    assert share(10, None) == 0.9
