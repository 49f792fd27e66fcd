import math
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pytest

from app.service.pricing.estimator.anonymity import Anonymity
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution
from app.service.pricing.estimator.estimate import estimate_queries
from app.service.pricing.learning.attribute_impact import collect_attribute_names
from app.service.pricing.learning.calibration_fitting import fit_calibration
from app.service.purchase_records import PriceQuery, Purchase, pack
from tests.service.pricing.made_up_purchases import FIRST_DAY, market, purchase

TODAY = FIRST_DAY + timedelta(days=800)


def estimate(
    query: PriceQuery,
    purchases: list[Purchase],
    calibration: Calibration | None = None,
    today: date = TODAY,
    anonymity: Anonymity | None = None,
) -> PriceDistribution:
    price = estimate_queries(
        [query],
        Candidates.from_purchases(purchases),
        calibration or Calibration(),
        today,
        anonymity=anonymity,
    )[0]
    assert isinstance(price, PriceDistribution), price
    return price


def refusal(query: PriceQuery, purchases: list[Purchase], today: date = TODAY, **options: Anonymity) -> str:
    bought = Candidates.from_purchases(purchases)
    [price] = estimate_queries([query], bought, Calibration(), today, **options)
    assert isinstance(price, NotEstimable), price
    return price.reason


def repeated(number: int = 8, **changed: object) -> list[Purchase]:
    return [purchase(id=f"p-{at}", order_id=f"o-{at}", **changed) for at in range(number)]


@pytest.fixture(scope="module")
def learnt() -> tuple[list[Purchase], Calibration]:
    purchases = market(120)
    return purchases, fit_calibration(
        Candidates.from_purchases(purchases), names=collect_attribute_names(purchases)
    )


def test_a_price_that_was_paid_repeatedly_is_expected() -> None:
    price = estimate(PriceQuery("Blue ballpoint pen", quantity=10, supplier="Acme"), repeated())
    assert price.quantile(0.5) == pytest.approx(20.0, rel=0.01)
    assert price.level == "repeat"
    assert price.comparables[0].parts["product"] == 100


@pytest.mark.campaign
def test_percentiles_never_decrease(learnt: tuple[list[Purchase], Calibration]) -> None:
    purchases, calibration = learnt
    for row in purchases[::40]:
        price = estimate(PriceQuery.from_purchase(replace(row, order_id=None)), purchases, calibration)
        told = [price.quantile(p / 100) for p in range(1, 100)]
        assert told == sorted(told)
        assert all(math.isfinite(amount) and amount > 0 for amount in told)


def test_a_larger_quantity_costs_more_in_all_and_less_for_each(
    learnt: tuple[list[Purchase], Calibration],
) -> None:
    purchases, calibration = learnt
    query = replace(PriceQuery.from_purchase(purchases[0]), order_id=None, quantity=5.0)
    few = estimate(query, purchases, calibration)
    many = estimate(replace(query, quantity=500.0), purchases, calibration)
    assert many.quantile(0.5) > few.quantile(0.5)
    assert many.unit_price(0.5) < few.unit_price(0.5)
    volume = {factor.name: factor.effect for factor in many.factors}["volume"]
    assert volume < 1.0


@pytest.mark.campaign
def test_the_estimate_finds_the_law_behind_the_prices(learnt: tuple[list[Purchase], Calibration]) -> None:
    purchases, calibration = learnt
    later = market(600, seed=7)[500:]
    errors: list[float] = []
    for row in later:
        query = replace(PriceQuery.from_purchase(row), order_id=None)
        errors.append(
            abs(math.log(estimate(query, purchases, calibration).unit_price(0.5) / float(row.unit_price)))
        )
    assert np.median(errors) < 0.10


def test_purchases_of_today_or_later_are_not_used() -> None:
    cheap = repeated(purchase_date=date(2022, 1, 1))
    dear = [
        replace(row, id=row.id + "+", purchase_date=date(2022, 6, 1), unit_price=Decimal(50)) for row in cheap
    ]
    query = PriceQuery("Blue ballpoint pen", quantity=10, supplier="Acme")
    with_later, without = (estimate(query, known, today=date(2022, 6, 1)) for known in (cheap + dear, cheap))
    assert with_later.log_unit_prices.tolist() == without.log_unit_prices.tolist()
    assert "no comparable" in refusal(query, dear, today=date(2022, 6, 1))


def test_the_latest_price_counts_most_and_the_only_old_one_still_counts() -> None:
    old = repeated(4, purchase_date=date(2015, 1, 1), unit_price=Decimal(2))
    new = [
        replace(row, id=row.id + "+", purchase_date=date(2023, 12, 1), unit_price=Decimal(3)) for row in old
    ]
    query = PriceQuery("Blue ballpoint pen", quantity=10, supplier="Acme")
    assert estimate(query, old + new).unit_price(0.5) == pytest.approx(3.0, rel=0.03)
    assert estimate(query, old).unit_price(0.5) == pytest.approx(2.0, rel=0.1)


