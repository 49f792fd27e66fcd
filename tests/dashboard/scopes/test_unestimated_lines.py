"""What a quote's total contains and no estimate covers."""

from decimal import Decimal

from app.contract.scope import DocumentReading, ReadLine, ReadValue
from app.dashboard.scopes.review_validation import find_unestimated_lines, list_left_out_lines
from components.documents.review_form import LEFT_OUT, NOT_A_PRODUCT, ReviewedLine
from tests.components.fixtures import make_id


def line(index: int, description: str, amount: int, *values: ReadValue) -> ReadLine:
    described = ReadValue(name="description", value=description)
    return ReadLine(index=index, values=[described, *values], term_amount=Decimal(amount))


SEATS = line(0, "Ledger Cloud", 52_400).model_copy(update={"product_id": make_id(1)})
SHIPPING = line(1, "Shipping", 20).model_copy(update={"role": "not_product"})
UNKNOWN = line(2, "Harbour Vault", 8_540)
FREE = line(3, "Onboarding", 0)
OPTIONAL = line(4, "Training day", 2_000, ReadValue(name="optional", value=True))
LINES = [SEATS, SHIPPING, UNKNOWN, FREE, OPTIONAL]


def test_lines_that_cost_something_and_are_not_estimated_are_listed_with_the_reason() -> None:
    reading = DocumentReading(
        scope_id=make_id(70),
        file_id=make_id(71),
        filename="quote.pdf",
        kind="quote",
        pages=[],
        values=[],
        lines=LINES,
        warnings=[],
    )
    assert [(one.description, one.amount, one.why) for one in find_unestimated_lines(reading)] == [
        ("Shipping", Decimal(20), NOT_A_PRODUCT),
        ("Harbour Vault", Decimal(8_540), LEFT_OUT),
    ]


def test_a_line_that_is_given_a_product_in_the_review_is_no_longer_listed() -> None:
    shipping = ReviewedLine(SHIPPING, None, None, SHIPPING.term_amount, "not_product")
    unknown = ReviewedLine(UNKNOWN, None, None, UNKNOWN.term_amount)
    matched = ReviewedLine(UNKNOWN, make_id(2), Decimal(1), UNKNOWN.term_amount)
    assert [one.description for one in list_left_out_lines([unknown, shipping])] == [
        "Shipping",
        "Harbour Vault",
    ]
    assert [one.description for one in list_left_out_lines([matched, shipping])] == ["Shipping"]
