"""What is typed becomes a scope, or what is wrong and where."""

from decimal import Decimal

import pytest

from app.contract.catalog import Product
from app.contract.scope import NewScope
from app.dashboard.kit.form import CheckedForm
from app.dashboard.scopes.scope_creation import locate_field, validate_scope
from components.scopes.scope_form import FieldValue, TypedPrice, TypedScope
from tests.components.catalog.fixtures import make_product
from tests.components.fixtures import make_id

PRODUCT = make_product()
USERS, SSO, ADMINISTRATORS, SYNC = (dimension.id for dimension in PRODUCT.pricing_dimensions)


def enter(
    values: dict[str, FieldValue], *, term: float | None = 12, products: tuple[Product, ...] = (PRODUCT,)
) -> CheckedForm[NewScope]:
    typed = TypedScope(term, "new_purchase", quantities={PRODUCT.id: values})
    return validate_scope(typed, products)


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


@pytest.mark.parametrize("term", [None, 0, 1.5, 1201])
def test_a_term_is_a_whole_number_of_months(term: float | None) -> None:
    assert "termLength" in enter({USERS: 10}, term=term).faults


def test_without_products_there_is_nothing_to_buy() -> None:
    assert enter({}, products=()).faults == {"": "Choose at least one product."}


def test_prices_are_kept_to_the_cent() -> None:
    typed = TypedScope(
        12, "renewal", price=TypedPrice(100.1, 12.5, 87.59), quantities={PRODUCT.id: {USERS: 10}}
    )
    body = validate_scope(typed, [PRODUCT], make_id(7)).body
    assert body is not None
    assert body.scope_terms[0].final_price == Decimal("87.59")
    assert body.previous_scope_id == make_id(7)


def test_a_discount_is_a_percentage() -> None:
    typed = TypedScope(12, "renewal", price=TypedPrice(discount=101), quantities={PRODUCT.id: {USERS: 10}})
    assert list(validate_scope(typed, [PRODUCT]).faults) == ["discount"]


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("/scopeTerms/0/termLength", "termLength"),
        ("/productTerms/0/pricingDimensions/0/value", f"{PRODUCT.id}/{USERS}"),
        ("/productTerms/0/pricingDimensions", PRODUCT.id),
        ("/productTerms/0/productId", PRODUCT.id),
        ("/productTerms/0/finalPrice", f"{PRODUCT.id}/finalPrice"),
        ("/productTerms/7/productId", ""),
        ("/previousScopeId", ""),
    ],
)
def test_a_pointer_of_the_service_finds_its_field(pointer: str, place: str) -> None:
    body = enter({USERS: 120}).body
    assert body is not None
    assert locate_field(pointer, body) == place
