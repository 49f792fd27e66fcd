"""What a price of a table is for, and in which currency: by headings, units below them, and cells."""

from typing import Any

import pytest

from tests.service.imports.dry_reading import list_asked, look_at

ROWS = "2025-01-02,Acme,Key,3,12.5\n" * 2
VALUES = ("quantity", "unit", "unitPrice", "per", "amount", "currency")


@pytest.mark.parametrize(
    ("quantity", "price", "values"),
    [
        ("Qty", "Unit price (EUR)", (3, None, 12.5, "once", 37.5, "EUR")),
        ("Qty (pcs)", "Unit price (EUR)", (3, "C62", 12.5, "once", 37.5, "EUR")),
        ("Qty", "Unit price (EUR per 100)", (3, None, 0.125, "once", 0.375, "EUR")),
        ("Qty", "Preis (EUR/1.000 St)", (3, None, 0.0125, "once", 0.0375, "EUR")),
        ("Qty", "Preis (EUR/Tausend)", (3, None, 0.0125, "once", 0.0375, "EUR")),
        ("Qty (pcs)", "Price (EUR per hundred)", (3, "C62", 0.125, "once", 0.375, "EUR")),
        ("Qty (kg)", "Unit price [€/100 kg]", (3, "KGM", 0.125, "once", 0.375, "EUR")),
        ("Qty (t)", "Unit price (EUR/kg)", (3, "TNE", 12_500, "once", 37_500, "EUR")),
        ("Qty (kg)", "Price (USD/t)", (3, "KGM", 0.0125, "once", 0.0375, "USD")),
        ("Qty", "Unit price (in EUR, excl. 19 % MwSt.)", (3, None, 12.5, "once", 37.5, "EUR")),
        ("Qty (hours)", "Price (EUR per day)", None),
        ("Qty (pcs)", "Unit price (EUR/kg)", "refused"),
        ("Qty", "Unit price (TEUR)", (3, None, 12_500, "once", 37_500, "EUR")),
        ("Qty", "Unit price (1,000 EUR)", None),
        ("Qty", "Unit price (R$ mil)", None),
        ("Qty", "Unit price (Mio. EUR)", (3, None, 12_500_000, "once", 37_500_000, "EUR")),
        ("Qty", "Unit price (USD thousands)", (3, None, 12_500, "once", 37_500, "USD")),
        ("Qty", "Unit price (EUR '000)", (3, None, 12_500, "once", 37_500, "EUR")),
        ("Qty", "Unit price (tSEK)", (3, None, 12_500, "once", 37_500, "SEK")),
        ("Qty", "Unit price (INR in lakhs)", (3, None, 1_250_000, "once", 3_750_000, "INR")),
        ("Qty", "Unit price (ล้านบาท)", (3, None, 12_500_000, "once", 37_500_000, "THB")),
        ("Qty", "Unit price (Rp juta)", (3, None, 12_500_000, "once", 37_500_000, "IDR")),
        ("Qty", "Unit price (MNOK)", (3, None, 12_500_000, "once", 37_500_000, "NOK")),
        ("Qty", "Unit price (USD m)", (3, None, 12_500_000, "once", 37_500_000, "USD")),
        ("Qty", "Unit price (€k)", (3, None, 12_500, "once", 37_500, "EUR")),
        ("Qty", "Unit price (USD M)", None),
        ("Qty", "Unit price (EUR per 1000 sheets)", (3, None, 0.0125, "once", 0.0375, "EUR")),
        ("Qty", "Unit price (EUR per 7 sheets)", None),
    ],
)
@pytest.mark.parametrize("below", [False, True], ids=["in brackets", "in a row below"])
def test_a_price_is_for_what_its_heading_says(quantity: str, price: str, values: Any, below: bool) -> None:
    """None is a heading that nobody here understands: the column is offered, and nothing read from it."""
    heads = ["Date", "Supplier", "Product", quantity, price]
    if below:
        parted = [head.replace("[", "(").rstrip(")]").split(" (") for head in heads]
        units = [part[1] if len(part) > 1 else "" for part in parted]
        text = ",".join(part[0] for part in parted) + "\n" + ",".join(f'"{unit}"' for unit in units)
    else:
        text = ",".join(f'"{head}"' for head in heads)
    about, rows = look_at(f"{text}\n{ROWS}", "purchases")
    assert list_asked(about) == []
    if values is None:
        assert (about["missing"], about["columns"][4]["suggestion"]) == (["unit_price"], "unit_price")
    elif values == "refused":
        assert all("refused" in row for row in rows)
    else:
        assert [tuple(row.get(name) for name in VALUES) for row in rows] == [values, values]


