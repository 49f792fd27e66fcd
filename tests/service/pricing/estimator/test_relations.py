"""The very same article is the same product, edition and unit of the same supplier, or an identical
number."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from app.service.context import Context
from app.service.imports.operator_files import import_files
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import PriceDistribution
from app.service.pricing.estimator.estimate import estimate_queries
from app.service.pricing.learning.calibration_fitting import fit_calibration
from app.service.purchase_records import PriceQuery
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase
from tests.service.pricing.scope_requests import (
    NUMBERED,
    explained,
    imported,
    numbered,
    product,
    row,
    scope_body,
    term,
)


@pytest.mark.parametrize(("key", "relation"), [("AX-4711-B", "same_article"), ("12", "similar")])
def test_an_identical_telling_number_is_the_same_article_at_any_supplier(
    context: Context, api: httpx.Client, tmp_path: Path, key: str, relation: str
) -> None:
    lines = [numbered(at, "Works", "Blue marker broad", key, 5, currency="EUR") for at in range(2)]
    wordings = ("Marker blue broad", "Broad blue marker")
    lines += [numbered(at, "Elsewhere", wordings[at % 2], key, 6) for at in range(6)]
    path = tmp_path / "numbered.csv"
    path.write_text(NUMBERED + "\n".join(lines))
    import_files(context, "purchases", [path])
    found = explained(api, scope_body(term(product(api, "Blue marker broad"), quantity=10)), 58)
    relations = {one["supplier"]: one["relation"] for one in found["products"][0]["comparables"]}
    assert relations == {"Elsewhere": relation}
    assert found["products"][0]["likeForLike"] == (6 if relation == "same_article" else 0)


def test_a_refusal_says_what_is_missing_and_what_would_help(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, [row(at, currency="EUR") for at in range(8)])
    scope = api.post("/v1/scope", json=scope_body(term(product(api), quantity=10))).json()["id"]
    answer = api.get(f"/v1/pricing/explanation/{scope}")
    assert answer.status_code == 422
    detail = answer.json()["detail"]
    assert "no comparable purchases in USD for Blue Analytics." in detail
    assert "There are purchases in EUR; import exchange rates" in detail
    assert "purchases from Works in USD" in detail
    assert "a second quote" in detail


def test_the_counts_of_a_supplier_are_those_of_the_past_two_years(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, [row(at) for at in range(8)])
    imported(context, tmp_path, [row(20 + at, day="2019-03-01") for at in range(4)])
    scope = api.post("/v1/scope", json=scope_body(term(product(api), quantity=10))).json()["id"]
    counted = api.get(f"/v1/pricing/advanced/{scope}").json()["realPurchaseCount"]
    assert [one["realPurchaseCount"] for one in counted] == [8]


@pytest.mark.campaign
@pytest.mark.parametrize(("second_price", "like_for_like"), [(10, 4), (11, 4), (15, 0)])
def test_an_attribute_at_whose_values_the_product_costs_the_same_is_no_other_edition(
    second_price: float, like_for_like: int
) -> None:
    prices = [("North", 10), ("North", 10), ("East", second_price), ("East", second_price)]
    bought = [
        purchase(id=f"p-{at}", order_id=f"o-{at}", unit_price=Decimal(price), attributes={"depot": depot})
        for at, (depot, price) in enumerate(prices)
    ]
    others = [
        purchase(
            id=f"q-{at}",
            order_id=f"r-{at}",
            product=f"Other {at % 5}",
            product_key=f"other-{at % 5}",
            unit_price=Decimal(5 + at % 5),
            purchase_date=FIRST_DAY + timedelta(days=at),
            attributes={"depot": ("North", "East", "South")[at % 3]},
        )
        for at in range(60)
    ]
    candidates = Candidates.from_purchases([*bought, *others])
    query = replace(PriceQuery.from_purchase(bought[0]), attributes={"depot": "South"}, order_id=None)
    found = estimate_queries(
        [query], candidates, fit_calibration(candidates, past_only=False), FIRST_DAY + timedelta(days=90)
    )[0]
    assert isinstance(found, PriceDistribution)
    assert sum(one.like_for_like for one in found.comparables) == like_for_like
