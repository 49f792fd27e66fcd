"""Rows that sum up several columns."""

import pytest

from app.service.documents.fields.totals import find_sums
from app.service.documents.tables.column_sums import name_by_columns
from app.service.documents.tables.detection import find_tables
from tests.service.documents.typewriter import type_document

_NET_AND_GROSS = """
Item              Qty     Price net    Net value    VAT     Gross value
Heat pump         2       300.00       600.00       23%     738.00
Fitting           1       100.00       100.00       23%     123.00
{:<39}700.00               861.00
"""
_TAX = """
Item              Qty     Unit price   Amount       VAT amount     Sum
Heat pump         2       300.00       600.00       138.00         738.00
Fitting           1       100.00       100.00       23.00          123.00
{:<39}700.00       161.00         861.00
"""
_RATES = """
Item              Qty     Price net    Net value    VAT %      VAT amount     Gross value
Catalogue         1       3000.00      3000.00      23%        690.00         3690.00
Book              90      10.00        900.00       5%         45.00          945.00

                                       23%          3000.00    690.00         3690.00
                                       5%           900.00     45.00          945.00
{:<39}             3900.00    735.00         4635.00
"""
_QUANTITY = """
Item              Qty     Price        Amount
Steel bolt M10    1000    2.00         2000.00
Washer            500     1.00         500.00
{:<18}1500                 2500.00
"""


_WEIGHTS = """
Item              Qty     Price        Amount      CBM      G.W. (KGS)
Steel bolt M10    1000    2.00         2000.00     15.50    2,750
Washer            500     1.00         500.00      9.72     1,344
{:<18}1500                 2500.00     25.22    4,094
"""


@pytest.mark.parametrize("label", ["Total", "Razem", "Gesamtbetrag"])
@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (_NET_AND_GROSS, {("net", 700), ("gross", 861)}),
        (_TAX, {("net", 700), ("tax", 161), ("gross", 861)}),
        (_RATES, {("net", 3900), ("tax", 735), ("gross", 4635)}),
        (_QUANTITY, {("gross", 2500)}),
        (_WEIGHTS, {("gross", 2500)}),
    ],
)
def test_each_sum_of_a_row_is_named_by_its_header(
    label: str, page: str, expected: set[tuple[str, int]]
) -> None:
    document = type_document(page.strip("\n").format(label))
    sums = find_sums(document.rows, document.sentences)
    named = name_by_columns(sums, find_tables(document.rows), document.rows)
    assert {(one.kind, one.value) for one in named} == expected
