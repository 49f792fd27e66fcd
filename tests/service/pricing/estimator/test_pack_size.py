"""Packs: what a wording says of them, and how prices for different packs are compared."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import PriceDistribution
from app.service.pricing.estimator.estimate import estimate_queries
from app.service.pricing.estimator.pack_size import PackSize, read_pack_size
from app.service.purchase_records import PriceQuery, Purchase
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase

TODAY = FIRST_DAY + timedelta(days=100)


@pytest.mark.parametrize(
    ("wording", "pieces"),
    [
        ("Nitrile gloves, box of 100", 100),
        ("Nitrile gloves 100/pk", 100),
        ("Pack of 12 pens", 12),
        ("Pens, 12 per box", 12),
        ("Pencils, per dozen", 12),
        ("Eggs, 2 dozen", 24),
        ("Toner 6PK", 6),
        ("Markers, 12-pack", 12),
        ("Folders 1,000/CT", 1000),
        ("Paper, 50 sheets/pack", 50),
        ("Ink, 1 BX OF ( 25 EA)", 25),
        ("Paper, 1 CT OF ( 10 PK)", 10),
        ("Masks, case of 10 boxes of 50", 500),
        ("Markers red 12/bx - DZ", 12),
    ],
)
def test_a_pack_is_read_where_the_wording_says_it(wording: str, pieces: int) -> None:
    assert read_pack_size(wording) == PackSize(pieces)


@pytest.mark.parametrize("wording", ["Water, case of 24 x 500 ml", "Water 24x500ml"])
def test_the_size_of_a_piece_is_read_with_the_pack(wording: str) -> None:
    assert read_pack_size(wording) == PackSize(24, "500ml")


@pytest.mark.parametrize(
    "wording",
    [
        "Laptop",
        "Storage box 15x24x10",
        "box of 10 mm screws",
        "Rope 50FT/PK",
        "half a dozen",
        "Drive 1/2 dz",
        "Design suite CS5",
        "Pens 5/BX - DZ",
        "Labels - 1 PK",
        "Analytics, 500 users",
        "",
    ],
)
def test_what_is_not_said_plainly_is_not_read(wording: str) -> None:
    assert read_pack_size(wording) is None


def packs(product: str, price: str, number: int = 8, **changed: object) -> list[Purchase]:
    return [
        purchase(
            id=f"{product} {at}",
            order_id=f"{product} {at}",
            product=product,
            unit_price=Decimal(price),
            purchase_date=FIRST_DAY + timedelta(days=at),
            **changed,
        )
        for at in range(number)
    ]


def estimate(product: str, purchases: list[Purchase], today: date = TODAY) -> PriceDistribution:
    price = estimate_queries(
        [PriceQuery(product, supplier="Acme")], Candidates.from_purchases(purchases), Calibration(), today
    )[0]
    assert isinstance(price, PriceDistribution), price
    return price


def test_a_larger_pack_is_compared_by_the_piece_and_marked() -> None:
    bought = packs("Blue nitrile examination gloves, box of 100", "8.00")
    price = estimate("Blue nitrile examination gloves, box of 200", bought)
    assert price.unit_price(0.5) == pytest.approx(16.0, rel=0.1)
    assert {round(one.unit_price, 2) for one in price.comparables} == {16.0}
    assert all(one.other_pack and one.other_unit and not one.like_for_like for one in price.comparables)


def test_the_same_item_in_another_pack_is_no_like_for_like() -> None:
    bought = packs("Gloves 100/bx", "8.00", product_key="g-1")
    price = estimate_queries(
        [PriceQuery("Gloves 200/bx", supplier="Acme", product_key="g-1")],
        Candidates.from_purchases(bought),
        Calibration(),
        TODAY,
    )[0]
    assert isinstance(price, PriceDistribution)
    assert price.unit_price(0.5) == pytest.approx(16.0, rel=0.1)
    assert all(one.other_unit and not one.like_for_like for one in price.comparables)


def test_the_same_pack_in_other_words_is_the_same() -> None:
    bought = packs("Blue nitrile examination gloves 100/pk", "8.00")
    price = estimate("Blue nitrile examination gloves, box of 100", bought)
    assert price.unit_price(0.5) == pytest.approx(8.0, rel=0.1)
    assert not any(one.other_unit for one in price.comparables)


def test_the_pack_asked_for_counts_more_than_another() -> None:
    asked = packs("Blue nitrile examination gloves, box of 200", "15.00", number=3)
    other = packs("Blue nitrile examination gloves, box of 100", "9.50", number=3)
    price = estimate("Blue nitrile examination gloves, box of 200", [*asked, *other])
    of_asked = sum(one.weight for one in price.comparables if not one.other_unit)
    of_other = sum(one.weight for one in price.comparables if one.other_unit)
    assert of_asked > 3 * of_other > 0
    assert price.unit_price(0.5) == pytest.approx(15.0, rel=0.05)


def test_bottles_of_another_size_are_marked_and_not_compared_by_the_piece() -> None:
    bought = packs("Still mineral water, case of 12 x 1 l", "6")
    price = estimate("Still mineral water, case of 24 x 500 ml", bought)
    assert all(one.other_unit for one in price.comparables)
    assert {round(one.unit_price, 2) for one in price.comparables} == {6.0}
