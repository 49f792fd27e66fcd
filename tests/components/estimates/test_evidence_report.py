"""The evidence report is one page of its own: what it says, and that nothing in it runs."""

import re
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest

from app.contract.money import format_quantity
from app.contract.pricing import PriceFactor
from app.contract.scope_list import ListedScope
from components.estimates.evidence_report import (
    MAX_PURCHASES,
    Axis,
    Evidence,
    render_evidence_report,
    render_scatter,
)
from tests.components.estimates.fixtures import (
    make_advanced_estimate,
    make_explanation,
    make_product_explanation,
    make_similar_purchases,
)
from tests.components.fixtures import NOON, make_id
from tests.components.scopes.fixtures import make_scope


def case(
    quote: int | None = None, *, products: int = 1, name: str = "Ledger Cloud", **changes: object
) -> Evidence:
    """`products` of which each is priced, with an explanation."""
    scope, estimate = make_scope(), make_advanced_estimate()
    idents = [make_id(at) for at in range(1, products + 1)]
    terms = [
        scope.product_terms[0].model_copy(update={"product_id": one, "product_name": name}) for one in idents
    ]
    parts = [
        estimate.product_estimates[0].model_copy(update={"product_id": one, "name": name}) for one in idents
    ]
    one_product = make_product_explanation()
    factors = [
        PriceFactor(name="volume", effect=Decimal("0.93")),
        PriceFactor(name="term", effect=Decimal(1)),
    ]
    explanation = make_explanation("negotiate", "More than nine in ten comparable purchases cost less.")
    explained = [
        one_product.model_copy(
            update={
                "product_id": one,
                "name": name,
                "level": "product",
                "factors": factors,
                "comparables": [],
            }
        )
        for one in idents
    ]
    return Evidence(
        scope.model_copy(update={"product_terms": terms}),
        estimate.model_copy(update={"product_estimates": parts, **changes}),
        None if quote is None else Decimal(quote),
        explanation.model_copy(update={"products": explained}),
    )


def report(*cases: Evidence) -> str:
    return render_evidence_report(cases, NOON).decode()


def test_the_verdict_stands_with_its_reason_and_the_money_to_the_target() -> None:
    said = report(case(60_000))
    assert "<b>Ask for USD 41,000.</b> More than nine in ten comparable purchases cost less." in said
    assert "USD 52,400 is USD 9,137 above the target of USD 43,263" in said
    assert "Quote <b>USD 60,000</b>" in said
    assert "Not covered by the verdict: Onboarding, USD 3,500 (it is not a product)" in said


def test_a_withheld_verdict_gives_its_reason_and_no_target() -> None:
    bare = case(60_000)
    withheld = make_explanation("withheld", "Only 3 purchases of the same product.")
    said = report(Evidence(bare.scope, bare.estimate, bare.quote, withheld))
    assert "<b>No verdict.</b> Only 3 purchases" in said
    assert "above the target" not in said


def test_a_quote_in_a_currency_that_nobody_has_said_has_its_reason_and_no_amount() -> None:
    bare = case()
    unnamed = ListedScope(**dict(bare.scope), name="Unnamed", status="review")
    withheld = make_explanation("withheld", "The quote names no currency; say which it is.")
    said = report(Evidence(unnamed, bare.estimate, None, withheld))
    assert "<b>No verdict.</b> The quote names no currency" in said
    assert "Onboarding, 3,500 (it is not a product)" in said
    assert not any(one in said for one in ("No quote yet", "Quote <b>", "Judged: ", "quoted USD"))


def test_a_purchase_says_supplier_edition_price_and_relation() -> None:
    bare = case(60_000)
    explained = make_explanation()
    said = report(Evidence(bare.scope, bare.estimate, bare.quote, explained))
    assert "Ledgerworks · Edition Professional · USD 33.40 per user and month · like for like, yours" in said


def test_without_a_quote_it_names_a_target() -> None:
    said = report(case())
    assert "No quote yet." in said
    assert "USD 43,263: a quarter of comparable purchases cost less" in said


def test_each_product_says_what_it_rests_on_and_what_moved_it() -> None:
    said = report(case(60_000, products=3))
    level = "purchases of this product in other editions or units, or under other names"
    assert said.count(f"The closest are {level}.") == said.count("How many? 214 purchases compared") == 3
    assert said.count("Factors: Volume −7.0 %.") == 3


def test_it_stands_without_an_explanation() -> None:
    bare = case(60_000)
    said = report(Evidence(bare.scope, bare.estimate, bare.quote))
    assert "purchases compared" not in said
    assert "<b>No verdict.</b> This workspace gives none." in said
    assert "Negotiate" not in said


