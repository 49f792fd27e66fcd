"""Rows of files of agreements: what they say beyond doubt, what is doubtful, and what cannot be."""

from typing import Any

import pytest

from app.contract.imports import DateOrder
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.files.agreement_row import AgreementRow
from app.service.agreements.files.row_reader import read_agreement_rows
from app.service.table_files.options import FileOptions
from app.service.tables.table import RejectedRow
from tests.service.imports.dry_reading import list_asked, look_at


def read(
    header: str, *lines: str, order: DateOrder | None = None, mapping: dict[str, str] | None = None
) -> list[AgreementRow | RejectedRow]:
    rows = [(at, line.split(",")) for at, line in enumerate([header, *lines], start=1)]
    return list(read_agreement_rows(iter(rows), WorkingDays(), FileOptions(mapping or {}, date_order=order)))


CAP = {"kind": "cap", "basis": "term", "compounding": False}


def read_one(header: str, line: str, **options: Any) -> tuple[dict[str, Any], list[str]]:
    """What the wire says of the one row, without its name, and the fields that are doubtful."""
    [row] = read(header, line, **options)
    assert isinstance(row, AgreementRow), row
    wire = row.agreed.wire()
    del wire["name"]
    return wire, [doubt.field for doubt in row.doubts]


@pytest.mark.parametrize(
    ("header", "line", "stated"),
    [
        (
            "Contract,Vendor,Begin,End,Amount",
            "Milk,Dairy Co,2024-02-29,2025-02-28,1200",
            {
                "supplierName": "Dairy Co",
                "termStart": "2024-02-29",
                "termEnd": "2025-02-28",
                "totalValue": 1200,
            },
        ),
        (
            "name,term_start,term_months,notice_period,auto_renewal,renewal_term",
            "A,2024-02-29,12,90 days,yes,1 year",
            {
                "termStart": "2024-02-29",
                "termEnd": "2025-02-27",
                "noticePeriod": {"value": 90, "unit": "day"},
                "renewalType": "auto_renew",
                "autoRenewalTermMonths": 12,
            },
        ),
        (
            "name,end,notice_months",
            "A,31.12.2026,3",
            {"termEnd": "2026-12-31", "noticePeriod": {"value": 3, "unit": "month"}},
        ),
        (
            "name,end,notice_days",
            "A,December 31 2026,90",
            {"termEnd": "2026-12-31", "noticePeriod": {"value": 90, "unit": "day"}},
        ),
        ("name,end,renewal", "A,2026-12-31,none", {"termEnd": "2026-12-31", "renewalType": "none"}),
        ("name,end_exclusive", "A,2027-01-01T00:00:00Z", {"termEnd": "2026-12-31"}),
        ("name,end_exclusive", "A,2027-01-01T12:00:00Z", {"termEnd": "2027-01-01"}),
        (
            "name,notice,owner,owner_email,tags,billing,quantity,unit_price",
            "A,2 weeks,Ann,ann@x.example,it|cloud,yearly,5,20",
            {
                "noticePeriod": {"value": 14, "unit": "day"},
                "owners": [{"name": "Ann", "email": "ann@x.example"}],
                "tags": ["it", "cloud"],
                "billingFrequency": "annual",
                "lines": [{"description": "A", "quantity": 5, "unitPrice": 20}],
            },
        ),
    ],
)
def test_what_a_row_says_is_read(header: str, line: str, stated: dict[str, Any]) -> None:
    assert read_one(header, line) == (stated, [])


