"""What is still unknown of a line is asked until everything that affects its price is known."""

from decimal import Decimal

from app.contract.scope import ReadLine, ReadValue
from app.dashboard.scopes.document_review import find_open_question
from components.documents.review_form import ReviewedLine
from tests.components.catalog.fixtures import make_product

PRODUCT = make_product()


def test_a_line_without_a_product_keeps_the_question_of_the_reading() -> None:
    line = ReadLine(index=0, values=[], question="Which product is it?")
    assert find_open_question(ReviewedLine(line, None, None, None), None, {}) == "Which product is it?"


def test_a_missing_quantity_is_asked_with_its_unit_until_it_is_entered() -> None:
    line = ReadLine(index=0, values=[], product_id=PRODUCT.id)
    asked = find_open_question(ReviewedLine(line, PRODUCT.id, None, None), PRODUCT, {})
    assert asked == "Not known yet: quantity (users)."
    assert find_open_question(ReviewedLine(line, PRODUCT.id, Decimal(5), None), PRODUCT, {}) is None


def test_a_price_that_holds_an_unknown_tax_is_asked_with_a_product_too_until_it_is_known() -> None:
    values = [ReadValue(name="amount", value=Decimal(121)), ReadValue(name="tax_included", value=True)]
    line = ReadLine(index=0, values=values, product_id=PRODUCT.id, question="What is it before tax?")
    assert find_open_question(ReviewedLine(line, PRODUCT.id, Decimal(5), None), PRODUCT, {}) == line.question
    assert find_open_question(ReviewedLine(line, PRODUCT.id, Decimal(5), Decimal(100)), PRODUCT, {}) is None
