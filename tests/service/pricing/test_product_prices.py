"""What a product was bought for, by unit and period: the figures, their evidence, and who may see them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.service.context import Context
from app.service.database.tables import purchase
from app.service.imports.operator_files import import_files

HEADER = "purchase_date,supplier,product,quantity,unit,unit_price,price_period,term_months,currency,buyer"


def line(
    number: int,
    price: float,
    *,
    unit: str = "user",
    period: str = "month",
    term: int | str = 12,
    currency: str = "USD",
    buyer: str = "",
) -> str:
    return f"2026-03-{number:02d},Acme,Chair Cloud,{number},{unit},{price},{period},{term},{currency},{buyer}"


def load(context: Context, folder: Path, rows: Sequence[str], organisation: str | None = None) -> None:
    path = folder / f"{organisation}.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n")
    import_files(context, "purchases", [path], organisation=organisation)


def read_prices(api: Any) -> Any:
    [company] = api.get("/v1/catalog/companies?name=acme").json()["data"]
    [product] = api.get(f"/v1/catalog/companies/{company['id']}/products").json()["data"]
    answer = api.get(f"/v1/pricing/products/{product['id']}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_prices_are_of_one_unit_and_period_each(api: Any, context: Context, tmp_path: Path) -> None:
    monthly = [line(n, 10 + n, buyer=f"b{n}") for n in range(1, 4)]
    yearly = [line(n, 12 * (10 + n), period="year", term=24, unit="User", buyer=f"b{n}") for n in range(4, 7)]
    whole_terms = [line(n, 36 * (10 + n), period="term", term=36, buyer=f"b{n}") for n in range(7, 12)]
    once = [line(n, 0.0005 * n, unit="GB", period="once", term="", buyer=f"b{n}") for n in range(1, 6)]
    few = [line(n, 500, unit="site", period="once", term="", buyer=f"b{n}") for n in range(1, 5)]
    load(context, tmp_path, [*monthly, *yearly, *whole_terms, *once, *few])
    read = read_prices(api)
    assert (read["currency"], read["purchasesOnRecord"], read["notConverted"]) == ("USD", 20, 0)
    user, gigabyte, site = read["ranges"]
    assert (user["unit"], user["recurring"], user["purchases"], user["ownPurchases"]) == ("user", True, 11, 0)
    assert user["firstBought"][:10] == "2026-03-01"
    assert user["lastBought"][:10] == "2026-03-11"
    shown = [user["prices"][f"percentile{percent}"] for percent in (10, 25, 50, 75, 90)]
    assert shown == [12, 13.5, 16, 18.5, 20]
    assert (gigabyte["unit"], gigabyte["recurring"]) == ("GB", False)
    assert gigabyte["prices"]["percentile50"] == 0.0015
    assert site["reason"] == "No price range: fewer than 5 purchases."
    assert site.keys() == {"unit", "recurring", "purchases", "ownPurchases", "reason"}


def test_only_what_may_be_seen_is_compared(api: Any, stranger: Any, context: Context, tmp_path: Path) -> None:
    load(context, tmp_path, [line(n, 20, buyer="City") for n in range(1, 9)])
    of_one_buyer = "No price range: comparable purchases from fewer than 2 buyers."
    assert read_prices(stranger)["ranges"][0]["reason"] == of_one_buyer
    load(context, tmp_path, [line(n, 50 + n, buyer="Me") for n in range(1, 7)], organisation="Acme")
    own = read_prices(api)
    assert own["purchasesOnRecord"] == 14
    [shown] = own["ranges"]
    assert (shown["purchases"], shown["ownPurchases"], shown["prices"]["percentile50"]) == (6, 6, 53.5)
    others = read_prices(stranger)
    assert others["purchasesOnRecord"] == 8
    assert others["ranges"][0]["reason"] == of_one_buyer
    assert "prices" not in others["ranges"][0]


def test_another_currency_is_converted_or_counted(api: Any, context: Context, tmp_path: Path) -> None:
    in_dollars = [line(n, 10, buyer=f"b{n}") for n in range(1, 7)]
    in_euros = [line(n, 20, currency="EUR", buyer=f"b{n}") for n in range(7, 12)]
    load(context, tmp_path, [*in_dollars, *in_euros])
    read = read_prices(api)
    assert (read["currency"], read["notConverted"], read["ranges"][0]["purchases"]) == ("USD", 5, 6)
    rates = tmp_path / "rates.csv"
    rates.write_text("Date,USD\n2026-03-01,1.5\n")
    import_files(context, "rates", [rates])
    read = read_prices(api)
    assert (read["notConverted"], read["ranges"][0]["purchases"]) == (0, 11)
    assert read["ranges"][0]["prices"]["percentile90"] == pytest.approx(30)


def test_a_price_for_an_unknown_time_lacks_no_exchange_rate(
    api: Any, context: Context, tmp_path: Path
) -> None:
    known = [line(n, 10, buyer=f"b{n}") for n in range(1, 7)]
    unknown = [line(n, 120, period="term", buyer=f"b{n}") for n in range(7, 12)]
    load(context, tmp_path, [*known, *unknown])
    with context.database.writing() as connection:
        of_term = purchase.update().where(purchase.c.price_period == "term")
        connection.execute(of_term.values(term_months=None))
    read = read_prices(api)
    assert (read["purchasesOnRecord"], read["notConverted"], read["ranges"][0]["purchases"]) == (11, 0, 6)


def test_a_product_that_the_caller_does_not_see_is_not_found(api: Any) -> None:
    answer = api.get("/v1/pricing/products/018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f")
    assert answer.status_code == 404