REFUSED = "refused"
TERMS = "2025-01-02,Acme,Key,3,300,EUR"


@pytest.mark.parametrize(
    ("unit", "price", "more", "values"),
    [
        ("kg", "8,50 €/kg", "", (8.5, "once", 25.5, "EUR")),
        ("t", "8.50 EUR/kg", "", (8_500, "once", 25_500, "EUR")),
        ("", "EUR 12.50/100", "", (0.125, "once", 0.375, "EUR")),
        ("pcs", "$ 8.00 per 1,000", "USD", (0.008, "once", 0.024, "USD")),
        ("", "CHF 12.- je 100 Stück", "", (0.12, "once", 0.36, "CHF")),
        ("", "3,60 € pro Dutzend", "", (0.3, "once", 0.9, "EUR")),
        ("", "EUR 12/user/month", "12", (12, "month", 432, "EUR")),
        ("", "4.50 GBP per user per month", "12", (4.5, "month", 162, "GBP")),
        ("", "120 € par utilisateur et par an", "24", (120, "year", 720, "EUR")),
        ("", "30 €/Quartal", "12", (120, "year", 360, "EUR")),
        ("h", "95 €/h", "", (95, "once", 285, "EUR")),
        ("", "95 €/h", "", REFUSED),
        ("pcs", "8,50 €/kg", "", REFUSED),
        ("", "8,50 €/Zweig", "", REFUSED),
        ("", "EUR 8.50/2025", "", REFUSED),
        ("", "EUR 8.50/7", "", REFUSED),
        ("", "EUR 8.50 per m", "", REFUSED),
        ("", "EUR 1.50/-", "", (1.5, "once", 4.5, "EUR")),
    ],
)
def test_the_cell_of_a_price_says_what_it_is_for(unit: str, price: str, more: str, values: Any) -> None:
    months, currency = (more, "") if more.isdigit() else ("", more)
    header = "Date,Supplier,Product,Quantity,Unit,Price,Months,Currency"
    row = f'2025-01-02,Acme,Key,3,{unit},"{price}",{months},{currency}'
    about, [found] = look_at(f"{header}\n{row}\n", "purchases")
    assert list_asked(about) == []
    if values == REFUSED:
        assert "refused" in found
    else:
        assert tuple(found[name] for name in ("unitPrice", "per", "amount", "currency")) == values


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Price per 100", "EUR 8.50/1000"),
        ("Price per month", "EUR 8.50/year"),
        ("Price,Price unit", "EUR 8.50/100,1000"),
        ("Price,Price per", "EUR 8.50/year,month"),
    ],
)
def test_a_cell_that_contradicts_what_its_price_is_for_is_refused(header: str, cells: str) -> None:
    _, [found] = look_at(
        f"Date,Supplier,Product,Months,{header}\n2025-01-02,Acme,Key,12,{cells}\n", "purchases"
    )
    assert "refused" in found


@pytest.mark.parametrize(
    ("price", "line"),
    [
        ("EUR 12/user/month", (12, "month", "user", 2_880)),
        ("12 € pro Nutzer und Jahr", (12, "year", "user", 240)),
        ("EUR 50 per 100 users per month", (0.5, "month", "user", 120)),
        ("EUR 12/user/day", (None, None, "user", None)),
    ],
)
def test_the_price_of_a_contract_says_in_its_cell_what_it_is_for(price: str, line: tuple[Any, ...]) -> None:
    header = "Contract,Supplier,Start,End,Seats,Price"
    _, [found] = look_at(f"{header}\nA,Acme,2025-01-01,2025-12-31,20,{price}\n", "agreements")
    [bought] = found["lines"]
    assert tuple(bought.get(name) for name in ("unitPrice", "pricePer", "unit", "amount")) == line
    assert ("doubt" in found) == (line[0] is None or found["totalValue"] == line[3])