def test_every_similar_purchase_is_a_point_and_the_most_alike_are_listed() -> None:
    said = report(case(52_400, real_similar_purchases=make_similar_purchases(MAX_PURCHASES + 3)))
    assert said.count("<circle") == MAX_PURCHASES + 3
    assert f"{MAX_PURCHASES} of {MAX_PURCHASES + 3}" in said
    assert said.count('<div class="name">') == MAX_PURCHASES


def test_products_take_turns_in_the_list() -> None:
    purchases = make_similar_purchases(MAX_PURCHASES + 3)
    named = [
        one.model_copy(update={"product_names": ["Support" if at > MAX_PURCHASES else "Ledger Cloud"]})
        for at, one in enumerate(purchases)
    ]
    said = report(case(real_similar_purchases=named))
    assert f"the most similar of each product, {MAX_PURCHASES} of {MAX_PURCHASES + 3}" in said
    assert said.count("</span>Support</div>") == 2


def test_the_more_alike_the_larger() -> None:
    purchases = make_similar_purchases()
    sizes = [float(size) for size in re.findall(r' r="([\d.]+)"', render_scatter(purchases, "USD", None))]
    assert sizes == sorted(sizes), "the least similar come first, below the others"
    assert sizes[0] < sizes[-1]


def test_the_quote_is_a_point_only_beside_purchases_of_its_one_product() -> None:
    assert ">Quote</text>" in report(case(52_400))
    assert ">Quote</text>" not in report(case(52_400, products=2))


def test_nothing_in_it_runs_or_is_fetched() -> None:
    said = report(case(1, name="<script>Suite</script>"))
    assert "<script" not in said
    assert "&lt;script&gt;Suite" in said
    assert "http" not in said
    assert "url(" not in said


def test_each_scope_has_a_section_of_its_own() -> None:
    assert report(case(), case(60_000)).count("<section>") == 2


@pytest.mark.parametrize(
    "values", [[1, 2], [0, 3], [95, 110, 130], [2, 9_000], [0.004, 0.005], [1, 8e6], [1, 8e9]]
)
def test_an_axis_has_three_to_eight_ticks_inside_it(values: list[float]) -> None:
    axis = Axis.covering(values, 0, 300)
    ticks = axis.ticks()
    assert 3 <= len(ticks) <= 8
    places = [axis.locate(value) for value in ticks]
    assert all(before < after for before, after in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= 300
    assert all(0 <= axis.locate(value) <= 300 for value in values)


@pytest.mark.parametrize("most", [0.004, 950, 40_000, 12_000_000])
def test_amounts_on_an_axis_are_written_in_full_and_apart(most: float) -> None:
    purchases = [make_similar_purchases()[0].model_copy(update={"negotiated_price": Decimal(str(most))})]
    drawn = render_scatter(purchases, "USD", None)
    label = format_quantity(Axis.covering([most], 0, 100).ticks()[-1])
    assert f">{label}</text>" in drawn
    assert not re.search(r">[0-9.]+[kMG]</text>", drawn)


def test_supplier_edition_and_what_was_left_out_are_named() -> None:
    shown = case(52_400)
    first = shown.estimate.real_similar_purchases[0]
    report = render_evidence_report(
        [
            replace(
                shown,
                supplier="Ledger & Works",
                editions=["Edition <Team>"],
                left_out_ids=frozenset({first.id}),
                left_out_reason="An emergency order",
                estimate_without=make_advanced_estimate(),
            )
        ],
        NOON,
    ).decode()
    assert "Supplier: <b>Ledger &amp; Works</b>" in report
    assert "Edition &lt;Team&gt;" in report
    assert "Left out by the reader: 1 purchase" in report
    assert "Reason: An emergency order." in report
    assert "Estimate without them: A tenth pay less USD" in report
    assert "Left out" not in render_evidence_report([shown], NOON).decode()


def test_the_quote_is_stated_as_it_was_judged() -> None:
    shown = case(60_000)

    def judge(amount: int) -> Evidence:
        assert shown.explanation is not None
        assert shown.explanation.verdict is not None
        verdict = shown.explanation.verdict.model_copy(update={"judged_amount": Decimal(amount)})
        return replace(shown, explanation=shown.explanation.model_copy(update={"verdict": verdict}))

    assert "Judged: USD 52,400 of it" in report(judge(52_400))
    assert "Judged" not in report(judge(60_000))
