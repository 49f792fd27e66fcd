"""Figures that a narrow cell has broken into two lines are whole."""

import pytest

from tests.service.documents.typewriter import type_document


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("Lamp     120     174\n              000,00", ["Lamp 120 174000,00"]),
        ("Lamp     120         $\nof steel     18.400,00", ["Lamp 120 $18.400,00", "of steel"]),
        ("Total       1 234\n           567,00", ["Total 1 234567,00"]),
    ],
    ids=["thousands", "a sign, with words beside the end", "several groups"],
)
def test_a_figure_is_put_together_where_it_begins(page: str, texts: list[str]) -> None:
    assert [row.text for row in type_document(page).rows] == texts


@pytest.mark.parametrize(
    "page",
    [
        "Lamp     174\nCable    250",
        "Lamp     174\nCable 900,00 12",
        "Lamp     174\n\n\n       000,00",
        "Lamp 4     $\n    900   000,00 7",
    ],
    ids=["figures of two lines", "further figures", "a gap between", "one figure that goes on and another"],
)
def test_figures_of_their_own_stay(page: str) -> None:
    lines = [" ".join(line.split()) for line in page.split("\n") if line.strip()]
    assert [row.text for row in type_document(page).rows] == lines
