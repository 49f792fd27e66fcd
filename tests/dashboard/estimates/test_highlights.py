"""What is lowest among scopes side by side, where they can be compared."""

from app.contract.scope_list import ListedScope
from app.dashboard.estimates.scope_estimates import LOWEST_MEDIAN, LOWEST_QUOTE, find_highlights
from tests.components.estimates.fixtures import make_advanced_estimate, make_percentiles
from tests.components.scopes.fixtures import make_scope

ONE, OTHER = make_scope(), make_scope(number=71, price=48_000)
CHEAP = make_advanced_estimate().model_copy(update={"estimate": make_percentiles(30_000)})
BOTH = {ONE.id: CHEAP, OTHER.id: make_advanced_estimate()}


def test_the_lowest_quote_and_the_lowest_median_stand_out() -> None:
    assert find_highlights([ONE, OTHER], BOTH, {}) == {ONE.id: [LOWEST_MEDIAN], OTHER.id: [LOWEST_QUOTE]}


def test_a_typed_quote_counts_instead_of_the_one_on_record() -> None:
    assert find_highlights([ONE, OTHER], BOTH, {ONE.id: 10.0})[ONE.id] == [LOWEST_QUOTE, LOWEST_MEDIAN]
    assert find_highlights([ONE, OTHER], BOTH, {OTHER.id: None})[OTHER.id] == []


def test_a_quote_that_names_no_currency_is_lower_than_none() -> None:
    unnamed = ListedScope(**dict(OTHER), name="Unnamed", status="review")
    assert find_highlights([ONE, unnamed], BOTH, {})[OTHER.id] == []
    named = unnamed.model_copy(update={"currency": "USD"})
    assert find_highlights([ONE, named], BOTH, {})[OTHER.id] == [LOWEST_QUOTE]


def test_other_quantities_other_terms_other_currencies_and_a_single_one_are_not_compared() -> None:
    term = OTHER.product_terms[0]
    more = OTHER.model_copy(update={"product_terms": [term, term]})
    assert not any(find_highlights([ONE, more], BOTH, {}).values())
    longer = make_scope(number=71, term=36)
    assert not any(find_highlights([ONE, longer], BOTH, {}).values())
    foreign = {**BOTH, OTHER.id: CHEAP.model_copy(update={"currency": "EUR"})}
    assert not any(find_highlights([ONE, OTHER], foreign, {}).values())
    assert not any(find_highlights([ONE], {ONE.id: CHEAP}, {}).values())


def test_a_term_that_nobody_has_said_is_compared_with_none_and_equal_amounts_stand_out_alike() -> None:
    [term] = OTHER.scope_terms
    guessed = OTHER.model_copy(update={"scope_terms": [term.model_copy(update={"term_assumed": True})]})
    assert not any(find_highlights([ONE, guessed], BOTH, {}).values())
    [own] = ONE.scope_terms
    both = [ONE.model_copy(update={"scope_terms": [own.model_copy(update={"term_assumed": True})]}), guessed]
    assert not any(find_highlights(both, BOTH, {}).values())
    assert find_highlights(both, BOTH, {}, {ONE.id, OTHER.id})[OTHER.id] == [LOWEST_QUOTE], "paid once"
    same = {ONE.id: 48_000.0, OTHER.id: 48_000.0}
    assert find_highlights([ONE, OTHER], BOTH, same) == {ONE.id: [LOWEST_MEDIAN], OTHER.id: []}