@pytest.mark.parametrize(
    ("header", "line", "stated", "doubtful"),
    [
        *(
            (
                f"name,end,{heading}",
                f"A,2026-12-31,{cell}",
                {"termEnd": "2026-12-31", "noticePeriod": {"value": value, "unit": unit}},
                [],
            )
            for heading, cell, value, unit in (
                ("notice_period", "ninety (90) days", 90, "day"),
                ("notice_period", "drei Monate", 3, "month"),
                ("notice_period", "one month prior to expiry", 1, "month"),
                ("Notice period (weeks)", "4", 28, "day"),
                ("Notice period (weeks)", "2 months", 2, "month"),
                ("Kündigungsfrist (Wochen)", "6", 42, "day"),
            )
        ),
        *(
            (
                f"name,start,{heading}",
                f"A,2026-01-01,{cell}",
                {"termStart": "2026-01-01", "termEnd": end},
                [],
            )
            for heading, cell, end in (
                ("Plazo de ejecución (meses)", "24", "2027-12-31"),
                ("Initial term", "three years", "2028-12-31"),
                ("Contract term (years)", "1.5", "2027-06-30"),
                ("Erstlaufzeit (Jahre)", "2", "2027-12-31"),
                ("Laufzeit", "zwei Jahre", "2027-12-31"),
            )
        ),
        *(
            (
                f"name,end,{heading}",
                f"A,2026-12-31,{cell}",
                {"termEnd": "2026-12-31", "renewalType": kind}
                | ({} if months is None else {"autoRenewalTermMonths": months}),
                [],
            )
            for heading, cell, kind, months in (
                ("auto_renewal", "Yes - successive 1 year terms", "auto_renew", 12),
                ("renewal", "automatisch um 12 Monate", "auto_renew", 12),
                ("renewal", "Automatically renews for 12 months", "auto_renew", 12),
                ("renewal", "No automatic renewal", "none", None),
                ("renewal", "keine automatische Verlängerung", "none", None),
                ("renewal", "nein", "none", None),
                ("renewal", "Non", "none", None),
                ("auto_renewal", "ja", "auto_renew", None),
                ("Rinnovo tacito", "Sì", "auto_renew", None),
                ("renewal", "option, 1 year", "option", None),
            )
        ),
        *(
            (
                "name,end,notice_period",
                f"A,2026-12-31,{notice}",
                {"termEnd": "2026-12-31", "noticePeriod": {"value": value, "unit": unit}},
                doubtful,
            )
            for notice, value, unit, doubtful in (
                ("6 Wochen zum Quartalsende", 42, "day", ["notice_period"]),
                ("3 months to the end of a quarter", 3, "month", ["notice_period"]),
                ("4 Wochen zum Monatsende", 28, "day", ["notice_period"]),
                ("1 mois avant la fin du mois", 1, "month", ["notice_period"]),
                ("3 Monate zum Laufzeitende", 3, "month", []),
                ("90 days before expiry", 90, "day", []),
            )
        ),
        ("name,end", "A,9999-12-31", {}, ["term_end"]),
        ("name,end", "A,12/31/2099", {}, ["term_end"]),
        ("name,end", "A,01/02/9999", {}, ["term_end"]),
        ("name,end", "A,ongoing", {}, ["term_end"]),
        ("name,end", "A,TBD", {}, ["term_end"]),
        ("name,end", "A,03/04/2026", {}, ["term_end"]),
        ("name,end", "A,04/04/2026", {"termEnd": "2026-04-04"}, []),
        ("name,renewal_date", "A,2027-01-01", {"termEnd": "2026-12-31"}, ["renewal_date"]),
        (
            "name,term_start,term_months,renewal_date",
            "A,2026-01-01,12,2026-12-31",
            {"termStart": "2026-01-01", "termEnd": "2026-12-31"},
            [],
        ),
        (
            "name,term_start,term_months,renewal_date",
            "A,2026-01-01,12,2026-12-30",
            {"termStart": "2026-01-01"},
            ["term_end"],
        ),
        ("name,notice", "A,90", {}, ["notice_period"]),
        ("name,notice", "A,as agreed", {}, ["notice_period"]),
        ("name,renewal", "A,yes", {}, ["renewal_type"]),
        ("name,renewal", "A,to be agreed 3 months before", {}, ["renewal_type"]),
        ("name,Notice (days)", "A,3 months", {}, ["notice_days"]),
        ("name,end", "A,unbefristet", {}, ["term_end"]),
        ("name,notice_days", "A,3 months", {}, ["notice_days"]),
        ("name,notice_days,notice_months", "A,90,3", {}, ["notice_period"]),
        ("name,start,term", "A,2026-01-01,3", {"termStart": "2026-01-01"}, ["term"]),
        (
            "name,start,end,term_months",
            "A,2026-01-01,2026-12-31,24",
            {"termStart": "2026-01-01"},
            ["term_end"],
        ),
        ("name,renewal", "A,maybe", {}, ["renewal_type"]),
        ("name,payment_terms", "A,Paid on the 5th of each month", {}, ["payment_terms_days"]),
        ("name,payment_terms", "A,30", {"paymentTermsDays": 30}, []),
        (
            "name,start,renewal_date,annual value",
            "A,2025-03-01,2026-02-28,600",
            {"termStart": "2025-03-01", "termEnd": "2026-02-28", "totalValue": 600},
            ["renewal_date", "annual_value"],
        ),
        (
            "name,start,end,Cancel by",
            "A,2025-03-01,2026-02-28,2025-12-30",
            {
                "termStart": "2025-03-01",
                "termEnd": "2026-02-28",
                "noticePeriod": {"value": 60, "unit": "day"},
            },
            ["notice_period"],
        ),
        (
            "name,notice",
            "A,Either party by giving thirty days written notice",
            {"noticePeriod": {"value": 30, "unit": "day"}},
            ["notice_period"],
        ),
        ("name,notice", "A,30 days after the start of a year", {}, ["notice_period"]),
        (
            "name,Kündigung: Frist,Kündigung: Einheit",
            "A,3,Monate",
            {"noticePeriod": {"value": 3, "unit": "month"}},
            [],
        ),
        ("name,payment_terms", "A,net 45", {"paymentTermsDays": 45}, []),
        ("name,payment_terms", "A,30 days net", {"paymentTermsDays": 30}, []),
        ("name,payment_terms", "A,14 Tage", {"paymentTermsDays": 14}, []),
        ("name,payment_terms", "A,2% 10 net 30", {}, ["payment_terms_days"]),
        ("name,total,end", "A,on request,2026-12-31", {"termEnd": "2026-12-31"}, ["total_value"]),
        ("name,commitment", "A,see annex 2", {}, ["committed_spend"]),
        ("name,start,total", "A,upon signature,5", {"totalValue": 5}, ["term_start"]),
        ("name,max_renewals", "A,twice", {}, ["max_renewals"]),
        ("name,uplift_kind,uplift_percent", "A,cap,agreed", {"uplift": CAP}, ["uplift_percent"]),
        ("name,seats,unit_cost", "A,many,2", {"lines": [{"description": "A", "unitPrice": 2}]}, ["quantity"]),
        ("name,owner_email", "A,nobody", {}, ["owner_email"]),
        ("name,owner,owner_email", "A,Ann,ask HR", {"owners": [{"name": "Ann"}]}, ["owner_email"]),
        (
            "name,start,end,annual value",
            "A,2026-01-01,2027-12-31,600",
            {"termStart": "2026-01-01", "termEnd": "2027-12-31", "totalValue": 1200},
            ["annual_value"],
        ),
        (
            "name,start,end,annual_cost,total",
            "A,2026-01-01,2027-12-31,600,1200",
            {"termStart": "2026-01-01", "termEnd": "2027-12-31", "totalValue": 1200},
            [],
        ),
        (
            "name,start,end,annual_cost,total",
            "A,2026-01-01,2027-12-31,600,900",
            {"termStart": "2026-01-01", "termEnd": "2027-12-31", "totalValue": 900},
            ["annual_value"],
        ),
        ("name,Jahreswert", "A,600", {}, ["annual_value"]),
        (
            "software,vendor,unit_cost_usd,seats_purchased",
            "A,V,140.5,291",
            {
                "supplierName": "V",
                "currency": "USD",
                "lines": [{"description": "A", "quantity": 291, "unitPrice": 140.5}],
            },
            [],
        ),
        ("name,total_eur,setup_fee_usd", "A,10,5", {}, []),
        ("name,total_eur,currency", "A,10,USD", {"currency": "USD"}, []),
        ("name,renewal,auto_renew", "A,none,yes", {}, ["auto_renewal"]),
        ("name,currency", "A,Dollars", {}, ["currency"]),
        ("name,notice,extension", "A,3 kk,1 year", {"noticePeriod": {"value": 3, "unit": "month"}}, []),
        ("reference,award amount,current value", "A,10,15", {"reference": "A", "totalValue": 15}, []),
        (
            "契約件名,自動更新,解約予告期間",
            "A,有,3ヶ月前",
            {"renewalType": "auto_renew", "noticePeriod": {"value": 3, "unit": "month"}},
            [],
        ),
        ("name,end,billing", "A,2026-12-31,when due", {"termEnd": "2026-12-31"}, ["billing_frequency"]),
    ],
)
def test_a_doubtful_value_is_left_out_and_listed(
    header: str, line: str, stated: dict[str, Any], doubtful: list[str]
) -> None:
    assert read_one(header, line) == (stated, doubtful)


