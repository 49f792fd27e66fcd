"""What is said below a term tells what was read from what was worked out."""

from decimal import Decimal

import pytest

from app.contract.scope import DocumentReading, ReadLine, ReadValue
from components.documents.review_form import describe_term
from tests.components.fixtures import make_id


@pytest.mark.parametrize(
    ("name", "values", "amount", "said"),
    [
        ("final_price", [], Decimal(20), "what the lines add up to"),
        ("final_price", [ReadValue(name="total", value=Decimal(20), sure=True)], Decimal(20), ""),
        ("final_price", [], None, ""),
        ("start_date", [], Decimal(20), ""),
    ],
)
def test_a_price_that_is_not_stated_is_said_to_be_that_of_the_lines(
    name: str, values: list[ReadValue], amount: Decimal | None, said: str
) -> None:
    reading = DocumentReading(
        scope_id=make_id(1),
        file_id=make_id(2),
        filename="quote.eml",
        kind="quote",
        pages=[],
        values=values,
        lines=[ReadLine(index=0, values=[], term_amount=amount)],
        warnings=[],
    )
    told = describe_term(name, None, reading)
    assert said in told
    assert bool(told) == bool(said)


def test_a_value_that_is_not_sure_says_what_else_it_may_be() -> None:
    value = ReadValue(name="start_date", value="2026-04-01", confidence=Decimal("0.5"), second="2026-01-04")
    reading = DocumentReading(
        scope_id=make_id(1), file_id=make_id(2), filename="q.pdf", kind="quote", pages=[], values=[value],
        lines=[], warnings=[],
    )  # fmt: skip
    assert "not sure, or 2026" in describe_term("start_date", value, reading)


@pytest.mark.parametrize(
    ("total", "said"),
    [
        (ReadValue(name="total", value=Decimal(20), sure=True), "which may include a tax"),
        (ReadValue(name="total", value=Decimal(24), sure=True), "not sure"),
        (ReadValue(name="total", value=Decimal(20), confidence=Decimal("0.5")), "not sure"),
    ],
)
def test_a_price_that_is_the_only_total_says_why_it_is_not_sure(total: ReadValue, said: str) -> None:
    net = ReadValue(name="net_total", value=Decimal(20), confidence=Decimal("0.5"))
    reading = DocumentReading(
        scope_id=make_id(1), file_id=make_id(2), filename="q.pdf", kind="quote", pages=[],
        values=[net, total], lines=[], warnings=[],
    )  # fmt: skip
    told = describe_term("final_price", net, reading)
    assert said in told
    assert ("tax" in told) == ("tax" in said)
