"""The prices of a quote, and those that a scope states itself, as a schedule."""

from datetime import date
from decimal import Decimal

import pytest

from app.service.charges.schedule import Schedule
from app.service.scopes.quote import QuoteLine, ScopeQuote
from app.service.scopes.schedule import build_schedule, read_stated_prices
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, TermDimension, find_quantity

PRODUCTS = ["first", "second", "third"]
COUNTED = dict.fromkeys(PRODUCTS, "users")
START = date(2027, 1, 1)


def build_product(
    at: int, final: str | None = None, quantity: str | None = "10", **more: object
) -> StoredProductTerm:
    counted = [] if quantity is None else [TermDimension("users", Decimal(quantity))]
    price = None if final is None else Decimal(final)
    return StoredProductTerm(PRODUCTS[at], counted, final_price=price, **more)  # type: ignore[arg-type]


def build_scope(total: str | None, months: int = 36) -> list[StoredScopeTerm]:
    price = None if total is None else Decimal(total)
    return [StoredScopeTerm(months, "renewal", start_date=START, final_price=price)]


def read(terms: list[StoredScopeTerm], products: list[StoredProductTerm]) -> Schedule:
    names = [one.product_id for one in products]
    stated = read_stated_prices(terms, products, currency="USD", names=names)
    return build_schedule(stated, terms, products, counted=COUNTED)


RAMP = ((2027, "150", "182700"), (2028, "200", "243600"), (2029, "250", "304500"))
DATED = [
    build_product(0, final, users, start_date=date(year, 1, 1), end_date=date(year, 12, 31))
    for year, users, final in RAMP
]
COUNTED_MONTHS = [
    build_product(0, final, users, first_month=12 * at, months=12)
    for at, (_, users, final) in enumerate(RAMP)
]


@pytest.mark.parametrize("products", [DATED, COUNTED_MONTHS])
def test_each_year_of_a_ramp_runs_for_its_part_of_the_term(products: list[StoredProductTerm]) -> None:
    ramp = read(build_scope("730800"), products)
    assert [(one.start_month, one.months, one.quantity) for one in ramp.charges] == [
        (0, 12, 150),
        (12, 12, 200),
        (24, 12, 250),
    ]
    assert ramp.total().value == 730800


@pytest.mark.parametrize("products", [DATED, COUNTED_MONTHS])
def test_a_year_beyond_the_term_is_at_no_known_time_of_it(products: list[StoredProductTerm]) -> None:
    """As in scopes that were stored before that was refused."""
    shorter = read(build_scope("730800", months=24), products)
    assert [one.start_month for one in shorter.charges] == [0, 12, None]


@pytest.mark.parametrize(
    ("total", "finals", "count", "paid"),
    [
        ("150", ["100", "50"], 2, [100, 50]),
        (None, ["100", "50"], 2, [100, 50]),
        ("170", ["100", "50"], 3, [100, 50]),  # other charges
        ("120", ["100", "50"], 2, [80, 40]),  # a discount on the whole
        ("0", ["100", "50"], 2, [0, 0]),
        ("150", ["100", None], 2, [100, None]),  # nobody knows what the second costs
        ("80", ["100", None], 2, [100, None]),
    ],
)
def test_the_rest_of_the_total_is_a_charge_or_a_discount(
    total: str | None, finals: list[str | None], count: int, paid: list[int | None]
) -> None:
    schedule = read(build_scope(total), [build_product(at, final) for at, final in enumerate(finals)])
    found = [schedule.total(only=[at]) for at in range(2)]
    assert len(schedule.charges) == count
    assert [None if one.covers.missing else one.value for one in found] == paid
    if None not in finals:
        assert schedule.total().value == Decimal(total or 150)


def test_a_credit_is_taken_off_all_that_is_paid() -> None:
    lines = [
        QuoteLine(0, "Seats", "product", Decimal(900), True, 0),
        QuoteLine(1, "Setup", "not_product", Decimal(100), False),
        QuoteLine(2, "Loyalty credit", "not_product", Decimal(-100)),
    ]
    quote = ScopeQuote("", "", None, "", "USD", lines)
    schedule = build_schedule(quote, build_scope(None), [build_product(0)], counted=COUNTED)
    assert schedule.total().value == 900
    assert (schedule.total(only=[0]).value, schedule.total(only=[1]).value) == (810, 90)


def test_what_the_terms_do_not_state_is_not_made_up() -> None:
    products = [
        build_product(0, "100", None),
        build_product(1, "100", "0"),
        # It begins before the term, and this one runs longer than it.
        build_product(2, "100", start_date=date(2026, 1, 1), end_date=date(2026, 12, 31)),
        build_product(2, "100", start_date=date(2027, 1, 1), end_date=date(2031, 12, 31)),
    ]
    charges = read(build_scope("400"), products).charges
    assert [one.quantity for one in charges] == [None, None, 10, 10]
    assert [(one.start_month, one.months) for one in charges[2:]] == [(None, 12), (None, None)]


def test_a_price_follows_from_list_price_and_discount() -> None:
    listed = build_product(0, list_price=Decimal(200), discount=Decimal(25))
    assert read(build_scope(None), [listed]).total().value == 150


@pytest.mark.parametrize(
    ("value", "counted", "quantity"),
    [
        ("10", "users", 10),
        ("0", "users", None),
        ("-1", "users", None),
        (None, "users", None),
        (None, None, 1),
    ],
)
def test_a_quantity_is_1_only_of_what_nothing_counts(
    value: str | None, counted: str | None, quantity: int | None
) -> None:
    assert find_quantity(build_product(0, quantity=value), counted) == quantity