def test_another_currency_is_never_compared() -> None:
    query = PriceQuery("Blue ballpoint pen", quantity=10, currency="EUR")
    assert "purchases in EUR" in refusal(query, repeated())


def test_what_is_not_counted_is_not_estimated() -> None:
    query = PriceQuery("Blue ballpoint pen", quantity=None, supplier="Acme")
    assert refusal(query, repeated()) == "how many are bought is not stated"


def test_a_price_for_a_term_that_is_not_stated_is_compared_with_nothing() -> None:
    unknown = repeated(price_period="term", term_months=None)
    query = PriceQuery("Blue ballpoint pen", quantity=10, supplier="Acme", term_months=12)
    assert "comparable" in refusal(query, unknown)


def test_a_product_without_similar_purchases_is_refused() -> None:
    query = PriceQuery("Helicopter", supplier="Other", category="aviation")
    assert "comparable" in refusal(query, repeated())


def test_a_monthly_price_grows_with_the_term_and_a_single_one_does_not() -> None:
    monthly = repeated(price_period="month", term_months=12)
    query = PriceQuery("Blue ballpoint pen", quantity=10, supplier="Acme", term_months=24)
    assert estimate(query, monthly).quantile(0.5) == pytest.approx(2.0 * 10 * 24, rel=0.02)
    assert estimate(query, repeated()).quantile(0.5) == pytest.approx(2.0 * 10, rel=0.02)


def test_a_price_per_year_and_one_per_term_mean_the_same_months() -> None:
    query = PriceQuery("Blue ballpoint pen", quantity=1, supplier="Acme", term_months=36)
    yearly = estimate(query, repeated(price_period="year", term_months=12, unit_price=Decimal(120)))
    term = estimate(query, repeated(price_period="term", term_months=24, unit_price=Decimal(240)))
    assert yearly.quantile(0.5) == pytest.approx(term.quantile(0.5), rel=0.02) == pytest.approx(360, rel=0.02)


def test_few_purchases_or_a_single_buyer_give_no_estimate() -> None:
    query = PriceQuery("Blue ballpoint pen", quantity=10, supplier="Acme")
    rules = Anonymity(min_purchases=5, min_buyers=2)
    assert "fewer than 5" in refusal(query, repeated(4), anonymity=rules)
    assert "buyers" in refusal(query, repeated(8, buyer="City"), anonymity=rules)
    two = [replace(row, buyer=f"City {at % 2}") for at, row in enumerate(repeated(8))]
    assert estimate(query, two, anonymity=rules).purchases == 8
    assert estimate(query, repeated(8), anonymity=rules).purchases == 8


def test_confidence_follows_the_best_similarity(learnt: tuple[list[Purchase], Calibration]) -> None:
    purchases, calibration = learnt
    known = replace(PriceQuery.from_purchase(purchases[-1]), order_id=None)
    unknown = replace(known, product="Rubber stamp", supplier="Somebody new")
    sure, unsure = estimate(known, purchases, calibration), estimate(unknown, purchases, calibration)
    assert unsure.quantile(0.9) / unsure.quantile(0.1) > 2 * sure.quantile(0.9) / sure.quantile(0.1)
    assert (sure.level, unsure.level) == ("repeat", "coarse")


def test_the_comparables_are_those_that_carried_the_weight(
    learnt: tuple[list[Purchase], Calibration],
) -> None:
    purchases, calibration = learnt
    row = purchases[-1]
    price = estimate(replace(PriceQuery.from_purchase(row), order_id=None), purchases, calibration)
    by_id = {other.id: other for other in purchases}
    assert by_id[price.comparables[0].id].product == row.product
    weights = [one.weight for one in price.comparables]
    assert weights == sorted(weights, reverse=True)
    assert 0 < sum(weights) <= 1 + 1e-9
    for one in price.comparables:
        assert set(one.parts) == {"product", "dimensions", "quantity", "term", "recency", "size"}
        assert all(0 <= part <= 100 for part in (*one.parts.values(), one.similarity))


def test_the_same_order_is_left_out() -> None:
    query = replace(PriceQuery.from_purchase(purchase()), order_id="o")
    assert "no comparable" in refusal(query, [purchase(id=f"p-{at}") for at in range(6)])


def test_only_dimensions_with_an_effect_are_known_to_have_one(
    learnt: tuple[list[Purchase], Calibration],
) -> None:
    _, calibration = learnt
    assert "size" in calibration.attribute_impact
    assert "shelf" not in calibration.attribute_impact


