"""Documents whose words say nothing: lines and totals follow from where figures stand and what they make."""

from decimal import Decimal

import numpy as np
import pytest

from app.service.documents.learned.model import MODEL
from app.service.documents.learned.printed_figures import MOST_FIGURES
from app.service.documents.learned.reading import LearnedReading, read_learned
from tests.service.documents.typewriter import type_document


def _lines(reading: LearnedReading) -> list[tuple[float | None, float | None, float | None]]:
    return [
        tuple(None if value is None else float(value) for value in (one.quantity, one.unit_price, one.amount))
        for one in reading.line_items
    ]  # pyright: ignore[reportReturnType]


GRID = """
    Zorbal Krint          Nimmo     Plixet       Quammer
    Editor seats             40      25.00      1,000.00
    Viewer seats            120      10.50      1,260.00
    Premium support           6      80.00        480.00

    Smarrek                                     2,740.00
    Vekkin 20%                                    548.00
    Tolbrum                                     3,288.00
    """


@pytest.fixture(scope="module")
def grid() -> LearnedReading:
    return read_learned(type_document(GRID))


def test_lines_and_totals_are_read_without_known_words(grid: LearnedReading) -> None:
    assert _lines(grid) == [(40, 25.0, 1000.0), (120, 10.5, 1260.0), (6, 80.0, 480.0)]
    assert [one.description for one in grid.line_items] == ["Editor seats", "Viewer seats", "Premium support"]
    assert (grid.net_total, grid.tax_total, grid.total) == (2740, 548, 3288)


def test_each_value_has_its_place_and_its_probability(grid: LearnedReading) -> None:
    for item in grid.line_items:
        assert set(item.provenance) == {"quantity", "unit_price", "amount"}
    places = [
        *grid.provenance.values(),
        *(one for item in grid.line_items for one in item.provenance.values()),
    ]
    assert all(one.box is not None and one.page == 1 and 0 < one.confidence <= 1 for one in places)
    assert not any(one.verified for one in places)


def test_margins_say_how_far_a_value_is_ahead(grid: LearnedReading) -> None:
    assert set(grid.margins) == {"net_total", "tax_total", "total", "line_items"}
    assert all(0 <= margin <= 1 for margin in grid.margins.values())
    doubtful = read_learned(
        type_document(GRID.replace("2,740.00", "2,741.00").replace("3,288.00", "3,333.00"))
    )
    assert doubtful.margins.get("total", 0) < grid.margins["total"]


CARDS = """
    Zorbal editor                       Krint viewer

    Nimmo               40              Nimmo              120
    Plixet           25.00              Plixet           10.50
    Quammer       1,000.00              Quammer       1,260.00

    Premium help                        Setting up

    Nimmo                6              Nimmo                2
    Plixet           80.00              Plixet          450.00
    Quammer         480.00              Quammer         900.00

    Tolbrum                                           3,640.00
    """


@pytest.mark.parametrize(
    "sentence",
    [
        "Clause 2 - The client pays fees of R$ 1,250.00, until the 10th of each month",
        "The monthly retainer is $1,250.00, due within 10 days",
    ],
)
def test_a_number_behind_an_amount_is_no_quantity_of_it(sentence: str) -> None:
    assert all(line[0] in (None, 1) for line in _lines(read_learned(type_document(sentence))))


def test_cards_beside_each_other_are_lines_with_the_words_above_them() -> None:
    reading = read_learned(type_document(CARDS))
    assert _lines(reading) == [(40, 25, 1000), (120, 10.5, 1260), (6, 80, 480), (2, 450, 900)]
    assert [one.description for one in reading.line_items] == [
        "Zorbal editor", "Krint viewer", "Premium help", "Setting up"
    ]  # fmt: skip


def test_nothing_is_read_without_figures_or_of_too_many() -> None:
    assert read_learned(type_document("Good morning.")).line_items == ()
    line = " ".join(f"{number}" for number in range(100))
    long = read_learned(type_document(*["\n".join([line] * 31)] * (MOST_FIGURES // 3000)))
    assert (long.line_items, long.total, dict(long.margins)) == ((), None, {})


def test_the_model_is_small_and_holds_arrays_only() -> None:
    assert MODEL.stat().st_size < 5_000_000
    with np.load(MODEL, allow_pickle=False) as stored:
        assert all(stored[name].dtype.kind in "fi" for name in stored.files)
    assert MODEL.with_suffix(".md").read_text().startswith("# The model of the learned reader")


def test_a_discount_without_its_sign_is_a_percentage_where_it_makes_the_amount() -> None:
    page = """
    Zorbal Krint            Nimmo       Plixet   Wump     Quammer
    Vernesko boots             12       899.00     20    8,630.40
    Work trousers              10     1,290.00     25    9,675.00
    Hearing protection         15       349.00           5,235.00

    Smarrek                                             23,540.40
    Vekkin 25%                                           5,885.10
    Tolbrum                                             29,425.50
    """
    read = read_learned(type_document(page)).line_items
    assert [(line.unit_price, line.discount_percent) for line in read] == [
        (Decimal("719.20"), 20), (Decimal("967.50"), 25), (349, None)
    ]  # fmt: skip
