"""What a line is by the words around it: an alternative, paid once, paid again."""

import pytest

from app.service.documents.pipeline import read_pages
from app.service.scopes.line_roles import classify_line
from tests.service.documents.typewriter import type_page

TABLES = """
Quote Q-7

{first}
Item               Qty      Price       Amount

Platform            10     100.00     1,000.00
Maintenance          1     300.00       300.00

{second}
Item               Qty      Price       Amount

Maintenance          2     125.00       250.00
Workshop             1     450.00       450.00

Total                                 2,000.00
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [("Recurring charges", "One-time charges"), ("Abonnements", "Einmalige Leistungen")],
)
def test_the_title_of_a_table_says_what_is_paid_once(first: str, second: str) -> None:
    read = read_pages([type_page(TABLES.format(first=first, second=second))], "quote.pdf")
    recurring = [classify_line(item, matched=True).recurring for item in read.line_items]
    # By its own word the second maintenance would be paid again.
    assert recurring[2:] == [False, False]
    assert True in recurring[:2]


def test_an_option_that_stands_in_for_a_line_is_an_alternative() -> None:
    text = """
    Quote Q-7

    Item                        Qty      Price       Amount

    Platform                     10     100.00     1,000.00
    Support                       1     300.00       300.00

    Total                                          1,300.00

    Options, not included in the total

    Item                        Qty      Price       Amount

    Alternative: premium support  1     450.00       450.00
    Training                      1     200.00       200.00
    """
    items = read_pages([type_page(text)], "quote.pdf").line_items
    assert [(item.optional, item.alternative) for item in items] == [
        (None, None),
        (None, None),
        (True, True),
        (True, None),
    ]


@pytest.mark.parametrize("heading", ["Optional add-ons", "Optionen", "Opzioni (non comprese nel totale)"])
def test_what_stands_under_a_heading_of_options_is_optional_whatever_it_costs(heading: str) -> None:
    text = f"""
    Quote Q-7

    Item                Qty      Price       Amount

    Platform             10     100.00     1,000.00
    Subtotal                               1,000.00
    VAT 20 %                                 200.00
    Total                                  1,200.00

    {heading}
    Migration             5   1,600.00     8,000.00
    Travel                1     120.00       120.00
    """
    read = read_pages([type_page(text)], "quote.pdf")
    assert [item.optional for item in read.line_items] == [None, True, True]
    assert not any("add up" in warning for warning in read.warnings)
