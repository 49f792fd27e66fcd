"""The price of a whole quote that is judged: for the whole term, as corrected, with the discount on it."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from tests.service.pricing.scope_requests import explained, imported, product, row, scope_body, term
from tests.service.scopes.conftest import Quoter

LINE = "Blue Analytics,10,user,1200,12000"


@pytest.fixture
def quotes(api: TestClient, context: Context, tmp_path: Path) -> Quoter:
    """Reads quotes of a product that ten purchases cost about 100 a user and month."""
    imported(context, tmp_path, [row(at, price=100 + (at % 5 - 2)) for at in range(10)])
    return Quoter(api, context)


def read(quotes: Quoter, *lines: str, total: float, months: int = 12) -> str:
    below = f"Total,,,,{total}\n\nTerm: {months} months\n"
    scope_id = quotes.read(*lines, supplier="Works", below=below)
    assert quotes.scope(scope_id)["scopeTerms"][0]["termLength"] == months
    return scope_id


def judge(quotes: Quoter, scope_id: str) -> dict[str, Any]:
    answer = quotes.api.get(f"/v1/pricing/explanation/{scope_id}")
    assert answer.status_code == 200, answer.text
    verdict: dict[str, Any] = answer.json()["verdict"]
    return verdict


def confirm(quotes: Quoter, scope_id: str, *prices: float | None, total: float | None = None) -> str:
    """Confirm the lines of a quote, each as the product at one of these prices; returns the new scope."""
    sold = product(quotes.api)
    months = quotes.scope(scope_id)["scopeTerms"][0]["termLength"]
    body = scope_body(months=months, final_price=total)
    lines = [
        {"index": at, "role": "product", "productTerm": term(sold, price, quantity=10)}
        for at, price in enumerate(prices)
    ]
    sent = {"scopeTerm": body["scopeTerms"][0], "lines": lines}
    answer = quotes.api.post(f"/v1/scope/{scope_id}/document/confirm", json=sent)
    assert answer.status_code == 201, answer.text
    made: str = answer.json()["id"]
    return made


def follow(quotes: Quoter, scope_id: str, *, price: float | None = None, total: float | None = None) -> str:
    body = scope_body(term(product(quotes.api), price, quantity=10), final_price=total)
    answer = quotes.api.post("/v1/scope", json=body | {"previousScopeId": scope_id})
    assert answer.status_code == 201, answer.text
    made: str = answer.json()["id"]
    return made


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("line", "printed", "months", "whole"),
    [
        ("Blue Analytics,10,user / year,1800,18000", 18_000, 24, 36_000),
        ("Blue Analytics,10,user / month,150,1500", 1500, 12, 18_000),
        ("Blue Analytics,10,user,1800,18000", 18_000, 12, 18_000),
    ],
)
def test_a_quote_billed_by_the_period_is_judged_for_its_whole_term(
    quotes: Quoter, line: str, printed: float, months: int, whole: float
) -> None:
    scope_id = read(quotes, line, total=printed, months=months)
    for judged in (scope_id, confirm(quotes, scope_id, whole)):
        assert quotes.scope(judged)["scopeTerms"][0]["finalPrice"] == whole
        verdict = judge(quotes, judged)
        assert (verdict["word"], verdict["judgedAmount"]) == ("negotiate", whole)
        assert not any("discount" in reason for reason in verdict["reasons"]), "there is none"


RAMP = ((10, 12_120), (20, 24_240), (30, 36_360))
"""Users of each year and their price: 101 a user and month, where others paid about 100."""


@pytest.mark.campaign
@pytest.mark.parametrize(
    "name",
    [
        "Blue Analytics year {year}",
        "Blue Analytics 1 January {calendar} - 31 December {calendar}",
        "Blue Analytics months {first}-{last}",
    ],
)
def test_each_year_of_a_ramp_is_judged_for_its_own_months(quotes: Quoter, name: str) -> None:
    lines = [
        f"{name.format(year=at + 1, calendar=2027 + at, first=12 * at + 1, last=12 * at + 12)},"
        f"{users},user / year,1212,{price}"
        for at, (users, price) in enumerate(RAMP)
    ]
    verdict = judge(quotes, read(quotes, *lines, total=72_720, months=36))
    assert (verdict["word"], verdict["judgedAmount"]) == ("consider", 72_720)
    assert 69_000 < verdict["median"] < 75_000


@pytest.mark.campaign
def test_lines_that_may_be_years_of_a_ramp_are_judged_once_somebody_said_so(quotes: Quoter) -> None:
    lines = [f"Blue Analytics,{users},user / year,1212,{price}" for users, price in RAMP]
    scope_id = read(quotes, *lines, total=72_720, months=36)
    assert all("part of the term" in line["question"] for line in quotes.lines(scope_id))
    assert judge(quotes, scope_id)["word"] == "withheld"
    sold = product(quotes.api)
    for months, judged in ((12, "consider"), (36, "accept")):
        terms = [
            term(sold, price, quantity=users)
            | {"months": months, "firstMonth": at * 12 if months == 12 else 0}
            for at, (users, price) in enumerate(RAMP)
        ]
        sent = {
            "scopeTerm": scope_body(months=36)["scopeTerms"][0],
            "lines": [{"index": at, "role": "product", "productTerm": one} for at, one in enumerate(terms)],
        }
        made = quotes.api.post(f"/v1/scope/{scope_id}/document/confirm", json=sent).json()["id"]
        assert judge(quotes, made)["word"] == judged


@pytest.mark.campaign
def test_a_discount_on_the_total_is_spread_over_the_lines(quotes: Quoter) -> None:
    verdict = judge(quotes, read(quotes, "Blue Analytics,10,user,1500,15000", total=12_120))
    assert (verdict["word"], verdict["judgedAmount"]) == ("consider", 12_120)
    assert verdict["reasons"][-1] == "The discount on the total is spread over the lines."


@pytest.mark.campaign
def test_a_discount_on_the_total_of_a_period_is_counted_once_and_said_to_be(quotes: Quoter) -> None:
    line = "Blue Analytics,10,user / year,1400,14000"
    warned = "The discount on the total is counted once: "
    for total, judged in ((14_000, 28_000), (11_200, 25_200)):
        scope_id = read(quotes, line, total=total, months=24)
        assert judge(quotes, scope_id)["judgedAmount"] == judged
        warnings = quotes.document(scope_id)["warnings"]
        assert any(one.startswith(warned) for one in warnings) is (judged < 28_000)


@pytest.mark.campaign
def test_a_corrected_price_of_a_line_is_judged(quotes: Quoter) -> None:
    scope_id = read(quotes, LINE, total=12_000)
    assert judge(quotes, scope_id)["judgedAmount"] == 12_000
    confirmed = confirm(quotes, scope_id, 18_000)
    assert quotes.scope(confirmed)["scopeTerms"][0]["finalPrice"] == 18_000
    for corrected in (confirmed, follow(quotes, scope_id, price=18_000)):
        verdict = judge(quotes, corrected)
        assert (verdict["word"], verdict["judgedAmount"]) == ("negotiate", 18_000)
        assert not any("discount" in reason for reason in verdict["reasons"])


@pytest.mark.parametrize(
    ("line", "printed", "whole"),
    [
        ("Blue Analytics,10,user / month,100,1000", 1000, 24_000),
        ("Blue Analytics,10,user / year,1200,12000", 12_000, 24_000),
        ("Blue Analytics,10,user,1200,12000", 12_000, 12_000),
    ],
)
def test_a_price_of_a_month_or_year_counts_for_the_term_that_is_confirmed(
    quotes: Quoter, line: str, printed: float, whole: float
) -> None:
    scope_id = read(quotes, line, "Standby fee,1,site / month,50,50", total=printed + 50)
    for months, price in ((12, 12_000), (24, whole)):
        made = quotes.scope(confirm_seats(quotes, scope_id, months))
        assert [one["finalPrice"] for one in made["productTerms"]] == [price]
        assert made["scopeTerms"][0]["finalPrice"] == price + 50 * months
        assert judge(quotes, made["id"])["judgedAmount"] == price


def confirm_seats(quotes: Quoter, scope_id: str, months: int) -> str:
    """Confirm the first of two lines as the product, at the price that was read; return the new scope."""
    lines = [
        {"index": 0, "role": "product", "productTerm": term(product(quotes.api), None, quantity=10)},
        {"index": 1, "role": "not_product"},
    ]
    sent = {"scopeTerm": scope_body(months=months)["scopeTerms"][0], "lines": lines}
    answer = quotes.api.post(f"/v1/scope/{scope_id}/document/confirm", json=sent)
    assert answer.status_code == 201, answer.text
    made: str = answer.json()["id"]
    return made


@pytest.mark.parametrize(
    ("quantity", "months", "price"), [(20, 12, 24_000), (10, 24, 24_000), (20, 24, 48_000)]
)
def test_a_quote_for_another_quantity_or_term_has_no_price_until_it_is_stated(
    quotes: Quoter, quantity: int, months: int, price: float
) -> None:
    scope_id = read(quotes, LINE, total=12_000)

    def explain(**stated: float) -> dict[str, Any]:
        bought = term(product(quotes.api), stated.get("of_line"), quantity=quantity)
        body = scope_body(bought, months=months, final_price=stated.get("of_all"))
        return explained(quotes.api, body | {"previousScopeId": scope_id})

    assert "verdict" not in explain()
    for stated in ("of_line", "of_all"):
        assert explain(**{stated: price})["verdict"]["judgedAmount"] == price


@pytest.mark.campaign
def test_a_corrected_total_is_judged(quotes: Quoter) -> None:
    scope_id = read(quotes, LINE, total=12_000)
    for corrected in (
        follow(quotes, scope_id, total=18_000),
        confirm(quotes, scope_id, 12_000, total=18_000),
    ):
        verdict = judge(quotes, corrected)
        assert (verdict["word"], verdict["judgedAmount"]) == ("negotiate", 18_000)


@pytest.mark.campaign
def test_a_total_that_only_repeats_the_quote_corrects_no_line(quotes: Quoter) -> None:
    scope_id = read(quotes, LINE, total=12_000)
    assert judge(quotes, confirm(quotes, scope_id, 18_000, total=12_000))["judgedAmount"] == 18_000


@pytest.mark.campaign
def test_a_total_that_the_corrected_lines_add_up_to_stands(quotes: Quoter) -> None:
    scope_id = read(quotes, LINE, "Blue Analytics,10,user,120,1200", total=24_000)
    confirmed = confirm(quotes, scope_id, 12_000, 12_000)
    assert quotes.scope(confirmed)["scopeTerms"][0]["finalPrice"] == 24_000
    assert judge(quotes, confirmed)["judgedAmount"] == 24_000, "its second line was misread"


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("option", "months", "bought"), [("user,900,9000", 12, 9000), ("user / year,900,9000", 24, 18_000)]
)
def test_an_optional_line_that_is_bought_adds_to_the_total(
    quotes: Quoter, option: str, months: int, bought: float
) -> None:
    first = "Blue Analytics,10,user,1200,12000"
    scope_id = read(quotes, first, f"Blue Analytics (optional),10,{option}", total=12_000, months=months)
    assert [line["role"] for line in quotes.lines(scope_id)] == ["product", "left_aside"]
    assert judge(quotes, confirm(quotes, scope_id, None, None))["judgedAmount"] == 12_000 + bought


@pytest.mark.campaign
def test_a_product_that_is_not_on_the_quote_is_not_judged_by_it(
    quotes: Quoter, context: Context, tmp_path: Path
) -> None:
    imported(context, tmp_path, [row(at, price=100, product="Red Desk") for at in range(10)])
    scope_id = read(quotes, "Blue Analytics,10,user,1800,18000", total=18_000)
    terms = [term(product(quotes.api, name), quantity=10) for name in ("Blue Analytics", "Red Desk")]
    bodies = [scope_body(*terms, final_price=total) for total in (None, 24_240)]
    verdicts = [
        judge(quotes, quotes.api.post("/v1/scope", json=body | {"previousScopeId": scope_id}).json()["id"])
        for body in bodies
    ]
    assert verdicts[0]["reasons"] == ["The quote gives no price for Red Desk."]
    assert (verdicts[1]["word"], verdicts[1]["judgedAmount"]) == ("consider", 24_240)


HALVES = "Blue Analytics months 1-6,10,user,600,6000", "Blue Analytics months 7-18,10,user,1200,12000"
DEAR, CREDIT = "Blue Analytics,10,user,1200,-3600", "Loyalty credit,1,,-20000,-20000"
LARGE = "Discount on Blue Analytics,1,,-13000,-13000"


@pytest.mark.parametrize(
    ("lines", "total", "below", "names"),
    [
        ([LINE], 12_000, "Term: 0 months", "0 months"),
        ([LINE], 12_000, "Term: 1300 months", "1,300 months"),
        (["Blue Analytics,10,user,120000,1200000"], 1_200_000, "Term: 1200 months", "1,200 months"),
        ([LINE], 12_000, "Term: 12 months\nStart date: 2026-01-01\nEnd date: 2027-12-31", "31 December 2027"),
        (HALVES, 18_000, "Term: 12 months", "18 months"),
        ([LINE, CREDIT], -8000, "Term: 12 months", "money back"),
        ([LINE, CREDIT], None, "Term: 12 months", "money back"),
        ([LINE], 12_000, "", "for how long"),
        ([LINE], 12_000, "Term: 12 months\nThe first three months are free of charge.", "3 months are free"),
        ([LINE, LARGE, "Other Suite,10,user,5000,50000"], 49_000, "Term: 12 months", "Line 2"),
        ([LINE, DEAR], 8400, "Term: 12 months", "Line 2 (Blue Analytics)"),
    ],
)
def test_a_price_is_not_judged_before_what_is_impossible_or_contradicted_is_settled(
    quotes: Quoter, lines: list[str], total: float | None, below: str, names: str
) -> None:
    """Neither that of the whole nor that of a line: the reason names the place."""
    total_row = "" if total is None else f"Total,,,,{total}\n"
    scope_id = quotes.read(*lines, supplier="Works", below=f"{total_row}\n{below}\n")
    answer = quotes.api.get(f"/v1/pricing/explanation/{scope_id}").json()
    verdicts = [answer["verdict"], *(one["verdict"] for one in answer["products"] if "verdict" in one)]
    assert {one["word"] for one in verdicts} == {"withheld"}
    assert all(names in " ".join(one["reasons"]) for one in verdicts), verdicts


@pytest.mark.campaign
@pytest.mark.parametrize("term", ["Term: 0 months", ""])
def test_a_term_that_a_person_states_is_judged(quotes: Quoter, term: str) -> None:
    scope_id = quotes.read(LINE, supplier="Works", below=f"Total,,,,12000\n\n{term}\n")
    verdict = judge(quotes, confirm(quotes, scope_id, 12_000))
    assert (verdict["word"], verdict["judgedAmount"]) == ("consider", 12_000)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_list_price_with_its_discount_is_a_price_and_one_for_no_stated_term_is_not_judged(
    api: TestClient, context: Context, tmp_path: Path
) -> None:
    imported(context, tmp_path, [row(at, price=90 + at % 5 * 5, buyer=f"Buyer {at % 6}") for at in range(24)])
    sold = product(api)
    listed = {"listPrice": 20_000, "discount": 25}
    for whole, part in ((listed, {}), ({}, listed)):
        body = scope_body(term(sold, quantity=10) | part)
        body["scopeTerms"][0] |= whole
        judged = explained(api, body)
        verdict, [part] = judged["verdict"], judged["products"]
        assert (verdict["judgedAmount"], verdict["word"]) == (15_000, "negotiate")
        assert part["quotedUnitPrice"] == 125
        body["scopeTerms"][0]["termAssumed"] = True
        judged = explained(api, body)
        verdict, [part] = judged["verdict"], judged["products"]
        assert "quotedUnitPrice" not in part
        assert (verdict["word"], verdict["reasons"]) == (
            "withheld",
            ["The quote does not say for how long its prices are: state its term first."],
        )