@pytest.mark.parametrize(
    ("more", "cells", "said", "values"),
    [
        ("Price per quarter|Currency|Months", "12", {}, (1_200, "year", 3_600)),
        ("Preis pro Halbjahr|Currency|Months", "12", {}, (600, "year", 1_800)),
        ("Semi-annual price|Currency|Months", "24", {}, (600, "year", 3_600)),
        ("Price per month|Currency|Months", "", {}, (300, "month", 900)),
        ("Price (EUR/quarter)|Currency|Months", "6", {}, (1_200, "year", 1_800)),
        ("Price|Currency|Months|Price per", "12,quarterly", {}, (1_200, "year", 3_600)),
        ("Price|Currency|Months|Price per", "12,Semestre", {}, (600, "year", 1_800)),
        ("Price|Currency|Months|Price per", "12,4 months", {}, "refused"),
        ("Price|Currency|Months|Total", "12,3600", {}, (1_200, "year", 3_600)),
        ("Price|Currency|Months|Total", "12,1800", {}, (600, "year", 1_800)),
        ("Price|Currency|Months", "12", {"price_per": "quarter"}, (1_200, "year", 3_600)),
        ("Price|Currency|Months", "12", {"price_per": "half_year"}, (600, "year", 1_800)),
    ],
)
def test_a_price_per_quarter_is_a_fourth_of_a_year(
    more: str, cells: str, said: dict[str, Any], values: Any
) -> None:
    header = f"Date,Supplier,Product,Quantity,{more.replace('|', ',')}"
    about, rows = look_at(f"{header}\n{TERMS},{cells}\n", "purchases", **said)
    assert list_asked(about) == []
    if values == "refused":
        assert "refused" in rows[0]
    else:
        assert tuple(rows[0][name] for name in ("unitPrice", "per", "amount")) == values


@pytest.mark.parametrize(
    ("heading", "total"),
    [
        ("Annual fee", 1_800),
        ("Semi-annual cost", 3_600),
        ("Valor semestral", 3_600),
        ("Amount per quarter", 7_200),
        ("Quartalsbetrag (EUR)", 7_200),
        ("Rent per quarter (GBP)", 7_200),
        ("Monatliche Kosten", 21_600),
        ("Valeur mensuelle", 21_600),
    ],
)
def test_the_value_of_a_period_is_that_of_the_term_and_doubted(heading: str, total: float) -> None:
    _, [row] = look_at(f"Contract,Supplier,Start,End,{heading}\nA,Acme,2025-01-01,2026-06-30,1200\n")
    assert (row["totalValue"], heading in row["doubt"]) == (total, True)


@pytest.mark.parametrize(
    ("value", "total"),
    [
        ("12000 € p.a.", 18_000),
        ("EUR 1000/month", 18_000),
        ("1000 EUR monatlich", 18_000),
        ("3000 € je Quartal", 18_000),
        ("€ 12000 per annum", 18_000),
        ("18000 EUR", 18_000),
        ("12 EUR/user/month", None),
        ("40 EUR/day", None),
        ("12000 € for the pilot", None),
    ],
)
def test_the_value_of_a_period_in_a_cell_is_that_of_the_term(value: str, total: float | None) -> None:
    header = "Contract,Supplier,Start,End,Value"
    _, [row] = look_at(f"{header}\nA,Acme,2025-01-01,2026-06-30,{value}\n", "agreements")
    assert (row.get("totalValue"), row["termEnd"]) == (total, "2026-06-30")
    assert ("doubt" in row) == (value != "18000 EUR")


STATED = "Date,Supplier,Product,Quantity,Unit price,Currency"


