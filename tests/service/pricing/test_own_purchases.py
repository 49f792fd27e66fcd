"""An organisation's own purchases are priced for itself, whoever their buyer is: a minimum of purchases and
buyers protects those of others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.service.context import Context
from app.service.imports.operator_files import import_files
from tests.service.pricing.availability import check_promises, run_requested_checks

HEADER = "purchase_date,supplier,product,product_key,quantity,unit,unit_price,currency,buyer,order_id"


def purchases(number: int, buyer: str, *, month: int = 3, wording: str = "Chair") -> list[str]:
    article = f"Acme,{wording},C-10010"
    return [
        f"2026-{month:02d}-{1 + n % 27:02d},{article},{1 + n % 9},piece,{20 + n % 3},USD,{buyer},{buyer}-{n}"
        for n in range(number)
    ]


CASES: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "one of its own": ((), purchases(1, "Me")),
    "no buyer stands there": ((), purchases(6, "")),
    "beside too few of others": (purchases(2, "City"), purchases(6, "Me")),
    "beside those of a single other buyer": (purchases(8, "City"), purchases(6, "Me")),
    "before many later ones of a single other buyer": (purchases(200, "City", month=6), purchases(1, "Me")),
    "before many later wordings of others": (
        [row for n in range(70) for row in purchases(2, "City", month=6, wording=f"Chair no {n}")],
        purchases(2, "Me"),
    ),
}


@pytest.mark.campaign
@pytest.mark.parametrize("case", CASES)
def test_own_purchases_are_priced_for_their_organisation(
    api: Any, stranger: Any, context: Context, tmp_path: Path, case: str
) -> None:
    of_others, own = CASES[case]
    for rows, organisation in ((of_others, None), (own, "Acme")):
        if rows:
            path = tmp_path / f"{organisation}.csv"
            path.write_text("\n".join([HEADER, *rows]) + "\n")
            import_files(context, "purchases", [path], organisation=organisation)
            run_requested_checks(context)
    check_promises(api, every=True)
    estimate, explanation = (api.get(path) for path in estimate_paths(api))
    assert estimate.status_code == 200, estimate.text
    [part] = estimate.json()["productEstimates"]
    assert part["status"] == "success"
    assert 15 < part["estimate"]["percentile50"] < 40
    assert explanation.status_code == 200, explanation.text
    assert 0 < len(estimate.json()["realSimilarPurchases"]) <= len(own), "and those of others stay unseen"
    if of_others:
        refused = stranger.get(next(estimate_paths(stranger)))
        assert refused.status_code == 422
        assert "fewer than" in refused.json()["detail"]
        check_promises(stranger, every=False)


def test_own_purchases_in_another_currency_are_priced_too(api: Any, context: Context, tmp_path: Path) -> None:
    own = [row.replace("USD", "EUR") for row in purchases(2, "Me")]
    for rows, organisation in ((purchases(150, "City", month=6), None), (own, "Acme")):
        path = tmp_path / f"{organisation}.csv"
        path.write_text("\n".join([HEADER, *rows]) + "\n")
        import_files(context, "purchases", [path], organisation=organisation)
    rates = tmp_path / "rates.csv"
    rates.write_text("Date,USD\n2026-02-01,1.5\n")
    import_files(context, "rates", [rates])
    estimate = api.get(next(estimate_paths(api)))
    assert estimate.status_code == 200, estimate.text
    assert estimate.json()["estimate"]["percentile50"] == pytest.approx(1.5 * 20.5, rel=0.3)


def estimate_paths(api: Any) -> Any:
    """Where the estimate of one chair stands, and its explanation."""
    [company] = api.get("/v1/catalog/companies?name=acme").json()["data"]
    sold = api.get(f"/v1/catalog/companies/{company['id']}/products").json()["data"]
    chair = api.get(f"/v1/catalog/products/{sold[0]['id']}").json()
    body = {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [
            {
                "productId": chair["id"],
                "pricingDimensions": [{"id": chair["pricingDimensions"][0]["id"], "value": 1}],
            }
        ],
    }
    scope_id = api.post("/v1/scope", json=body).json()["id"]
    return (f"/v1/pricing/{kind}/{scope_id}" for kind in ("advanced", "explanation"))