def test_a_calibration_survives_its_json(learnt: tuple[list[Purchase], Calibration]) -> None:
    purchases, calibration = learnt
    again = Calibration.from_json(calibration.to_json())
    query = replace(PriceQuery.from_purchase(purchases[5]), order_id=None)
    assert estimate(query, purchases, again).log_unit_prices == pytest.approx(
        estimate(query, purchases, calibration).log_unit_prices, abs=1e-9
    )
    assert again.learnt_until == max(row.purchase_date for row in purchases)
    assert again.attribute_impact == calibration.attribute_impact


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 0}', "null"])
def test_an_invalid_calibration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="calibration"):
        Calibration.from_json(text)


def test_packed_purchases_give_the_same_estimate() -> None:
    purchases = market(50)
    query = replace(PriceQuery.from_purchase(purchases[3]), order_id=None)
    packed = Candidates.from_packed(
        [row.id for row in purchases], [row.product for row in purchases], [pack(row) for row in purchases]
    )
    price = estimate_queries([query], packed, Calibration(), TODAY)[0]
    assert isinstance(price, PriceDistribution)
    assert price.log_unit_prices.tolist() == estimate(query, purchases).log_unit_prices.tolist()


def test_few_purchases_give_an_estimate_without_calibration() -> None:
    few = market(8)
    calibration = fit_calibration(Candidates.from_purchases(few))
    assert calibration.learnt_on == 0
    price = estimate(replace(PriceQuery.from_purchase(few[0]), order_id=None), few, calibration)
    assert price.quantile(0.5) > 0
    assert price.learnt_on == 0
    assert calibration.hedonic_model.numbers, "what quantities and days are worth is learnt from the first"


@pytest.mark.campaign
def test_from_ten_purchases_on_an_estimate_says_how_many_were_learnt_from() -> None:
    some = market(20)
    calibration = fit_calibration(Candidates.from_purchases(some), past_only=False)
    price = estimate(replace(PriceQuery.from_purchase(some[0]), order_id=None), some, calibration)
    assert price.learnt_on == calibration.learnt_on == 20
    assert not calibration.attribute_impact, "too few to say what moves prices"


def test_an_edition_is_compared_among_few_purchases_too(learnt: tuple[list[Purchase], Calibration]) -> None:
    _, calibration = learnt
    editions = [
        replace(row, attributes={"size": "large" if at % 2 else "small"})
        for at, row in enumerate(repeated(12))
    ]
    query = PriceQuery("Blue ballpoint pen", supplier="Acme", attributes={"size": "large"})
    price = estimate(query, editions, calibration)
    assert sum(one.relation == "same_article" for one in price.comparables) == 6


def test_the_range_of_a_supplier_without_purchases_is_widened(
    learnt: tuple[list[Purchase], Calibration],
) -> None:
    purchases, calibration = learnt
    known = replace(PriceQuery.from_purchase(purchases[3]), order_id=None)
    new = replace(known, supplier="Newcomer")
    before = replace(calibration, newness_reliability={})
    price, by_age = estimate(new, purchases, calibration), estimate(new, purchases, before)
    assert price.newness == "new_supplier"
    wider, narrow = (one.quantile(0.9) - one.quantile(0.1) for one in (price, by_age))
    assert 1 + price.widened == pytest.approx((1 + by_age.widened) * wider / narrow)
    assert price.widened > by_age.widened + 0.02 > 0.02
    assert estimate(known, purchases, calibration).newness == "known"


@pytest.mark.campaign
def test_queries_are_estimated_at_once_as_one_by_one(learnt: tuple[list[Purchase], Calibration]) -> None:
    purchases, calibration = learnt
    terms = [{"quantity": at or None, "term_months": at % 3 * 12 or None} for at in range(80)]
    queries = [
        replace(PriceQuery.from_purchase(row), attributes=attributes, recurring=None, **changed)
        for row in purchases[:3]
        for attributes in (row.attributes, {})
        for changed in terms
    ]
    arguments = Candidates.from_purchases(purchases), calibration, TODAY
    at_once = estimate_queries(queries, *arguments, anonymity=Anonymity())
    for query, price in zip(queries, at_once, strict=True):
        alone = estimate_queries([query], *arguments, anonymity=Anonymity())[0]
        if isinstance(alone, NotEstimable):
            assert price == alone
            continue
        assert isinstance(price, PriceDistribution)
        assert price.log_unit_prices == pytest.approx(alone.log_unit_prices)
        assert (price.multiple, price.level, price.newness) == (alone.multiple, alone.level, alone.newness)
        assert price.effective_purchases == pytest.approx(alone.effective_purchases)
        assert [replace(one, weight=0, unit_price=0) for one in price.comparables] == [
            replace(one, weight=0, unit_price=0) for one in alone.comparables
        ]
        assert [one.effect for one in price.factors] == pytest.approx([one.effect for one in alone.factors])