@pytest.mark.parametrize(
    ("more", "rows", "values"),
    [
        ("Total", ["3,10,EUR,33"], [REFUSED]),
        ("Total", ["3000,0.33,EUR,1000", "3000,0.33,EUR,1020"], [(0.33, 1_000), REFUSED]),
        ("Total", ["7,14.2857,EUR,100", "100,12,EUR,1240"], [(14.2857, 100), REFUSED]),
        ("Months,Total", ["3,10,EUR,12,360", "3,10,EUR,12,250"], [(10, 360), REFUSED]),
        ("Months,Price per,Total", ["3,10,EUR,12,month,30"], [REFUSED]),
        (
            "Discount,Total",
            ["3,10,EUR,10%,27", "3,10,EUR,3,27", "3,10,EUR,5,27"],
            [(9, 27), (9, 27), REFUSED],
        ),
        (
            "VAT,Total",
            ["3,10,EUR,19%,35.70", "3,10,EUR,5.7,35.70", "3,10,EUR,7,35.70"],
            [(10, 30)] * 2 + [REFUSED],
        ),
        ("Total", ["300,12.5,EUR,37.50", "20,40,EUR,8", "40,5,EUR,2"], [(0.125, 37.5), (0.4, 8), (0.05, 2)]),
        ("Total", ["3000,12.5,EUR,37.50", "2000,40,EUR,80", "400,5,EUR,2"], [REFUSED] * 3),
        ("Freight,Total", ["3,10,EUR,4,34", "3,10,EUR,0,30"], [REFUSED, (10, 30)]),
        ("Total", ["3,10,EUR,n/a"], [(10, 30)]),
    ],
)
def test_a_total_is_what_the_price_makes_or_refused(more: str, rows: list[str], values: list[Any]) -> None:
    text = "\n".join([f"{STATED},{more}", *(f"2025-01-02,Acme,Key,{row}" for row in rows)])
    _, found = look_at(f"{text}\n", "purchases")
    assert [REFUSED if "refused" in row else (row["unitPrice"], row["amount"]) for row in found] == values


@pytest.mark.parametrize(
    ("more", "cells", "asked", "per"),
    [
        ("Months,Billing period,Total", "12,yearly,360", [], "month"),
        ("Months,Abrechnungsintervall,Total", "24,jährlich,60", [], "year"),
        ("Months,Billing frequency", "12,yearly", ["price_per"], "term"),
        ("Billing cycle", "monthly", ["price_per"], "once"),
        ("Billing cycle", "once", [], "once"),
        ("Billing cycle,Total", "yearly,30", [], "year"),
        ("Billing cycle,Total", "monthly,30", ["price_per"], "once"),
        ("Price per,Billing cycle", "month,yearly", [], "month"),
    ],
)
def test_how_often_it_is_billed_is_not_what_a_price_is_for(
    more: str, cells: str, asked: list[str], per: str
) -> None:
    about, [row] = look_at(f"{STATED},{more}\n2025-01-02,Acme,Key,3,10,EUR,{cells}\n", "purchases")
    assert (list_asked(about), row["per"]) == (asked, per)


TITLED = "Date,Supplier,Product,Quantity,Unit price,Total\n2025-01-02,Acme,Key,3,2.5,7.5\n"


@pytest.mark.parametrize(
    ("title", "asked", "values"),
    [
        ("All amounts in EUR", [], (2.5, 7.5, "EUR")),
        ("Beträge in CHF", [], (2.5, 7.5, "CHF")),
        ("All amounts in EUR excl. VAT", [], (2.5, 7.5, "EUR")),
        ("Montants en k€ HT", [], (2_500, 7_500, "EUR")),
        ("Beløp i NOK 1000 eks. mva", [], (2_500, 7_500, "NOK")),
        ("Currency,PLN", [], (2.5, 7.5, "PLN")),
        ("발주현황 (단위: 천원)", [], (2_500, 7_500, "KRW")),
        ("（単位：百万円）", [], (2_500_000, 7_500_000, "JPY")),
        ("单位：人民币万元", [], (25_000, 75_000, "CNY")),
        ("单位：万元", ["currency"], (25_000, 75_000, "USD")),
        ("Закупки, в тыс. руб.", [], (2_500, 7_500, "RUB")),
        ("單位：元", ["currency"], (2.5, 7.5, "USD")),
        ("单位：个", ["currency"], (2.5, 7.5, "USD")),
        ("Purchases 2025 (in TEUR)", [], (2_500, 7_500, "EUR")),
        ("Alle Beträge in Tsd. EUR", [], (2_500, 7_500, "EUR")),
        ("Montants en milliers d'euros", [], (2_500, 7_500, "EUR")),
        ("Prices in GBP; all amounts in thousands", [], (2_500, 7_500, "GBP")),
        ("Amounts in USD millions", [], (2_500_000, 7_500_000, "USD")),
        ("Valores em milhares", ["currency"], (2_500, 7_500, "USD")),
        ("All figures in thousands", [], None),
        ("Valores em R$ mil", [], None),
        ("Amounts in EUR\nAll amounts in CHF", ["currency"], (2.5, 7.5, "USD")),
        ("Offices in Europe", ["currency"], (2.5, 7.5, "USD")),
        ("Purchases not in EUR", ["currency"], (2.5, 7.5, "USD")),
    ],
)
def test_a_title_says_what_the_amounts_are_in(title: str, asked: list[str], values: Any) -> None:
    """None is what may be of quantities too: the amounts are offered, and nothing read from them."""
    about, rows = look_at(f"{title}\n\n{TITLED}", "purchases")
    assert list_asked(about) == asked
    if values is None:
        assert (about["missing"], about["columns"][4]["suggestion"]) == (["unit_price"], "unit_price")
    else:
        assert tuple(rows[0][name] for name in ("unitPrice", "amount", "currency")) == values


