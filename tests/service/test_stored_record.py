"""What JSON columns hold stays the same, whatever version wrote it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any

import pytest

from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.offers.savings import AgreedPrice, Savings
from app.service.scopes.quote import QuoteClauses, QuoteLine
from app.service.scopes.terms import StoredProductTerm, TermDimension
from app.service.stored_record import OMITTED, StoredNumber, StoredRecord


@dataclass(frozen=True, slots=True)
class _Example(StoredRecord):
    unit_price: Decimal
    quantity: StoredNumber
    paid_on: date | None = None
    note: Annotated[str | None, OMITTED] = None


@pytest.mark.parametrize(
    ("one", "stored"),
    [
        (
            _Example(Decimal("0.10"), Decimal("2.50")),
            {"unitPrice": "0.10", "quantity": 2.5, "paidOn": None},
        ),
        (
            _Example(Decimal("1E+3"), Decimal(3), date(2026, 1, 31), "once"),
            {"unitPrice": "1E+3", "quantity": 3, "paidOn": "2026-01-31", "note": "once"},
        ),
        (
            StoredProductTerm("p", (TermDimension("users", Decimal(250)), TermDimension("edition", "pro"))),
            {
                "productId": "p",
                "pricingDimensions": [{"id": "users", "value": 250}, {"id": "edition", "value": "pro"}],
            },
        ),
        (
            QuoteClauses(Decimal("7.00"), uplift_is_cap=True, notice_days=0),
            {"renewalUpliftPercent": "7", "renewalUpliftIsCap": True, "noticeDays": 0},
        ),
        (QuoteClauses(), {}),
        (
            QuoteLine(0, "Seats", "product", Decimal("9.90")),
            {
                "index": 0,
                "description": "Seats",
                "role": "product",
                "amount": "9.90",
                "recurring": None,
                "term": None,
                "amount_with_tax": None,
                "is_part_unproved": False,
            },
        ),
    ],
)
def test_a_record_is_stored_under_its_names_and_read_again(one: StoredRecord, stored: dict[str, Any]) -> None:
    assert one.to_record() == stored
    assert type(one).from_record(stored) == one


def test_what_an_earlier_version_stored_is_read() -> None:
    before = {"amount": 90, "signedAt": "2026-03-03T10:00:00+00:00", "target": None}
    savings = {"against": "first_offer", "baseline": "100", "agreed": "90"}
    agreed = AgreedPrice.from_record({**before, "savings": savings})
    assert agreed.savings == Savings("first_offer", Decimal(100), Decimal(90))
    assert (agreed.signed_at, agreed.term_length) == (datetime(2026, 3, 3, 10, tzinfo=UTC), None)
    offer = Offer.of_entry(
        "entry",
        agreed.signed_at,
        {"amount": "5", "currency": "EUR", "origin": "update", "termLength": None, "validUntil": None,
         "quantities": {"p": "2", "q": None}, "clauses": {}},
    )  # fmt: skip
    assert offer.first_entry_id == "entry"
    assert (offer.quantities, offer.product_terms, offer.fits_scope) == (
        {"p": Decimal(2), "q": None},
        (),
        True,
    )


def test_a_value_of_another_type_is_refused() -> None:
    with pytest.raises(ValueError, match="unitPrice"):
        _Example.from_record({"unitPrice": "ten", "quantity": 1})
