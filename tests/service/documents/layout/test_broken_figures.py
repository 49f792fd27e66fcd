"""Figures that a narrow cell has broken into two lines are whole."""

import pytest

from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.layout.document import lay_out
from tests.service.documents.typewriter import type_document


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("Lamp     120     174\n              000,00", ["Lamp 120 174000,00"]),
        ("Lamp     120         $\nof steel     18.400,00", ["Lamp 120 $18.400,00", "of steel"]),
        ("Total       1 234\n           567,00", ["Total 1 234 567,00"]),
        (
            "Rent 420     5 480     2 301 27%     621 432     2 923 032\nof May                   600",
            ["Rent 420 5 480 2 301 600 27% 621 432 2 923 032", "of May"],
        ),
        (
            "Crane, 28.08-     6     19\n02.09               200,00",
            ["Crane, 28.08- 6 19200,00", "02.09"],
        ),
    ],
    ids=[
        "thousands",
        "a sign, with words beside the end",
        "several groups",
        "beside other figures",
        "below a name that goes on with a figure",
    ],
)
def test_a_figure_is_put_together_where_it_begins(page: str, texts: list[str]) -> None:
    assert [row.text for row in type_document(page).rows] == texts


@pytest.mark.parametrize(
    "page",
    [
        "Lamp     174\nCable    250",
        "Lamp     1 174\nCable      250",
        "Lamp     174\nCable 900,00 12",
        "Lamp     174\n\n\n       000,00",
        "Lamp 4     $\n    900   000,00 7",
    ],
    ids=[
        "figures of two lines",
        "groups of two lines",
        "further figures",
        "a gap between",
        "one figure that goes on and another",
    ],
)
def test_figures_of_their_own_stay(page: str) -> None:
    lines = [" ".join(line.split()) for line in page.split("\n") if line.strip()]
    assert [row.text for row in type_document(page).rows] == lines


@pytest.mark.parametrize(
    ("page", "rows"),
    [
        (
            "Item   Amount Rs.  Ps.\nMotor    1,36,900   00\nWire        65,537   50\nTotal    2,02,437   50",
            ["Item Amount Rs.", "Motor 1,36,900.00", "Wire 65,537.50", "Total 2,02,437.50"],
        ),
        (
            "Item   K.D.  Fils  K.D.   Fils\nFuse     38   500   462    000\nCable     4   750  1187    500",
            ["Item K.D. K.D.", "Fuse 38.50 462.00", "Cable 4.75 1187.50"],
        ),
        (
            "Item      zł  gr\nLampa  1.200  00\nKabel    310  50",
            ["Item zł", "Lampa 1.200,00", "Kabel 310.50"],
        ),
    ],
    ids=["paise", "thousandths, in two columns", "the other mark"],
)
def test_cents_of_a_column_of_their_own_belong_to_the_figure_beside_them(page: str, rows: list[str]) -> None:
    assert [row.text for row in type_document(page).rows] == rows


@pytest.mark.parametrize(
    "page",
    [
        "Item   Price  Ct\nLamp     120  24\nCable    310  12",
        "Item   Price  Ct\nLamp     120  00",
        "Item   Price  Count\nLamp     120     00\nCable    310     12",
    ],
    ids=["counts of cartons", "one row", "no header of cents"],
)
def test_other_columns_hold_figures_of_their_own(page: str) -> None:
    lines = [" ".join(line.split()) for line in page.split("\n")]
    assert [row.text for row in type_document(page).rows] == lines


@pytest.mark.parametrize(
    ("row", "text"), [(["Cloth", "185", "50"], "Cloth 185.50"), (["Cloth", "18", "250"], "Cloth 18 250")]
)
def test_cents_stand_in_cells_of_their_own_where_some_are_none(row: list[str], text: str) -> None:
    ends = "00" if len(row[-1]) == 2 else "100"  # else hours, of which some are a round number
    cells = [["Item", "Kshs", "Cts"], ["Spirit", "1,250", ends], row]
    rows = lay_out([lay_out_cells(1, cells)]).rows
    assert rows[-1].text == text