@pytest.mark.parametrize("column", ["Unit price", "Unit price (figures in thousands)"])
def test_a_column_that_a_title_speaks_of_is_mapped_by_either_heading(column: str) -> None:
    mapping = {"unit_price": column, "total_price": ""}
    _, [row] = look_at(f"All figures in thousands\n{TITLED}", "purchases", mapping=mapping, currency="EUR")
    assert (row["unitPrice"], row["amount"]) == (2_500, 7_500)


def test_what_contradicts_the_currency_of_a_title_is_refused() -> None:
    rows = "2025-01-02,Acme,Key,1,2.5,USD\n2025-01-02,Acme,Key,1,2.5,EUR\n2025-01-02,Acme,Key,1,$2.5,\n"
    _, found = look_at(f"All amounts in EUR\n{STATED}\n{rows}", "purchases")
    assert [row.get("currency") for row in found] == [None, "EUR", None]


def test_a_title_scales_the_amounts_of_agreements() -> None:
    header = "Contract,Supplier,End,Total value,Seats,Unit price"
    _, [row] = look_at(f"Alle Beträge in TEUR\n{header}\nA,Acme,2027-01-01,12.5,10,1.25\n", "agreements")
    assert (row["totalValue"], row["currency"]) == (12_500, "EUR")


@pytest.mark.parametrize(
    ("per", "prices"),
    [
        (("C", "M", "EA"), (0.142, 0.0142, 14.2)),
        (("C", "E", "100"), (0.142, 14.2, 0.142)),
        (("each", "dozen", ""), (14.2, 14.2 / 12, 14.2)),
        (("M", "M", "M"), None),
        (("month", "M", "M"), (14.2, 14.2, 14.2)),
    ],
)
def test_letters_below_per_say_for_how_many_a_price_is(
    per: tuple[str, ...], prices: tuple[float, ...] | None
) -> None:
    """None is a column of which nothing says whether it is months or thousands: it is offered."""
    lines = [f"2025-01-02,Acme,Key {at},3,14.2,{one}" for at, one in enumerate(per)]
    text = "\n".join(["Date,Supplier,Product,Qty,Unit price,Per", *lines])
    about, rows = look_at(text, "purchases", currency="EUR", mapping={"term_months": ""})
    if prices is None:
        assert about["columns"][5]["suggestion"] == "price_period"
    else:
        assert [row.get("unitPrice") for row in rows] == pytest.approx(list(prices))


@pytest.mark.parametrize(("stated", "price"), [("1.000", 14.2), ("100.000", 0.142), ("0", None)])
def test_the_number_that_a_price_is_for_is_written_as_those_of_its_file(
    stated: str, price: float | None
) -> None:
    text = f"Date,Supplier,Product,Qty,Unit price,Price unit\n2025-01-02,Acme,Key,300,14.2,{stated}\n"
    _, [row] = look_at(text, "purchases", currency="EUR", number_format="point")
    assert row.get("unitPrice") == price


def test_what_is_read_with_the_price_is_not_left_out() -> None:
    text = "Date,Supplier,Product,Qty,Unit price,Price unit\n2025-01-02,Acme,Key,300,14.2,100\n"
    about, [row] = look_at(text, "purchases", currency="EUR")
    assert (about["columns"][5]["use"], about["leftOut"], row["unitPrice"]) == ("read", [], 0.142)
    about, [row] = look_at(text, "purchases", currency="EUR", ignored_columns=["Price unit"])
    assert (about["columns"][5]["use"], row["unitPrice"]) == ("ignored", 14.2)


