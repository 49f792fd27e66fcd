"""The part of the term that a line is for, in words."""

import pytest

from app.contract.scope import ReadLine
from components.documents.review_form import list_tag_labels


@pytest.mark.parametrize(
    ("first", "months", "label"),
    [
        (None, None, []),
        (0, 12, ["year 1"]),
        (24, 12, ["year 3"]),
        (12, None, ["year 2"]),  # paid once in it
        (0, 6, ["months 1 to 6"]),
        (6, 12, ["months 7 to 18"]),
        (12, 24, ["months 13 to 36"]),
    ],
)
def test_a_part_is_a_year_or_its_months(first: int | None, months: int | None, label: list[str]) -> None:
    line = ReadLine(index=0, values=[], first_month=first, months=months)
    assert list_tag_labels([line]) == [label]
