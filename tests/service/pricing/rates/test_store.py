"""Purchases in another currency are used once there is an exchange rate; without one they are left out."""

from datetime import date
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import exchange_rate
from app.service.database.visibility import EVERYBODY
from app.service.imports.operator_files import import_files
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.rates.exchange import MAX_AGE_DAYS, ExchangeRates
from app.service.pricing.rates.files import ExchangeRate, read_rate_rows
from app.service.pricing.rates.store import load_rates
from app.service.table_files.isolated_reading import open_table_file
from app.service.tables.reading import list_rows
from app.service.tables.table import RejectedRow, UnreadableTable
from tests.service.pricing.made_up_purchases import purchase

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)


def series(*told: tuple[date, float]) -> tuple[Any, Any]:
    return np.array([day.toordinal() for day, _ in told]), np.log([rate for _, rate in told])


EURO = ExchangeRates(
    {
        ("EUR", "USD"): series((MONDAY, 1.25), (TUESDAY, 2.0)),
        ("EUR", "JPY"): series((MONDAY, 150.0)),
    }
)


@pytest.mark.both_stores
@pytest.mark.parametrize(
    ("source", "target", "day", "factor"),
    [
        ("USD", "USD", MONDAY, 1.0),
        ("EUR", "USD", MONDAY, 1.25),
        ("EUR", "USD", TUESDAY, 2.0),
        ("EUR", "USD", date(2026, 3, 8), 2.0),
        ("USD", "EUR", MONDAY, 0.8),
        ("JPY", "USD", MONDAY, 1.25 / 150),
        ("USD", "JPY", TUESDAY, 75.0),
    ],
)
def test_the_last_rate_on_or_before_a_day_converts(
    source: str, target: str, day: date, factor: float
) -> None:
    assert EURO.factor(source, target, day) == pytest.approx(factor)


@pytest.mark.parametrize(
    ("source", "target", "day", "rate_day"),
    [
        ("USD", "USD", date(2026, 3, 8), date(2026, 3, 8)),
        ("EUR", "USD", date(2026, 3, 8), TUESDAY),
        ("USD", "JPY", TUESDAY, MONDAY),
        ("GBP", "USD", TUESDAY, None),
    ],
)
def test_a_rate_is_of_its_own_day_and_of_the_older_of_two(
    source: str, target: str, day: date, rate_day: date | None
) -> None:
    assert EURO.rate_day(source, target, day) == rate_day
    behind_others = ExchangeRates({("EUR", "CHF"): series((MONDAY, 1.0))}, fallback=EURO)
    assert behind_others.rate_day(source, target, day) == rate_day


@pytest.mark.parametrize(
    ("source", "day"),
    [
        ("EUR", date(2026, 3, 1)),
        ("GBP", MONDAY),
        ("EUR", date.fromordinal(TUESDAY.toordinal() + MAX_AGE_DAYS + 1)),
    ],
)
def test_without_a_rate_nothing_is_converted(source: str, day: date) -> None:
    assert np.isnan(EURO.factor(source, "USD", day))


def test_the_currencies_that_can_be_converted_are_listed() -> None:
    assert EURO.convertible_currencies("USD") == {"EUR", "JPY"}
    assert EURO.convertible_currencies("EUR") == {"USD", "JPY"}
    assert EURO.convertible_currencies("GBP") == frozenset()


def test_candidates_without_a_rate_are_left_out_and_the_others_are_converted() -> None:
    rows = [
        purchase(id="home", purchase_date=MONDAY),
        purchase(id="euro", purchase_date=TUESDAY, currency="EUR"),
        purchase(id="too early", purchase_date=date(2026, 1, 1), currency="EUR"),
    ]
    found = EURO.convert(Candidates.from_purchases(rows), EURO.convertible_currencies("USD"), "USD")
    assert found.ids == ["home", "euro"]
    assert np.exp(found.log_rate) == pytest.approx([2.0, 4.0])
    assert len(set(found.currency.tolist())) == 1


def rates_file(folder: Path, text: str) -> Path:
    path = folder / "rates.csv"
    path.write_text(text)
    return path


def read_rates(folder: Path, text: str) -> list[ExchangeRate | RejectedRow]:
    with open_table_file(rates_file(folder, text)) as table:
        return list(read_rate_rows(list_rows(table)))


