"""What of a price list is taken as list prices."""

from dataclasses import replace
from decimal import Decimal

from app.contract.scope import ProposedEntry, ReadLine, ReadValue
from app.dashboard.scopes.catalog_additions import is_unlike_all, list_taken_lines, says_its_period
from components.documents.review_form import ReviewedLine

MATCHED, GIVEN = "01a21c21-45ff-77b4-8092-979fa9d56994", "01a21c21-45ff-77b4-8092-97a31415b5e5"


def read(index: int, *, given: str | None = None, matched: str | None = None, **values: int) -> ReviewedLine:
    line = ReadLine(
        index=index,
        product_id=matched,
        values=[ReadValue(name=name, value=Decimal(value)) for name, value in values.items()],
    )
    return ReviewedLine(line, given, None, None, "left_aside")


def test_a_price_is_of_the_product_that_a_person_gave_else_of_the_matched_one() -> None:
    lines = [read(0, matched=MATCHED), read(1, matched=MATCHED, given=GIVEN), read(2)]
    assert [(one.index, one.product_id) for one in list_taken_lines(lines, "month")] == [
        (0, MATCHED),
        (1, GIVEN),
    ]


def test_lines_of_a_price_list_are_added_to_the_catalog_though_none_is_bought() -> None:
    known, unknown = read(0, matched=MATCHED), read(1)
    unknown = replace(
        unknown, line=unknown.line.model_copy(update={"proposed": ProposedEntry(name="Ledger")})
    )
    assert [is_unlike_all(one, "price_list") for one in (known, unknown)] == [False, True]
    assert not is_unlike_all(unknown, "quote"), "it was left aside"


def test_what_prices_are_for_is_asked_only_where_a_line_does_not_say_it() -> None:
    lines = [read(0, matched=MATCHED, period_months=12), read(1, matched=MATCHED)]
    assert [says_its_period(one) for one in lines] == [True, False]
    assert [one.per for one in list_taken_lines(lines, "month")] == [None, "month"]
