"""A quote is judged by the estimate, and by nothing when the evidence is thin."""

from decimal import Decimal

import pytest

from app.contract.pricing import AdvancedEstimate, Percentiles
from components import specimens
from components.standing import standing
from components.verdict import judge


def whole(**changes: object) -> AdvancedEstimate:
    estimate = specimens.advanced_estimate()
    return estimate.model_copy(update={"product_estimates": estimate.product_estimates[:1], **changes})


def flat(price: int) -> Percentiles:
    return Percentiles.model_validate({f"percentile{at}": price for at in range(10, 95, 5)})


@pytest.mark.parametrize(
    ("quote", "word"),
    [
        (15_000, "consider"),
        (41_000, "accept"),
        (43_262, "accept"),
        (48_000, "consider"),
        (51_000, "negotiate"),
        (90_000, "negotiate"),
    ],
)
def test_a_quote_gets_a_word(quote: int, word: str) -> None:
    assert judge(whole(), Decimal(quote)).word == word


def test_the_money_between_quote_and_target_is_exact() -> None:
    verdict = judge(whole(), Decimal("50000.10"))
    assert verdict.to_target == Decimal("50000.10") - whole().estimate.percentile25
    assert verdict.target == whole().estimate.percentile25


def test_a_quote_below_the_target_says_so_with_a_negative_amount() -> None:
    assert judge(whole(), Decimal(41_000)).to_target < 0


def test_a_suspiciously_low_quote_is_no_reason_to_sign() -> None:
    assert "same things" in judge(whole(), Decimal(1)).reason


def test_four_purchases_are_not_enough() -> None:
    thin = whole(real_similar_purchases=specimens.similar_purchases(4))
    assert judge(thin, Decimal(41_000)).word == "not enough evidence"
    assert judge(whole(real_similar_purchases=specimens.similar_purchases(5)), Decimal(1)).word == "consider"


def test_a_product_without_a_price_leaves_the_quote_unjudged() -> None:
    verdict = judge(specimens.advanced_estimate(), Decimal(41_000))
    assert verdict.word == "not enough evidence"
    assert "Support" in verdict.reason


def test_a_range_too_wide_supports_nothing() -> None:
    wide = whole(estimate=specimens.percentiles(step=0.2))
    assert judge(wide, Decimal(48_000)).word == "not enough evidence"


def test_a_price_between_two_percentiles_is_interpolated() -> None:
    estimate = specimens.percentiles()
    between = (estimate.percentile50 + estimate.percentile55) / 2
    assert standing(estimate, between).percent == pytest.approx(52.5)


def test_a_price_that_many_percentiles_share_stands_in_their_middle() -> None:
    assert standing(flat(100), Decimal(100)).percent == 50


def test_outside_the_known_percentiles_only_the_side_is_known() -> None:
    assert str(standing(flat(100), Decimal(99))) == "below percentile 10"
    assert str(standing(flat(100), Decimal(101))) == "above percentile 90"
