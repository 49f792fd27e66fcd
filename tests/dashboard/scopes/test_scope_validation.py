"""What is typed becomes a scope, or what is wrong and where."""

from decimal import Decimal
from typing import Any, cast

import pytest

from app.contract.catalog import Product
from app.contract.scope import NewScope, Scope
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm
from app.dashboard.scopes.scope_creation import ScopeForm
from components.scopes import FieldValue
from tests.components.catalog.fixtures import make_product
from tests.components.scopes.fixtures import make_scope

PRODUCT = make_product()
USERS, SSO, ADMINISTRATORS, SYNC = (dimension.id for dimension in PRODUCT.pricing_dimensions)


def enter(
    values: dict[str, FieldValue],
    *,
    products: tuple[Product, ...] = (PRODUCT,),
    previous: Scope | None = None,
    **terms: object,
) -> CheckedForm[NewScope]:
    form = ScopeForm(Deployment("http://127.0.0.1:1", "key"), products, previous).form
    typed = {f"{PRODUCT.id}/{name}": value for name, value in values.items()}
    return form.check_values({"purchase_type": "new_purchase", "term_length": 12, **terms, **typed})


def sent(outcome: CheckedForm[NewScope]) -> dict[str, object]:
    assert outcome.body is not None, outcome.faults
    return {value.id: value.value for value in outcome.body.product_terms[0].pricing_dimensions}


def test_numbers_ticks_and_choices_are_sent_as_the_contract_says() -> None:
    assert sent(enter({USERS: 120, SSO: True, ADMINISTRATORS: 3, SYNC: "2"})) == {
        USERS: Decimal(120),
        SSO: Decimal(1),
        ADMINISTRATORS: Decimal(3),
        SYNC: "2",
    }


def test_what_is_blank_or_not_ticked_is_left_out() -> None:
    assert list(sent(enter({USERS: 120, SSO: False, ADMINISTRATORS: None}))) == [USERS]


def test_a_dimension_whose_inclusion_is_not_taken_is_left_out() -> None:
    assert list(sent(enter({USERS: 120, SSO: False, SYNC: "2"}))) == [USERS]


def test_a_required_field_left_blank_is_named() -> None:
    assert enter({SSO: True}).faults == {f"{PRODUCT.id}/{USERS}": "This field is required."}


@pytest.mark.parametrize(
    ("users", "fault"), [(4, "At least 5."), (5001, "At most 5,000."), (5.5, "In steps")]
)
def test_a_number_out_of_bounds_is_named(users: float, fault: str) -> None:
    assert enter({USERS: users}).faults[f"{PRODUCT.id}/{USERS}"].startswith(fault)


def test_a_quantity_cannot_exceed_the_one_it_is_counted_against() -> None:
    faults = enter({USERS: 10, ADMINISTRATORS: 11}).faults
    assert list(faults) == [f"{PRODUCT.id}/{ADMINISTRATORS}"]


def test_an_option_that_is_none_is_refused() -> None:
    assert enter({USERS: 10, SSO: True, SYNC: "9"}).faults == {
        f"{PRODUCT.id}/{SYNC}": "Choose one of the options."
    }


@pytest.mark.parametrize("term", [0, 1.5, 1201])
def test_a_term_is_a_whole_number_of_months(term: float) -> None:
    assert list(enter({USERS: 10}, term_length=term).faults) == ["term_length"]


@pytest.mark.parametrize(("typed", "is_guess"), [(None, True), (12, None)])
def test_a_term_that_nobody_has_said_is_sent_as_a_guess(typed: int | None, is_guess: bool | None) -> None:
    body = enter({USERS: 10}, term_length=typed).body
    assert body is not None
    assert (body.scope_terms[0].term_length, body.scope_terms[0].term_assumed) == (12, is_guess)


@pytest.mark.parametrize("is_guess", [True, None])
def test_a_follow_up_has_no_term_that_nobody_has_said(is_guess: bool | None) -> None:
    plain = make_scope()
    [term] = plain.scope_terms
    term = term.model_copy(update={"term_assumed": is_guess})
    previous = plain.model_copy(update={"scope_terms": [term]})
    form = ScopeForm(Deployment("http://127.0.0.1:1", "key"), (PRODUCT,), previous).form
    record = cast(dict[str, object], form.record)
    assert record["term_length"] == (None if is_guess else int(term.term_length))


def test_a_follow_up_of_several_terms_is_for_all_of_them() -> None:
    plain = make_scope()
    [term] = plain.scope_terms
    terms = [
        term.model_copy(update={"term_length": Decimal(months), "final_price": Decimal(price)})
        for months, price in ((12, 1_000), (24, 2_500))
    ]
    previous = plain.model_copy(update={"scope_terms": terms})
    form = ScopeForm(Deployment("http://127.0.0.1:1", "key"), (PRODUCT,), previous).form
    record = cast(dict[str, object], form.record)
    assert (record["term_length"], record["final_price"], record.get("list_price")) == (36, 3_500, None)


@pytest.mark.parametrize(("months", "price"), [(None, 500), (12, 1_500)])
def test_a_follow_up_has_the_price_of_the_line_that_it_takes(months: int | None, price: int) -> None:
    plain = make_scope()
    [line] = plain.product_terms
    lines = [
        line.model_copy(update={"final_price": Decimal(amount), "months": months}) for amount in (1_000, 500)
    ]
    previous = plain.model_copy(update={"product_terms": lines})
    form = ScopeForm(Deployment("http://127.0.0.1:1", "key"), (PRODUCT,), previous).form
    record = cast(dict[str, object], form.record)
    assert record[f"{PRODUCT.id}/final_price"] == price


def test_without_products_there_is_nothing_to_buy() -> None:
    assert enter({}, products=()).faults == {"": "Choose at least one product."}


def test_prices_are_kept_to_the_cent() -> None:
    previous = make_scope()
    body = enter(
        {USERS: 10, "final_price": 87.6}, previous=previous, list_price=100.1, final_price=87.59
    ).body
    assert body is not None
    assert body.scope_terms[0].final_price == Decimal("87.59")
    assert body.product_terms[0].final_price == Decimal("87.6")
    assert body.previous_scope_id == previous.id


@pytest.mark.parametrize(
    ("name", "value"), [("discount", 101), ("discount", -1), ("final_price", -1), ("list_price", 1e12)]
)
def test_a_price_that_cannot_be_is_named_at_its_field(name: str, value: float) -> None:
    terms: dict[str, Any] = {name: value}
    assert list(enter({USERS: 10}, **terms).faults) == [name]
    assert list(enter({USERS: 10, name: value}).faults) == [f"{PRODUCT.id}/{name}"]


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (("scopeTerms", 0, "termLength"), "term_length"),
        (("productTerms", 0, "pricingDimensions"), PRODUCT.id),
        (("productTerms", 0, "productId"), PRODUCT.id),
        (("productTerms", 0, "finalPrice"), f"{PRODUCT.id}/final_price"),
        (("productTerms", 7, "productId"), ""),
        (("previousScopeId",), ""),
        ((), ""),
    ],
)
def test_a_place_that_the_service_refuses_finds_its_field(place: tuple[str | int, ...], name: str) -> None:
    form = ScopeForm(Deployment("http://127.0.0.1:1", "key"), [PRODUCT]).form
    assert form.find_field is not None
    assert form.find_field(place) == name
