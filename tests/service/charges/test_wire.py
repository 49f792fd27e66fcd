"""The terms of a scope as a schedule, and back."""

from datetime import date
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.contract.scope import DimensionValue, NewProductTerm, NewScopeTerm
from app.service.charges.faults import NotStated, OutsideTerm
from app.service.charges.months import add_months
from app.service.charges.wire import read_terms, write_terms

IDS = [str(UUID(int=number)) for number in range(1, 5)]
USERS = str(UUID(int=99))
COUNTED = dict.fromkeys(IDS, USERS)
START, END = date(2027, 1, 1), date(2029, 12, 31)


def build_product(
    at: int, final: str | None = None, quantity: int | None = 10, **more: object
) -> NewProductTerm:
    dimensions = [] if quantity is None else [DimensionValue(id=USERS, value=Decimal(quantity))]
    other = DimensionValue(id=IDS[3], value="1")
    return NewProductTerm(
        product_id=IDS[at],
        pricing_dimensions=[*dimensions, other],
        final_price=None if final is None else Decimal(final),
        **more,  # type: ignore[arg-type]
    )


def build_scope(final: str | None = None, months: int = 36, *, dated: bool = True) -> NewScopeTerm:
    return NewScopeTerm(
        term_length=months,
        purchase_type="renewal",
        start_date=START if dated else None,
        end_date=END if dated else None,
        final_price=None if final is None else Decimal(final),
    )


YEARS = [
    build_product(0, final, quantity, start_date=date(year, 1, 1), end_date=date(year, 12, 31))
    for year, quantity, final in ((2027, 150, "182700"), (2028, 200, "243600"), (2029, 250, "304500"))
]


def test_products_with_dates_run_between_them() -> None:
    ramp = read_terms([build_scope("730800")], YEARS, currency="USD", counted=COUNTED)
    assert [(one.start_month, one.months) for one in ramp.charges] == [(0, 12), (12, 12), (24, 12)]
    assert ramp.total().rounded() == 730800
    assert [one.rounded() for one in ramp.list_years()] == [182700, 243600, 304500]


@pytest.mark.parametrize(
    ("total", "finals", "what", "adjustments"),
    [
        ("150", ["100", "50"], 2, 0),
        ("170", ["100", "50"], 3, 0),  # other charges
        ("120", ["100", "50"], 2, 1),  # a discount on the whole
        ("150", ["100", None], 3, 0),  # a bundle
        ("150", [None, None], 3, 0),
    ],
)
def test_the_rest_of_the_total_is_a_charge_or_a_discount(
    total: str, finals: list[str | None], what: int, adjustments: int
) -> None:
    products = [build_product(at, final) for at, final in enumerate(finals)]
    schedule = read_terms([build_scope(total)], products, currency="USD", counted=COUNTED)
    assert (len(schedule.charges), len(schedule.adjustments)) == (what, adjustments)
    assert schedule.total().rounded() == Decimal(total)


def test_what_the_terms_do_not_state_is_not_made_up() -> None:
    products = [build_product(0, "100", quantity=None), build_product(1, None)]
    schedule = read_terms([build_scope(None)], products, currency="USD", counted=COUNTED)
    assert [one.quantity for one in schedule.charges] == [None, 10]
    assert schedule.total().covers.missing == {IDS[1]}
    discounted = read_terms([build_scope("50")], products, currency="USD", counted=COUNTED)
    assert discounted.total().covers.missing == {IDS[1]}


def test_a_price_follows_from_list_price_and_discount() -> None:
    listed = build_product(0, None, list_price=Decimal(200), discount=Decimal(25))
    [charge] = read_terms([build_scope(None)], [listed], currency="USD", counted=COUNTED).charges
    assert (charge.amount, charge.list_price) == (150, 200)


def test_a_product_outside_the_term_is_refused_with_its_name() -> None:
    early = build_product(0, "100", start_date=date(2026, 1, 1), end_date=date(2027, 12, 31))
    with pytest.raises(OutsideTerm, match=f"{IDS[0]}: it begins 12 months before"):
        read_terms([build_scope()], [early], currency="USD", counted=COUNTED)


def test_a_part_of_the_term_needs_the_day_on_which_the_term_begins() -> None:
    ramp = read_terms(
        [build_scope()], YEARS[::-1], currency="USD", counted=COUNTED, kinds=["recurring"] * len(YEARS)
    )
    cut = ramp.with_term(18)
    _, written = write_terms(cut, build_scope(), YEARS[::-1], counted=COUNTED)
    assert [(one.end_date, one.final_price) for one in written] == [
        (date(2028, 6, 30), 121800),
        (date(2027, 12, 31), 182700),
    ]
    with pytest.raises(NotStated, match="first day"):
        write_terms(cut, build_scope(dated=False), YEARS[::-1], counted=COUNTED)
    unknown = read_terms([build_scope()], YEARS, currency="USD", counted=COUNTED)
    with pytest.raises(NotStated, match=IDS[0]):  # it may be paid once, where it begins
        unknown.with_term(18)


@st.composite
def product_terms(draw: st.DrawFn) -> list[NewProductTerm]:
    terms: list[NewProductTerm] = []
    for at in range(draw(st.integers(1, 3))):
        final = draw(st.none() | st.integers(0, 10**9).map(lambda cents: str(Decimal(cents) / 100)))
        first = draw(st.integers(0, 35))
        dates = {"start_date": add_months(START, first), "end_date": END} if draw(st.booleans()) else {}
        terms.append(build_product(at, final, draw(st.none() | st.integers(1, 10**6)), **dates))
    return terms


@settings(max_examples=60, deadline=None)
@given(product_terms(), st.none() | st.integers(0, 10**10).map(lambda cents: str(Decimal(cents) / 100)))
def test_terms_that_are_read_are_written_as_they_were(terms: list[NewProductTerm], total: str | None) -> None:
    scope = build_scope(total)
    schedule = read_terms([scope], terms, currency="USD", counted=COUNTED)
    written, products = write_terms(schedule, scope, terms, counted=COUNTED)
    assert products == terms
    known = schedule.total()
    assert written.final_price == (None if known.covers.missing else known.rounded())
    if total is not None and not known.covers.missing:
        assert written == scope