@pytest.mark.parametrize(
    ("header", "line", "reason"),
    [
        ("name,start,end", "A,2026-12-31,2026-01-01", "is before the term starts"),
        ("name,end", "A,2026-02-29", "end '2026-02-29' is a date that the calendar does not have"),
        ("name,end", "A,1899-12-31", "is before 1900"),
        ("name,currency", "A,XXY", "is no currency"),
        (
            "name,start,end,auto_renew,notice",
            "A,2026-01-01,2026-01-31,yes,3 months",
            "is longer than the first term",
        ),
        ("name,total,one_time_value", "A,10,20", "must not be more than totalValue"),
        ("name,total", "A,-5", "total '-5' is below 0"),
        ("name,max_renewals", "A,1.5", "is no whole number"),
        ("name,end", ",2026-12-31", "name is missing"),
        ("reference,supplier,total", ",Summe,1200", "is the sum of other rows"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(header: str, line: str, reason: str) -> None:
    [row] = read(header, line)
    assert isinstance(row, RejectedRow)
    assert reason in row.reason


def test_the_order_of_day_and_month_is_that_of_the_file() -> None:
    """One date of any column proves it; without one, only what a person says."""
    header = "name,start,end"
    first, second = read(header, "A,01/02/2026,31/01/2027", "B,03/04/2026,02/04/2027")
    assert isinstance(first, AgreementRow)
    assert isinstance(second, AgreementRow)
    assert str(first.agreed.term_start) == "2026-02-01"
    assert str(second.agreed.term_start) == "2026-04-03"
    _, third = read(header, "A,01/02/2026,12/31/2026", "B,03/04/2026,25/03/2027")
    assert isinstance(third, AgreementRow)
    assert third.agreed.term_start is None, "the file contradicts itself"
    assert str(third.agreed.term_end) == "2027-03-25"
    orders: tuple[tuple[DateOrder, str], ...] = (("day_first", "2026-04-03"), ("month_first", "2026-03-04"))
    for order, start in orders:
        assert read_one(header, "A,03/04/2026,", order=order) == ({"termStart": start}, [])


@pytest.mark.parametrize(
    ("total", "stated", "doubted"),
    [
        ("€ 1.250", {}, ["total_value"]),
        ("€ 12.50", {"totalValue": 12.5, "currency": "EUR"}, []),
        ("12 kr", {"totalValue": 12}, ["currency"]),
        ("0.285", {"totalValue": 0.285}, []),
    ],
)
def test_an_amount_names_its_currency_and_one_of_two_readings_is_left_out(
    total: str, stated: dict[str, Any], doubted: list[str]
) -> None:
    wire, doubts = read_one("name,total", f"A,{total}")
    assert (wire, doubts) == (stated, doubted)


def test_a_number_in_words_costs_its_cell_and_not_its_row() -> None:
    wire, doubts = read_one("name,payment_terms", "A,Paid on the 5th of each month")
    assert "paymentTermsDays" not in wire
    assert doubts == ["payment_terms_days"]


TERM = "2026-01-01,2027-12-31"


@pytest.mark.parametrize(
    ("heading", "cells", "line", "total"),
    [
        ("Users,Price per user per month", "50,10", (10, "month", "user", 12_000), 12_000),
        ("Seats,Cost per seat per year", "50,120", (120, "year", "user", 12_000), 12_000),
        ("Quantity,Unit price,Price period", "4,250,quarter", (250, "quarter", None, 8_000), 8_000),
        ("Quantity,Unit price,Price per", "4,250,once", (250, "once", None, 1_000), 1_000),
        ("Users,Preis pro Nutzer und Monat", "50,10", (10, "month", "user", 12_000), 12_000),
        ("Users,Price per user (monthly)", "50,10", (10, "month", "user", 12_000), 12_000),
        ("Quantity,Unit price", "50,10", (10, None, None, None), None),
        ("Quantity,Unit price,Total value", "50,10,12000", (10, "month", None, 12_000), 12_000),
        ("Quantity,Unit price,Total value", "50,10,500", (10, "term", None, 500), 500),
        ("Quantity,Unit price,Total value", "50,10,11000", (10, None, None, None), 11_000),
        ("Users,Price per user per month,Total value", "50,10,11000", (10, "month", "user", 12_000), 11_000),
        ("Users,Price per user per month,Annual value", "50,10,6000", (10, "month", "user", 12_000), 12_000),
        ("Users,Price per user per month incl. VAT", "50,10", None, None),
        ("Seats,Unit cost,Annual cost", "50,120,6000", (120, "year", None, 12_000), 12_000),
        ("Seats,Monthly cost", "50,500", (None, None, None, None), 12_000),
        ("Seats,Monthly fee", "50,10", (None, None, None, None), None),
        ("Seats,Annual price", "1,500", (None, None, None, None), 1_000),
        ("Quantity,Unit price,Price unit,Total value", "500,10,100,50", (0.1, "term", None, 50), 50),
        ("Quantity,Net price,Per,Total value", "500,10,C,50", (0.1, "term", None, 50), 50),
        ("Quantity,Unit price per 100,Total value", "500,10,50", (0.1, "term", None, 50), 50),
        ("Quantity,Unit price per 100,Per,Total value", "500,10,1000,50", (None, None, None, None), 50),
    ],
)
def test_a_price_of_a_unit_says_what_it_is_for_and_what_the_term_costs(
    heading: str,
    cells: str,
    line: tuple[float, str | None, str | None, float | None] | None,
    total: float | None,
) -> None:
    wire, _ = read_one(f"name,term_start,term_end,{heading}", f"A,{TERM},{cells}")
    [found] = wire["lines"]
    expected = line or (None, None, None, None)
    assert tuple(found.get(name) for name in ("unitPrice", "pricePer", "unit", "amount")) == expected
    assert wire.get("totalValue") == total


def test_a_price_a_month_is_kept_where_the_term_is_not_known() -> None:
    wire, _ = read_one("name,term_end,seats,price per seat per month", "A,2027-12-31,50,10")
    [line] = wire["lines"]
    assert (line["unitPrice"], line["pricePer"], line.get("amount"), wire.get("totalValue")) == (
        10,
        "month",
        None,
        None,
    )


def test_the_lines_of_a_contract_make_its_value() -> None:
    rows = read(
        "reference,supplier,term_start,term_end,product,users,price per user per month",
        f"V-1,Acme,{TERM},Base,50,10",
        f"V-1,Acme,{TERM},Extra,10,5",
    )
    [row] = rows
    assert isinstance(row, AgreementRow)
    agreed = row.agreed
    assert (agreed.name, agreed.total_value, len(agreed.lines or ())) == ("V-1", 13_200, 2)


@pytest.mark.parametrize(
    "heading", ["Total value incl. VAT", "Wartość umowy brutto", "Montant TTC", "Annual fee gross"]
)
def test_a_value_with_tax_is_left_out(heading: str) -> None:
    wire, doubts = read_one(f"contract,term_start,term_end,{heading}", f"A,{TERM},1230")
    assert ("totalValue" in wire, len(doubts)) == (False, 1)


def test_of_the_revisions_of_a_contract_the_last_counts() -> None:
    header = "Contract number,Amendment no,Supplier,Start date,Original end date,Current end date,Value"
    rows = read(
        header,
        "V-1,2,Acme,2025-01-01,2025-12-31,2026-12-31,300",
        "V-1,,Acme,2025-01-01,2025-12-31,2025-12-31,100",
        "V-1,1,Acme,2025-01-01,2025-12-31,2026-06-30,200",
        "V-2,0,Brook,2025-01-01,2025-12-31,2025-12-31,50",
    )
    agreed = [row.agreed for row in rows if isinstance(row, AgreementRow)]
    found = {one.reference: (f"{one.term_end}", one.total_value) for one in agreed}
    assert (len(agreed), found) == (2, {"V-1": ("2026-12-31", 300), "V-2": ("2025-12-31", 50)})
    assert [row.line for row in rows if isinstance(row, RejectedRow)] == [3, 4]


@pytest.mark.parametrize(("mark", "asks"), [("L", True), ("X", True), ("no", False), ("2025-06-30", False)])
def test_a_contract_that_is_marked_as_deleted_is_asked_about(mark: str, asks: bool) -> None:
    """It may be in force until its end."""
    table = f"Contract number,Supplier,End date,Deletion indicator\nV-1,Acme,2026-12-31,{mark}\n"
    about, rows = look_at(table, "agreements")
    assert (list_asked(about), len(rows)) == (["states"] if asks else [], 1)
