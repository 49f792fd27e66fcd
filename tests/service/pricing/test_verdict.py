"""The verdict on a quote uses purchases of the same products only; without them it is withheld."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import article, company, quoted_price, scope_document
from app.service.database.tables import scope as scope_table
from app.service.scopes.quote import QuoteLine
from app.service.scopes.terms import StoredScopeTerm
from tests.service.pricing.scope_requests import explained, imported, product, row, scope_body, term

MEDIAN = 100 * 10 * 12
USUAL = 1.01 * MEDIAN
NO_SEPARATE_PRICE = "The quote gives no separate price for Line 2, and no estimate covers it."


def ten(**changed: Any) -> list[str]:
    """Ten purchases of 10 users around 100 a month."""
    return [row(at, price=100 + (at % 5 - 2), **changed) for at in range(10)]


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("quoted", "word", "level"),
    [
        (0.8 * MEDIAN, "accept", "low"),
        (USUAL, "consider", "usual"),
        (1.5 * MEDIAN, "negotiate", "very_high"),
        (10 * MEDIAN, "withheld", None),
        (0.2 * MEDIAN, "withheld", None),
    ],
)
def test_a_quote_is_judged_by_paid_prices(
    context: Context, api: httpx.Client, tmp_path: Path, quoted: float, word: str, level: str | None
) -> None:
    imported(context, tmp_path, ten())
    found = explained(api, scope_body(term(product(api), quantity=10)), quoted)
    verdict = found["verdict"]
    assert (verdict["word"], verdict.get("priceLevel")) == (word, level), verdict
    assert verdict["judgedAmount"] == pytest.approx(quoted)
    assert verdict["basis"] == "whole"
    if word == "withheld":
        assert "target" not in verdict
        assert "it may be for something else" in verdict["reasons"][0]
        assert len(verdict["reasons"]) == 3, "with the two most likely reasons"
    else:
        assert verdict["median"] == pytest.approx(MEDIAN, rel=0.05)
        assert verdict["toTarget"] == pytest.approx(quoted - verdict["target"])


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("quantity", "reason"),
    [
        (100, None),
        (101, "A quantity of 101 is more than 10 times that of any like-for-like purchase (at most 10):"),
        (1, None),
        (0.9, "Every like-for-like purchase was of more than 10 times a quantity of 0.90 (at least 10):"),
    ],
)
def test_a_quantity_far_from_those_that_were_bought_is_not_judged(
    context: Context, api: httpx.Client, tmp_path: Path, quantity: float, reason: str | None
) -> None:
    imported(context, tmp_path, ten())
    found = explained(api, scope_body(term(product(api), quantity=quantity)), 1.05 * 100 * 12 * quantity)
    verdict = found["verdict"]
    assert (verdict["word"] == "withheld") is (reason is not None), verdict
    assert verdict["reasons"][0].startswith(reason or "")


@pytest.mark.campaign
@pytest.mark.parametrize(("near", "is_judged"), [((60, 62), False), ((60, 100), True), ((60,), True)])
def test_a_range_that_purchases_of_the_quantity_contradict_is_no_verdict(
    context: Context, api: httpx.Client, tmp_path: Path, near: tuple[float, ...], is_judged: bool
) -> None:
    few = [row(at, price=100 + (at % 5 - 2)) for at in range(20)]
    many = [row(30 + at, price=price, quantity=90) for at, price in enumerate(near)]
    imported(context, tmp_path, [*few, *many])
    verdict = explained(api, scope_body(term(product(api), quantity=90)), 90 * 12 * 85)["verdict"]
    assert (verdict["word"] != "withheld") is is_judged, verdict
    if not is_judged:
        assert verdict["reasons"][0].startswith(
            "The 2 like-for-like purchases of about this quantity cost USD "
        )
        claim = "all below the range: which of the two holds for this quantity is not known."
        assert verdict["reasons"][0].endswith(claim), "old prices may be outside of it too"


def test_the_scopes_own_price_is_judged_where_none_is_typed(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, ten())
    sold = product(api)
    found = explained(api, scope_body(term(sold, quantity=10), final_price=1.6 * MEDIAN))
    assert found["verdict"]["word"] == "negotiate"
    assert found["products"][0]["verdict"] == found["verdict"]
    assert found["products"][0]["quotedUnitPrice"] == pytest.approx(160)
    assert "coverage" not in found, "no document is behind it"
    one = found["products"][0]
    assert (one["unit"], one["quantity"], one["months"]) == ("user", 10, 12)
    assert one["unitPrice"] == pytest.approx(100, rel=0.05), "of a user and month"
    assert "verdict" not in explained(api, scope_body(term(sold, quantity=10)))


def test_a_preview_is_judged_too(context: Context, api: httpx.Client, tmp_path: Path) -> None:
    imported(context, tmp_path, ten())
    body = scope_body(term(product(api), quantity=10)) | {"quoted": 2 * MEDIAN}
    assert api.post("/v1/pricing/preview", json=body).json()["verdict"]["word"] == "negotiate"
    assert api.post("/v1/pricing/preview", json=body | {"quoted": -1}).status_code == 400


def test_another_edition_is_neither_the_same_article_nor_a_verdict(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    lines = [row(at, edition="Starter", price=50) for at in range(9)]
    lines += [row(20 + at, edition="Professional", price=150 + 20 * at) for at in range(2)]
    imported(context, tmp_path, lines)
    sold = product(api)
    found = explained(api, scope_body(term(sold, quantity=10, edition="Professional")), 150 * 120)
    assert found["verdict"]["word"] == "withheld"
    assert "Only 2 purchases of the same product, edition and unit" in found["verdict"]["reasons"][0]
    relations = {one["attributes"]["Edition"]: one["relation"] for one in found["products"][0]["comparables"]}
    assert relations == {"Starter": "same_product", "Professional": "same_article"}
    judged = explained(api, scope_body(term(sold, quantity=10, edition="Starter")), 50 * 120)
    assert judged["verdict"]["word"] == "consider"


def test_an_unstated_attribute_that_decides_the_price_withholds_the_verdict(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    lines = [row(at, edition="Starter", price=50 + at % 3) for at in range(9)]
    lines += [row(20 + at, edition="Professional", price=150 + at % 3) for at in range(9)]
    imported(context, tmp_path, lines)
    found = explained(api, scope_body(term(product(api), quantity=10)), 100 * 120)
    assert [one["name"] for one in found["products"][0]["unknownDimensions"]] == ["Edition"]
    assert "depends on it: Edition" in found["verdict"]["reasons"][0]


def test_the_price_of_a_piece_is_not_compared_with_that_of_a_box(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    boxes = [row(at, unit="box", price=900, quantity=1) for at in range(9)]
    imported(context, tmp_path, [*boxes, row(30, unit="each", price=10, quantity=100)])
    sold = product(api)
    found = explained(api, scope_body(term(sold, quantity=250, unit="each")), 250 * 12 * 10)
    assert found["verdict"]["word"] == "withheld"
    assert "an unstated unit" in found["verdict"]["reasons"][0]
    assert {one["unit"]: one["relation"] for one in found["products"][0]["comparables"]} == {
        "box": "same_product",
        "each": "same_article",
    }


@pytest.mark.campaign
def test_the_same_name_at_another_supplier_is_not_the_same_article(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, ten(supplier="Elsewhere"))
    imported(context, tmp_path, [row(0, price=1000)])
    found = explained(api, scope_body(term(product(api), quantity=10)), 1000 * 120)
    one = found["products"][0]
    assert one["level"] == "repeat", "one was bought here"
    relations = {compared["supplier"]: compared["relation"] for compared in one["comparables"]}
    assert relations == {"Elsewhere": "similar", "Works": "same_article"}
    assert found["verdict"]["word"] == "withheld"


def test_a_verdict_withheld_for_old_purchases_names_their_age(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, [row(at, day=f"2022-0{1 + at % 9}-11") for at in range(8)])
    found = explained(api, scope_body(term(product(api), quantity=10)), MEDIAN)
    assert "months old (August 2022)" in found["verdict"]["reasons"][0]


def test_an_estimate_far_from_the_list_price_withholds_the_verdict(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, ten(listed="500"))
    sold = product(api)
    found = explained(api, scope_body(term(sold, quantity=10)), 1.1 * MEDIAN)
    listed = found["products"][0]["listPrice"]
    assert (listed["unitPrice"], listed["source"]) == (500, "purchase")
    assert listed["total"] == 500 * 120
    assert "less than a third of the list price" in found["verdict"]["reasons"][0]


def test_a_list_price_is_shown_with_the_verdict(context: Context, api: httpx.Client, tmp_path: Path) -> None:
    imported(context, tmp_path, ten(listed="125"))
    found = explained(api, scope_body(term(product(api), quantity=10)), 1.5 * MEDIAN)
    assert found["verdict"]["word"] == "negotiate"
    assert any("above the published list price of USD 15,000" in one for one in found["verdict"]["reasons"])
    assert "20 % below it" in found["products"][0]["listPrice"]["reason"]


def behind(
    context: Context, scope_id: str, lines: list[QuoteLine], net: float | None, currency: str | None = "USD"
) -> None:
    """Puts a quote behind a scope, as the reading of its document does."""
    whole = StoredScopeTerm(12, "new_purchase", final_price=None if net is None else Decimal(str(net)))
    with context.database.writing() as connection:
        connection.execute(
            scope_table.update()
            .where(scope_table.c.id == scope_id)
            .values(
                document_scope_id=scope_id,
                quote_lines=[line.to_record() for line in lines],
                scope_terms=[whole.to_record()],
            )
        )
        connection.execute(
            scope_document.insert().values(
                scope_id=scope_id,
                status="completed",
                filename="quote.pdf",
                mime_type="application/pdf",
                document_type="other",
                updated_at=context.clock(),
                reading={"kind": "quote", **({"currency": currency} if currency else {})},
            )
        )


def line(index: int, amount: float | None, term_at: int | None = None, **more: Any) -> QuoteLine:
    role = "product" if term_at is not None else "not_product"
    given = None if amount is None else Decimal(str(amount))
    return QuoteLine(index=index, description=f"Line {index}", role=role, amount=given, term=term_at, **more)


def test_a_quote_whose_currency_nobody_named_is_not_judged(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, ten())
    scope = api.post("/v1/scope", json=scope_body(term(product(api), quantity=10))).json()["id"]
    behind(context, scope, [line(0, USUAL, 0)], USUAL, currency=None)
    verdict = api.get(f"/v1/pricing/explanation/{scope}").json()["verdict"]
    assert verdict["word"] == "withheld"
    assert "names no currency" in verdict["reasons"][0]


def test_only_covered_lines_are_judged(context: Context, api: httpx.Client, tmp_path: Path) -> None:
    imported(context, tmp_path, ten())
    scope = api.post("/v1/scope", json=scope_body(term(product(api), quantity=10))).json()["id"]
    behind(context, scope, [line(0, USUAL, 0), line(1, 9 * USUAL)], 10 * USUAL)
    found = api.get(f"/v1/pricing/explanation/{scope}").json()
    coverage, verdict = found["coverage"], found["verdict"]
    assert (coverage["share"], coverage["lines"], coverage["linesCovered"]) == (0.1, 2, 1)
    assert coverage["uncovered"] == [
        {"description": "Line 1", "amount": 9 * USUAL, "why": "It is not a product."}
    ]
    assert (verdict["word"], verdict["basis"]) == ("consider", "covered_lines")
    assert verdict["judgedAmount"] == USUAL
    assert verdict["reasons"][-1] == "The estimate covers 10 % of this quote (1 of 2 lines)."
    typed = api.get(f"/v1/pricing/explanation/{scope}", params={"quoted": 11 * USUAL}).json()["verdict"]
    assert (typed["word"], typed["judgedAmount"]) == ("negotiate", 2 * USUAL)
    assert "is deducted from the quoted total" in typed["reasons"][-1]


def test_target_and_next_step_are_for_the_whole_quote_where_it_is_judged(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, ten())
    scope = api.post("/v1/scope", json=scope_body(term(product(api), quantity=10))).json()["id"]
    behind(context, scope, [line(0, 1.5 * MEDIAN, 0), line(1, 1000)], 1.5 * MEDIAN + 1000)
    verdict = api.get(f"/v1/pricing/explanation/{scope}").json()["verdict"]
    assert (verdict["basis"], verdict["judgedAmount"]) == ("whole", 1.5 * MEDIAN)
    estimate = api.get(f"/v1/pricing/advanced/{scope}").json()["estimate"]
    assert verdict["target"] == pytest.approx(estimate["percentile25"] + 1000)
    assert verdict["toTarget"] == pytest.approx(1.5 * MEDIAN + 1000 - verdict["target"])
    assert verdict["nextStep"]["action"] == "ask"
    assert verdict["nextStep"]["amount"] == pytest.approx(estimate["percentile10"] + 1000, rel=0.01)


def test_lines_are_judged_one_by_one_and_recurring_apart_from_one_off(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    once = [
        row(40 + at, product="Setup Day", unit="day", price=1000 + at % 3, term="", period="once", quantity=2)
        for at in range(8)
    ]
    imported(context, tmp_path, [*ten(), *once])
    terms = term(product(api), quantity=10), term(product(api, "Setup Day"), quantity=2)
    scope = api.post("/v1/scope", json=scope_body(*terms)).json()["id"]
    lines = [line(0, 2 * MEDIAN, 0, recurring=True), line(1, 1990, 1, recurring=False)]
    behind(context, scope, lines, None)
    found = api.get(f"/v1/pricing/explanation/{scope}").json()
    assert [one["verdict"]["word"] for one in found["products"]] == ["negotiate", "accept"]
    assert [one["quotedUnitPrice"] for one in found["products"]] == [200, 995]
    parts = {part["recurring"]: part["judgedAmount"] for part in found["verdict"]["parts"]}
    assert parts == {True: 2 * MEDIAN, False: 1990}
    assert found["verdict"]["word"] == "negotiate"


def test_a_credit_on_the_quote_is_spread_over_its_lines(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, ten())
    scope = api.post("/v1/scope", json=scope_body(term(product(api), quantity=10))).json()["id"]
    behind(context, scope, [line(0, 1.5 * USUAL, 0), line(1, -0.5 * USUAL)], USUAL)
    verdict = api.get(f"/v1/pricing/explanation/{scope}").json()["verdict"]
    assert (verdict["word"], verdict["judgedAmount"]) == ("consider", USUAL)


def priced_in_part(
    api: httpx.Client, prices: Mapping[str, float | None], total: float | None = None
) -> dict[str, Any]:
    """The explanation of ten users of each product; a price of None is not stated."""
    terms = [term(product(api, name), price, quantity=10) for name, price in prices.items()]
    return explained(api, scope_body(*terms, final_price=total))


def test_a_price_for_some_products_is_not_judged_as_that_of_all(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, [*ten(), *ten(product="Red Desk")])
    found = priced_in_part(api, {"Blue Analytics": 1.5 * MEDIAN, "Red Desk": None})
    assert found["verdict"]["word"] == "withheld"
    assert found["verdict"]["reasons"] == ["The quote gives no price for Red Desk."]
    assert [one.get("verdict", {}).get("word") for one in found["products"]] == ["negotiate", None]
    total = priced_in_part(api, {"Blue Analytics": 1.5 * MEDIAN, "Red Desk": None}, 2 * USUAL)
    assert (total["verdict"]["word"], total["verdict"]["judgedAmount"]) == ("consider", 2 * USUAL)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("others", "net", "judged", "reason"),
    [
        ([], None, None, "The quote gives no price for Line 1."),
        ([], 1.7 * MEDIAN, 1.7 * MEDIAN, None),
        ([100], None, None, "The quote gives no price for Line 1."),
        ([100], 2 * USUAL, None, "The quote gives no price for Line 1."),
        ([None], 2 * USUAL, None, NO_SEPARATE_PRICE),
    ],
)
def test_a_quote_without_a_price_for_a_line_is_judged_by_its_total_only(
    context: Context,
    api: httpx.Client,
    tmp_path: Path,
    others: Sequence[float | None],
    net: float | None,
    judged: float | None,
    reason: str | None,
) -> None:
    imported(context, tmp_path, [*ten(), *ten(product="Red Desk")])
    terms = [term(product(api, name), quantity=10) for name in ("Blue Analytics", "Red Desk")]
    scope = api.post("/v1/scope", json=scope_body(*terms)).json()["id"]
    rest = [line(2 + at, amount) for at, amount in enumerate(others)]
    behind(context, scope, [line(0, 1.9 * MEDIAN, 0), line(1, None, 1), *rest], net)
    verdict = api.get(f"/v1/pricing/explanation/{scope}").json()["verdict"]
    assert (verdict["word"] == "withheld") is (judged is None), verdict
    if reason is not None:
        assert verdict["reasons"] == [reason]
    else:
        assert verdict["judgedAmount"] == judged, "a discount makes the whole cost less than its line"


def test_prices_of_other_quotes_are_shown_separately_and_to_the_organisation_only(
    context: Context, api: httpx.Client, stranger: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, ten())
    body = scope_body(term(product(api), quantity=10))
    other = api.post("/v1/scope", json=body).json()["id"]
    with context.database.writing() as connection:
        owner = connection.scalar(sa.select(scope_table.c.organisation_id).where(scope_table.c.id == other))
        connection.execute(
            quoted_price.insert().values(
                id=other,
                organisation_id=owner,
                scope_id=other,
                line=0,
                product_id=body["productTerms"][0]["productId"],
                quoted_on=context.clock().date(),
                currency="USD",
                quantity=10,
                term_months=12,
                amount=18_000,
                pricing_dimensions=[],
            )
        )
    found = explained(api, body)["products"][0]
    assert [(one["amount"], one["unitPrice"]) for one in found["quoted"]] == [(18_000, 150)]
    assert all(one["unitPrice"] < 110 for one in found["comparables"]), "asked is not paid"
    assert explained(stranger, body)["products"][0]["quoted"] == []
    assert api.get(f"/v1/pricing/explanation/{other}").json()["products"][0]["quoted"] == []


@pytest.mark.campaign
def test_own_purchases_need_no_minimum_and_those_of_others_do(
    context: Context, api: httpx.Client, stranger: httpx.Client, tmp_path: Path
) -> None:
    imported(context, tmp_path, [row(at, price=500) for at in range(3)])
    imported(context, tmp_path, [row(10 + at) for at in range(2)], organisation="Acme")
    body = scope_body(term(product(api), quantity=10))
    found = explained(api, body)["products"][0]
    assert {(one["own"], one["paid"]) for one in found["comparables"]} == {(True, 100)}
    scope = stranger.post("/v1/scope", json=body).json()["id"]
    assert stranger.get(f"/v1/pricing/explanation/{scope}").status_code == 422


@pytest.mark.campaign
def test_sample_purchases_never_meet_real_ones(context: Context, api: httpx.Client, tmp_path: Path) -> None:
    imported(context, tmp_path, ten())
    imported(context, tmp_path, ten(supplier="Invented"))
    real, invented = product(api), product(api, supplier="Invented")
    both = explained(api, scope_body(term(real, quantity=10)))["products"][0]
    assert {one["supplier"] for one in both["comparables"]} == {"Works", "Invented"}
    with context.database.writing() as connection:
        connection.execute(company.update().where(company.c.name == "Invented").values(sample=True))
        connection.execute(article.update().where(article.c.product_id == invented["id"]).values(sample=True))
    for sold, supplier in ((real, "Works"), (invented, "Invented")):
        found = explained(api, scope_body(term(sold, quantity=10)))["products"][0]
        assert {one["supplier"] for one in found["comparables"]} == {supplier}
        assert found["sample"] == (supplier == "Invented")


def test_an_unmeasured_accuracy_is_named_so(context: Context, api: httpx.Client, tmp_path: Path) -> None:
    imported(context, tmp_path, ten())
    found = explained(api, scope_body(term(product(api), quantity=10)))
    assert found["products"][0]["accuracy"] == {"basis": "not_measured", "n": 0}
