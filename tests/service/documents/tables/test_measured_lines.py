"""Lines whose quantity or price the rows above them make up."""

import pytest

from app.service.documents.tables.measured_lines import join_measured_lines
from tests.service.documents.typewriter import type_document

_MEASURED = """
    No     Description             Times   Length   Part     Qty    Price    Amount
    1.1    Take up the old floor
           Hall                        1    12.00   12.00
           Stairs                      6     3.00   18.00
                                                           30.00    12.50    375.00
    1.2    Lay the new floor
           Hall                        1    12.00   12.00
           Stairs                      6     3.00   18.00
                                                           30.00    42.00   1260.00
"""
_ANALYSED = """
    No     Description               Qty    Cost     Price    Amount
    1      Cable in a tube
           Cable black              1.00     1.95     1.95
           Electrician              0.02    24.00     0.48
                      m           320.00              2.43    777.60
    2      Wall cabinet
           Cabinet                  1.00    86.50    86.50
           Electrician              2.00    24.00    48.00
                      pc            4.00            134.50    538.00
"""


@pytest.mark.parametrize(
    ("page", "joined"),
    [
        (
            _MEASURED,
            ["1.1 Take up the old floor 30.00 12.50 375.00", "1.2 Lay the new floor 30.00 42.00 1260.00"],
        ),
        (_ANALYSED, ["1 Cable in a tube m 320.00 2.43 777.60", "2 Wall cabinet pc 4.00 134.50 538.00"]),
    ],
)
def test_a_line_stands_behind_its_name_without_what_makes_it_up(page: str, joined: list[str]) -> None:
    assert [row.text for row in join_measured_lines(type_document(page).rows)][1:] == joined


@pytest.mark.parametrize(
    "page",
    [
        _MEASURED.replace("18.00", "17.00"),  # they make up nothing
        _MEASURED.partition("    1.2")[0],  # one alone may be chance
        _MEASURED.replace(
            "                  30.00", "Floor covering    30.00"
        ),  # lines have names of their own
    ],
)
def test_rows_that_make_up_no_factor_stay(page: str) -> None:
    rows = type_document(page).rows
    assert join_measured_lines(rows) is rows
