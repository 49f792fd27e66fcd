"""The digest by which a purchase that is imported again is known."""

import pytest

from app.service.purchase_records.records import digest_purchase
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase


def test_the_id_and_the_order_of_attributes_do_not_make_another_purchase() -> None:
    one = purchase(id="1", attributes={"size": "L", "width": 2.0})
    assert digest_purchase(one) == digest_purchase(purchase(id="2", attributes={"width": 2.0, "size": "L"}))


@pytest.mark.parametrize(
    "changed",
    [{"supplier": "Other"}, {"quantity": 11}, {"unit_price": 3}, {"unit": "box"}, {"currency": "EUR"},
     {"order_id": "o-2"}, {"purchase_date": FIRST_DAY.replace(year=2023)}, {"attributes": {"size": "L"}}],
    ids=lambda changed: next(iter(changed)),
)  # fmt: skip
def test_whatever_tells_purchases_apart_changes_the_digest(changed: dict[str, object]) -> None:
    assert digest_purchase(purchase(**changed)) != digest_purchase(purchase())