@pytest.mark.parametrize(
    ("heads", "cells", "values"),
    [
        ("Qty (units),Price per pack", "2000,7.80", (2000, 0.078)),
        ("Qty,Unit,Price per pack", "2000,EA,7.80", (2000, 0.078)),
        ("Qty,Unit,Price per pack", "20,packs,7.80", (20, 7.8)),
        ("Packs,Price per pack", "20,7.80", (20, 7.8)),
        ("Qty,Price per pack,Total", "2000,7.80,156", (2000, 0.078)),
        ("Qty,Price per pack,Total", "20,7.80,156", (20, 7.8)),
        ("Qty,Price per pack", "2000,7.80", None),
        ("Qty,Price", "20,7.80", (20, 7.8)),
    ],
)
@pytest.mark.parametrize("size", ["Pack size", "Qty per Box", "Stück pro Packung", "入数"])
def test_a_price_per_pack_is_for_as_many_as_a_column_says(
    size: str, heads: str, cells: str, values: tuple[float, float] | None
) -> None:
    rows = "".join(f"2025-01-02,Acme,{item},EUR,100,{cells}\n" for item in ("Glove", "Mask"))
    _, [row, _] = look_at(f"Date,Supplier,Item,Currency,{size},{heads}\n{rows}", "purchases")
    found = None if "refused" in row else (row["quantity"], pytest.approx(row["unitPrice"]))
    assert found == values


@pytest.mark.parametrize(
    ("heads", "cells", "values"),
    [
        ("Qty,Gross unit price,Gross total,VAT", "10,119,1190,19%", (10, 100, 1_000)),
        ("Qty,Gross unit price,Gross total,VAT", "10,119,1190,190", (10, 100, 1_000)),
        ("Qty,Gross unit price,Gross total,VAT", "3,9.99,29.97,7 %", (3, pytest.approx(28.01 / 3), 28.01)),
        ("Qty,Gross unit price,Gross total,VAT", "10,119,1190,", None),
        ("Disc%,Qty,Price,Total", "10,10,60,540", (10, 54, 540)),
        ("Disc %,Qty,Price,Total", "10%,10,60,540", (10, 54, 540)),
        ("Pack size,Packs,Pack price,Total", "100,20,6.50,130", (20, 6.5, 130)),
        ("Cases,Case price,Bottles per case,Total", "10,60,6,600", (10, 60, 600)),
        ("Boxes,Sheets,Price per box,Total", "4,500,25,100", (4, 25, 100)),
        ("Qty of parcels weighed,Total", "20,130", "asked"),
        ("Qty invoiced,Unit net,Net", "4,50,200", (4, 50, 200)),
        ("Qty,Price,Total,Prices include VAT,VAT", "4,60,240,Yes,20%", (4, 50, 200)),
        ("Qty,Price,Total,Prices include VAT,VAT", "4,60,240,No,20%", (4, 60, 240)),
        ("Total,VAT,Amounts are", "240,40,Inclusive", (1, 200, 200)),
        ("Qty,Unit price,Cena za,Total", "2000,18.50,100,370", (2000, 0.185, 370)),
        ("Qty,Unit price,Shelf,Total", "20,18.50,100,370", (20, 18.5, 370)),
        ("Total,VAT,Amounts are", "240,40,Exclusive of tax", (1, 240, 240)),
        ("Total,VAT,税計算区分", "240,40,内税", (1, 200, 200)),
        ("Packs,Total", "20,130", "asked"),
        ("Hours,Total", "40,3800", "asked"),
        ("Packs,Pack price,Total", "20,6.50,131", "asked"),
        ("Licences,Total", "20,130", "asked"),
        ("Total", "130", (1, 130, 130)),
    ],
)
def test_how_many_were_bought_and_what_is_in_the_price_is_reckoned_or_asked(
    heads: str, cells: str, values: Any
) -> None:
    about, rows = look_at(
        f"Date,Supplier,Item,Currency,{heads}\n2025-01-02,Acme,Key,EUR,{cells}\n", "purchases"
    )
    if values == "asked":
        assert about["missing"] == ["quantity"]
    elif values is None:
        assert "nothing says how much" in rows[0]["refused"]
    else:
        assert [rows[0][name] for name in ("quantity", "unitPrice", "amount")] == [*values]


