"""Of the amounts of a month and of a year, the year's is what is bought."""

import pytest

from app.service.documents.pipeline import read_pages
from tests.service.documents.typewriter import type_page

MONTH_AND_YEAR = """
    Service         Price    Seats     Monthly       Annual

    Storage         17.00      250    4,250.00    51,000.00
    Backup          75.98       75    5,698.50    68,382.00

    Total monthly                     9,948.50
    Total                                        119,382.00
"""


@pytest.mark.parametrize("swapped", [False, True])
def test_the_amount_of_the_longer_period_counts(*, swapped: bool) -> None:
    text = MONTH_AND_YEAR
    if swapped:
        text = text.replace(" 4,250.00    51,000.00", "51,000.00     4,250.00")
        text = text.replace(" 5,698.50    68,382.00", "68,382.00     5,698.50")
        text = text.replace("Monthly       Annual", " Annual      Monthly")
    read = read_pages([type_page(text)], "quote.pdf")
    assert [(item.amount, item.period_months) for item in read.line_items] == [(51000, 12), (68382, 12)]
    assert read.total == 119382


def test_a_figure_that_is_no_multiple_in_every_line_is_another() -> None:
    read = read_pages([type_page(MONTH_AND_YEAR.replace("68,382.00", "61,000.00"))], "quote.pdf")
    assert [item.amount for item in read.line_items][:1] != [51000]


@pytest.mark.parametrize(
    ("price", "amount", "months"),
    [
        ("Price", "Monthly amount", 1),
        ("Unit MRC", "Total MRC", 1),
        ("Price", "Annual amount", 12),
        ("Price", "Amount", None),
    ],
)
def test_the_header_of_the_amounts_may_tell_the_period(price: str, amount: str, months: int | None) -> None:
    text = f"""
    Order form                      Term: 36 months

    Service                Qty   {price:>10}   {amount:>16}
    Internet access          1       685.00             685.00
    Voice seats             22        24.50             539.00
    Total                                             1,224.00
    """
    read = read_pages([type_page(text)], "quote.pdf")
    assert [(item.amount, item.period_months) for item in read.line_items] == [(685, months), (539, months)]