@pytest.mark.parametrize(
    "text",
    [
        "date,base,currency,rate\n2026-03-02,EUR,USD,1.25\n",
        "Date,From,To,Exchange_rate\n02.03.2026,eur,usd,1.25\n",
        "KEY,CURRENCY,CURRENCY_DENOM,TIME_PERIOD,OBS_VALUE\nEXR.D.USD.EUR.SP00.A,USD,EUR,2026-03-02,1.25\n",
        "date,currency,rate\n2026-03-02,USD,1.25\n",
        "Date,USD,JPY,BGN,\n2026-03-02,1.25,N/A,,\n",
    ],
    ids=["a rate to a line", "other names", "the data portal", "no base", "a day to a line"],
)
def test_rates_are_read_in_every_form(tmp_path: Path, text: str) -> None:
    assert read_rates(tmp_path, text) == [ExchangeRate(MONDAY, "EUR", "USD", 1.25)]


def test_a_bad_rate_is_refused_by_its_line(tmp_path: Path) -> None:
    lines = ["2026-02-30,USD,1.2", "2026-03-02,dollars,1.2", "2026-03-02,USD,0", "2026-03-02,USD,x"]
    read = read_rates(tmp_path, "\n".join(["date,currency,rate", *lines]))
    assert [row.line for row in read if isinstance(row, RejectedRow)] == [2, 3, 4, 5]
    assert len(read) == 4


@pytest.mark.parametrize("text", ["", "name,price\nA,1\n", "date,rate\n2026-03-02,1\n"])
def test_a_file_without_rates_is_refused_whole(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnreadableTable):
        read_rates(tmp_path, text)


@pytest.mark.both_stores
def test_nothing_is_written_when_a_later_file_holds_no_rates(context: Context, tmp_path: Path) -> None:
    good = rates_file(tmp_path, "date,base,currency,rate\n2026-01-30,EUR,USD,2\n")
    bad = tmp_path / "prices.csv"
    bad.write_text("name,price\nA,1\n")
    with pytest.raises(UnreadableTable, match=r"prices\.csv"):
        import_files(context, "rates", [good, bad])
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(exchange_rate)) == 0


def ten_of_the_product(api: httpx.Client) -> dict[str, Any]:
    """A scope of the only product there is."""
    company = api.get("/v1/catalog/companies").json()["data"][0]["id"]
    product = api.get(f"/v1/catalog/companies/{company}/products").json()["data"][0]
    quantity = {"id": product["pricingDimensions"][0]["id"], "value": 10}
    return {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [{"productId": product["id"], "pricingDimensions": [quantity]}],
    }


HEADER = "purchase_date,supplier,product,quantity,unit,unit_price,currency\n"


def test_purchases_in_another_currency_count_once_rates_are_there(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    lines = [f"2026-02-{day:02},Works,Blue pen,10,each,{2 + day / 100},EUR" for day in range(1, 9)]
    early = "2025-06-01,Works,Blue pen,10,each,9,EUR"
    path = tmp_path / "purchases.csv"
    path.write_text(HEADER + "\n".join([*lines, early]))
    import_files(context, "purchases", [path])
    scope = api.post("/v1/scope", json=ten_of_the_product(api)).json()["id"]
    assert api.get(f"/v1/pricing/advanced/{scope}").status_code == 422

    rates = rates_file(tmp_path, "date,base,currency,rate\n2026-01-30,EUR,USD,2\n")
    assert import_files(context, "rates", [rates]).result.imported == 1
    assert import_files(context, "rates", [rates]).result.repeated == 1
    found = api.get(f"/v1/pricing/advanced/{scope}").json()
    assert found["currency"] == "USD"
    assert found["estimate"]["percentile50"] == pytest.approx(2 * 10 * 2.045, rel=0.05)
    prices = [one["negotiatedPrice"] for one in found["realSimilarPurchases"]]
    assert sorted(prices) == pytest.approx([2 * 10 * (2 + day / 100) for day in range(1, 9)])
    explained = api.get(f"/v1/pricing/explanation/{scope}").json()["products"][0]
    assert explained["purchases"] == 8, "the one before any rate is left out"
    assert {one["convertedFrom"] for one in explained["comparables"]} == {"EUR"}
    with context.database.reading() as connection:
        assert load_rates(connection, EVERYBODY) is load_rates(connection, EVERYBODY), "read once"


def test_a_discount_off_the_list_price_is_shown(context: Context, api: httpx.Client, tmp_path: Path) -> None:
    lines = [f"2026-02-{day:02},Works,Blue pen,10,each,2,USD,{2.5 if day > 1 else ''}" for day in range(1, 9)]
    path = tmp_path / "purchases.csv"
    path.write_text(HEADER.strip() + ",list_price\n" + "\n".join(lines))
    import_files(context, "purchases", [path])
    explained = api.post("/v1/pricing/preview", json=ten_of_the_product(api)).json()["products"][0][
        "comparables"
    ]
    assert sorted((one.get("discount") or 0) for one in explained) == [0, *[20] * 7]
    assert not any("convertedFrom" in one for one in explained)
