"""Which columns become dimensions, and which of them move the price."""

import numpy as np
import pytest

from app.service.purchases.attributes import MAX_OPTIONS, ColumnDecision, ImportedColumns
from app.service.purchases.impact import build_choice_columns, build_number_column, find_price_drivers


def judged(name: str, values: list[str | float], known: ColumnDecision | None = None) -> ColumnDecision:
    seen = ImportedColumns()
    for value in values:
        seen.add({name: value})
    return seen.decide({name: known} if known else {})[name]


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("weight", [1.0, 2.5, 100.0], "number"),
        ("weight", [1.0, "heavy"], "select"),
        ("unspsc", [44121708.0, 44121709.0], "select"),
        ("cost_code", [7.0], "select"),
        ("line", [1.0, 2.0], "none"),
        ("item", ["00010", "00020"], "none"),
        ("item", ["Saw", "Key"], "select"),
        ("plant", [1000.0, 1100.0], "select"),
        ("country", ["Kenya", "Mali"], "select"),
        ("note", ["x" * 121], "none"),
        ("note", [f"remark {n}" for n in range(21)], "none"),
        ("country", [f"country {n % 21}" for n in range(100)], "select"),
        ("customer", [f"customer {n % 300}" for n in range(3000)], "none"),
        ("delivered", [f"2025-01-{1 + n % 28:02d}" for n in range(100)], "none"),
    ],
)
def test_a_column_becomes_what_its_values_are(name: str, values: list[str | float], kind: str) -> None:
    assert judged(name, values).kind == kind


def test_a_column_keeps_its_kind_over_imports() -> None:
    assert judged("weight", ["heavy"], ColumnDecision("number")).kind == "number"
    assert judged("size", [1.0, 2.0], ColumnDecision("select")).kind == "select"
    assert judged("note", ["x"], ColumnDecision("none", "too many")).reason == "too many"


def test_a_choice_that_has_grown_too_large_is_one_no_longer() -> None:
    values: list[str | float] = [f"v{n}" for n in range(MAX_OPTIONS + 1)] * 3
    assert judged("site", values, ColumnDecision("select")).kind == "none"


def test_an_effect_is_told_from_chance() -> None:
    random = np.random.default_rng(7)
    count = 200
    edition = [("Basic", "Plus", "Max")[n % 3] for n in range(count)]
    seats = random.uniform(1, 100, count)
    region = [f"region {n}" for n in random.integers(0, 5, count)]
    effect = np.array([(0.0, 0.2, 0.5)[n % 3] for n in range(count)])
    price = effect - 0.003 * seats + random.normal(0, 0.1, count)
    columns = {
        "edition": build_choice_columns(edition),
        "seats": build_number_column(list(seats)),
        "region": build_choice_columns(region),
        "constant": build_number_column([1.0] * count),
    }
    assert find_price_drivers(columns, np.zeros((count, 0)), price) == {"edition", "seats"}


def test_chance_seldom_looks_like_an_effect() -> None:
    random = np.random.default_rng(11)
    taken = 0
    for _ in range(300):
        price = random.normal(0, 1, 40)
        choice = build_choice_columns([f"c{n}" for n in random.integers(0, 4, 40)])
        taken += bool(find_price_drivers({"choice": choice}, np.zeros((40, 0)), price))
    assert taken <= 9  # 3 of 300 are expected


def test_few_purchases_and_equal_prices_show_nothing() -> None:
    edition = build_choice_columns(["a", "b", "a", "b"])
    assert find_price_drivers({"edition": edition}, np.zeros((4, 0)), np.array([1.0, 2.0, 1.0, 2.0])) == set()
    edition = build_choice_columns(["a", "b"] * 10)
    assert find_price_drivers({"edition": edition}, np.zeros((20, 0)), np.ones(20)) == set()