@pytest.mark.parametrize(
    ("heads", "cells", "amount", "is_told"),
    [
        ("Net,VAT,Invoice total", "200,40,240", 200, True),
        ("VAT,Invoice total", "40,240", 240, False),
        ("VAT,Invoice total,Terms", "40,240,net 30", 240, False),
    ],
)
def test_a_mapped_total_is_with_tax_where_another_column_proves_it(
    heads: str, cells: str, amount: float, is_told: bool
) -> None:
    about, [row] = look_at(
        f"Date,Supplier,Item,Currency,{heads}\n2025-01-02,Acme,Key,EUR,{cells}\n",
        "purchases",
        mapping={"total_price": "Invoice total"},
    )
    assert row["amount"] == amount
    assert any("before tax or with it" in note for note in about["notes"]) != is_told


def test_a_quantity_of_nothing_proves_no_total() -> None:
    amounts = "Qty ordered,Received,Cancelled qty,Item price,Discount,Sub total,Item total"
    heads = f"Date,Supplier,Item,Currency,{amounts}"
    lines = ["10,10,0,5,0,80,50", "4,4,0,7.5,0,80,30", "6,0,0,9,10%,48.6,48.6"]
    text = "\n".join([heads, *(f"2025-01-02,Acme,Key,EUR,{line}" for line in lines)])
    _, rows = look_at(text, "purchases")
    assert [(row["quantity"], row["unitPrice"]) for row in rows] == [(10, 5), (4, 7.5), (6, 8.1)]


@pytest.mark.parametrize(
    ("headings", "cells", "found"),
    [
        ("Desc. 1;Desc. 2;Total", "10;5;171", (1.71, "EUR")),
        ("Desc.;Total", "10;180", (1.8, "EUR")),
        ("Desc. %;Total", "10;180", (1.8, "EUR")),
        ("Desc.;Total", "Cork;200", (2, "EUR")),
        ("Discount;Total", "0.2;180", (1.8, "EUR")),
        ("Discount;Total", "0.25;180", None),
        ("Foreign price;Foreign currency", "3;USD", (2, "EUR")),
    ],
)
def test_a_discount_is_of_a_unit_or_shortened_like_a_description(
    headings: str, cells: str, found: tuple[float, str] | None
) -> None:
    table = f"Date;Supplier;Product;Qty;Price;Currency;{headings}\n2025-02-05;Acme;Key;100;2;EUR;{cells}\n"
    _, [row] = look_at(table, "purchases")
    assert (row["unitPrice"], row["currency"]) == found if found else "nothing says" in row["refused"]


@pytest.mark.parametrize("of", ["Txn", "Document", "Foreign"])
def test_amounts_that_begin_as_the_currency_does_are_those_in_it(of: str) -> None:
    table = (
        f"Date,Supplier,Product,Qty,Price,Total,Base currency,{of} currency,{of} price,{of} total\n"
        "2025-02-05,Acme,Key,10,11,110,USD,EUR,10,100\n"
    )
    _, [row] = look_at(table, "purchases", mapping={"currency": f"{of} currency"})
    assert (row["unitPrice"], row["amount"], row["currency"]) == (10, 100, "EUR")
    _, [row] = look_at(table, "purchases", mapping={"currency": "Base currency"})
    assert (row["unitPrice"], row["amount"], row["currency"]) == (11, 110, "USD")


def test_a_unit_of_the_organisation_is_none_of_a_quantity() -> None:
    table = "Unit,Date,Supplier,Product,Qty,UOM,Price,Currency\nUS001,2025-02-05,Acme,Key,10,BX,2,USD\n"
    _, [row] = look_at(table, "purchases")
    assert row["unit"] == "BX"


def test_a_quantity_that_makes_half_of_the_totals_is_needed_and_with_it_what_prices_are_for() -> None:
    lines = ["1,Acme,Key,20250205,1200,24.5,1,29400", "2,Acme,Nut,20250205,5000,38,100,1900"]
    lines += ["3,Acme,Pin,20250205,20,129,1,2580", "4,Acme,Cap,20250205,10,219,1,2080.5"]
    table = "\n".join(["NO,SU,IT,DT,OQ,PR,CD,NA", *lines])
    said = {"supplier": "SU", "product": "IT", "purchase_date": "DT", "unit_price": "PR"}
    about, _ = look_at(table, "purchases", mapping=said, currency="NOK")
    assert about["missing"] == ["quantity"]
    _, rows = look_at(table, "purchases", mapping={**said, "quantity": "OQ"}, currency="NOK")
    assert [row.get("unitPrice") for row in rows] == [24.5, 0.38, 129, None]
