"""Which rate of which day a table of exchange rates states: by its columns, its title and what is said."""

from typing import Any

import pytest

from tests.service.imports.dry_reading import look_at

REFUSED = None
RATE = "2025-03-05"


@pytest.mark.parametrize(
    ("text", "base", "rates"),
    [
        ("date,currency,rate\n{day},USD,1.07\n{day},EUR,1\n", None, ["EUR USD 1.07", "EUR EUR 1.0"]),
        ("date,currency,rate\n{day},USD,4.01\n{day},EUR,4.33\n", None, [REFUSED, REFUSED]),
        ("date,currency,rate\n{day},USD,4.01\n{day},EUR,4.33\n", "PLN", ["PLN USD 4.01", "PLN EUR 4.33"]),
        ("date,USD,EUR\n{day},4.01,4.33\n", None, [REFUSED]),
        ("date,units,currency,rate\n{day},100,JPY,15.6614\n", "CZK", ["JPY CZK 0.156614"]),
        ("datum;množství;měna;kurz\n{day};1;AUD;14,6334\n", "CZK", ["AUD CZK 14.6334"]),
        ("date,units,currency,rate\n{day},100,JPY,15.6614\n", None, [REFUSED]),
        ("Datum;Währung;Einheiten;Kurs in CHF\n{day};JPY;100;0,5890\n", None, ["JPY CHF 0.00589"]),
        ("date,currency,rate (SEK)\n{day},EUR,11.25\n", None, ["EUR SEK 11.25"]),
        ("date,from,to,units,rate\n{day},JPY,EUR,100,0.62\n", None, ["JPY EUR 0.0062"]),
        ("date,currency,Rate per USD\n{day},JPY,149.21\n", None, ["USD JPY 149.21"]),
        ("Datum;Währung;Kurs je 1 EUR\n{day};CHF;0,9412\n", None, ["EUR CHF 0.9412"]),
        ("Datum;Währung;Kurs in CHF\n{day};EUR;0,9412\n", None, ["EUR CHF 0.9412"]),
        ("date,FXUSDCAD,FXEURCAD\n{day},1.4381,1.5512\n", None, ["USD CAD 1.4381", "EUR CAD 1.5512"]),
        ("date,EURUSD,GBP_USD\n{day},1.0789,1.2893\n", None, ["EUR USD 1.0789", "GBP USD 1.2893"]),
        ("date,EUR/USD,EUR/CHF\n{day},1.0789,0.9370\n", None, ["EUR USD 1.0789", "EUR CHF 0.937"]),
        ("date,units,currency,rate\n{day},0,JPY,15.6614\n", "CZK", [REFUSED]),
        ("date,A$1=USD,1 EUR = JPY\n{day},0.6216,161.2\n", None, ["AUD USD 0.6216", "EUR JPY 161.2"]),
        ("data;1THB;100 JPY\n{day};0,1162;2,6451\n", "PLN", ["THB PLN 0.1162", "JPY PLN 0.026451"]),
        ("data;1THB;100 JPY\n{day};0,1162;2,6451\n", None, [REFUSED]),
        (
            "date,amount,code,rate\n{day},100,HUF,6.245\n{day},1,AUD,14.86\n",
            "CZK",
            ["HUF CZK 0.06245", "AUD CZK 14.86"],
        ),
        ("date,lot,currency,rate\n{day},1000,KRW,6.245\n", None, [REFUSED]),
        (
            "date;Serie;rate\n{day};100 JPY;6,8621\n{day};1 EUR;11,0215\n",
            "SEK",
            ["JPY SEK 0.068621", "EUR SEK 11.0215"],
        ),
        ("date;currency;rate\n{day};100 JPY;6,8621\n", None, [REFUSED]),
        ("date,EUR,JPY\nUnit,1,100\n{day},400.35,252.18\n", "HUF", ["EUR HUF 400.35", "JPY HUF 2.5218"]),
        ("date,EUR,JPY\nUnit,1,100\n{day},400.35,252.18\n", None, [REFUSED]),
        ("date,base,currency,rate\n{day},EUR,EUR,11.7\n{day},EUR,EUR,1\n", None, [REFUSED, "EUR EUR 1.0"]),
        (
            "TIME_PERIOD;BASE_CUR;Base Currency;Quote Currency;Unit Multiplier;OBS_VALUE\n"
            "{day};EUR;Euro;Norwegian krone;Units;11.75\n"
            "{day};SEK;Swedish krona;Norwegian krone;Hundreds;106.5\n",
            None,
            ["EUR NOK 11.75", "SEK NOK 1.065"],
        ),
        ("FCURR;TCURR;GDATU;UKURS\nUSD;EUR;79749694;0,96190\n", None, ["USD EUR 0.9619"]),
    ],
)
def test_a_rate_says_of_which_currency_it_is_in_which(
    text: str, base: str | None, rates: list[str | None]
) -> None:
    _, rows = look_at(text.format(day=RATE), "rates", base_currency=base)
    found = [None if "refused" in row else f"{row['base']} {row['currency']} {row['rate']}" for row in rows]
    assert found == rates


