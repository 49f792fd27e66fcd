"""What is known of each printed figure before the model: its column, its arithmetic, its words."""

import numpy as np

from app.service.documents.learned.features import FEATURES, FigureFeatures
from app.service.documents.learned.labels import letter_groups
from app.service.documents.learned.printed_figures import MOST_FIGURES, find_printed_figures
from tests.service.documents.typewriter import type_document

TABLE = FigureFeatures(
    type_document("""
    Zorb                Nim      Plix      Quam
    Editor seats         10      5.00     50.00
    Viewer seats          3      1.50      4.50
    Support               4      2.50     10.00

    Sma                                   64.50
    Vek 20%                               12.90
    Tol                                   77.40
    """)
)


def _values(name: str) -> dict[float, float]:
    column = FEATURES.index(name)
    return {one.value: known[column] for one, known in zip(TABLE.figures, TABLE.values, strict=True)}


def test_figures_under_each_other_make_a_column() -> None:
    amounts = [index for index, one in enumerate(TABLE.figures) if one.order == 2 or one.value > 12]
    [column] = {id(TABLE.columns[index]) for index in amounts if TABLE.figures[index].value != 20}
    assert column == id(TABLE.columns[2])
    assert len(TABLE.columns[2].members) == 6


def test_products_and_sums_are_found_whatever_the_words() -> None:
    assert {value for value, found in _values("product").items() if found == 3} == {50.0, 4.5, 10.0}
    assert _values("summands")[64.5] == 3
    assert _values("whole")[77.4] == 1
    assert _values("larger_part")[64.5] == 1
    assert _values("smaller_part")[12.9] == 1
    assert _values("percent_of")[12.9] == 1
    assert _values("column_products")[50.0] == 0.5


def test_products_of_figures_under_each_other_are_found() -> None:
    known = FigureFeatures(
        type_document("""
        Users                8           15
        Fee              74.30        92.90
        Months              12           12
        Fee for all   7,132.80    16,722.00
        """)
    )
    product, factor = (FEATURES.index(name) for name in ("stack_product", "stack_factor"))
    assert [values[product] for values in known.values] == [0, 0, 0, 0, 0, 0, 4, 4]
    assert [values[factor] for values in known.values] == [4, 4, 4, 4, 4, 4, 0, 0]


def test_the_words_above_and_to_the_left_are_those_of_the_column_and_the_row() -> None:
    labels = {one.value: label for one, label in zip(TABLE.figures, TABLE.labels, strict=True)}
    assert labels[5.0].header == labels[2.5].header == "Plix"
    assert labels[64.5].left == "Sma"
    assert labels[12.9].left == "Vek 20%"


def test_a_figure_within_words_has_its_own_place_and_words() -> None:
    document = type_document("""
    40 seats at 12.50 per month for 12 months are 6,000.00
    """)
    count, price, months, amount = find_printed_figures(document)
    assert (count.after[:5], price.before[-2:], months.after[:6]) == ("seats", "at", "months")
    assert count.box.x1 < price.box.x0 < months.box.x0 < amount.box.x0
    known = FigureFeatures(document).values
    assert known[3][FEATURES.index("product")] == 4


def test_digits_are_alike_and_accents_are_none() -> None:
    assert letter_groups("Stück 1") == letter_groups("stuck 7")
    assert not set(letter_groups("Menge")) & set(letter_groups("Total"))


def test_no_more_figures_are_looked_at_than_are_read() -> None:
    line = "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
    document = type_document(*["\n".join([line] * 50)] * 4)
    assert MOST_FIGURES < len(find_printed_figures(document)) < MOST_FIGURES + 30


def test_every_figure_has_every_feature() -> None:
    assert np.asarray(TABLE.values, dtype=np.float64).shape == (len(TABLE.figures), len(FEATURES))