@pytest.mark.parametrize(
    ("header", "cells", "rate"),
    [
        ("FCURR;TCURR;GDATU;UKURS;FFACT;TFACT", "EUR;IDR;2025-03-05;17,55;1;1.000", 17_550),
        ("FCURR;TCURR;GDATU;UKURS;FFACT;TFACT", "JPY;EUR;2025-03-05;0,625;100;1", 0.00625),
        ("From;To;Date;Rate;Ratio (from);Ratio (to)", "JPY;VND;2025-03-05;1,70;10;1000", 170),
        ("From;To;Date;Rate;Ratio (from);Ratio (to)", "JPY;VND;2025-03-05;1,70;10;0", REFUSED),
        ("From;To;Date;Rate;Conversion factor", "JPY;EUR;2025-03-05;0,625;OneHundred", 0.00625),
        ("From;To;Date;Rate;Conversion factor", "JPY;EUR;2025-03-05;0,625;One", 0.625),
    ],
)
def test_a_rate_is_for_units_of_both_currencies(header: str, cells: str, rate: float | None) -> None:
    about, [row] = look_at(f"{header}\n{cells}\n", "rates")
    assert row.get("rate", REFUSED) == (rate and pytest.approx(rate))
    assert about["leftOut"] == []


@pytest.mark.parametrize(
    ("title", "said", "rates"),
    [
        (
            "06.05.2024 #87",
            {"base_currency": "CZK"},
            ["2024-05-06 JPY CZK 0.15131", "2024-05-06 EUR CZK 25.045"],
        ),
        ("Kurzy ze dne 6. 5. 2024 v CZK", {}, None),
        ("Rates of 03/05/2024", {"base_currency": "CZK"}, "asked"),
        ("1 May to 6 May 2024", {"base_currency": "CZK"}, "asked"),
    ],
)
def test_the_day_of_rates_may_stand_in_a_title(title: str, said: Any, rates: Any) -> None:
    text = f"{title}\nzemě|měna|množství|kód|kurz\nJaponsko|jen|100|JPY|15,131\nEMU|euro|1|EUR|25,0450\n"
    about, rows = look_at(text, "rates", number_format="comma", **said)
    if rates == "asked":
        assert about["missing"] == ["date"]
    else:
        found = [
            f"{row['date']} {row['base']} {row['currency']} {row['rate']:g}" for row in rows if "rate" in row
        ]
        assert (found or None) == rates


@pytest.mark.parametrize(
    ("title", "base"),
    [
        *(("Month-end rates: 1 USD =", "USD"), ("Rates per CHF", "CHF"), ("Base currency: GBP", "GBP")),
        *(("Treasury rates", "EUR"), ("Rates in USD", REFUSED)),
    ],
)
def test_the_base_of_rates_may_stand_in_a_title(title: str, base: str | None) -> None:
    _, [row] = look_at(f"{title}\n\nMonth end,SEK\n2025-01-31,11.09\n", "rates")
    assert row.get("base", REFUSED) == base


def test_of_two_rates_of_a_day_the_second_is_refused() -> None:
    rows = "2025-03-05;USD;1,05\n2025-03-05;USD;1,06\n2025-03-06;USD;1,06\n2025-03-05;USD;1,05\n"
    _, found = look_at(f"Date;Currency;Rate\n{rows}", "rates")
    assert [row.get("rate", row.get("refused")) for row in found] == [
        *(1.05, "Line 2 has another rate of that day, 1.05", 1.06, 1.05),
    ]


def test_of_two_bases_nobody_knows_which_is_worth_the_rate() -> None:
    table = (
        f"Base currency,Source currency,Rate,Effective date\nUSD,EUR,1.0488,{RATE}\nUSD,JPY,0.0067,{RATE}\n"
    )
    about, rows = look_at(table, "rates")
    assert (about["missing"], rows) == (["currency"], [])
    said = {"base": "Source currency", "currency": "Base currency"}
    _, rows = look_at(table, "rates", mapping=said)
    assert [(row["base"], row["currency"], row["rate"]) for row in rows] == [
        ("EUR", "USD", 1.0488),
        ("JPY", "USD", 0.0067),
    ]


def test_a_heading_says_for_how_many_units_a_rate_is() -> None:
    table = f"Dato;Valuta;Kurs (DKK pr. 100)\n{RATE};EUR;745,85\n"
    _, [row] = look_at(table, "rates", mapping={"rate": "Kurs (DKK pr. 100)"})
    assert (row["base"], row["currency"], row["rate"]) == ("EUR", "DKK", 7.4585)


def test_a_series_of_rates_is_named_by_its_key() -> None:
    table = f"DATE,US dollar/Euro (EXR.D.USD.EUR.SP00.A),EXR.M.JPY.CHF.SP00.A\n{RATE},1.09,161.5\n"
    _, rows = look_at(table, "rates")
    assert [(row["base"], row["currency"], row["rate"]) for row in rows] == [
        ("EUR", "USD", 1.09),
        ("CHF", "JPY", 161.5),
    ]
